"""What to write in Python: the form of a call that was refused, and names for wrong guesses."""

import inspect
from collections.abc import Iterable

from pliant import commands as c
from pliant.api.arm_gripper import ArmGripper
from pliant.api.arm_joints import Joints
from pliant.commands.line_protocol import token_names
from pliant.errors import UnknownAttributeError
from pliant.tick import Tick

CALLS = {
    "set_subspace": "set_axes",
    "playback": "play",
    "follow_path": "follow",
    "react": "on",
    "set_mode": "joints.set_modes",
    "set_interaction": "joints.set_interactions",
    "set_impedance": "joints.set_impedances",
    "position_move": "joints.position_move",
    "set_position": "joints.set_positions",
    "velocity_move": "joints.velocity_move",
    "set_torque": "joints.set_torques",
    "set_output": "joints.set_outputs",
    "set_joint_speed": "joints.set_speeds",
    "set_joint_acceleration": "joints.set_accelerations",
    "stop_joints": "joints.stop",
    "calibrate": "joints.calibrate",
    "inject_fault": "joints.inject_fault",
    "home_gripper": "gripper.home",
    "move_gripper": "gripper.move",
    "grasp": "gripper.grasp",
    "stop_gripper": "gripper.stop",
}
"""Methods that are not named as their command, by its word."""

OWNERS = {"joints": Joints, "gripper": ArmGripper}
"""The classes of what an arm hands out, by the name of its attribute."""

GUESSES = {
    "tick.w_T": (
        "wrench",
        "force",
        "torque",
        "ft",
        "tcp_force",
        "external_wrench",
        "sensor",
        "get_actual_tcp_force",
    ),
    "tick.q": ("joint_positions", "joint_angles", "positions", "qpos", "angles", "get_actual_q"),
    "tick.qd": ("joint_velocities", "velocities", "qvel", "dq", "get_actual_qd"),
    "tick.tau": ("joint_torques", "torques", "efforts"),
    "tick.v_WT_W": ("velocity", "twist", "tcp_speed", "tool_speed", "get_actual_tcp_speed"),
    "pose": (
        "position",
        "tcp",
        "tcp_pose",
        "current_pose",
        "ee_pose",
        "cartesian_pose",
        "X_WT",
        "get_actual_tcp_pose",
    ),
    "hold": ("halt", "pause", "freeze", "stop", "stopL", "stopJ", "speed_stop", "servo_stop"),
    "deactivate": ("disable", "off"),
    "activate": ("start", "enable", "use_law", "set_law", "run"),
    "reset": ("recover", "recover_from_errors", "clear", "clear_fault", "unlock"),
    "move_to": ("move", "moveL", "move_l", "goto", "go_to", "move_linear"),
    "move_to(pose, wait=False)": ("servoL", "servo_cartesian", "stream_pose"),
    "joints.set_positions": ("servoJ", "stream_joints"),
    "jog": ("speedL", "set_velocity", "set_twist", "cartesian_velocity"),
    "joints.velocity_move": ("speedJ", "set_joint_velocity", "joint_velocity"),
    "joints.move": ("moveJ", "move_j", "move_joints_to", "joint_move", "ptp"),
    "follow": ("trajectory", "path", "follow_trajectory", "move_path"),
    "wait": ("sleep", "run_for", "step", "advance"),
    "zero": ("tare", "zero_sensor", "zero_ft_sensor", "bias"),
    "press": ("force_mode", "apply_force"),
    "guide": ("teach", "freedrive", "free_drive", "hand_guide", "teach_mode"),
    "set_wrench": ("set_force", "target_wrench"),
    "set": ("set_parameter", "set_param", "configure"),
    "get": ("get_parameter", "get_param"),
    "law.stiffness = …": ("set_stiffness", "set_cartesian_stiffness", "stiffness"),
    "law.damping = …": ("set_damping", "set_cartesian_damping", "damping"),
    "joints.set_impedances": ("set_joint_stiffness", "set_joint_impedance"),
    'set("tool.mass", …), set("tool.com_F", …)': ("set_payload", "payload", "set_load"),
    'set("tool.X_FT", …)': ("set_tcp", "set_tool"),
    "close": ("disconnect", "shutdown", "exit"),
}
"""Names that programs for other arms use, by what to write here; in any case, with or without _."""


def _plain(name: str) -> str:
    """A name without what differs between styles: get_actual_q and getActualQ are the same."""
    return name.replace("_", "").casefold()


_MEANT = {_plain(guess): name for name, guesses in GUESSES.items() for guess in guesses}


def python_form(kind: type[c.Command], arm: type, call: str = "") -> str:
    """The call that gives a command, as in `arm.move_by(delta, …), delta = [dx, …]`; or empty.

    Args:
        kind: The command.
        arm: The class of the arm.
        call: The method that was called, if it is not that of the command.
    """
    name = call or CALLS.get(kind.word.lower(), kind.word.lower())
    owner, _, method = name.rpartition(".")
    function = getattr(OWNERS.get(owner, arm), method, None)
    if function is None or isinstance(function, property):
        return ""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    shown = ", ".join(_shown(p) for p in parameters)
    given = {p.name for p in parameters}
    lists = [
        f"{field} = [{', '.join(tokens)}]"
        for field, tokens in token_names(kind).items()
        if field in given - {"pose"} and len(tokens) > 1
    ]
    return "".join([f"arm.{name}({shown})", *(f", {text}" for text in lists)])


def _shown(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return str(parameter).partition(":")[0]
    return f"{parameter.name}={parameter.default!r}"


def no_such_column(name: str, valid: Iterable[str]) -> UnknownAttributeError:
    """The error for a column that a tick does not have: it says what was probably meant."""
    error = UnknownAttributeError("column", name, list(valid))
    meant = _MEANT.get(_plain(name), "")
    if meant.startswith("tick."):
        error.args = (f"a tick has no column {name!r}; write {meant}",)
    elif meant:
        error.args = (f"a tick has no column {name!r}; write arm.{meant}",)
    return error


def no_such_attribute(name: str, valid: Iterable[str]) -> UnknownAttributeError:
    """The error for an attribute that an arm does not have: it says what was probably meant."""
    columns = Tick.__annotations__
    meant = _MEANT.get(_plain(name)) or (f"tick.{name}" if name in columns else None)
    error = UnknownAttributeError("attribute of an arm", name, sorted(valid))
    if meant is not None:
        error.args = (f"an arm has no attribute {name!r}; write arm.{meant}",)
    return error
