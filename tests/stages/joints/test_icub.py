"""The acceptance cases of icub-tests for a control board, on simulated arms."""

from math import radians

import numpy as np
import pytest

from pliant import Arm, Refused
from pliant.stages.joints import Interaction, JointFault, JointMode, ReportedMode


@pytest.fixture
def arm() -> Arm:
    return Arm("sim:panda")


@pytest.mark.parametrize("interaction", ["stif", "comp"])
def test_every_mode_is_set_and_read_back(arm: Arm, interaction: str) -> None:
    joint = arm.joints[3]
    joint.impedance = (100.0, 10.0, 0.0)
    joint.interaction = interaction
    for mode in JointMode:
        joint.mode = mode.vocab
        arm.wait(0.005)
        assert joint.mode == mode
        assert joint.interaction.vocab == interaction
    joint.mode = "fidl"
    arm.wait(0.005)
    assert joint.mode is ReportedMode.IDLE
    assert joint.interaction.vocab == interaction


def test_only_force_idle_clears_a_fault(arm: Arm) -> None:
    joint = arm.joints[2]
    home = joint.position
    joint.mode = "position"
    joint.impedance = (200.0, 20.0, 0.0)
    joint.interaction = "compliant"
    joint.position_move(home + 0.3)
    arm.wait(1.0)
    arm.joints.inject_fault(2, "over_torque")
    arm.wait(0.2)
    assert joint.mode is ReportedMode.HARDWARE_FAULT
    assert joint.fault is JointFault.OVER_TORQUE
    held = arm.tick.q_sent[2]
    for word in ("pos", "posd", "vel", "torq", "mix", "ipwm", "idl"):
        with pytest.raises(Refused, match="force it idle first"):
            joint.mode = word
        arm.wait(0.002)
        assert joint.mode is ReportedMode.HARDWARE_FAULT
    with pytest.raises(Refused, match="cause is still there: too much torque"):
        joint.force_idle()
    assert arm.tick.q_sent[2] == held
    arm.joints.inject_fault(2, "none")
    joint.force_idle()
    arm.wait(0.002)
    assert joint.mode is ReportedMode.IDLE
    assert joint.interaction is Interaction.COMPLIANT
    joint.mode = "position"
    joint.interaction = "stiff"
    joint.position_move(home)
    arm.joints.wait_done(2)
    arm.wait(0.3)
    assert joint.position == pytest.approx(home, abs=1e-3)


def test_open_loop_takes_no_position(arm: Arm) -> None:
    joint = arm.joints[4]
    joint.mode = "ipwm"
    arm.wait(0.002)
    before = arm.tick
    with pytest.raises(Refused, match="set it to position or mixed first"):
        joint.position_move(joint.position + 0.2)
    with pytest.raises(Refused, match="set it to position_direct first"):
        joint.set_position(joint.position + 0.2)
    arm.wait(0.05)
    assert arm.tick.q_goal[4] == before.q_goal[4]
    assert arm.tick.q_goal_seq[4] == before.q_goal_seq[4]
    joint.mode = "position"
    arm.wait(0.1)
    assert joint.target == pytest.approx(joint.position, abs=1e-3)


@pytest.mark.parametrize("name", ["panda", "ur5e"])
@pytest.mark.parametrize("mode", ["position", "position_direct", "velocity"])
def test_motion_beyond_the_limits_stops_at_them(name: str, mode: str) -> None:
    from pliant.arms import load_arm

    figures = load_arm(name)
    start = np.array(figures.home)
    last = figures.n - 1
    for end, sign in ((figures.q_max[last], 1.0), (figures.q_min[last], -1.0)):
        start[last] = end - sign * 0.5
        arm = Arm(f"sim:{name}", config={"sim": {"q_start": start.tolist()}})
        joint = arm.joints[last]
        joint.mode = mode
        joint.speed = 1.0
        for _ in range(20):
            if mode == "position_direct":
                joint.set_position(end + sign * radians(2.0))
            elif mode == "velocity":
                joint.velocity_move(sign * 1.0)
            elif joint.done:
                joint.position_move(end + sign * radians(2.0))
            arm.wait(0.1)
        q = arm.history["q"][:, last]
        assert (q * sign).max() <= end * sign
        assert q[-1] * sign == pytest.approx(end * sign - 0.02, abs=2e-3)


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_position_to_direct_and_back_while_tracking(name: str) -> None:
    arm = Arm(f"sim:{name}")
    joint = arm.joints[0]
    joint.mode = "position"
    joint.speed = 0.5
    joint.position_move(joint.position + 0.6)
    arm.wait(0.6)
    joint.mode = "position_direct"
    goal = float(arm.tick.q_board[0])
    for _ in range(100):
        goal += 0.3 * arm.dt
        joint.set_position(goal)
        arm.wait(arm.dt)
    joint.mode = "position"
    joint.position_move(goal + 0.3)
    arm.joints.wait_done(0)
    arm.wait(0.3)
    limits = arm.joints.limits
    sent = arm.history["q_sent"][:, 0]
    speed = np.diff(sent) / arm.dt
    assert np.abs(speed).max() <= limits.qd_max[0]
    assert np.abs(np.diff(speed)).max() <= limits.qdd_max[0] * arm.dt * (1 + 1e-6)
    assert joint.position == pytest.approx(goal + 0.3, abs=1e-3)


