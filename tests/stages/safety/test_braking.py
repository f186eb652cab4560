"""A stop brakes with what the arm can do, whatever motion is allowed."""

import contextlib
from collections.abc import Callable

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.errors import ArmStopped
from pliant.laws import PoseLaw
from pliant.reasons import Reason, State
from pliant.stages.joints import JointFault
from pliant.stages.safety import SafetyConfig
from pliant.stages.safety.stage import safety_kernel, safety_params
from pliant.tick import Rows, new_rows

ARM = load_arm("ur5e")
FR3 = load_arm("fr3")
DT = 0.002
GENTLE = {
    "safety": {"joint_acceleration_share": 0.05},
    "joints": {"acceleration_share": 0.01, "acceleration": 0.01},
    "reference": {"max_acceleration": (1.0, 1.0)},
    "supervisor": {"stop_time": 10.0},
}


class Failing(PoseLaw):
    """A law that raises when it is told to."""

    name = "failing"
    fails = False

    def update(self, prev: Rows, tick: Rows) -> None:
        """Follow the reference."""
        if self.fails:
            raise RuntimeError("told to")
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0


def moving(law: str = "position", laws: tuple[PoseLaw, ...] = ()) -> Arm:
    """An arm whose tool moves along x at 0.1 m/s, and whose settings make every motion gentle."""
    arm = Arm("sim:ur5e", config=GENTLE, laws=laws)
    arm.activate(law)
    arm.jog([0.1, 0, 0, 0, 0, 0], timeout=2.0)
    arm.wait(1.0)
    arm.set("reference.max_acceleration", (1e-3, 1e-3))
    assert np.linalg.norm(arm.tick.v_WT_sent_W[:3]) > 0.095
    return arm


def braking_time(arm: Arm) -> float:
    """Time until the set points are at rest, s, up to the catching up of a joint that was held."""
    start = arm.time
    while np.abs(arm.tick.qd_limited).max() > 2e-3 and arm.time - start < 3.0:
        with contextlib.suppress(ArmStopped):
            arm.wait(arm.dt)
    return arm.time - start


def shortest(qd: np.ndarray) -> float:
    """The time that the arm needs at least, s."""
    return float(np.max(np.abs(qd) / ARM.qdd_max))


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_a_trip_decelerates_by_the_arms_own_limit(share: float) -> None:
    prev, tick = new_rows(6), new_rows(6)
    p = safety_params(SafetyConfig(joint_acceleration_share=share), ARM)
    prev["qd_limited"] = 0.5
    tick["dt"], tick["lateness"] = DT, 10.0
    safety_kernel(prev, tick, p)
    assert tick["trip"][0] == Reason.LATE
    np.testing.assert_allclose(tick["qdd_limited"][0].min(), -ARM.qdd_max.min(), rtol=1e-6)


def stopping_behind_set_points(fault: int = 0) -> Rows:
    """The tick in which an FR3 stops, 0.05 rad behind its set points; joint 3 may have a fault."""
    prev, tick = new_rows(7), new_rows(7)
    tick["q"], tick["qd"] = FR3.home, 0.1
    prev["q_sent"], prev["qd_limited"] = FR3.home + 0.05, 0.5
    tick["dt"], tick["lateness"] = 0.001, 10.0
    tick["fault"][0, 3] = fault
    safety_kernel(prev, tick, safety_params(SafetyConfig(), FR3))
    return tick


def test_a_stop_of_a_torque_arm_begins_where_the_arm_is() -> None:
    """Set points that have run ahead of a held arm would press on after the stop."""
    tick = stopping_behind_set_points()
    assert tick["trip"][0] == Reason.LATE
    np.testing.assert_allclose(tick["qd_limited"][0], 0.1 - 0.001 * FR3.qdd_max.min(), rtol=1e-6)
    np.testing.assert_allclose(tick["q_limited"][0], FR3.home, atol=1e-4)


