"""pylibfranka takes the virtual FR3 for a real one, and the physics does what was asked."""

import numpy as np
import pytest

pytest.importorskip(
    "pylibfranka", reason="NOT TESTED: the virtual FR3 against the vendor's client, pylibfranka"
)

from pylibfranka import (
    CartesianPose,
    CommandException,
    ControlException,
    ControllerMode,
    Gripper,
    JointPositions,
    JointVelocities,
    RealtimeConfig,
    Robot,
    RobotMode,
    Torques,
)

from tests.virtual_arms import virtual_arm

from .torque_loop import Motion, hold, pose_of, press, run_torque

pytestmark = pytest.mark.alone
TABLE = 0.1
"""Height of the table's top, m; the tool starts 50 mm above it."""

HIGH = ([100.0] * 7, [100.0] * 7, [100.0] * 6, [100.0] * 6)
ZERO = np.zeros(7)


@pytest.fixture(scope="module")
def arm():
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture(scope="module")
def connection(arm):
    return Robot(arm.host, RealtimeConfig.kIgnore)


@pytest.fixture(scope="module")
def start(connection):
    return np.array(connection.read_once().q)


@pytest.fixture
def robot(arm, connection, start):
    """The arm at its start, without errors, with high thresholds."""
    connection.automatic_error_recovery()
    connection.set_collision_behavior(*HIGH)
    connection.set_joint_impedance([3000.0] * 3 + [2500.0] * 2 + [2000.0] * 2)
    move_joints(connection, start)
    return connection


def move_joints(robot, goal):
    """Move smoothly, in about the time that the distance needs."""
    with Motion(robot.start_joint_position_control(ControllerMode.JointImpedance)) as motion:
        state = motion.read()
        begin, from_q = state.time.to_sec(), np.array(state.q_d)
        seconds = 0.1 + 2.0 * np.sqrt(np.abs(goal - from_q).max())
        while True:
            s = min((state.time.to_sec() - begin) / seconds, 1.0)
            command = JointPositions((from_q + (goal - from_q) * smooth(s)).tolist())
            command.motion_finished = s >= 1.0
            motion.write(command)
            if s >= 1.0:
                return
            state = motion.read()


def fresh(robot):
    """A state of now: libfranka's first may be the oldest that its socket kept."""
    robot.read_once()
    return robot.read_once()


def smooth(s):
    """From 0 to 1 without jumps of velocity and acceleration."""
    s = min(s, 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s)


def test_a_state_is_that_of_the_simulation(arm, robot) -> None:
    state, truth = fresh(robot), arm.truth()
    np.testing.assert_allclose(state.q, truth["q"], atol=1e-6)
    assert state.robot_mode == RobotMode.Idle
    assert list(state.O_ddP_O) == pytest.approx([0.0, 0.0, -9.81])
    assert pose_of(state)[2, 3] == pytest.approx(TABLE + 0.05, abs=1e-3)
    model = robot.load_model()
    # the vendor's model, computed from the arm's URDF and end effector, holds the arm up
    np.testing.assert_allclose(model.gravity(state), state.tau_J, atol=1e-2)
    assert state.m_total == pytest.approx(0.5)


def test_zero_torque_lets_the_arm_float(arm, robot) -> None:
    q = np.array(fresh(robot).q)
    state = run_torque(robot, lambda *_: ZERO, 0.5)
    assert np.abs(np.array(state.q) - q).max() < 1e-4
    arm.say("push 0 6 0 0.15")
    state = run_torque(robot, lambda *_: ZERO, 0.3)
    assert np.abs(np.array(state.q) - q).max() > 0.01


def test_a_torque_moves_its_joint_the_right_way(robot) -> None:
    for j, torque in ((0, 4.0), (3, -4.0), (6, 0.4)):
        q = np.array(fresh(robot).q)
        tau = np.eye(7)[j] * torque
        state = run_torque(robot, lambda _, t, tau=tau: min(t / 0.02, 1.0) * tau, 0.1)
        assert np.sign(state.q[j] - q[j]) == np.sign(torque)


