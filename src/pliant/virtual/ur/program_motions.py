"""The commands of the control program that move the arm."""

import numpy as np
import pinocchio as pin

from pliant.robots.ur.ur_frames import Array, from_ur_pose, turn_pair
from pliant.virtual.ur.motions.servo_joints import ServoJoints
from pliant.virtual.ur.motions.speed_motion import SpeedJoints, SpeedTool
from pliant.virtual.ur.motions.stop_motion import StopJoints, StopTool
from pliant.virtual.ur.motions.waypoint_motion import PathMotion, move_joints, move_tool
from pliant.virtual.ur.path_player import play_path
from pliant.virtual.ur.program import CONTACT, ControlProgram, Steps

_DEFAULT_LINE = (1.2, 0.25)
"""Acceleration and speed of a movel that gives none."""

_NULL = 1e-10


def move_joints_to(program: ControlProgram) -> Steps:
    """Movej to joint positions."""
    yield from _move_joints(program, np.array(program.registers.six(0)))


def move_joints_to_pose(program: ControlProgram) -> Steps:
    """Movej to where the TCP is at a pose."""
    arm = program.arm
    pose = from_ur_pose(program.registers.six(0))
    yield from _move_joints(program, arm.kinematics.inverse(pose, arm.target.q))


def move_tool_to(program: ControlProgram) -> Steps:
    """Movel to a pose."""
    yield from _move_tool(program, from_ur_pose(program.registers.six(0)))


def move_tool_to_joints(program: ControlProgram) -> Steps:
    """Movel to the pose at joint positions."""
    q = np.array(program.registers.six(0))
    yield from _move_tool(program, program.arm.kinematics.tool(q))


def move_path(program: ControlProgram) -> Steps:
    """The moves that were written into the program's text."""
    yield from _run(program, play_path(program.arm, program.path, program.progress))


def _move_joints(program: ControlProgram, q: Array) -> Steps:
    r = program.registers
    motion = move_joints(program.arm.target.q, q, r.get_float(6), r.get_float(7))
    yield from _move(program, motion)


def _move_tool(program: ControlProgram, pose: pin.SE3) -> Steps:
    r, arm = program.registers, program.arm
    start = arm.kinematics.tool(arm.target.q)
    yield from _move(program, move_tool(start, pose, r.get_float(6), r.get_float(7)))


def _move(program: ControlProgram, motion: PathMotion) -> Steps:
    program.arm.check(motion)
    yield from _run(program, program.play("move", motion))


def _run(program: ControlProgram, steps: Steps) -> Steps:
    """Play a move here, or in the move thread if it is asynchronous."""
    end_async_move(program)
    if program.registers.get_int(1) != 1:
        program.claim("move")
        yield from steps
        program.owner = ""
        return
    program.start("move", _asynchronously(program, steps))


def _asynchronously(program: ControlProgram, steps: Steps) -> Steps:
    program.progress.started()
    program.claim("move")
    yield from steps
    program.owner = ""
    program.progress.finished()


def end_async_move(program: ControlProgram) -> None:
    """End the move thread, if it runs."""
    if program.kill("move"):
        program.progress.finished()


def servo_joints(program: ControlProgram) -> None:
    """Servoj to joint positions."""
    _servo(program, np.array(program.registers.six(0)))


def servo_tool(program: ControlProgram) -> None:
    """Servoj to where the TCP is at a pose."""
    arm = program.arm
    _servo(program, arm.kinematics.inverse(from_ur_pose(program.registers.six(0)), arm.target.q))


def _servo(program: ControlProgram, q: Array) -> None:
    r = program.registers
    lookahead, gain = r.get_float(9), r.get_float(10)
    if program.servo is None:
        program.claim("servo")
        program.servo = ServoJoints(q, lookahead, gain)
        program.arm.motion = program.servo
    else:
        program.servo.aim(q, lookahead, gain)


def servo_stop(program: ControlProgram) -> Steps:
    """End the servo thread, then stopl."""
    program.servo = None
    program.kill("servo")
    yield from program.play("stop", StopTool(program.registers.get_float(0)))


def speed_joints(program: ControlProgram) -> None:
    """Speedj."""
    r = program.registers
    _speed(program, SpeedJoints(np.array(r.six(0)), r.get_float(6)))


