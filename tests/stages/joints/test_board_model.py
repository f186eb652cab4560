"""The model of the joint board follows the reference page."""

import copy
import math

import pytest

from .board_model import (
    Board,
    Fault,
    Impedance,
    Interaction,
    Measured,
    Mode,
    Outcome,
    Spec,
    Status,
)
from .minimum_jerk_model import plan

DT = 0.002
SPEC = Spec(
    q_min=-1.5,
    q_max=1.5,
    qd_max=2.0,
    qdd_max=10.0,
    tau_max=50.0,
    stiffness=(0.0, 100.0),
    damping=(0.0, 10.0),
)
AT_REST = [Measured(0.1, 0.0, 3.0), Measured(-0.2, 0.0, -1.0)]


def board_in(state: Mode | Status, spec: Spec = SPEC) -> Board:
    board = Board([spec, spec], start=state if isinstance(state, Status) else Mode.IDLE)
    board.observe(AT_REST)
    if isinstance(state, Mode):
        assert board.do("set_mode", None, [state, state]) is Outcome.ACCEPTED
    return board


def run(board: Board, seconds: float, measured: list[Measured] = AT_REST) -> None:
    for _ in range(round(seconds / DT)):
        board.tick(DT, measured)


def refused_without_trace(board: Board, *command: object) -> Outcome:
    before = copy.deepcopy(board.joints)
    outcome = board.do(*command)  # pyright: ignore[reportArgumentType]
    assert outcome is not Outcome.ACCEPTED
    assert board.joints == before
    return outcome


def test_sixty_degrees_at_twenty_a_second_take_three_seconds_and_peak_at_37_5() -> None:
    curve = plan(0.0, 0.0, math.radians(60), math.radians(20))
    assert curve.duration == pytest.approx(3.0)
    peak = max(curve.at(i * 0.001)[1] for i in range(3000))
    assert math.degrees(peak) == pytest.approx(37.5)
    assert curve.at(1.5)[:2] == pytest.approx((math.radians(30), peak))


def test_the_derivatives_are_those_of_the_position() -> None:
    curve, h = plan(0.3, -0.4, 0.9, 0.5, SPEC.qd_max, SPEC.qdd_max), 1e-5
    for t in (0.1, 0.4, 0.8, 1.1):
        (x0, v0, _), (_, v, a), (x1, v1, _) = curve.at(t - h), curve.at(t), curve.at(t + h)
        assert v == pytest.approx((x1 - x0) / (2 * h), abs=1e-8)
        assert a == pytest.approx((v1 - v0) / (2 * h), abs=1e-7)


@pytest.mark.parametrize("target", [1.2, 0.35, 0.2, -1.4])
@pytest.mark.parametrize("speed", [0.05, 0.5, 1.9])
def test_a_new_target_continues_within_the_limits(target: float, speed: float) -> None:
    board = board_in(Mode.POSITION)
    joint = board.joints[0]
    board.do("set_speed", 0, 0.5)
    board.do("position_move", 0, 1.0)
    run(board, 0.8)
    board.do("set_speed", 0, speed)
    before = joint.position, joint.velocity
    assert board.do("position_move", 0, target) is Outcome.ACCEPTED
    assert joint.trajectory is not None
    assert joint.trajectory.at(0.0)[:2] == pytest.approx(before)
    duration = joint.trajectory.duration
    assert duration >= abs(target - before[0]) / speed
    states = [joint.trajectory.at(i * duration / 2000) for i in range(2000)]
    assert max(abs(v) for _, v, _ in states) <= SPEC.qd_max * (1 + 1e-6)
    assert max(abs(a) for *_, a in states) <= SPEC.qdd_max * (1 + 1e-6)
    run(board, duration + DT)
    assert joint.motion_done
    assert joint.position == target


def test_limits_of_speed_stretch_a_trajectory_no_more_than_needed() -> None:
    by_speed = plan(0.0, 0.0, 1.0, 100.0, qd_max=2.0)
    by_acceleration = plan(0.0, 0.0, 1.0, 100.0, qdd_max=10.0)
    assert by_speed.duration == pytest.approx(1.875 / 2.0)
    assert by_acceleration.duration == pytest.approx(math.sqrt(10.0 / math.sqrt(3.0) / 10.0))


def test_targets_beyond_the_limits_stop_at_them() -> None:
    for mode, command, value in (
        (Mode.POSITION, "position_move", 9.0),
        (Mode.POSITION_DIRECT, "set_position", -9.0),
        (Mode.VELOCITY, "velocity_move", 9.0),
    ):
        board = board_in(mode)
        board.do("set_speed", 0, 1.0)
        for _ in range(1000):
            if mode is not Mode.POSITION or board.joints[0].motion_done:
                board.do(command, 0, value)
            board.tick(DT, AT_REST)
            assert abs(board.joints[0].position) <= 1.5
            assert abs(board.joints[0].velocity) <= 2.0 + 1e-9
        assert abs(board.joints[0].position) == 1.5


