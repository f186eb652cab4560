"""Compiled kernels compute the same as plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.tick import Rows

from .stage_runs import CONFIG, float_and_be_pushed, press_switch_and_jog


def play(arm_name: str) -> Rows:
    """A run that is short enough for plain Python."""
    arm = Arm(f"sim:{arm_name}/table", config=CONFIG, seed=3)
    if arm_name == "ur5e":
        press_switch_and_jog(arm)
    else:
        arm.wait(0.01)
        arm.zero()
        arm.activate("position")
        arm.jog([0.05, 0.02, 0, 0, 0, 0.2], frame="tool", timeout=0.04)
        arm.wait(0.03)
        float_and_be_pushed(arm)
    return arm.history.since(0.0)


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_plain_python_gives_the_same_numbers(name: str, tmp_path: Path) -> None:
    compiled = play(name)
    file = tmp_path / "plain.npy"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run(
        [sys.executable, "-m", "tests.stages.test_plain_python", name, str(file)],
        env=environment,
        cwd=Path(__file__).parents[2],
        check=True,
    )
    plain = np.load(file)
    assert len(plain) == len(compiled)
    for column in compiled.dtype.names or ():
        np.testing.assert_allclose(plain[column], compiled[column], rtol=1e-12, atol=1e-12)


if __name__ == "__main__":
    np.save(sys.argv[2], play(sys.argv[1]))
