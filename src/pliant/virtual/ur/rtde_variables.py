"""The variables that RTDE clients can read and write."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from pliant.robots.ur.rtde_protocol import NOT_FOUND
from pliant.robots.ur.ur_frames import to_ur_pose
from pliant.virtual.ur.registers import COUNT
from pliant.virtual.ur.safety_state import RobotMode, safety_bits
from pliant.virtual.ur.ur_controller import UrController

Read = Callable[[UrController], Sequence[float]]
Write = Callable[[UrController, Sequence[float]], None]

_JOINT_RUNNING = 253
_ZERO3, _ZERO6 = (0.0,) * 3, (0.0,) * 6
_POWER_ON, _PROGRAM_RUNNING = 1, 2


def _tcp_pose(c: UrController) -> Sequence[float]:
    return to_ur_pose(c.arm.kinematics.tool(c.arm.q)).tolist()


def _tcp_speed(c: UrController) -> Sequence[float]:
    return (c.arm.kinematics.jacobian(c.arm.q) @ c.arm.qd).tolist()


def _target_pose(c: UrController) -> Sequence[float]:
    return to_ur_pose(c.arm.kinematics.tool(c.arm.target.q)).tolist()


def _target_speed(c: UrController) -> Sequence[float]:
    return (c.arm.kinematics.jacobian(c.arm.target.q) @ c.arm.target.qd).tolist()


def _status_bits(c: UrController) -> Sequence[float]:
    on = _POWER_ON if c.arm.robot_mode > RobotMode.POWER_OFF else 0
    return (on | (_PROGRAM_RUNNING if c.program is not None else 0),)


def _current(c: UrController) -> Sequence[float]:
    """Amperes, with an assumed torque constant of 10 N·m/A."""
    return (c.arm.tick["tau"][0] / 10.0).tolist()


_FIXED: dict[str, tuple[str, Sequence[float]]] = {
    "target_qdd": ("VECTOR6D", _ZERO6),
    "target_current": ("VECTOR6D", _ZERO6),
    "joint_control_output": ("VECTOR6D", _ZERO6),
    "actual_execution_time": ("DOUBLE", (0.1,)),
    "joint_mode": ("VECTOR6INT32", (_JOINT_RUNNING,) * 6),
    "actual_tool_accelerometer": ("VECTOR3D", _ZERO3),
    "actual_momentum": ("DOUBLE", (0.0,)),
    "actual_main_voltage": ("DOUBLE", (48.0,)),
    "actual_robot_voltage": ("DOUBLE", (48.0,)),
    "actual_robot_current": ("DOUBLE", (1.0,)),
    "actual_joint_voltage": ("VECTOR6D", (48.0,) * 6),
    "actual_digital_input_bits": ("UINT64", (0,)),
    "standard_analog_input0": ("DOUBLE", (0.0,)),
    "standard_analog_input1": ("DOUBLE", (0.0,)),
    "elbow_position": ("VECTOR3D", _ZERO3),
    "elbow_velocity": ("VECTOR3D", _ZERO3),
    "tool_mode": ("UINT32", (253,)),
    "tool_output_voltage": ("INT32", (0,)),
    "tool_output_current": ("DOUBLE", (0.0,)),
    "tool_temperature": ("DOUBLE", (30.0,)),
}
"""Variables that the virtual arm does not compute."""

_OUTPUTS: dict[str, tuple[str, Read]] = {
    "timestamp": ("DOUBLE", lambda c: (c.arm.time,)),
    "target_q": ("VECTOR6D", lambda c: c.arm.target.q.tolist()),
    "target_qd": ("VECTOR6D", lambda c: c.arm.target.qd.tolist()),
    "actual_q": ("VECTOR6D", lambda c: c.arm.q.tolist()),
    "actual_qd": ("VECTOR6D", lambda c: c.arm.qd.tolist()),
    "actual_current": ("VECTOR6D", _current),
    "actual_current_as_torque": ("VECTOR6D", lambda c: c.arm.tick["tau"][0].tolist()),
    "target_moment": ("VECTOR6D", lambda c: c.arm.tick["tau"][0].tolist()),
    "actual_TCP_pose": ("VECTOR6D", _tcp_pose),
    "actual_TCP_speed": ("VECTOR6D", _tcp_speed),
    "actual_TCP_force": ("VECTOR6D", lambda c: c.arm.payload.wrench_B.tolist()),
    "target_TCP_pose": ("VECTOR6D", _target_pose),
    "target_TCP_speed": ("VECTOR6D", _target_speed),
    "ft_raw_wrench": ("VECTOR6D", lambda c: c.arm.payload.raw_F.tolist()),
    "joint_temperatures": ("VECTOR6D", lambda c: c.arm.tick["temperature"][0].tolist()),
    "robot_mode": ("INT32", lambda c: (int(c.arm.robot_mode),)),
    "safety_mode": ("INT32", lambda c: (int(c.arm.safety_mode),)),
    "safety_status": ("INT32", lambda c: (int(c.arm.safety_mode),)),
    "robot_status_bits": ("UINT32", _status_bits),
    "safety_status_bits": ("UINT32", lambda c: (safety_bits(c.arm.safety_mode),)),
    "runtime_state": ("UINT32", lambda c: (int(c.runtime_state),)),
    "speed_scaling": ("DOUBLE", lambda c: (c.arm.speed_scaling,)),
    "target_speed_fraction": ("DOUBLE", lambda c: (c.arm.slider,)),
    "tcp_force_scalar": (
        "DOUBLE",
        lambda c: (float(np.linalg.norm(c.arm.payload.wrench_B[:3])),),
    ),
    "payload": ("DOUBLE", lambda c: (c.arm.payload.mass,)),
    "payload_cog": ("VECTOR3D", lambda c: c.arm.payload.cog.tolist()),
    "payload_inertia": ("VECTOR6D", lambda c: c.arm.payload.inertia.tolist()),
    "tcp_offset": ("VECTOR6D", lambda c: to_ur_pose(c.arm.kinematics.X_FT).tolist()),
    "actual_digital_output_bits": ("UINT64", lambda c: (c.digital_outputs,)),
    "standard_analog_output0": ("DOUBLE", lambda c: (c.analog_outputs[0],)),
    "standard_analog_output1": ("DOUBLE", lambda c: (c.analog_outputs[1],)),
}

_OUTPUT_REGISTER = re.compile(r"output_(int|double)_register_(\d+)")
_INPUT_REGISTER = re.compile(r"input_(int|double)_register_(\d+)")


def output(name: str) -> tuple[str, Read | None]:
    """The type of an output variable, and what reads it; `NOT_FOUND` if there is none."""
    if name in _FIXED:
        kind, value = _FIXED[name]
        return kind, lambda c: value
    if name in _OUTPUTS:
        return _OUTPUTS[name]
    found = _OUTPUT_REGISTER.fullmatch(name)
    if found is None or (number := int(found[2])) >= COUNT:
        return NOT_FOUND, None
    if found[1] == "int":
        return "INT32", lambda c: (c.registers.output_int[number],)
    return "DOUBLE", lambda c: (c.registers.output_float[number],)


def _write_digital(shift: int) -> Write:
    """Outputs of a bank of eight; the mask came with them, in the register before."""

    def write(c: UrController, values: Sequence[float]) -> None:
        mask = c.masks.get(shift, 0) << shift
        c.digital_outputs = c.digital_outputs & ~mask | (int(values[0]) << shift) & mask

    return write


def _write_mask(shift: int) -> Write:
    def write(c: UrController, values: Sequence[float]) -> None:
        c.masks[shift] = int(values[0])

    return write


def _write_slider(c: UrController, values: Sequence[float]) -> None:
    if c.masks.get(-1):
        c.arm.slider = min(max(float(values[0]), 0.0), 1.0)


def _write_analog(number: int) -> Write:
    def write(c: UrController, values: Sequence[float]) -> None:
        if c.masks.get(-2, 0) >> number & 1:
            c.analog_outputs[number] = float(values[0])

    return write


def _ignore(c: UrController, values: Sequence[float]) -> None:
    pass


_INPUTS: dict[str, tuple[str, Write]] = {
    "speed_slider_mask": ("UINT32", _write_mask(-1)),
    "speed_slider_fraction": ("DOUBLE", _write_slider),
    "standard_digital_output_mask": ("UINT8", _write_mask(0)),
    "standard_digital_output": ("UINT8", _write_digital(0)),
    "configurable_digital_output_mask": ("UINT8", _write_mask(8)),
    "configurable_digital_output": ("UINT8", _write_digital(8)),
    "tool_digital_output_mask": ("UINT8", _write_mask(16)),
    "tool_digital_output": ("UINT8", _write_digital(16)),
    "standard_analog_output_mask": ("UINT8", _write_mask(-2)),
    "standard_analog_output_type": ("UINT8", _ignore),
    "standard_analog_output_0": ("DOUBLE", _write_analog(0)),
    "standard_analog_output_1": ("DOUBLE", _write_analog(1)),
    "external_force_torque": ("VECTOR6D", _ignore),
}


def input_variable(name: str) -> tuple[str, Write | None]:
    """The type of an input variable, and what writes it; `NOT_FOUND` if there is none."""
    if name in _INPUTS:
        return _INPUTS[name]
    found = _INPUT_REGISTER.fullmatch(name)
    if found is None or (number := int(found[2])) >= COUNT:
        return NOT_FOUND, None
    if found[1] == "int":
        return "INT32", lambda c, values: c.registers.write_int(number, int(values[0]))
    return "DOUBLE", lambda c, values: c.registers.write_float(number, float(values[0]))