def test_impedance_starts_at_zero_and_is_read_back_with_its_limits(arm: Arm) -> None:
    assert arm.joints.impedances() == [(0.0, 0.0, 0.0)] * 7
    arm.joints.set_impedances([0, 5], [300.0, 20.0], [30.0, 2.0], [1.0, -0.5])
    arm.wait(0.002)
    assert arm.joints.impedances([5, 0]) == [(20.0, 2.0, -0.5), (300.0, 30.0, 1.0)]
    limits = arm.joints.limits
    with pytest.raises(Refused, match=r"is not within 0 to .* N·m/rad"):
        arm.joints[0].impedance = (limits.K_max[0] + 1.0, 0.0, 0.0)
    with pytest.raises(Refused, match=r"is not within 0 to .* N·m·s/rad"):
        arm.joints[0].impedance = (1.0, limits.D_max[0] + 1.0, 0.0)
    arm.wait(0.002)
    assert arm.joints[0].impedance == (300.0, 30.0, 1.0)


def test_the_same_mode_again_does_not_restart_a_trajectory(arm: Arm) -> None:
    joint = arm.joints[1]
    joint.mode = "position"
    joint.position_move(joint.position + 0.2)
    arm.wait(0.5)
    joint.mode = "position"
    arm.wait(0.002)
    assert not joint.done
    arm.joints.wait_done(1)
    assert arm.tick.traj_elapsed[1] == arm.tick.traj_time[1]
    assert arm.time == pytest.approx(1.0, abs=0.01)


def test_streams_time_out(arm: Arm) -> None:
    arm.joints.set_modes([0, 5, 6], ["velocity", "torque", "open_loop"])
    arm.joints[0].velocity_move(0.2)
    arm.wait(0.15)
    assert arm.tick.qd_board[0] == pytest.approx(0.2)
    arm.wait(0.2)
    assert arm.tick.qd_board[0] == 0.0
    assert arm.joints[0].mode is ReportedMode.VELOCITY
    arm.joints[5].set_torque(0.1)
    arm.wait(0.21)
    assert arm.joints[5].fault is JointFault.STALE_COMMAND
    assert arm.joints.modes([0, 6]) == [ReportedMode.VELOCITY, ReportedMode.POSITION]
    arm.joints.force_idle(5)
    arm.wait(0.002)
    assert arm.joints[5].mode is ReportedMode.IDLE


@pytest.mark.parametrize("calibrated", [True, False])
def test_calibration_goes_through_its_statuses(calibrated: bool) -> None:
    config = {"joints": {"calibrated": calibrated, "calibration_time": 0.05}}
    arm = Arm("sim:panda", config=config)
    if not calibrated:
        with pytest.raises(Refused, match="calibrate it first"):
            arm.joints[0].mode = "position"
        with pytest.raises(Refused, match="calibrate it first"):
            arm.activate("position")
    arm.joints.calibrate()
    seen = [arm.joints[0].mode]
    for _ in arm.ticks(0.06):
        if arm.joints[0].mode is not seen[-1]:
            seen.append(arm.joints[0].mode)
    end = [ReportedMode.CALIBRATING, ReportedMode.CALIBRATION_DONE, ReportedMode.IDLE]
    if calibrated:
        assert seen == [ReportedMode.IDLE, *end]
    else:
        assert seen == [ReportedMode.NOT_CONFIGURED, ReportedMode.CONFIGURED, *end]
    assert np.ptp(arm.history["q_sent"], axis=0).max() == 0.0