def test_a_joint_impedance_holds_against_a_push(arm, robot) -> None:
    law = hold(robot, 400.0)
    before = pose_of(fresh(robot))[1, 3]
    arm.say("push 0 20 0 1.6")
    state = run_torque(robot, law, 1.5)
    J = np.array(robot.load_model().zero_jacobian(state)).reshape(7, 6).T
    compliance = (J / np.array([400.0] * 4 + [80.0] * 3)) @ J.T
    moved = pose_of(state)[1, 3] - before
    # friction of 0.2 N·m a joint holds back a part of it
    assert moved == pytest.approx(20.0 * compliance[1, 1], rel=0.15)
    # what the robot does to the hand that pushes
    assert state.O_F_ext_hat_K[1] == pytest.approx(-20.0, abs=1.5)


def test_a_press_downwards_reads_a_force_downwards(arm, robot) -> None:
    state = run_torque(robot, press(robot, 0.06, 1.0), 2.0)
    fixture = arm.truth()["fixture"][2]
    assert fixture < -5.0
    assert state.O_F_ext_hat_K[2] == pytest.approx(fixture, abs=2.0)
    # the tool points down
    assert state.K_F_ext_hat_K[2] == pytest.approx(-state.O_F_ext_hat_K[2], abs=0.2)
    J = np.array(robot.load_model().zero_jacobian(state)).reshape(7, 6).T
    np.testing.assert_allclose(state.tau_ext_hat_filtered, J.T @ state.O_F_ext_hat_K, atol=0.4)


def test_a_collision_is_a_reflex_and_can_be_recovered_from(arm, robot) -> None:
    robot.set_collision_behavior([20.0] * 7, [40.0] * 7, [3.0] * 6, [10.0] * 6)
    with pytest.raises(ControlException, match="cartesian_reflex"):
        run_torque(robot, press(robot, 0.1, 1.0), 2.0)
    state = fresh(robot)
    assert state.robot_mode == RobotMode.Reflex
    assert state.current_errors.cartesian_reflex and state.last_motion_errors.cartesian_reflex
    assert state.cartesian_collision[2] == 1.0
    assert arm.truth()["peak"] < 30.0
    with pytest.raises(CommandException, match="not possible"):
        robot.start_torque_control()
    robot.automatic_error_recovery()
    state = fresh(robot)
    assert state.robot_mode == RobotMode.Idle and not state.current_errors
    assert state.cartesian_collision[2] == 0.0
    assert state.last_motion_errors.cartesian_reflex


def test_contact_is_told_below_the_threshold_of_a_collision(robot) -> None:
    robot.set_collision_behavior([100.0] * 7, [100.0] * 7, [5.0] * 6, [100.0] * 6)
    state = run_torque(robot, press(robot, 0.06, 1.0), 1.5)
    assert state.cartesian_contact[2] == 1.0 and state.cartesian_collision[2] == 0.0


def test_a_joint_torque_threshold_is_a_joint_reflex(arm, robot) -> None:
    law = hold(robot, 400.0)
    robot.set_collision_behavior([5.0] * 7, [8.0] * 7, [100.0] * 6, [100.0] * 6)
    arm.say("push 0 0 -40 0.5")
    with pytest.raises(ControlException, match="joint_reflex"):
        run_torque(robot, law, 0.5)


def test_a_jump_of_torque_is_refused(robot) -> None:
    jump = np.eye(7)[0] * 1.5
    with pytest.raises(ControlException, match="controller_torque_discontinuity"):
        run_torque(robot, lambda _, t: jump * (t > 0.05), 0.2)
    robot.automatic_error_recovery()
    # a thousand newton metres per second are allowed
    run_torque(robot, lambda _, t: np.eye(7)[0] * min(t * 999.0, 5.0), 0.02)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (lambda t: 0.1, "joint_position_motion_generator_start_pose_invalid"),
        (lambda t: 0.1 * t, "joint_motion_generator_velocity_discontinuity"),
        (lambda t: 3.0 * t * (t + 1e-3), "joint_motion_generator_acceleration_discontinuity"),
    ],
)
def test_joint_positions_that_jump_are_refused(robot, start, path, error) -> None:
    axis = np.eye(7)[0]
    with (
        pytest.raises(ControlException, match=error),
        Motion(robot.start_joint_position_control(ControllerMode.JointImpedance)) as motion,
    ):
        motion.play(lambda i, _: JointPositions((start + axis * path(i * 1e-3)).tolist()), 100)


