"""Faults of an arm in motion or in contact: it stops or is held."""

from collections.abc import Callable

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import ArmStopped, Refused
from pliant.laws import PoseLaw
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, State, Verdict
from pliant.sim.sensor import SensorFault
from pliant.stages.supervisor import read_text
from pliant.tick import Rows

from .quick import FAST

Check = Callable[[Arm, Rows], None]
HOT = 70.0
SENSOR_FAULTS = [
    (SensorFault.NAN, Verdict.NOT_FINITE),
    (SensorFault.FROZEN, Verdict.STALE),
    (SensorFault.SATURATED, Verdict.SATURATED),
]


def moving(law: str, laws: tuple[PoseLaw, ...] = ()) -> Arm:
    """An arm in free space whose tool moves along x at 0.1 m/s."""
    arm = Arm("sim:ur5e", config=FAST, laws=laws, seed=1)
    arm.zero()
    arm.activate(law)
    arm.jog([0.1, 0, 0, 0, 0, 0], timeout=2.0)
    arm.wait(0.3)
    return arm


def pressing(force: float, **law: object) -> Arm:
    """An arm that presses on a table."""
    config = FAST | {"laws": {"hybrid_admittance": law}}
    arm = Arm("sim:ur5e/table", config=config, seed=1)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0, -0.0505, 0, 0, 0], wait=False)
    arm.wait(1.0)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -force, 0, 0, 0])
    arm.wait(0.5)
    assert abs(arm.tick.true_f_fixture_W[2]) > 0.5 * force
    return arm


def stops(arm: Arm, reason: Reason, within: float, check: Check) -> None:
    """Assert that the arm enters a fault with the reason, and comes to rest within its limits."""
    with pytest.raises(ArmStopped) as stopped:
        arm.wait(within)
    assert arm.state is State.FAULT
    assert arm.law is None
    assert arm.tick.reason == reason
    assert stopped.value.reason == arm.reason != ""
    assert reason is Reason.EXCEPTION or arm.reason.startswith(reason.text)
    arm.wait(0.5)
    assert np.abs(arm.tick.qd_limited).max() == 0.0
    check(arm, arm.history.since(0.0))
    with pytest.raises(Refused, match="in fault"):
        arm.activate("position")
    with pytest.raises(Refused, match="in fault"):
        arm.move_by([0.01, 0, 0, 0, 0, 0], wait=False)


def recovers(arm: Arm, law: str, check: Check) -> None:
    """Assert that the arm follows commands after reset and activation."""
    arm.reset()
    arm.wait(0.1)
    assert arm.state is State.INACTIVE
    assert arm.reason == ""
    arm.activate(law)
    before = arm.tick.X_WT_sent[2]
    arm.move_by([0, 0, 0.01, 0, 0, 0], wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1, timeout=3.0)
    arm.wait(0.2)
    assert arm.state is State.ACTIVE
    assert arm.tick.X_WT_sent[2] - before == pytest.approx(0.01, abs=1e-4)
    check(arm, arm.history.since(0.0))


@pytest.mark.parametrize(("fault", "verdict"), SENSOR_FAULTS)
@pytest.mark.parametrize("law", ["hybrid_admittance", "position"])
def test_a_lost_sensor_stops_a_moving_arm(
    law: str, fault: SensorFault, verdict: Verdict, within_limits: Check
) -> None:
    arm = moving(law)
    arm.simulation.set_sensor_fault(fault)
    stops(arm, Reason(verdict + SENSOR_REASON_OFFSET), 0.1, within_limits)
    with pytest.raises(Refused, match="still there"):
        arm.reset()
    arm.simulation.set_sensor_fault(SensorFault.NONE)
    arm.wait(0.2)
    recovers(arm, law, within_limits)


@pytest.mark.parametrize(("fault", "verdict"), SENSOR_FAULTS)
def test_a_lost_sensor_in_contact(
    fault: SensorFault, verdict: Verdict, within_limits: Check
) -> None:
    arm = pressing(10.0)
    before = arm.time
    arm.simulation.set_sensor_fault(fault)
    stops(arm, Reason(verdict + SENSOR_REASON_OFFSET), 0.1, within_limits)
    force = arm.history.since(before)["true_f_fixture_W"][:, 2]
    assert np.abs(force).max() < 12.0


