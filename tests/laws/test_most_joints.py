"""The state of every torque law has room for as many joints as an arm may have.

Compiled kernels check no index: a state that is too small silently overwrites its neighbour. Plain
Python does check, so the laws run both ways.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

from pliant.laws import TORQUE_LAWS
from pliant.laws.cartesian_impedance.kernel import ImpedanceParams, impedance_kernel
from pliant.laws.cartesian_impedance.kernel import State as ImpedanceState
from pliant.laws.joint_space.gains import Gains, ramp_gains
from pliant.laws.joint_space.gains import State as GainsState
from pliant.laws.task_space_inverse_dynamics.kernel import State as TaskSpaceState
from pliant.laws.task_space_inverse_dynamics.kernel import (
    TaskSpaceParams,
    pose_problem,
    take_solution,
)
from pliant.tick import LAW_STATE_SIZE, MOST_JOINTS, Rows, new_rows, table_dtype

COUNTS = (9, MOST_JOINTS)


def rows_of_arm(n: int) -> tuple[Rows, Rows]:
    """Two ticks of an arm of n joints, each joint different from the others."""
    rows = new_rows(n, 2)
    rng = np.random.default_rng(n)
    rows["dt"], rows["law"], rows["M"] = 0.001, 0, np.eye(n)
    rows["q"], rows["qd"] = np.arange(n) + 1.0, 0.1 * np.arange(n)
    rows["J_W"] = rng.uniform(-1.0, 1.0, (6, n))
    rows["law_seq"] = [0, 1]
    return rows[:1], rows[1:]


def state_of(tick: Rows, state: type) -> np.void:
    """The state block of a row, viewed as a law's state."""
    dtype = table_dtype(state, 0)
    return tick["law_state"][0, : dtype.itemsize // 8].copy().view(dtype)[0]


def check_gains(n: int) -> None:
    prev, tick = rows_of_arm(n)
    K, D = np.arange(n) + 100.0, np.arange(n) + 10.0
    ramp_gains(prev, tick, Gains(K=K, D=D, gain_ramp=0.2, tau_rate_max=np.full(n, 1e3)).row())
    state = state_of(tick, GainsState)
    np.testing.assert_array_equal(state["K"][:n], K)
    np.testing.assert_array_equal(state["D"][:n], D)
    assert not state["K"][n:].any()


def check_posture(tick: Rows, state: np.void) -> None:
    n = tick["q"].shape[1]
    # the posture starts at the measured joints, and has hardly moved after one tick
    np.testing.assert_allclose(state["q_posture"][:n], tick["q"][0], atol=1e-3)
    assert (state["qd_posture"][:n] > 0.0).all()


def check_impedance(n: int) -> None:
    prev, tick = rows_of_arm(n)
    params = ImpedanceParams(
        stiffness=(600.0,) * 6,
        damping=(5.0,) * 6,
        damping_ratio=0.8,
        error_clip=(0.1, 0.5),
        posture=tick["q"][0] + 1.0,
        has_posture=True,
        posture_stiffness=10.0,
        posture_ramp=2.0,
        is_dynamic=True,
        gain_ramp=0.0,
        tau_rate_max=np.full(n, 1000.0),
    )
    impedance_kernel(prev, tick, params.row())
    state = state_of(tick, ImpedanceState)
    check_posture(tick, state)
    np.testing.assert_array_equal(state["K"], params.stiffness)
    assert np.isfinite(tick["tau_law"]).all()


def check_task_space(n: int) -> None:
    prev, tick = rows_of_arm(n)
    params = TaskSpaceParams(
        kp=np.full(2, 1600.0),
        kd=np.full(2, 80.0),
        error_clip=(0.1, 0.5),
        posture=tick["q"][0] + 1.0,
        has_posture=True,
        posture_bandwidth=5.0,
        posture_weight=1e-4,
        posture_ramp=2.0,
        gain_ramp=0.0,
        tau_max=np.full(n, 80.0),
        tau_rate=np.full(n, 900.0),
        tau_rate_max=np.full(n, 1000.0),
        qd_max=np.full(n, 2.0),
        q_min=np.full(n, -50.0),
        q_max=np.full(n, 50.0),
        velocity_rate=np.full(n, 5.0),
        qdd_max=np.full(n, 10.0),
        braking=np.full(n, 5.0),
        approach_rate=np.full(n, 5.0),
    )
    row = params.row()
    H, g, C = np.empty((n, n)), np.empty(n), np.vstack([np.eye(n), np.eye(n)])
    low, high, active = np.empty(2 * n), np.empty(2 * n), np.empty(2 * n)
    pose_problem(prev, tick, row, H, g, C, low, high, active)
    active[:] = np.arange(2 * n) + 1.0
    take_solution(prev, tick, row, np.zeros(n), low, high, active, False)
    state = state_of(tick, TaskSpaceState)
    check_posture(tick, state)
    np.testing.assert_array_equal(state["active"][: 2 * n], active)
    np.testing.assert_array_equal(state["kp"], params.kp)


@pytest.mark.parametrize("n", COUNTS)
def test_compiled_gains_of_one_joint_leave_the_others_alone(n: int) -> None:
    check_gains(n)


def test_the_laws_run_as_plain_python_with_the_most_joints() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, __file__], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("law", TORQUE_LAWS, ids=lambda law: law.name)
def test_every_state_fits_its_block(law: type) -> None:
    if law.State is not None:
        assert table_dtype(law.State, 0).itemsize <= 8 * LAW_STATE_SIZE


if __name__ == "__main__":
    for count in COUNTS:
        check_gains(count)
        check_impedance(count)
        check_task_space(count)