def test_joint_velocities_beyond_the_limit_are_refused(robot) -> None:
    def faster(i, _):
        # the acceleration grows to 9 rad/s² within 0.1 s
        return JointVelocities([0.0] * 6 + [9e-3 * (i * i / 200.0 if i < 100 else i - 50.0)])

    with (
        pytest.raises(ControlException, match="joint_motion_generator_velocity_limits_violation"),
        Motion(robot.start_joint_velocity_control(ControllerMode.JointImpedance)) as motion,
    ):
        motion.play(faster, 700)


def test_lost_commands_lower_the_rate_and_end_the_motion(arm, robot) -> None:
    rates = []

    def law(state, time):
        rates.append(state.control_command_success_rate)
        if len(rates) == 150:
            assert arm.say("deaf 10") == "ok"
        return ZERO

    state = run_torque(robot, law, 0.3)
    assert min(rates[100:]) == pytest.approx(0.9, abs=0.001)
    assert state.control_command_success_rate == 1.0
    rates.clear()
    with pytest.raises(ControlException, match="communication_constraints_violation"):
        run_torque(
            robot, lambda s, t: [ZERO, arm.say("deaf 30")][0] if 0.1 < t < 0.102 else ZERO, 0.5
        )


def test_lost_states_are_seen_as_a_longer_period(arm, robot) -> None:
    times = []

    def law(state, time):
        times.append(time)
        if len(times) == 150:
            assert arm.say("lose 5") == "ok"
        return ZERO

    run_torque(robot, law, 0.3)
    assert max(np.diff(times)) == pytest.approx(6e-3, abs=1e-9)


def test_the_user_stop_ends_a_motion(arm, robot) -> None:
    with pytest.raises(ControlException, match="User Stop pressed"):
        run_torque(robot, lambda _, t: [ZERO, arm.say("user_stop on")][0] if t > 0.1 else ZERO, 0.5)
    assert fresh(robot).robot_mode == RobotMode.UserStopped
    with pytest.raises(CommandException):
        robot.automatic_error_recovery()
    arm.say("user_stop off")
    assert fresh(robot).robot_mode == RobotMode.Idle


def test_a_hand_guides_the_arm(arm, robot) -> None:
    arm.say("guiding on")
    state = fresh(robot)
    assert state.robot_mode == RobotMode.Guiding
    arm.say("push 0 6 0 0.2")
    until = state.time.to_sec() + 0.5
    while state.time.to_sec() < until:
        state = robot.read_once()
    arm.say("guiding off")
    moved = fresh(robot)
    assert moved.robot_mode == RobotMode.Idle
    assert pose_of(moved)[1, 3] - 0.1 > 0.02


def test_closed_brakes_refuse_a_motion(arm, robot) -> None:
    arm.say("brakes closed")
    with pytest.raises(CommandException, match="not possible"):
        robot.start_torque_control()
    arm.say("brakes open")


def test_the_cartesian_impedance_is_the_one_that_was_set(arm, robot) -> None:
    robot.set_cartesian_impedance([500.0] * 3 + [100.0] * 3)
    with Motion(robot.start_cartesian_pose_control(ControllerMode.CartesianImpedance)) as motion:
        before = motion.read()
        arm.say("push 0 15 0 1.6")
        state = motion.play(lambda *_: CartesianPose(list(before.O_T_EE)), 1500)
    moved = pose_of(state)[:3, 3] - pose_of(before)[:3, 3]
    assert moved[1] == pytest.approx(15.0 / 500.0, rel=0.12)


def test_the_joint_impedance_is_the_one_that_was_set(arm, robot, start) -> None:
    stiffness = np.array([600.0] * 4 + [200.0] * 3)
    robot.set_joint_impedance(stiffness.tolist())
    arm.say("push 0 20 0 1.6")
    with Motion(robot.start_joint_position_control(ControllerMode.JointImpedance)) as motion:
        state = motion.play(lambda *_: JointPositions(start.tolist()), 1500)
    J = np.array(robot.load_model().zero_jacobian(state)).reshape(7, 6).T
    expected = (J.T @ [0.0, 20.0, 0.0, 0.0, 0.0, 0.0]) / stiffness
    # friction holds each joint back by up to 0.2 N·m
    np.testing.assert_allclose(np.array(state.q) - start, expected, atol=0.25 / 200.0)