@pytest.mark.parametrize("mode", Mode)
def test_each_mode_takes_its_own_commands_only(mode: Mode) -> None:
    takes = {
        "position_move": {Mode.POSITION, Mode.MIXED},
        "set_position": {Mode.POSITION_DIRECT},
        "velocity_move": {Mode.VELOCITY, Mode.MIXED},
        "set_torque": {Mode.TORQUE},
        "set_output": {Mode.OUTPUT},
    }
    for command, modes in takes.items():
        board = board_in(mode)
        if mode in modes:
            assert board.do(command, 0, 0.3) is Outcome.ACCEPTED
        else:
            assert refused_without_trace(board, command, 0, 0.3) is Outcome.WRONG_MODE


@pytest.mark.parametrize("status", Status)
def test_statuses_refuse_every_mode_but_keep_settings(status: Status) -> None:
    board = board_in(status)
    for mode in Mode:
        refused_without_trace(board, "set_mode", 0, mode)
    refused_without_trace(board, "position_move", 0, 0.3)
    assert board.do("set_interaction", 0, Interaction.COMPLIANT) is Outcome.ACCEPTED
    assert board.do("set_impedance", 0, Impedance(20.0, 2.0, 1.0)) is Outcome.ACCEPTED
    assert board.joints[0].compliant_torque is None
    idled = board.do("force_idle", 0) is Outcome.ACCEPTED
    assert idled == (status is Status.FAULT)
    assert board.joints[0].interaction is Interaction.COMPLIANT


def test_a_switch_starts_from_what_is_measured_and_the_same_mode_is_left_alone() -> None:
    board = board_in(Mode.POSITION)
    board.do("position_move", 0, 1.0)
    run(board, 0.5)
    moving = copy.deepcopy(board.joints[0])
    assert board.do("set_mode", 0, Mode.POSITION) is Outcome.ACCEPTED
    assert board.joints[0] == moving
    board.do("set_mode", 0, Mode.TORQUE)
    joint = board.joints[0]
    assert (joint.position, joint.velocity, joint.torque, joint.trajectory) == (0.1, 0, 3.0, None)


def test_force_idle_clears_a_fault_when_its_cause_is_gone() -> None:
    board = board_in(Mode.TORQUE)
    board.do("set_interaction", 0, Interaction.COMPLIANT)
    board.do("inject_fault", 0, Fault.OVER_TORQUE)
    assert [joint.state for joint in board.joints] == [Status.FAULT, Mode.POSITION]
    assert refused_without_trace(board, "force_idle", None) is Outcome.CAUSE_PRESENT
    assert refused_without_trace(board, "set_mode", 0, Mode.IDLE) is Outcome.IN_FAULT
    board.do("clear_cause", 0, Fault.OVER_TORQUE)
    assert board.joints[0].state is Status.FAULT
    assert board.do("force_idle", 0) is Outcome.ACCEPTED
    joint = board.joints[0]
    assert (joint.state, joint.fault) == (Mode.IDLE, None)
    assert joint.interaction is Interaction.COMPLIANT


def test_streamed_commands_time_out() -> None:
    board = board_in(Mode.VELOCITY)
    board.do("set_acceleration", 0, 5.0)
    board.do("velocity_move", 0, 0.5)
    run(board, 0.05)
    assert board.joints[0].velocity == pytest.approx(0.25)
    run(board, 0.15)
    assert board.joints[0].velocity == 0.5
    run(board, 0.11)
    assert (board.joints[0].state, board.joints[0].velocity) == (Mode.VELOCITY, 0.0)

    for mode, command in ((Mode.TORQUE, "set_torque"), (Mode.OUTPUT, "set_output")):
        board = board_in(mode)
        run(board, 1.0)
        assert board.do(command, 0, 0.5) is Outcome.ACCEPTED
        run(board, 0.2)
        assert board.joints[0].state is mode
        board.tick(DT, AT_REST)
        assert board.joints[0].fault is Fault.STALE_COMMAND
        assert board.joints[1].state is Mode.POSITION
        assert board.do("force_idle", 0) is Outcome.ACCEPTED


def test_mixed_adds_a_velocity_to_a_trajectory() -> None:
    board = board_in(Mode.MIXED)
    board.do("set_speed", 0, 0.5)
    board.do("set_acceleration", 0, 10.0)
    board.do("position_move", 0, 0.6)
    board.do("velocity_move", 0, 0.1)
    run(board, 1.2)
    # With equal ramps up and down the velocity acts for its timeout.
    assert board.joints[0].position == pytest.approx(0.6 + 0.1 * 0.2, abs=1e-3)


