"""Joint limits of the safety stage, and the bits of the limits that acted."""

from dataclasses import dataclass
from enum import IntFlag

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.spatial import Array
from pliant.params import KernelParams
from pliant.stages.safety.config import SafetyConfig


class Clip(IntFlag):
    """Limits that changed a request."""

    POSITION = 1
    VELOCITY = 2
    ACCELERATION = 4
    TOOL_SPEED = 8
    TORQUE = 16
    TORQUE_RATE = 32


POSITION = Clip.POSITION.value
VELOCITY = Clip.VELOCITY.value
ACCELERATION = Clip.ACCELERATION.value
TOOL_SPEED = Clip.TOOL_SPEED.value
TORQUE = Clip.TORQUE.value
TORQUE_RATE = Clip.TORQUE_RATE.value


@dataclass(frozen=True, kw_only=True, eq=False)
class Limits(KernelParams):
    """Limits per joint: the arm's own, and within them those that the configuration leaves.

    Attributes:
        q_min: Lower position limits as configured, rad.
        q_max: Upper position limits as configured, rad.
        q_lowest: The arm's own lower position limits, rad.
        q_highest: The arm's own upper position limits, rad.
        qd_max: Speed limits as configured, rad/s.
        qd_hardest: The arm's own speed limits, rad/s.
        qdd_max: Acceleration limits as configured, rad/s².
        qdd_hardest: The arm's own acceleration limits, rad/s².
        tau_max: Torque limits, N·m.
        tau_rate_max: Torque rate limits, N·m/s.
        temperature_max: Temperature at which the arm must stop, °C.
        lateness: Lateness of a tick at which the arm must stop, s.
        tool_speed_highest: Speed of the tool at which an arm driven by torque must stop, m/s.
        takes_torque: Whether the arm's set points are torques.
    """

    q_min: Array
    q_max: Array
    q_lowest: Array
    q_highest: Array
    qd_max: Array
    qd_hardest: Array
    qdd_max: Array
    qdd_hardest: Array
    tau_max: Array
    tau_rate_max: Array
    temperature_max: float
    lateness: float
    tool_speed_highest: float
    takes_torque: bool


def limits_row(config: SafetyConfig, arm: ArmDescription) -> np.ndarray:
    """The limits of an arm as configured."""
    return Limits(
        q_min=arm.q_min + config.joint_margin,
        q_max=arm.q_max - config.joint_margin,
        q_lowest=arm.q_min,
        q_highest=arm.q_max,
        qd_max=arm.qd_max * config.joint_speed_share,
        qd_hardest=arm.qd_max,
        qdd_max=arm.qdd_max * config.joint_acceleration_share,
        qdd_hardest=arm.qdd_max,
        tau_max=arm.tau_max,
        tau_rate_max=arm.tau_rate_max,
        temperature_max=float(arm.temperature_max),
        lateness=config.lateness_of(simulated=False),
        tool_speed_highest=config.highest_tool_speed,
        takes_torque=arm.takes_torque,
    ).row()


def arm_limits_row(arm: ArmDescription) -> np.ndarray:
    """The limits of a stop, which no configuration changes: those of the arm itself."""
    whole = SafetyConfig(joint_margin=0.0, joint_speed_share=1.0, joint_acceleration_share=1.0)
    return limits_row(whole, arm)
