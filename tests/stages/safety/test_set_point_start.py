"""Set points of a torque arm begin within the limits, wherever torque or a push left the arm."""

import numpy as np
import pytest

from pliant.arms.description import load_arm
from pliant.reasons import Reason, State
from pliant.stages.safety import SafetyConfig
from pliant.stages.safety.stage import safety_kernel, safety_params
from pliant.tick import Rows, new_rows

ARM = load_arm("panda")
DT = 0.001
P = safety_params(SafetyConfig(), ARM)
JOINT = 5


def left_by_torque(q: float, qd: float, state: State) -> tuple[Rows, Rows]:
    """A row in which torque drove all joints, and the next one, in which positions do.

    Args:
        q: Position of one joint, rad.
        qd: Its velocity, rad/s.
        state: The state when torque no longer drives the joints.
    """
    prev, tick = new_rows(ARM.n), new_rows(ARM.n)
    prev["by_torque"] = 1
    prev["q_sent"] = ARM.home
    prev["q_sent"][0, JOINT], prev["qd_limited"][0, JOINT] = q, qd
    prev["q"], prev["qd"] = prev["q_sent"], prev["qd_limited"]
    tick["q"], tick["qd"], tick["dt"], tick["state"] = prev["q"], prev["qd"], DT, state
    tick["q_requested"] = prev["q_sent"]
    if state is State.FAULT:
        prev["trip"] = Reason.JOINT_SPEED
    return prev, tick


def run(prev: Rows, tick: Rows, ticks: int) -> Rows:
    """The next ticks, in which the joints are asked to hold."""
    rows = [prev]
    for _ in range(ticks):
        safety_kernel(rows[-1], tick, P)
        tick["q_sent"] = tick["q_limited"]
        rows.append(tick.copy())
        tick["q_requested"] = tick["q_sent"]
    return np.concatenate(rows[1:])


@pytest.mark.parametrize("state", [State.FAULT, State.INACTIVE])
def test_a_joint_that_torque_made_too_fast_goes_on_within_its_speed_limit(state: State) -> None:
    most = ARM.qd_max[JOINT]
    rows = run(*left_by_torque(0.8, 1.03 * most, state), 400)
    q = np.append(0.8, rows["q_sent"][:, JOINT])
    assert np.abs(np.diff(q)).max() <= most * DT * (1.0 + 1e-9)
    assert rows["qd_limited"][:, JOINT].max() <= most
    assert np.abs(np.diff(rows["qd_limited"], axis=0)).max() <= ARM.qdd_max.max() * DT * 1.000001
    assert rows["qd_limited"][-1, JOINT] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("state", [State.FAULT, State.INACTIVE])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("beyond", [-1e-3, -1e-5, 5e-4])
def test_set_points_go_on_within_the_position_limits(
    state: State, side: float, beyond: float
) -> None:
    """Torque let a joint come too near to its limit to stop before it, or beyond."""
    limit = ARM.q_max[JOINT] if side > 0.0 else ARM.q_min[JOINT]
    rows = run(*left_by_torque(limit + side * beyond, side * 0.35, state), 100)
    assert (rows["q_sent"] <= ARM.q_max).all()
    assert (rows["q_sent"] >= ARM.q_min).all()
    change = np.diff(rows["qd_limited"], axis=0) / DT
    assert (np.abs(change) <= ARM.qdd_max * (1.0 + 1e-6)).all()
    step = np.diff(rows["q_sent"], axis=0)
    np.testing.assert_allclose(step, rows["qd_limited"][1:] * DT, atol=1e-12)


def test_the_tool_goes_on_within_its_speed_limit() -> None:
    """A hand pushed it faster than the guard of the tool could prevent."""
    prev, tick = left_by_torque(1.0, 2.0, State.INACTIVE)
    lever = 1.03 * SafetyConfig().tool_speed / 2.0
    tick["J_sent_W"][0, 0, JOINT] = lever
    rows = run(prev, tick, 100)
    speed = lever * np.abs(rows["qd_limited"][:, JOINT])
    assert speed.max() <= SafetyConfig().tool_speed * (1.0 + 1e-9)
    assert (np.diff(speed) <= 0.0).all()


def test_a_stop_that_begins_too_late_stays_at_the_position_limit() -> None:
    """A hand pushed a joint away from its set point, to its limit, and its stop begins there."""
    prev, tick = new_rows(ARM.n), new_rows(ARM.n)
    prev["q_sent"] = tick["q_requested"] = ARM.home
    tick["q"], tick["dt"], tick["lateness"] = ARM.home, DT, 10.0
    tick["q"][0, JOINT], tick["qd"][0, JOINT] = ARM.q_max[JOINT] - 1e-3, 0.7
    rows = run(prev, tick, 1)
    assert rows["trip"][0] == Reason.LATE
    tick["state"], tick["lateness"] = State.FAULT, 0.0
    rows = np.concatenate([rows, run(rows[-1:], tick, 100)])
    assert (rows["q_sent"][:, JOINT] <= ARM.q_max[JOINT]).all()
    assert rows["q_sent"][-1, JOINT] > ARM.q_max[JOINT] - 1e-3
    change = np.diff(rows["qd_limited"], axis=0) / DT
    assert (np.abs(change) <= ARM.qdd_max * (1.0 + 1e-6)).all()
    assert rows["qd_limited"][-1, JOINT] == 0.0
