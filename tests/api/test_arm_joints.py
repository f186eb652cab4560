"""`arm.joints` as a program uses it, and iCub's documented examples translated to it."""

from math import radians

import numpy as np
import pytest

from pliant import Arm, Refused
from pliant.errors import ArmStopped, UnknownNameError, WaitTimeout
from pliant.reasons import Reason, State
from pliant.stages.joints import Interaction, JointFault, ReportedMode


def ok(arm: Arm, joint: int, command: float) -> None:
    """The documented OK example: a mode before every kind of command."""
    j = arm.joints[joint]
    j.mode = "position"
    j.position_move(command)
    j.mode = "velocity"
    j.velocity_move(0.1)
    j.mode = "position"
    j.position_move(command)
    arm.wait(0.01)
    j.position_move(command)


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_the_documented_examples_with_modes(name: str) -> None:
    arm = Arm(f"sim:{name}")
    start = arm.joints[0].position
    ok(arm, 0, start + 0.1)
    arm.joints.wait_done(0)
    assert arm.tick.q_board[0] == pytest.approx(start + 0.1)
    # BAD: no mode was chosen, and a velocity does not switch by itself
    bad = arm.joints[1]
    with pytest.raises(Refused, match=r"joint 1 is in idle mode.* set it to position or mixed"):
        bad.position_move(0.1)
    with pytest.raises(Refused, match="set it to velocity or mixed first"):
        bad.velocity_move(0.1)
    bad.mode = "position"
    with pytest.raises(Refused, match="set it to velocity or mixed first"):
        bad.velocity_move(0.1)
    arm.wait(0.1)
    assert arm.tick.q_board[1] == arm.history["q_board"][0, 1]


def test_the_documented_examples_with_interaction() -> None:
    arm = Arm("sim:panda")
    j = arm.joints[3]
    start = j.position
    j.impedance = (100.0, 10.0, 0.0)
    j.mode = "position"
    j.interaction = "compliant"
    j.position_move(start + 0.1)
    arm.joints.wait_done(3)
    j.interaction = "stiff"
    j.position_move(start + 0.2)
    arm.joints.wait_done(3)
    arm.wait(0.3)
    assert j.position == pytest.approx(start + 0.2, abs=1e-3)
    # BAD: impedance position is no mode; it is position mode with compliant interaction
    with pytest.raises(
        Refused, match="unknown control mode 'impedance_position'; did you mean position"
    ):
        j.mode = "impedance_position"


def test_the_documented_alternating_elbow() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    elbow = arm.joints[3]
    elbow.impedance = (150.0, 15.0, 0.0)
    elbow.speed = radians(30.0)
    load = 3.0
    arm.simulation.world.data.qfrc_applied[3] = load
    arm.wait(0.5)
    off = []
    for times in range(1, 5):
        elbow.mode = "position"
        elbow.interaction = "compliant" if times % 2 else "stiff"
        command = radians(-110.0 if times % 2 else -130.0)
        elbow.position_move(command)
        arm.wait(2.0)
        off.append(elbow.position - command)
    np.testing.assert_allclose(off[::2], load / 150.0, rtol=0.1)
    np.testing.assert_allclose(off[1::2], 0.0, atol=1e-3)


def test_the_documented_leader_and_follower() -> None:
    config = {"sim": {"friction": "off"}}
    leader, follower = Arm("sim:panda", config=config), Arm("sim:panda", config=config)
    joints = list(range(5))
    leader.joints.set_modes(joints, "torque")
    follower.joints.set_modes(joints, "position_direct")
    follower.joints.set_impedances(joints, [200.0] * 4 + [50.0], [20.0] * 4 + [5.0])
    follower.joints.set_interactions(joints, "compliant")
    leader.simulation.world.data.qfrc_applied[0] = 1.0
    start = leader.joints[0].position
    for _ in range(200):
        leader.joints.set_torques(joints, -2.0 * leader.tick.qd[:5])
        follower.joints.set_positions(joints, leader.joints.positions(joints))
        leader.wait(0.005)
        follower.wait(0.005)
    assert leader.joints[0].position - start > 0.1
    apart = leader.joints.positions(joints) - follower.joints.positions(joints)
    assert np.abs(apart).max() < 0.1
    leader.simulation.world.data.qfrc_applied[0] = 0.0
    leader.joints.force_idle()
    leader.wait(0.5)
    follower.joints.set_positions(joints, leader.joints.positions(joints))
    follower.wait(1.5)
    apart = leader.joints.positions(joints) - follower.joints.positions(joints)
    assert np.abs(apart).max() < 0.01


