"""Huge pages hold what the small ones held."""

import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import numpy as np
from pathlib import Path
from pliant.runtime.huge_pages import use_huge_pages

def huge():
    text = Path("/proc/self/smaps_rollup").read_text()
    return int(text.split("AnonHugePages:")[1].split()[0]) * 1024

numbers = np.arange(4 << 20)
before, made = huge(), use_huge_pages()
assert (numbers == np.arange(4 << 20)).all()
print(made, huge() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux says so")
def test_memory_is_gathered_and_its_contents_stay():
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    made, grown = (int(number) for number in done.stdout.split())
    # 32 MB of numbers alone have room for fifteen; a system that can make none is no failure
    assert made == 0 or made >= 15
    assert (grown > 0) == (made > 0)


def test_a_system_without_them_is_no_failure(monkeypatch):
    from pliant.runtime import huge_pages

    monkeypatch.setattr(huge_pages, "Path", lambda _: Path("/nowhere/maps"))
    assert huge_pages.use_huge_pages() == 0
