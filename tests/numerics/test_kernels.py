"""Kernels: keyed by their sources; plain Python and other processors compute the same numbers."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.numerics import spatial
from pliant.numerics.kernels import Direct

SOURCE = Path(pliant.__file__).parent

SPATIAL_NUMBERS = """
import json
import numpy as np
from pliant.numerics import spatial

rng = np.random.default_rng(5)
v, q, X, w, R = (3,), (4,), (7,), (6,), (3, 3)
calls = [
    ("cross", (v, v), v), ("quat_multiply", (q, q), q), ("quat_inverse_multiply", (q, q), q),
    ("quat_normalize", (q,), q), ("quat_rotate", (q, v), v), ("quat_unrotate", (q, v), v),
    ("quat_exp", (v,), q), ("quat_log", (q,), v), ("quat_to_matrix", (q,), R),
    ("pose_multiply", (X, X), X), ("pose_inverse_multiply", (X, X), X), ("pose_error", (X, X), w),
    ("pose_step", (X, w), X), ("pose_step_first_order", (X, w), X), ("wrench_move", (X, w), w),
    ("rotate_pair", (q, w), w), ("unrotate_pair", (q, w), w),
]

def draw(shape):
    a = rng.normal(size=shape)
    if shape in (q, X):
        a[-4:] /= np.linalg.norm(a[-4:])
    return a

numbers = {}
for name, inputs, output in calls:
    numbers[name] = []
    for _ in range(20):
        out = np.empty(output)
        getattr(spatial, name)(*map(draw, inputs), out)
        numbers[name] += out.ravel().tolist()
compiled = hasattr(spatial.cross, "signatures")
print(json.dumps({"compiled": compiled, "numbers": numbers}))
"""


def run_python(program: str, **environment: str) -> str:
    """Run a program in a fresh interpreter and return what it printed."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout


def cache_key(package: Path) -> str:
    """The name of the cache folder that a copy of the package would use."""
    spec = importlib.util.spec_from_file_location("kernels_copy", package / "numerics/kernels.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.cache_folder().name


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    ignore = shutil.ignore_patterns("node_modules", "static", "__pycache__")
    return Path(shutil.copytree(SOURCE, tmp_path / "pliant", ignore=ignore))


def test_key_is_the_same_for_the_same_sources(package: Path) -> None:
    assert cache_key(package) == cache_key(SOURCE)


def test_key_changes_with_a_kernel_source(package: Path) -> None:
    before = cache_key(package)
    with (package / "numerics/spatial.py").open("a") as file:
        file.write("\n_EDITED = True\n")
    assert cache_key(package) != before


def test_key_changes_with_codes_that_are_compiled_in(package: Path) -> None:
    before = cache_key(package)
    reasons = package / "reasons.py"
    reasons.write_text(reasons.read_text().replace("LATE = 6", "LATE = 66"))
    assert cache_key(package) != before


def test_key_ignores_a_source_without_kernels(package: Path) -> None:
    before = cache_key(package)
    (package / "notes.py").write_text("NOTHING = 0\n")
    assert cache_key(package) == before


def test_cache_folder_follows_xdg(tmp_path: Path) -> None:
    program = "from pliant.numerics.kernels import cache_folder; print(cache_folder())"
    folder = Path(run_python(program, XDG_CACHE_HOME=str(tmp_path)).strip())
    assert folder.parent == tmp_path / "pliant"


def test_called_directly_a_kernel_looks_up_types_once_and_does_the_same() -> None:
    cross = Direct(spatial.cross)
    rng = np.random.default_rng(1)
    looked_up = cross.call
    for _ in range(3):
        a, b, c, expected = *rng.normal(size=(2, 3)), np.empty(3), np.empty(3)
        cross.call(a, b, c)
        spatial.cross(a, b, expected)
        np.testing.assert_array_equal(c, expected)
        assert cross.call is not looked_up
    direct = cross.call
    cross.call(*rng.normal(size=(3, 3)))
    assert cross.call is direct


def test_called_directly_plain_python_is_itself() -> None:
    def double(values: np.ndarray) -> float:
        return 2.0 * values.sum()

    direct = Direct(double)
    assert direct.call(np.ones(2)) == 4.0
    assert direct.call is double


def test_plain_python_gives_the_same_numbers() -> None:
    compiled = json.loads(run_python(SPATIAL_NUMBERS, NUMBA_DISABLE_JIT="0"))
    plain = json.loads(run_python(SPATIAL_NUMBERS, NUMBA_DISABLE_JIT="1"))
    assert compiled["compiled"]
    assert not plain["compiled"]
    for name, numbers in compiled["numbers"].items():
        np.testing.assert_allclose(plain["numbers"][name], numbers, rtol=0, atol=1e-12)


def test_code_for_any_processor_gives_the_same_bits() -> None:
    here = json.loads(run_python(SPATIAL_NUMBERS, NUMBA_DISABLE_JIT="0"))
    anywhere = json.loads(
        run_python(SPATIAL_NUMBERS, NUMBA_DISABLE_JIT="0", NUMBA_CPU_NAME="generic")
    )
    assert anywhere == here