def test_one_some_and_all() -> None:
    arm = Arm("sim:ur5e")
    joints = arm.joints
    assert len(joints) == 6
    assert [joint.name for joint in joints] == list(joints.names)
    joints.set_modes([0, 2], ["pos", "vel"])
    joints.set_speeds([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    joints.set_accelerations(1, 3.0)
    arm.wait(0.01)
    assert joints.modes([2, 0]) == [ReportedMode.VELOCITY, ReportedMode.POSITION]
    assert joints.modes(1) == [ReportedMode.IDLE]
    np.testing.assert_allclose(joints.speeds([5, 0]), [0.6, 0.1])
    assert joints[1].acceleration == 3.0
    assert joints.interactions() == [Interaction.STIFF] * 6
    for bad in ([0.1, 0.2], [0.1] * 7):
        with pytest.raises(Refused, match="joints need as many values"):
            joints.set_speeds(bad)
    with pytest.raises(Refused, match="no joint 6; valid: 0 to 5"):
        joints[6]
    with pytest.raises(Refused, match="no joint 7; valid: 0 to 5"):
        joints.position_move([0, 7], [0.1, 0.1])


def test_what_an_arm_cannot_do_is_refused_with_the_reason() -> None:
    arm = Arm("sim:ur5e")
    reason = "not available: ur5e takes positions, not torques"
    for mode in ("torque", "open_loop"):
        with pytest.raises(Refused, match=f"{mode} mode is {reason}"):
            arm.joints[0].mode = mode
    with pytest.raises(Refused, match=f"compliant interaction is {reason}"):
        arm.joints[0].interaction = "compliant"
    assert len(arm.joints.available) == 5


def test_waiting_says_why_it_ended() -> None:
    arm = Arm("sim:ur5e")
    joint = arm.joints[0]
    joint.mode = "position"
    joint.position_move(joint.position + 0.5)
    with pytest.raises(WaitTimeout, match=r"joints .0. still move after 0.1 s"):
        arm.joints.wait_done(0, timeout=0.1)
    arm.joints.inject_fault(0, "tracking")
    with pytest.raises(ArmStopped, match="joint 0 does not follow its set point"):
        arm.joints.wait_done(0)
    assert joint.fault is JointFault.TRACKING


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_a_joint_fault_ends_a_law_and_the_arm_holds(name: str) -> None:
    arm = Arm(f"sim:{name}", config={"wrench": {"zero_time": 0.02}})
    arm.zero()
    arm.activate("position")
    arm.move_by([0, 0, 0.05, 0, 0, 0], wait=False)
    arm.wait(0.2)
    with pytest.raises(Refused, match="position drives the joints: deactivate it first"):
        arm.joints[0].mode = "position"
    arm.joints.inject_fault(4, "encoder")
    with pytest.raises(ArmStopped, match="a joint was taken out: joint 4 the encoder failed"):
        arm.wait(0.1)
    assert arm.state is State.FAULT
    assert arm.law is None
    arm.wait(0.5)
    held = arm.tick.q_sent.copy()
    arm.wait(0.2)
    np.testing.assert_array_equal(arm.tick.q_sent, held)
    with pytest.raises(Refused, match="the cause is still there"):
        arm.reset()
    arm.joints.inject_fault(4, "none")
    arm.wait(0.01)
    arm.reset()
    arm.wait(0.01)
    assert arm.joints.modes() == [ReportedMode.IDLE] * len(arm.joints)
    arm.activate("position")
    arm.wait(0.1)
    assert arm.law == "position"


def test_force_idle_ends_a_law_at_once() -> None:
    arm = Arm("sim:ur5e", config={"wrench": {"zero_time": 0.02}})
    arm.zero()
    arm.activate("position")
    arm.jog([0, 0, 0.05, 0, 0, 0], timeout=2.0)
    arm.wait(0.3)
    arm.joints.force_idle()
    arm.wait(0.002)
    assert arm.law is None
    assert arm.joints.modes() == [ReportedMode.IDLE] * 6
    arm.wait(0.2)
    assert np.abs(arm.tick.qd_limited).max() == 0.0


@pytest.mark.parametrize("fault", ["over_temperature", "tracking", "hard_limit", "encoder"])
def test_the_rest_of_the_arm_comes_to_rest(fault: str) -> None:
    arm = Arm("sim:panda")
    arm.joints.set_modes(["pos", "vel", "mix", "posd", "torq", "ipwm", "pos"])
    arm.joints[0].position_move(arm.joints[0].position + 0.5)
    arm.joints[1].velocity_move(0.1)
    arm.joints[2].velocity_move(0.1)
    arm.wait(0.15)
    arm.joints.inject_fault(6, fault)
    arm.wait(0.5)
    words = [mode.vocab for mode in arm.joints.modes()]
    assert words == ["pos", "vel", "mix", "posd", "pos", "pos", "hwfa"]
    assert arm.state is State.INACTIVE
    assert arm.joints.done([0, 1, 2, 3, 4, 5])
    held = arm.tick.q_sent.copy()
    arm.wait(0.2)
    np.testing.assert_allclose(arm.tick.q_sent, held, atol=1e-9)
    arm.joints[0].position_move(arm.joints[0].position + 0.05)
    arm.joints.wait_done(0)


def test_heat_takes_a_joint_out_by_itself() -> None:
    arm = Arm("sim:ur5e")
    arm.simulation._thermal["temperature"][0, 2] = 61.0
    with pytest.raises(ArmStopped, match="a joint is too hot: joint 2"):
        arm.wait(0.1)
    assert arm.joints[2].fault is JointFault.OVER_TEMPERATURE
    assert arm.joints[2].mode is ReportedMode.HARDWARE_FAULT


@pytest.mark.parametrize("mode", ["torque", "open_loop"])
def test_stop_brings_a_joint_driven_by_torque_to_rest(mode: str) -> None:
    arm = Arm("sim:panda")
    joint = arm.joints[0]
    joint.mode = mode
    for _ in range(30):
        joint.set_torque(3.0) if mode == "torque" else joint.set_output(0.03)
        arm.wait(0.01)
    assert arm.tick.qd[0] > 0.3
    arm.joints.stop()
    arm.wait(1.0)
    assert abs(arm.tick.qd[0]) < 1e-3
    assert arm.tick.mode[0] == ReportedMode.POSITION


@pytest.mark.parametrize("mode", ["position", "velocity", "torque"])
def test_whoever_vanishes_leaves_the_joints_at_rest(mode: str) -> None:
    arm = Arm("sim:panda")
    joint = arm.joints[0]
    joint.mode = mode
    if mode == "position":
        joint.position_move(joint.position + 0.5)
    elif mode == "velocity":
        joint.velocity_move(0.2)
    else:
        joint.set_torque(2.0)
    arm.wait(0.15)
    arm._session._loop.supervisor.stop(arm._session.row, Reason.CLIENT_GONE)
    arm.wait(0.5)
    assert joint.mode is ReportedMode.IDLE
    held = arm.tick.q_sent[0]
    arm.wait(0.2)
    assert arm.tick.q_sent[0] == held
    assert joint.position == pytest.approx(held, abs=5e-3)


@pytest.mark.parametrize(
    "command",
    ["position_move", "set_positions", "velocity_move", "set_torques", "set_outputs", "set_speeds"],
)
def test_a_number_alone_could_be_a_joint_and_is_refused(command: str) -> None:
    """`position_move(3)` once sent every joint to 3 rad."""
    arm = Arm("sim:panda")
    arm.joints.set_modes("position")
    before = arm.tick.q_goal.copy()
    with pytest.raises(Refused, match=r"\(3\) does not say whether 3 is a joint or a value"):
        getattr(arm.joints, command)(3)
    arm.wait(0.01)
    np.testing.assert_array_equal(arm.tick.q_goal, before)


def test_joints_and_values_are_given_by_keyword_or_name() -> None:
    with Arm("sim:ur5e") as arm:
        arm.joints.set_modes(modes="position")
        arm.wait(0.01)
        assert {mode.name for mode in arm.joints.modes()} == {"POSITION"}
        arm.joints.set_speeds(joints=["elbow", "wrist_1_joint"], speeds=[0.3, 0.4])
        arm.wait(0.01)
        assert arm.joints.speeds([2, 3]).tolist() == [0.3, 0.4]
        arm.joints.set_speeds(speeds=0.7)
        arm.wait(0.01)
        assert arm.joints.speeds().tolist() == [0.7] * 6
        goal = arm.joints.positions() + 0.02
        arm.joints.position_move(positions=goal)
        arm.joints.wait_done()
        assert arm.joints.targets() == pytest.approx(goal)
        arm.joints.position_move(joints="elbow", positions=goal[2] + 0.1)
        arm.joints.wait_done("elbow")
        assert arm.joints["elbow"].target == pytest.approx(goal[2] + 0.1)
        with pytest.raises(UnknownNameError, match="did you mean elbow_joint"):
            arm.joints["elbo"]
        with pytest.raises(Refused, match="position_move needs"):
            arm.joints.position_move()