def test_a_cartesian_path_is_straight(robot) -> None:
    places = []

    def command(i, state):
        places.append(pose_of(state))
        goal = places[0].copy()
        goal[1, 3] -= 0.1 * smooth(i / 1500.0)
        return CartesianPose(goal.T.ravel().tolist())

    with Motion(robot.start_cartesian_pose_control(ControllerMode.JointImpedance)) as motion:
        motion.play(command, 1600)
    begin = places[0]
    moved = np.array(places)[:, :3, 3] - begin[:3, 3]
    assert np.abs(moved[:, [0, 2]]).max() < 1e-3
    assert moved[-1, 1] == pytest.approx(-0.1, abs=5e-4)
    turned = np.array(places)[:, :3, :3] - begin[:3, :3]
    assert np.abs(turned).max() < 3e-3


def test_frames_and_load_are_those_that_were_set(robot) -> None:
    state = fresh(robot)
    height, wrench = pose_of(state)[2, 3], np.array(state.O_F_ext_hat_K)
    shift = np.eye(4)
    shift[2, 3] = 0.05
    robot.set_EE(shift.T.ravel().tolist())
    state = fresh(robot)
    # the tool points down
    assert pose_of(state)[2, 3] - height == pytest.approx(-0.05, abs=1e-4)
    robot.set_EE(np.eye(4).ravel().tolist())
    with pytest.raises(CommandException, match="invalid argument"):
        robot.set_EE((2.0 * np.eye(4)).ravel().tolist())
    robot.set_load(1.0, [0.0, 0.0, 0.05], [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3])
    law, before = hold(robot, 400.0), fresh(robot)
    assert before.m_load == 1.0 and before.m_total == pytest.approx(1.5)
    state = run_torque(robot, law, 1.0)
    # the arm holds up a kilogram that is not there: it rises, and seems to be pulled up
    J = np.array(robot.load_model().zero_jacobian(state)).reshape(7, 6).T
    compliance = (J / np.array([400.0] * 4 + [80.0] * 3)) @ J.T
    rise = pose_of(state)[2, 3] - pose_of(before)[2, 3]
    assert rise == pytest.approx(9.81 * compliance[2, 2], rel=0.25)
    assert state.O_F_ext_hat_K[2] - wrench[2] == pytest.approx(-9.81, abs=0.7)
    robot.set_load(0.0, [0.0] * 3, [0.0] * 9)


def test_a_gripper_homes_moves_and_grasps(arm) -> None:
    gripper = Gripper(arm.host)
    assert gripper.homing()
    assert gripper.read_once().max_width == pytest.approx(0.08)
    assert gripper.move(0.03, 0.2)
    assert gripper.read_once().width == pytest.approx(0.03)
    assert gripper.move(0.08, 0.2)
    arm.say("object 0.02")
    assert not gripper.grasp(0.05, 0.2, 20.0)
    assert gripper.move(0.08, 0.2)
    assert gripper.grasp(0.02, 0.2, 20.0)
    state = gripper.read_once()
    assert state.is_grasped and state.width == pytest.approx(0.02)
    arm.say("object none")
    assert gripper.stop()


def test_a_client_that_goes_leaves_the_arm_at_rest() -> None:
    with virtual_arm("fr3", "--clock", "lockstep") as other:
        client = Robot(other.host, RealtimeConfig.kIgnore)
        run_torque(client, lambda _, t: np.eye(7)[0] * min(30.0 * t, 1.0), 0.2)
        with Motion(client.start_torque_control()) as motion:
            motion.play(lambda *_: Torques(ZERO.tolist()), 10, finish=False)
            other.say("drop")
        before = other.truth()
        while other.truth()["time"] < before["time"] + 1.0:
            pass
        truth = other.truth()
        assert np.abs(truth["dq"]).max() < 1e-3
        assert truth["reflexes"] == {"communication_constraints_violation": 1}
