"""Joints driven by torque stay within their limits under any law."""

from typing import Any

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.errors import ArmStopped
from pliant.laws import TorqueLaw
from pliant.reasons import Reason, State
from pliant.stages.safety import Clip, SafetyConfig
from pliant.stages.safety.safety_limits import limits_row
from pliant.stages.safety.stage import safety_kernel, safety_params, torque_safety_kernel
from pliant.stages.safety.torque_limits import guard_joints
from pliant.tick import Rows, new_rows

PANDA = load_arm("panda")


class Constant(TorqueLaw):
    """A constant torque."""

    name = "constant"

    def __init__(self, tau: Any) -> None:
        self.tau = np.array(tau, dtype=float)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Command the torque."""
        tick["tau_law"] = self.tau


def under(tau: Any, **config: Any) -> Arm:
    """A Panda without friction under a constant torque."""
    arm = Arm("sim:panda", laws=[Constant(tau)], config={"sim": {"friction": "off"}} | config)
    arm.activate("constant")
    return arm


def only(joint: int, tau: float) -> np.ndarray:
    return tau * np.eye(7)[joint]


def asked(tau: float, before: float) -> Rows:
    """The safety columns for a torque on every joint after another one was sent."""
    prev, tick = new_rows(7), new_rows(7)
    prev["q_sent"] = tick["q"] = PANDA.home
    prev["tau_sent"] = before
    tick["dt"], tick["by_torque"], tick["tau_requested"] = 0.001, 1, tau
    tick["M"] = np.eye(7)
    p = safety_params(SafetyConfig(), PANDA)
    safety_kernel(prev, tick, p)
    torque_safety_kernel(prev, tick, p)
    return tick


def test_torque_changes_no_faster_than_the_arm_allows() -> None:
    tick = asked(20.0, 4.0)
    np.testing.assert_allclose(tick["tau_limited"][0, :4], 5.0)
    assert tick["clipped"][0] & Clip.TORQUE_RATE


def test_torque_is_within_the_limits_of_the_arm() -> None:
    tick = asked(100.0, 86.9)
    np.testing.assert_allclose(tick["tau_limited"][0, :4], 87.0)
    assert tick["clipped"][0] & Clip.TORQUE


def test_an_allowed_request_is_not_changed() -> None:
    tick = asked(4.5, 4.0)
    np.testing.assert_allclose(tick["tau_limited"], 4.5)
    assert tick["clipped"][0] == 0
    np.testing.assert_array_equal(tick["q_limited"], tick["q"])


@pytest.mark.parametrize("joint", range(7))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_joint_pushed_into_its_limit_stops_before_it(joint: int, sign: float) -> None:
    push = sign * (8.0 if joint < 4 else 1.0)
    room = {"workspace_min": (-3, -3, -3), "workspace_max": (3, 3, 3)}
    arm = under(only(joint, push), safety=room)
    arm.wait(4.0)
    q = arm.history["q"]
    assert arm.state is State.ACTIVE
    assert (q < PANDA.q_max).all()
    assert (q > PANDA.q_min).all()
    assert (np.abs(arm.history["qd"]) < PANDA.qd_max).all()


def test_a_request_that_brakes_harder_than_a_limit_needs_is_not_changed() -> None:
    limits = limits_row(SafetyConfig(), PANDA)
    tick = new_rows(7)
    tick["dt"], tick["by_torque"], tick["M"], tick["q"] = 0.001, 1, np.eye(7), PANDA.home
    tick["q"][0, 3], tick["qd"][0, 3] = PANDA.q_min[3] + 0.03, -1.0
    for requested, allowed in ((500.0, 500.0), (0.0, 128.0), (-500.0, 128.0)):
        tau = only(3, requested)
        guard_joints(tick, limits, tau)
        assert tau[3] == pytest.approx(allowed, rel=0.02)


def test_a_joint_rests_at_its_limit_and_can_leave_it() -> None:
    arm = under(only(5, 1.0))
    arm.wait(3.0)
    assert PANDA.q_max[5] - arm.tick.q[5] < 0.05
    assert abs(arm.tick.qd[5]) < 0.02
    assert arm.tick.clipped & Clip.POSITION
    arm._session._loop.pipeline.laws[-1].tau[:] = only(5, -0.2)
    arm.wait(0.5)
    assert PANDA.q_max[5] - arm.tick.q[5] > 0.05


def test_a_floating_arm_that_is_pushed_into_a_limit_yields_no_further() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    arm.activate("gravity")
    arm.hand.schedule([15, 0, 0, 0, 0, 0], start=0.0, duration=3.0)
    arm.wait(3.0)
    assert arm.state is State.ACTIVE
    assert arm.history["clipped"].any()
    assert (arm.history["q"] < PANDA.q_max).all()
    assert (arm.history["q"] > PANDA.q_min).all()


@pytest.mark.parametrize("push", [3.0, 6.0, 9.0])
def test_a_steady_push_on_a_light_joint_does_not_pass_its_limit(push: float) -> None:
    """Its motor has 12 N·m; a spring of 200 N·m/rad gave way by the whole margin at 4 N·m."""
    near = PANDA.home.copy()
    near[5] = PANDA.q_max[5] - 0.05
    arm = under(only(5, 0.0), sim={"friction": "off", "q_start": tuple(near)})
    for share in np.linspace(0.0, 1.0, 100):
        arm.simulation.world.data.qfrc_applied[5] = share * push
        arm.wait(0.005)
    arm.wait(1.0)
    assert arm.state is State.ACTIVE
    assert (arm.history["q"][:, 5] < PANDA.q_max[5]).all()
    assert abs(arm.tick.qd[5]) < 0.01


def test_a_tool_that_is_too_fast_is_braked() -> None:
    arm = under([4, 0, 4, 0, 0, 0, 0], safety={"tool_speed": 0.2})
    arm.wait(1.5)
    speed = np.linalg.norm(arm.history["v_WT_W"][:, :3], axis=1)
    assert speed.max() < 0.3
    assert arm.tick.clipped & Clip.TOOL_SPEED


def test_a_joint_that_cannot_brake_in_time_trips_and_is_stopped() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}, "safety": {"tool_speed": 3.0}})
    arm.activate("gravity")
    arm.hand.schedule([0, 0, 0, 0, 0, 40], start=0.0, duration=0.2)
    with pytest.raises(ArmStopped, match="driven by torque"):
        arm.wait(0.5)
    assert arm.tick.reason in (Reason.JOINT_POSITION, Reason.JOINT_SPEED)
    arm.wait(0.5)
    # what was flung away returns within the speed limits
    arm.wait_until(lambda tick: np.abs(tick.qd).max() < 0.01, timeout=20.0)
    assert (np.abs(arm.history.since(0.5)["qd"]) < PANDA.qd_max).all()
    arm.reset()
    arm.wait(0.01)
    assert arm.state is State.INACTIVE


def test_a_nan_torque_stops_the_arm() -> None:
    arm = under(np.full(7, np.nan))
    with pytest.raises(ArmStopped, match="tau_law is not finite"):
        arm.wait(0.1)
    arm.wait(0.1)
    assert np.isfinite(arm.history["tau_sent"]).all()
    assert np.abs(arm.history["qd"]).max() < 0.01


def test_a_tool_that_floats_out_of_the_workspace_stops() -> None:
    arm = under([0, 0, 0, 6, 0, 0, 0], safety={"workspace_max": (0.55, 1.0, 1.0)})
    with pytest.raises(ArmStopped, match="workspace"):
        arm.wait(2.0)
    arm.wait(0.5)
    assert arm.history["X_WT"][:, 0].max() < 0.6


def test_a_tool_that_is_far_too_fast_trips() -> None:
    """A push that the torque rate is late for; a low limit does not keep the arm from stopping."""
    arm = Arm("sim:panda", config={"safety": {"tool_speed": 0.05, "contact_force": np.inf}})
    arm.activate("gravity")
    arm.hand.schedule([0, 120, 0, 0, 0, 0], start=0.0, duration=0.3)
    with pytest.raises(ArmStopped, match=r"the tool .* too fast: 0\.\d+ of 0\.3 m/s"):
        arm.wait(0.5)
    assert arm.tick.reason == Reason.TOOL_SPEED
    arm.wait(1.0)
    assert np.abs(arm.tick.qd).max() < 0.05


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_a_stop_does_not_drive_joints_on_into_the_contact(name: str) -> None:
    """A contact brakes joints faster than their set points; the servo made 293 and 276 N of it."""
    config = {
        "sim": {"scene": {"kind": "table", "height": 0.0, "stiffness": 1e4}},
        "reference": {"max_acceleration": (10.0, 10.0), "max_speed": (1.0, 2.0)},
        "safety": {"tool_speed": 1.5},
    }
    arm = Arm(f"sim:{name}/table", config=config, seed=1)
    arm.zero()
    arm.activate("cartesian_impedance")
    arm.jog([0, 0, -0.8, 0, 0, 0], timeout=2.0, frame="world")
    with pytest.raises(ArmStopped):
        arm.wait(2.0)
    arm.wait(1.5)
    rows = arm.history.since(0.0)
    rows = rows[rows["state"] == State.FAULT]
    tau, qd, braking = rows["tau_sent"], rows["qd"], rows["qd_limited"]
    drives = (tau * qd > 0.0) & (braking * qd > 0.0) & (np.abs(braking) > 0.4)
    assert (np.abs(braking) > 0.4).any()
    assert not (drives[1:] & (np.abs(tau[1:]) > np.abs(tau[:-1]))).any()
    assert rows["true_f_peak"].max() < 230.0
    assert np.abs(arm.tick.qd).max() < 0.05
