"""An arm may have sixteen joints under every law, and not seventeen."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pliant.arms.arm_model import ArmModel
from pliant.arms.links import links_row
from pliant.arms.pinocchio import build_pinocchio
from pliant.arms.tool import Tool
from pliant.controller.arm_kernels import StillRobot
from pliant.errors import ConfigError
from pliant.laws import LAWS, Gravity, PoseLaw
from pliant.stages.dynamics import dynamics_kernel
from pliant.tick import MOST_JOINTS, new_rows

PROGRAM = Path(__file__).parent / "sixteen_joints.py"
snake = runpy.run_path(str(PROGRAM))["snake"]


@pytest.mark.parametrize("interface", ["position", "torque"])
def test_every_law_runs_on_sixteen_joints_as_plain_python(interface):
    """Plain Python, because it checks every index; and nothing needs to be compiled."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(MOST_JOINTS), interface],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    wanted = [w.name for w in LAWS if interface == "torque" or issubclass(w, PoseLaw)]
    assert done.stdout.split() == wanted


def test_a_compiled_law_damps_the_sixteenth_joint(tmp_path):
    arm = snake(MOST_JOINTS, tmp_path, "torque")
    model = build_pinocchio(arm, Tool())
    prev, tick = new_rows(arm.n), new_rows(arm.n)
    tick["q"], tick["qd"], tick["dt"] = arm.home, np.arange(arm.n), 0.001
    dynamics_kernel(prev, tick, links_row(model))
    tick["law_seq"] = tick["law"] = prev["law"] = 2
    prev["law_seq"] = 2
    law = Gravity(arm=ArmModel(description=arm, model=model))
    law.update(prev, tick)
    d, inertia = law.config.damping, np.diag(tick["M"][0])
    wanted = -d * np.arange(arm.n) / (1.0 + d * 0.001 / inertia)
    np.testing.assert_allclose(tick["tau_law"][0] - tick["tau_blend"][0], wanted, rtol=1e-12)


def test_seventeen_joints_are_refused_with_a_sentence(tmp_path):
    robot = StillRobot(snake(MOST_JOINTS + 1, tmp_path, "torque"))
    with pytest.raises(ConfigError, match="at most 16 joints, not 17"):
        new_rows(robot.n)
