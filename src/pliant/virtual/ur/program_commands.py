"""What the control program does with each command: played, or refused.

The numbers, registers and quirks are those of the text that ur_rtde 1.6.5 uploads.
"""

from collections.abc import Callable

import numpy as np

from pliant.robots.ur.ur_frames import from_ur_pose, to_ur_pose
from pliant.virtual.ur.motions.force_mode import ForceMode
from pliant.virtual.ur.program import CommandTable, ControlProgram, Steps
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.program_motions import (
    contact_found,
    jog,
    move_joints_to,
    move_joints_to_pose,
    move_path,
    move_tool_to,
    move_tool_to_joints,
    move_until_contact,
    servo_joints,
    servo_stop,
    servo_tool,
    speed_joints,
    speed_stop,
    speed_tool,
    start_contact_detection,
    stop_async,
    stop_jog,
)
from pliant.virtual.ur.ur_arm import PERIOD

_TRANSLATED = 2
"""The type of force mode that does not transform its frame."""


def force_mode(program: ControlProgram) -> None:
    """force_mode."""
    r = program.registers
    if (kind := r.get_int(1)) != _TRANSLATED:
        raise ProgramError(f"the virtual UR plays force_mode of type 2, not {kind}")
    program.arm.force_mode = ForceMode(
        X_BC=from_ur_pose(r.six(0)),
        compliant=np.array([r.get_int(i) for i in range(2, 8)]),
        wrench=np.array(r.six(6)),
        limits=np.abs(r.six(12)),
    )


def force_mode_stop(program: ControlProgram) -> Steps:
    """end_force_mode, then stopl(10)."""
    program.arm.force_mode = None
    yield from stop_async(program, by_tool=True, deceleration=10.0)


def zero_ftsensor(program: ControlProgram) -> None:
    """zero_ftsensor."""
    arm = program.arm
    arm.payload.zero(arm.kinematics.flange(arm.q))


def set_payload(program: ControlProgram) -> None:
    """set_payload; a centre of gravity of zeros keeps the old one."""
    r, payload = program.registers, program.arm.payload
    payload.mass = r.get_float(0)
    cog = np.array([r.get_float(i) for i in (1, 2, 3)])
    if cog.any():
        payload.cog = cog


def set_target_payload(program: ControlProgram) -> None:
    """set_target_payload."""
    set_payload(program)
    program.arm.payload.inertia = np.array(program.registers.six(4))


def set_force_damping(program: ControlProgram) -> None:
    """force_mode_set_damping."""
    program.arm.force_damping = float(np.clip(program.registers.get_float(0), 0.0, 1.0))


def set_force_gain_scaling(program: ControlProgram) -> None:
    """force_mode_set_gain_scaling."""
    program.arm.force_scaling = float(np.clip(program.registers.get_float(0), 0.0, 2.0))


def tool_contact(program: ControlProgram) -> None:
    """tool_contact."""
    steps = program.arm.contacts.steps_back(np.array(program.registers.six(0)))
    program.registers.put_int(1, steps)


def get_steptime(program: ControlProgram) -> None:
    """get_steptime."""
    program.registers.put_floats([PERIOD])


def get_history(program: ControlProgram) -> None:
    """get_actual_joint_positions_history."""
    q = program.arm.contacts.positions(program.registers.get_int(1))
    program.registers.put_floats(q.tolist())


def get_target_waypoint(program: ControlProgram) -> None:
    """get_target_waypoint: the pose at the end of the motion."""
    program.registers.put_floats(to_ur_pose(program.arm.target_waypoint()).tolist())


def set_tcp(program: ControlProgram) -> None:
    """set_tcp."""
    program.arm.kinematics.X_FT = from_ur_pose(program.registers.six(0))


def get_tcp_offset(program: ControlProgram) -> None:
    """get_tcp_offset."""
    program.registers.put_floats(to_ur_pose(program.arm.kinematics.X_FT).tolist())


def inverse_near(program: ControlProgram) -> None:
    """get_inverse_kin near given joint positions."""
    r = program.registers
    q = program.arm.kinematics.inverse(from_ur_pose(r.six(0)), np.array(r.six(6)))
    r.put_floats(q.tolist())


def inverse(program: ControlProgram) -> None:
    """get_inverse_kin near the present joint positions."""
    r, arm = program.registers, program.arm
    r.put_floats(arm.kinematics.inverse(from_ur_pose(r.six(0)), arm.target.q).tolist())


def has_inverse(program: ControlProgram) -> None:
    """get_inverse_kin_has_solution."""
    _put_solution(program, program.arm.target.q)


def has_inverse_near(program: ControlProgram) -> None:
    """get_inverse_kin_has_solution near given joint positions."""
    _put_solution(program, np.array(program.registers.six(6)))


def _put_solution(program: ControlProgram, q_near: np.ndarray) -> None:
    r = program.registers
    try:
        program.arm.kinematics.inverse(from_ur_pose(r.six(0)), q_near)
        r.put_int(1, 1)
    except ProgramError:
        r.put_int(1, 0)


