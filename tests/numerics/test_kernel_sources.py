"""What a kernel is compiled from: its own file and what that imports, and nothing else."""

import shutil
from pathlib import Path

import pytest

import pliant
from pliant.numerics.kernel_sources import KernelSources

SOURCE = Path(pliant.__file__).parent
TICK = "pliant.loop.tick_kernels"
LAW = "pliant.laws.position"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    ignore = shutil.ignore_patterns("node_modules", "static", "__pycache__")
    return Path(shutil.copytree(SOURCE, tmp_path / "pliant", ignore=ignore))


def changed(package: Path, *modules: str) -> list[bool]:
    """Which modules' kernels would be compiled anew, and whether any at all."""
    here, there = KernelSources(SOURCE), KernelSources(package)
    pairs = [(here.stamp(name), there.stamp(name)) for name in modules]
    return [one != other for one, other in [*pairs, (here.whole, there.whole)]]


def edit(file: Path) -> None:
    file.write_text(file.read_text() + "\n_EDITED = True\n")


def test_the_same_sources_elsewhere_have_the_same_stamps(package: Path) -> None:
    assert changed(package, TICK, LAW) == [False, False, False]


def test_an_edit_reaches_whoever_imports_it(package: Path) -> None:
    edit(package / "numerics/spatial.py")
    assert changed(package, TICK, LAW) == [True, True, True]


def test_an_edit_reaches_nobody_else(package: Path) -> None:
    edit(package / "stages/safety/stage.py")
    assert changed(package, TICK, LAW) == [True, False, True]


def test_codes_that_are_compiled_in_count(package: Path) -> None:
    reasons = package / "reasons.py"
    reasons.write_text(reasons.read_text().replace("LATE = 6", "LATE = 66"))
    assert changed(package, TICK) == [True, True]


def test_a_source_without_kernels_does_not_count(package: Path) -> None:
    (package / "notes.py").write_text("NOTHING = 0\n")
    edit(package / "config.py")
    assert changed(package, TICK, LAW) == [False, False, False]


@pytest.mark.parametrize(
    "line",
    [
        "from pliant.inner import x",
        "from pliant import inner",
        "import pliant.inner",
        "from pliant import (\n    other,\n    inner,\n)",
        "def late():\n    from pliant.inner import x",
    ],
)
def test_every_form_of_import_is_followed(tmp_path: Path, line: str) -> None:
    package = tmp_path / "pliant"
    package.mkdir()
    (package / "outer.py").write_text(f"{line}\n# @kernel\n")
    stamps = []
    for number in (1, 2):
        (package / "inner.py").write_text(f"x = {number}  # @kernel\n")
        stamps.append(KernelSources(package).stamp("pliant.outer"))
    assert stamps[0] != stamps[1]
