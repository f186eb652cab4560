"""The generated pages are what the code says, and the examples run."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pliant.cli import columns, config
from pliant.controller import protocol_page

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize(
    ("page", "made"),
    [
        ("tick.md", columns.page),
        ("configuration.md", config.page),
        ("commands.md", protocol_page.page),
    ],
)
def test_generated_page_is_up_to_date(page, made):
    assert (ROOT / "docs" / page).read_text() == made(), f"make docs/{page} again"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_says_something(example):
    # a runtime folder of its own, so that it finds no controller but its own
    with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
        done = subprocess.run(
            [sys.executable, example],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env=os.environ | {"PLIANT_RUNTIME_DIR": folder},
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