def speed_tool(program: ControlProgram) -> None:
    """Speedl."""
    r = program.registers
    _speed(program, SpeedTool(np.array(r.six(0)), r.get_float(6)))


def _speed(program: ControlProgram, motion: SpeedJoints | SpeedTool) -> None:
    program.claim("speed")
    program.speeding = motion
    program.arm.motion = motion


def speed_stop(program: ControlProgram) -> Steps:
    """End the speed thread, then stopl or stopj, as the speed was."""
    by_tool = isinstance(program.speeding, SpeedTool)
    program.speeding = None
    program.kill("speed")
    deceleration = program.registers.get_float(0)
    stop = StopTool(deceleration) if by_tool else StopJoints(deceleration)
    yield from program.play("stop", stop)


def stop_async(
    program: ControlProgram, *, by_tool: bool | None = None, deceleration: float | None = None
) -> Steps:
    """Stopl or stopj.

    As in the uploaded text, a synchronous one is a stopj until an asynchronous one was asked for,
    and from then on a stopl.
    """
    rate = program.registers.get_float(0) if deceleration is None else deceleration
    if not program.kill("stop"):
        end_async_move(program)
    else:
        program.progress.finished()
    if by_tool is None and program.registers.get_int(1) == 1:
        program.stop_by_tool = True
        program.start("stop", _asynchronous_stop(program, rate))
        return
    as_tool = program.stop_by_tool if by_tool is None else by_tool
    yield from program.play("stop", StopTool(rate) if as_tool else StopJoints(rate))


def _asynchronous_stop(program: ControlProgram, rate: float) -> Steps:
    program.progress.started()
    yield from program.play("stop", StopTool(rate))
    program.progress.finished()


def jog(program: ControlProgram) -> None:
    """Jog: speedl in axes of the base, of the tool at the start, or of a given frame."""
    r, arm = program.registers, program.arm
    feature, twist = round(r.get_float(6)), np.array(r.six(0))
    if "jog" not in program.threads:
        frame = {1: arm.kinematics.tool(arm.q), 2: from_ur_pose(r.six(8))}.get(feature)
        R = np.eye(3) if frame is None else frame.rotation
        program.claim("jog")
        program.jog_frame = R
        program.start("jog", _for_ever())
    arm.motion = SpeedTool(turn_pair(program.jog_frame, twist), r.get_float(7))


def _for_ever() -> Steps:
    while True:
        yield


def stop_jog(program: ControlProgram) -> Steps:
    """End the jog thread, then stopl(1.2)."""
    program.kill("jog")
    yield from program.play("stop", StopTool(1.2))


def move_until_contact(program: ControlProgram) -> Steps:
    """Speedl until the tool touches, then back to where it touched first."""
    r, arm = program.registers, program.arm
    motion = SpeedTool(np.array(r.six(0)), r.get_float(12))
    direction = np.array(r.six(6))
    program.claim("move")
    arm.motion = motion
    while not (steps := arm.contacts.steps_back(direction)):
        yield
    yield from _back_to_contact(program, steps)
    program.owner = ""


def contact_found(program: ControlProgram) -> Steps:
    """What the main loop does when the contact thread has found a contact."""
    end_async_move(program)
    yield from _back_to_contact(program, program.steps_back)


def _back_to_contact(program: ControlProgram, steps: int) -> Steps:
    arm = program.arm
    q = arm.contacts.positions(steps)
    yield from program.play("move", StopTool(3.0))
    acceleration, speed = _DEFAULT_LINE
    start = arm.kinematics.tool(arm.target.q)
    back = move_tool(start, arm.kinematics.tool(q), speed, acceleration)
    yield from program.play("move", back)


def start_contact_detection(program: ControlProgram) -> None:
    """Start the contact thread."""
    program.steps_back = 0
    program.start("contact", _watch_contact(program, np.array(program.registers.six(0))))


def _watch_contact(program: ControlProgram, direction: Array) -> Steps:
    """Wait for no contact, then for one.

    As in the uploaded text, a direction whose numbers do not sum up to more than zero stands for
    that of the motion.
    """
    arm = program.arm

    def steps_back() -> int:
        moving = arm.kinematics.jacobian(arm.target.q) @ arm.target.qd
        return arm.contacts.steps_back(moving if direction.sum() < _NULL else direction)

    while steps_back():
        yield
    while not (steps := steps_back()):
        yield
    program.steps_back = steps
    program.internal = CONTACT
