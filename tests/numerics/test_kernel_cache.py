"""Compiled kernels on disk: shared by equal sources, never stale, and never in the way."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest

import pliant
from pliant.numerics import kernels, spatial

NUMERICS = Path(pliant.__file__).parent / "numerics"

HEADER = "from pliant.numerics.kernels import kernel\n"
INNER = HEADER + "@kernel\ndef inner(x):\n    return x + {}\n"
OUTER = (
    f"{HEADER}from pliant.inner import inner\n@kernel\ndef outer(x):\n    return 10.0 * inner(x)\n"
)

REPORT = """
import json
def count(kernel):
    stats = kernel.compiled.stats
    return sum(stats.cache_hits.values()), sum(stats.cache_misses.values())
"""
CALL_OUTER = f"""{REPORT}
from pliant.inner import inner
from pliant.outer import outer
print(json.dumps([outer(0.0), count(outer), count(inner)]))
"""
COMPILED = [10.0, [0, 1], [0, 1]]
LOADED = [10.0, [1, 0], [0, 0]]
"""Whoever loads a kernel needs none of those that it calls."""


def small_package(folder: Path, addend: float = 1.0) -> Path:
    """A package with a kernel that calls one in another file."""
    package = folder / "pliant"
    (package / "numerics").mkdir(parents=True)
    for file in (*NUMERICS.glob("kernel*.py"), NUMERICS / "loaded_library.py"):
        shutil.copy(file, package / "numerics")
    for file in (package, package / "numerics"):
        (file / "__init__.py").touch()
    (package / "inner.py").write_text(INNER.format(addend))
    (package / "outer.py").write_text(OUTER)
    return folder


def call(package: Path, caches: Path, program: str = CALL_OUTER, **environment: str) -> Any:
    """Run a program with a package in a fresh interpreter, which must not complain."""
    fixed = {
        "PYTHONPATH": str(package),
        "XDG_CACHE_HOME": str(caches),
        "PLIANT_KERNELS": "",
        "NUMBA_DISABLE_JIT": "0",
        # Python takes a file of the same size and second for the one it knows
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | fixed | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    return json.loads(result.stdout)


def test_equal_sources_in_another_folder_load_what_the_first_compiled(tmp_path: Path) -> None:
    first, second = small_package(tmp_path / "first"), small_package(tmp_path / "elsewhere/second")
    os.utime(second / "pliant/outer.py", (0, 0))
    assert call(first, tmp_path / "caches") == COMPILED
    assert call(second, tmp_path / "caches") == LOADED
    for file in (tmp_path / "caches").rglob("*.kernel"):
        assert str(tmp_path).encode() not in file.read_bytes()


def test_edit_to_a_kernel_called_from_another_file_takes_effect(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    assert call(package, tmp_path) == COMPILED
    (package / "pliant/inner.py").write_text(INNER.format(2.0))
    assert call(package, tmp_path) == [20.0, [0, 1], [0, 1]]


def test_a_loaded_kernel_is_compiled_into_a_new_one_that_calls_it(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    assert call(package, tmp_path) == COMPILED
    (package / "pliant/outer.py").write_text(OUTER.replace("10.0", "20.0"))
    assert call(package, tmp_path) == [20.0, [0, 1], [1, 0]]


def test_loading_a_kernel_imports_nothing_that_only_compiling_needs(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    source = f"import numpy as np\n{HEADER}@kernel\ndef mean(x):\n    return np.mean(x)\n"
    (package / "pliant/mean.py").write_text(source)
    program = f"""{REPORT}