def test_a_lost_sensor_affects_an_idle_arm_only_when_it_is_needed() -> None:
    arm = Arm("sim:ur5e", config=FAST)
    arm.zero()
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    arm.wait(0.1)
    assert arm.state is State.INACTIVE
    with pytest.raises(Refused, match="not numbers"):
        arm.activate("hybrid_admittance")


@pytest.mark.parametrize("wait", [0.0, 0.1])
def test_a_sensor_never_zeroed_is_refused_with_the_reason(wait: float) -> None:
    arm = Arm("sim:ur5e", config=FAST)
    arm.wait(wait)
    with pytest.raises(Refused, match="never zeroed"):
        arm.activate("hybrid_admittance")
    arm.wait(0.1)
    assert arm.state is State.INACTIVE


@pytest.mark.parametrize("active", [True, False])
def test_contact_force_over_its_limit(active: bool, within_limits: Check) -> None:
    arm = moving("hybrid_admittance")
    if not active:
        arm.deactivate()
        arm.wait(0.5)
    arm.hand.schedule([0, 0, 80, 0, 0, 0], start=arm.time)
    stops(arm, Reason.CONTACT_FORCE, 0.1, within_limits)
    with pytest.raises(Refused, match=r"still there.*raise safety\.contact_force"):
        arm.reset()
    arm.hand.release()
    arm.wait(0.2)
    recovers(arm, "hybrid_admittance", within_limits)


def test_contact_torque_over_its_limit(within_limits: Check) -> None:
    arm = moving("position")
    arm.hand.schedule([0, 0, 0, 0, 0, 10], start=arm.time)
    stops(arm, Reason.CONTACT_FORCE, 0.1, within_limits)
    assert "of 8 N·m" in arm.reason


def test_an_arm_retreats_after_a_contact_stop_and_can_be_moved_away(
    within_limits: Check,
) -> None:
    arm = Arm("sim:ur5e/table", config=FAST)
    arm.zero()
    arm.activate("position")
    arm.move_by([0, 0, -0.08, 0, 0, 0], wait=False)
    stops(arm, Reason.CONTACT_FORCE, 2.0, within_limits)
    assert "of 60 N" in arm.reason
    arm.wait(1.0)
    held = np.linalg.norm(arm.tick.true_f_fixture_W)
    assert held < arm.config.safety.contact_force
    recovers(arm, "position", within_limits)


def test_changed_limits_act_after_a_reset(within_limits: Check) -> None:
    arm = moving("hybrid_admittance")
    arm.hand.schedule([0, 0, 80, 0, 0, 0], start=arm.time)
    stops(arm, Reason.CONTACT_FORCE, 0.1, within_limits)
    arm.set("safety.contact_force", 70.0)
    arm.reset()
    with pytest.raises(ArmStopped, match="of 70 N"):
        arm.wait(0.1)
    arm.set("safety.contact_force", 150.0)
    arm.set("safety.contact_torque", 50.0)
    recovers(arm, "position", within_limits)


def test_over_temperature(within_limits: Check) -> None:
    arm = moving("hybrid_admittance")
    warm = arm.simulation._thermal["temperature"]
    before = warm.copy()
    warm[0][2] = HOT
    stops(arm, Reason.TEMPERATURE, 0.1, within_limits)
    with pytest.raises(Refused, match="too hot"):
        arm.reset()
    warm[:] = before
    arm.wait(0.01)
    recovers(arm, "hybrid_admittance", within_limits)


@pytest.mark.parametrize("speed", [0.05, 0.25])
def test_the_tool_stops_inside_its_workspace(speed: float, within_limits: Check) -> None:
    config = FAST | {"reference": {"max_speed": (speed, 0.5), "max_acceleration": (2.0, 5.0)}}
    arm = Arm("sim:ur5e", config=config)
    edge = arm.tick.X_WT_sent[1] + 0.1
    arm.activate("position")
    arm.move_by([0, 0.3, 0, 0, 0, 0], wait=False)
    arm.set("safety.workspace_max", (1.2, float(edge), 1.5))
    with pytest.raises(Refused, match="outside the workspace"):
        arm.move_by([0, 0.3, 0, 0, 0, 0], wait=False)
    stops(arm, Reason.WORKSPACE, 4.0, within_limits)
    reached = arm.history.since(0.0)["X_WT_sent"][:, 1].max()
    assert edge - 5e-3 < reached <= edge + 1e-5
    recovers(arm, "position", within_limits)


