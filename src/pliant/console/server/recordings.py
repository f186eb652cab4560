"""Lists and finds files in the folder of recordings."""

import re
from pathlib import Path

from pydantic import BaseModel

from pliant.errors import UnknownNameError

SUFFIXES = (".mcap", ".csv")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MOST_LISTED = 500


class RecordingFile(BaseModel):
    """A recording in the folder."""

    name: str
    bytes: int
    modified: float


def listed(folder: Path) -> list[RecordingFile]:
    """The recordings in a folder, newest first."""
    found = [(path, path.stat()) for path in _files(folder)]
    found.sort(key=lambda pair: pair[1].st_mtime, reverse=True)
    return [
        RecordingFile(name=path.name, bytes=stat.st_size, modified=stat.st_mtime)
        for path, stat in found[:_MOST_LISTED]
    ]


def find(folder: Path, name: str) -> Path:
    """The recording of a name; finds only plain files of that folder.

    Raises:
        UnknownNameError: There is no such recording.
    """
    for path in _files(folder):
        if path.name == name:
            return path
    raise UnknownNameError("recording", name[:100], [file.name for file in listed(folder)[:10]])


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [
        path
        for path in folder.iterdir()
        if path.suffix in SUFFIXES
        and _NAME.fullmatch(path.name)
        and path.is_file()
        and not path.is_symlink()
    ]
