"""Kernels: plain Python and other processors compute the same numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from pliant.numerics import spatial
from pliant.numerics.kernels import Direct

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
compiled = hasattr(spatial.cross, "compiled")
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