def test_a_joint_whose_encoder_may_have_failed_stops_where_it_was_sent() -> None:
    tick = stopping_behind_set_points(fault=JointFault.ENCODER)
    np.testing.assert_allclose(tick["q_limited"][0, 3], FR3.home[3] + 0.05, atol=1e-3)
    np.testing.assert_allclose(tick["q_limited"][0, 4], FR3.home[4], atol=1e-4)


def test_a_share_limits_speeding_up_only() -> None:
    p = safety_params(SafetyConfig(joint_acceleration_share=0.05), ARM)
    for before, wanted, expected in [(0.5, 1.0, 0.05), (0.5, 0.0, -1.0), (0.01, -1.0, -0.25)]:
        prev, tick = new_rows(6), new_rows(6)
        prev["qd_limited"][0, 0] = before
        tick["q_requested"][0, 0] = wanted * DT
        tick["dt"] = DT
        safety_kernel(prev, tick, p)
        assert tick["qdd_limited"][0, 0] == pytest.approx(expected * ARM.qdd_max[0], rel=1e-6)


def _late(arm: Arm) -> None:
    arm.set("safety.workspace_max", (float(arm.tick.X_WT_sent[0]) - 0.01, 1.2, 1.5))


def _fault(arm: Arm) -> None:
    arm.joints.inject_fault([5], "encoder")


def _raise(arm: Arm) -> None:
    Failing.fails = True


def _signal(arm: Arm) -> None:
    arm._session._loop.stop(Reason.SIGNAL)


@pytest.mark.parametrize("cause", [_late, _fault, _raise, _signal])
def test_every_stop_under_a_law_takes_no_longer_than_the_arm_needs(
    cause: Callable[[Arm], None],
) -> None:
    Failing.fails = False
    arm = moving("failing", (Failing(),))
    least = shortest(arm.tick.qd_limited)
    cause(arm)
    assert braking_time(arm) < least + 6 * DT
    assert arm.law is None
    assert arm.state is (State.INACTIVE if cause is _signal else State.FAULT)


def test_a_stop_at_rest_lets_the_law_bring_its_force_to_zero() -> None:
    arm = Arm("sim:ur5e/table", seed=1)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0, -0.0505, 0, 0, 0])
    arm.wait(1.0)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -10, 0, 0, 0])
    arm.wait(1.0)
    assert abs(arm.tick.true_f_fixture_W[2]) > 8.0
    _signal(arm)
    arm.wait(arm.dt)
    assert arm.state is State.STOPPING
    arm.wait(1.5)
    assert arm.state is State.INACTIVE
    assert abs(arm.tick.true_f_fixture_W[2]) < 3.0


def moving_joints() -> Arm:
    """An arm all of whose joints move at 0.1 rad/s, without a law."""
    arm = Arm("sim:ur5e")
    arm.joints.set_modes("velocity")
    for _ in range(5):
        arm.joints.velocity_move([0.1] * 6)
        arm.wait(0.1)
    arm.joints.set_accelerations([1e-6] * 6)
    arm.set("joints.acceleration_share", 1e-6)
    arm.set("safety.joint_acceleration_share", 0.05)
    assert arm.tick.qd_limited.min() > 0.05
    return arm


def _stop_joints(arm: Arm) -> None:
    arm.joints.stop()


@pytest.mark.parametrize("cause", [_stop_joints, _fault, _signal])
def test_every_stop_of_the_joints_takes_no_longer_than_the_arm_needs(
    cause: Callable[[Arm], None],
) -> None:
    arm = moving_joints()
    least = shortest(arm.tick.qd_limited)
    cause(arm)
    assert braking_time(arm) < least + 6 * DT


def test_a_velocity_that_is_no_longer_streamed_ends() -> None:
    arm = moving_joints()
    ramp = 0.1 / (0.1 * ARM.qdd_max.min())
    assert braking_time(arm) < arm.config.joints.velocity_timeout + ramp + 0.05
