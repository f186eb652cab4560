"""The arm's own limits as the kernels take them, and the bits that say which of them acted."""

from enum import IntFlag

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.spatial import Array
from pliant.params import row_of
from pliant.stages.safety.config import SafetyConfig


class Clip(IntFlag):
    """Which limits changed what was requested."""

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


class Limits:
    """One row. The `hardest` are the arm's own, the others leave what the config keeps free."""

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
    takes_torque: int


def limits_row(config: SafetyConfig, arm: ArmDescription) -> np.ndarray:
    """The limits of an arm as configured."""
    return row_of(
        {
            "q_min": arm.q_min + config.joint_margin,
            "q_max": arm.q_max - config.joint_margin,
            "q_lowest": arm.q_min,
            "q_highest": arm.q_max,
            "qd_max": arm.qd_max * config.joint_speed_share,
            "qd_hardest": arm.qd_max,
            "qdd_max": arm.qdd_max * config.joint_acceleration_share,
            "qdd_hardest": arm.qdd_max,
            "tau_max": arm.tau_max,
            "tau_rate_max": arm.tau_rate_max,
            "temperature_max": float(arm.temperature_max),
            "takes_torque": arm.takes_torque,
        }
    )
