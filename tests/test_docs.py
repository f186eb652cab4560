"""The generated pages are what the code says, and the examples run."""

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from pliant.cli import columns, config
from pliant.controller import protocol_page
from pliant.errors import PliantWarning
from pliant.reasons import Reason

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
    assert (ROOT / "docs" / page).read_text() == made(), f"docs/{page} is old: run `make docs`"


def run(example):
    # a runtime folder of its own, so that it finds no controller but its own
    with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
        return subprocess.run(
            [sys.executable, example],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env=os.environ | {"PLIANT_RUNTIME_DIR": folder},
        )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_says_something(example):
    done = run(example)
    # an arm in real time may stop on a machine that is busy with other things
    for _ in range(10):
        if Reason.LATE.text not in done.stderr:
            break
        done = run(example)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_programs_of_the_python_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = (ROOT / "docs" / "python.md").read_text().split("```python\n")[1:]
    assert len(blocks) >= 4
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        for block in blocks:
            exec(block.partition("```")[0], names)
    assert (tmp_path / "press.png").stat().st_size > 1000