def test_an_arm_outside_its_workspace_may_come_back(within_limits: Check) -> None:
    arm = Arm("sim:ur5e", config=FAST)
    edge = float(arm.tick.X_WT_sent[2]) - 0.05
    arm.set("safety.workspace_max", (1.2, 1.2, edge))
    arm.activate("position")
    arm.move_by([0, 0, -0.1, 0, 0, 0], wait=False)
    arm.wait(2.5)
    assert arm.state is State.ACTIVE
    assert arm.tick.X_WT_sent[2] == pytest.approx(edge - 0.05, abs=1e-6)


class Own(PoseLaw):
    """A user's law in plain Python that fails after some time."""

    name = "own"

    def __init__(self, go_wrong: Callable[[Rows], None] | None = None) -> None:
        self.go_wrong = go_wrong

    def update(self, prev: Rows, tick: Rows) -> None:
        """Follow the reference."""
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0
        if self.go_wrong and tick["time"][0] > 0.2:
            self.go_wrong(tick)


def _raise(tick: Rows) -> None:
    raise ZeroDivisionError("one too many")


def _nan(tick: Rows) -> None:
    tick["X_WT_cmd"] = np.nan


def _infinite(tick: Rows) -> None:
    tick["X_WT_cmd"][0, 0] = np.inf


def _beyond_numbers(tick: Rows) -> None:
    tick["X_WT_cmd"][0, :3] = 1e306


SAID = {
    _raise: "law own: ZeroDivisionError: one too many",
    _nan: "law own: FloatingPointError: X_WT_cmd is not finite",
    _infinite: "law own: FloatingPointError: X_WT_cmd is not finite",
}


@pytest.mark.parametrize(
    ("go_wrong", "reason"),
    [
        (_raise, Reason.EXCEPTION),
        (_nan, Reason.EXCEPTION),
        (_infinite, Reason.EXCEPTION),
        (_beyond_numbers, Reason.NOT_FINITE),
    ],
)
def test_a_users_law_that_fails(
    go_wrong: Callable[[Rows], None], reason: Reason, within_limits: Check
) -> None:
    law = Own()
    arm = moving("own", laws=(law,))
    law.go_wrong = go_wrong
    stops(arm, reason, 0.1, within_limits)
    if reason is Reason.EXCEPTION:
        assert arm.reason == SAID[go_wrong]
    recovers(arm, "hybrid_admittance", within_limits)


def test_a_users_law_that_jumps_is_held_within_limits(within_limits: Check) -> None:
    def jump(tick: Rows) -> None:
        tick["X_WT_cmd"][0, 1] += 0.3

    law = Own(jump)
    arm = moving("own", laws=(law,))
    arm.wait(0.1)
    assert arm.tick.clipped != 0
    arm.wait(0.5)
    within_limits(arm, arm.history.since(0.0))


def test_a_fault_while_stopping(within_limits: Check) -> None:
    arm = pressing(10.0)
    arm.deactivate()
    arm.wait(0.02)
    assert arm.state is State.STOPPING
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    stops(arm, Reason.SENSOR_NOT_FINITE, 0.1, within_limits)


def test_the_first_reason_stays(within_limits: Check) -> None:
    arm = moving("hybrid_admittance")
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped):
        arm.wait(0.1)
    arm.simulation._thermal["temperature"] = HOT
    arm.wait(0.1)
    assert arm.tick.reason == Reason.SENSOR_NOT_FINITE
    with pytest.raises(Refused, match="too hot"):
        arm.reset()


def test_the_reason_is_in_every_tick_of_the_fault() -> None:
    arm = moving("hybrid_admittance")
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped):
        arm.wait(0.1)
    arm.wait(0.1)
    rows = arm.history.since(0.0)
    fault = rows[rows["state"] == State.FAULT]
    assert len(fault) > 50
    for k in range(len(fault)):
        assert read_text(fault[k : k + 1]) == Reason.SENSOR_NOT_FINITE.text
