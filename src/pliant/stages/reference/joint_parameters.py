"""The parameters of the references of the joints as the kernels take them."""

from math import pi

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.spatial import Array
from pliant.params import per_joint, row_of
from pliant.stages.reference.config import ReferenceConfig

SETTLED = 8.4
"""Time constants after which a difference that dies away by third order is down to 1 %."""

# The same for a velocity that dies away by second order.
_AT_REST = 6.6

# How much of the arm's joint speed limits, and of the room before its position limits, a reference
# may use; the rest is for the law.
SPEED_SHARE = 0.75
MARGIN = 0.05


class JointsParams:
    """One row: what the kernels of the references of the joints need to know."""

    q_min: Array
    q_max: Array
    qd_max: Array
    qdd_max: Array
    settle_rate: float
    brake_rate: float
    amplitude: Array
    frequency: Array
    phase: Array
    sinus_ramp: float
    scale: Array
    tool_axes: int
    by_sensor: int
    cutoff: float
    dead_band: Array
    time_constant: float
    max_speed: Array
    max_acceleration: Array
    speed: float
    loop: int
    play_ramp: float
    way_back: float
    feed_forward: float


def joints_params(
    config: ReferenceConfig, arm: ArmDescription, way_back: float, has_torque: bool
) -> np.ndarray:
    """The row of parameters for an arm.

    Args:
        config: The configuration.
        arm: The arm.
        way_back: Time from the end of the recorded motion to its beginning, s.
        has_torque: Whether torques were recorded with it.

    Raises:
        ConfigError: A list has not as many values as the arm has joints.
    """
    sinus, hand, playback = config.sinus, config.follow_hand, config.playback
    return row_of(
        {
            "q_min": arm.q_min + MARGIN,
            "q_max": arm.q_max - MARGIN,
            "qd_max": arm.qd_max * SPEED_SHARE,
            "qdd_max": np.array(arm.qdd_max),
            "settle_rate": SETTLED / config.settle,
            "brake_rate": _AT_REST / config.brake_time,
            "amplitude": per_joint(sinus.amplitude, arm.n, "reference.sinus.amplitude"),
            "frequency": per_joint(sinus.frequency, arm.n, "reference.sinus.frequency"),
            "phase": per_joint(sinus.phase, arm.n, "reference.sinus.phase"),
            "sinus_ramp": sinus.ramp,
            "scale": hand.scale,
            "tool_axes": hand.frame == "tool",
            "by_sensor": hand.source == "sensor",
            "cutoff": hand.cutoff,
            "dead_band": hand.dead_band,
            "time_constant": hand.time_constant,
            "max_speed": hand.max_speed,
            "max_acceleration": hand.max_acceleration,
            "speed": playback.speed,
            "loop": playback.loop,
            "play_ramp": playback.ramp,
            "way_back": way_back,
            "feed_forward": playback.feed_forward if has_torque else 0.0,
        }
    )


def peak_of_sinus(p: np.ndarray) -> tuple[Array, Array]:
    """The largest excursion and velocity of each joint, softly started or not."""
    A, w = p["amplitude"][0], 2.0 * pi * p["frequency"][0]
    # the soft start adds its own slope, at most 1.875 of the mean
    return A, A * (w + 1.875 / p["sinus_ramp"][0])