def forward(program: ControlProgram) -> None:
    """get_forward_kin of the present joint positions."""
    arm = program.arm
    program.registers.put_floats(to_ur_pose(arm.kinematics.tool(arm.q)).tolist())


def forward_of(program: ControlProgram) -> None:
    """get_forward_kin of given joint positions and TCP."""
    r = program.registers
    pose = program.arm.kinematics.tool(np.array(r.six(0)), from_ur_pose(r.six(6)))
    r.put_floats(to_ur_pose(pose).tolist())


def flange_pose(program: ControlProgram) -> None:
    """get_actual_tool_flange_pose."""
    arm = program.arm
    program.registers.put_floats(to_ur_pose(arm.kinematics.flange(arm.q)).tolist())


def multiply_poses(program: ControlProgram) -> None:
    """pose_trans."""
    r = program.registers
    r.put_floats(to_ur_pose(from_ur_pose(r.six(0)) * from_ur_pose(r.six(6))).tolist())


def joint_torques(program: ControlProgram) -> None:
    """get_joint_torques: those beyond what holds the links."""
    arm = program.arm
    torques = arm.tick["tau"][0] - arm.kinematics.gravity(arm.q)
    program.registers.put_floats(torques.tolist())


def pose_is_safe(program: ControlProgram) -> None:
    """is_within_safety_limits of a pose: whether the arm reaches it."""
    _put_solution(program, program.arm.target.q)


def joints_are_safe(program: ControlProgram) -> None:
    """is_within_safety_limits of joint positions."""
    arm, q = program.arm.sim.description, np.array(program.registers.six(0))
    program.registers.put_int(1, int(bool(((arm.q_min <= q) & (q <= arm.q_max)).all())))


def is_steady(program: ControlProgram) -> None:
    """is_steady."""
    program.registers.put_int(1, int(program.arm.steady))


def protective_stop(program: ControlProgram) -> None:
    """protective_stop."""
    program.arm.stop_wanted = True


def set_watchdog(program: ControlProgram) -> None:
    """rtde_set_watchdog on the command's register, with the action "stop"."""
    program.set_watchdog(program.registers.get_float(0))


def stop_contact_detection(program: ControlProgram) -> None:
    """End the contact thread, and tell what it found."""
    program.kill("contact")
    program.registers.put_int(1, program.steps_back)


def read_contact_detection(program: ControlProgram) -> None:
    """Tell what the contact thread has found."""
    program.registers.put_int(1, program.steps_back)


def _nothing(program: ControlProgram) -> None:
    """What the uploaded program does before PolyScope 5.23."""


def _refuse(word: str) -> Callable[[ControlProgram], None]:
    def refuse(program: ControlProgram) -> None:
        raise ProgramError(f"the virtual UR does not play {word}")

    refuse.__doc__ = f"{word}: refused; the program ends."
    return refuse


REFUSED = {
    12: "servoc",
    18: "teach_mode",
    19: "end_teach_mode",
    52: "freedrive_mode",
    53: "end_freedrive_mode",
    54: "get_freedrive_status",
    56: "ft_rtde_input_enable",
    57: "enable_external_ft_sensor",
    59: "set_gravity",
}
"""Commands that end the program with a message."""

PLAYED: dict[int, Callable[[ControlProgram], Steps | None]] = {
    1: move_joints_to,
    2: move_joints_to_pose,
    3: move_tool_to,
    4: move_tool_to_joints,
    6: force_mode,
    7: force_mode_stop,
    8: zero_ftsensor,
    9: speed_joints,
    10: speed_tool,
    11: servo_joints,
    15: speed_stop,
    16: servo_stop,
    17: set_payload,
    20: set_force_damping,
    21: set_force_gain_scaling,
    24: servo_tool,
    25: tool_contact,
    26: get_steptime,
    27: get_history,
    28: get_target_waypoint,
    29: set_tcp,
    30: inverse_near,
    31: protective_stop,
    33: stop_async,
    34: stop_async,
    35: set_watchdog,
    36: pose_is_safe,
    37: joints_are_safe,
    38: joint_torques,
    39: multiply_poses,
    40: get_tcp_offset,
    41: jog,
    42: stop_jog,
    43: forward,
    44: forward_of,
    45: move_path,
    46: inverse,
    47: is_steady,
    51: move_until_contact,
    58: flange_pose,
    60: has_inverse,
    61: has_inverse_near,
    62: start_contact_detection,
    63: stop_contact_detection,
    64: read_contact_detection,
    65: set_target_payload,
    254: contact_found,
}
"""Commands that do what they do on the real arm."""

NOTHING = (66, 67, 68, 69, 70, 71)
"""Torque and dynamics commands, which do nothing before PolyScope 5.23."""

COMMANDS = CommandTable(
    functions=PLAYED
    | {number: _refuse(word) for number, word in REFUSED.items()}
    | dict.fromkeys(NOTHING, _nothing),
    real_time=frozenset({6, 9, 10, 11, 24, 25, 26, 27, 38, 58, *NOTHING}),
)
"""All commands of the uploaded program."""