import sys
import numpy as np
from pliant.mean import mean
print(json.dumps([mean(np.ones(3)), count(mean), "numba.np.arraymath" in sys.modules]))
"""
    assert call(package, tmp_path, program) == [1.0, [0, 1], True]
    assert call(package, tmp_path, program) == [1.0, [1, 0], False]


def test_without_a_folder_to_write_kernels_are_compiled_in_memory(tmp_path: Path) -> None:
    caches = tmp_path / "a file"
    caches.write_text("no folder")
    package = small_package(tmp_path)
    assert call(package, caches) == COMPILED
    assert call(package, caches) == COMPILED


def test_without_a_home_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def home() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("PLIANT_KERNELS", raising=False)
    monkeypatch.setattr(Path, "home", home)
    kernels.cache_folder.cache_clear()
    folder = kernels.cache_folder()
    kernels.cache_folder.cache_clear()
    assert not folder.exists()
    with pytest.raises(NotADirectoryError):
        folder.mkdir(parents=True)


def _flip_a_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda data: data[:-100], id="truncated", marks=pytest.mark.long),
        pytest.param(lambda data: b"?" * len(data), id="garbage", marks=pytest.mark.long),
        pytest.param(_flip_a_bit, id="a bit"),
    ],
)
def test_a_damaged_file_is_compiled_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    package = small_package(tmp_path)
    call(package, tmp_path)
    files = list(tmp_path.rglob("*.kernel"))
    assert len(files) == 2
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    assert call(package, tmp_path) == COMPILED
    assert call(package, tmp_path) == LOADED


def test_a_file_of_other_types_is_compiled_again(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    for argument in ("0.0", "0"):
        call(package, tmp_path, CALL_OUTER.replace("0.0", argument))
    one, other = tmp_path.rglob("pliant.outer.outer-*.kernel")
    shutil.copy(one, other)
    assert sorted(
        call(package, tmp_path, CALL_OUTER.replace("0.0", argument))[1] for argument in ("0.0", "0")
    ) == [[0, 1], [1, 0]]


def test_shipped_kernels_for_any_processor_are_loaded(tmp_path: Path) -> None:
    package = small_package(tmp_path / "built")
    generic = {
        "NUMBA_CPU_NAME": "generic",
        "PLIANT_KERNELS": str(package / "pliant/_kernels"),
    }
    assert call(package, tmp_path / "unused", **generic) == COMPILED
    shutil.move(package, tmp_path / "installed")
    assert call(tmp_path / "installed", tmp_path / "caches") == LOADED
    assert not (tmp_path / "unused").exists()
    assert not (tmp_path / "caches").exists()

    (tmp_path / "installed/pliant/inner.py").write_text(INNER.format(2.0))
    assert call(tmp_path / "installed", tmp_path / "caches") == [20.0, [0, 1], [0, 1]]


def test_kernels_outside_the_package_go_by_their_own_file(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    program = f"{REPORT}from own import own\nprint(json.dumps([own(0.0), count(own)]))"
    source = f"{HEADER}@kernel\ndef own(x):\n    return x + {{}}\n"
    results = []
    for folder, addend in (("one", 1.0), ("two", 2.0), ("two", 2.0), ("two", 3.0)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "own.py").write_text(source.format(addend))
        path = f"{package}{os.pathsep}{tmp_path / folder}"
        results.append(call(package, tmp_path, program, PYTHONPATH=path))
    assert results == [[1.0, [0, 1]], [2.0, [0, 1]], [2.0, [1, 0]], [3.0, [0, 1]]]


def test_a_kernel_that_is_in_no_file_is_compiled_in_memory(tmp_path: Path) -> None:
    program = f"{REPORT}{HEADER}own = kernel(lambda x: x + 1.0)\nprint(json.dumps([own(0.0)]))"
    assert call(small_package(tmp_path), tmp_path / "caches", program) == [1.0]
    assert not (tmp_path / "caches").exists()


def test_a_kernel_beside_an_edited_one_stays_compiled(tmp_path: Path) -> None:
    package = small_package(tmp_path)
    (package / "pliant/other.py").write_text(f"{HEADER}@kernel\ndef other(x):\n    return x\n")
    program = f"{REPORT}from pliant.other import other\nother(0.0)\nprint(json.dumps(count(other)))"
    assert call(package, tmp_path, program) == [0, 1]
    (package / "pliant/inner.py").write_text(INNER.format(2.0))
    assert call(package, tmp_path, program) == [1, 0]


class Arm(NamedTuple):
    """Named like another one."""

    address: int


def test_named_tuples_of_the_same_name_are_different_types() -> None:
    class Namesake(NamedTuple):
        address: int

    Namesake.__name__ = Arm.__name__
    one, other = numba.typeof(Arm(1)), numba.typeof(Namesake(1))
    assert str(one) == str(other)
    describe = spatial.cross.compiled._cache._describe
    assert describe(one) != describe(other)
    pair = numba.typeof((Arm(1), 1.0)), numba.typeof((Namesake(1), 1.0))
    assert describe(pair[0]) != describe(pair[1])