def test_stop_brakes_with_the_reference_acceleration() -> None:
    board = board_in(Mode.POSITION)
    joint = board.joints[0]
    board.do("set_speed", 0, 0.5)
    board.do("set_acceleration", 0, 2.0)
    board.do("position_move", 0, 1.1)
    run(board, 1.0)
    x, v = joint.position, joint.velocity
    board.do("stop", 0)
    run(board, 1.0)
    assert joint.motion_done
    assert joint.position == pytest.approx(x + v**2 / 4.0, abs=v * DT)
    assert joint.target == joint.position


def test_the_compliant_law_acts_only_in_modes_that_use_it() -> None:
    board = board_in(Mode.TORQUE)
    board.do("set_interaction", 0, Interaction.COMPLIANT)
    board.do("set_impedance", 0, Impedance(20.0, 2.0, 1.0))
    assert board.joints[0].compliant_torque is None
    board.do("set_mode", 0, Mode.POSITION)
    board.observe([Measured(0.2, 0.5), AT_REST[1]])
    assert board.joints[0].compliant_torque == pytest.approx(1.0 - 20.0 * 0.1 - 2.0 * 0.5)


def test_torque_modes_are_refused_on_a_position_arm() -> None:
    board = board_in(Mode.POSITION, Spec(q_min=-1.5, q_max=1.5, torque_interface=False))
    for command, value in (
        ("set_mode", Mode.TORQUE),
        ("set_mode", Mode.OUTPUT),
        ("set_torque", 1.0),
        ("set_output", 0.1),
        ("set_interaction", Interaction.COMPLIANT),
    ):
        assert refused_without_trace(board, command, 0, value) is Outcome.NOT_AVAILABLE
    assert board.do("set_mode", 0, Mode.MIXED) is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("command", "joints", "values", "reason"),
    [
        ("set_torque", None, [1.0], Outcome.WRONG_LENGTH),
        ("set_torque", [0, 1], [1.0], Outcome.WRONG_LENGTH),
        ("set_torque", 0, [1.0], Outcome.WRONG_LENGTH),
        ("set_torque", [0, 1], 1.0, Outcome.WRONG_LENGTH),
        ("set_torque", [0, 2], [1.0, 1.0], Outcome.NO_SUCH_JOINT),
        ("set_torque", -1, 1.0, Outcome.NO_SUCH_JOINT),
        ("set_torque", [1, 1], [1.0, 1.0], Outcome.REPEATED_JOINT),
        ("set_torque", None, [1.0, math.nan], Outcome.NOT_FINITE),
        ("set_torque", None, [1.0, 50.1], Outcome.OUT_OF_RANGE),
        ("set_speed", None, [1.0, -0.1], Outcome.OUT_OF_RANGE),
        ("set_acceleration", 0, 0.0, Outcome.OUT_OF_RANGE),
        ("set_impedance", 0, Impedance(100.1), Outcome.OUT_OF_RANGE),
        ("set_impedance", 0, Impedance(1.0, math.nan), Outcome.NOT_FINITE),
        ("calibrate", None, None, Outcome.WRONG_MODE),
    ],
)
def test_a_command_that_is_invalid_for_one_joint_changes_none(
    command: str, joints: int | list[int] | None, values: object, reason: Outcome
) -> None:
    assert refused_without_trace(board_in(Mode.TORQUE), command, joints, values) is reason


def test_a_move_without_speed_does_not_start() -> None:
    board = board_in(Mode.POSITION)
    assert board.do("set_speed", 0, 0.0) is Outcome.ACCEPTED
    assert refused_without_trace(board, "position_move", 0, 0.3) is Outcome.NO_SPEED


def test_calibration_runs_through_its_statuses_to_idle() -> None:
    board = board_in(Status.NOT_CONFIGURED)
    assert board.do("calibrate", None) is Outcome.ACCEPTED
    seen = [board.joints[0].state]
    for _ in range(round(1.1 / DT)):
        board.tick(DT, AT_REST)
        if board.joints[0].state is not seen[-1]:
            seen.append(board.joints[0].state)
    assert [state.value for state in seen] == ["cfgn", "cfgy", "cal", "cald", "idl"]


def test_stop_aborts_calibration() -> None:
    board = board_in(Mode.IDLE)
    board.do("calibrate", 0)
    assert refused_without_trace(board, "force_idle", 0) is Outcome.CALIBRATING
    board.do("stop", 0)
    run(board, 1.5)
    assert board.joints[0].state is Status.CONFIGURED
