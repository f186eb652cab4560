"""A runtime folder of the suite's own."""

import os
from pathlib import Path


def runtime_folder_at(path: Path) -> Path:
    """Make a folder, and let this process and its children take it for the runtime folder."""
    path.mkdir(mode=0o700, exist_ok=True)
    os.environ["PLIANT_RUNTIME_DIR"] = str(path)
    return path
