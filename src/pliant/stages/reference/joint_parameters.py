"""Parameters of the joint references, computed from configuration and arm."""

from dataclasses import dataclass
from math import pi

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.kernels import Row
from pliant.numerics.profiles import PEAK_SPEED, SETTLING_2, SETTLING_3
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, Vector, per_joint
from pliant.stages.reference.config import ReferenceConfig

# Share of the arm's joint speed limits that a reference may use; the rest is for the law.
SPEED_SHARE = 0.75
# Distance of a reference from the position limits, rad.
MARGIN = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class JointReferenceParams(KernelParams):
    """Parameters of the joint references.

    Attributes:
        q_min: Lowest positions of a reference, rad.
        q_max: Highest positions, rad.
        qd_max: Largest speeds, rad/s.
        qdd_max: Largest accelerations, rad/s².
        settle_rate: Rate at which a difference from a sinus decays, 1/s.
        brake_rate: Rate at which a held reference comes to rest, 1/s.
        amplitude: Amplitude of the sinus, rad.
        frequency: Its frequency, Hz.
        phase: Its phase, rad.
        sinus_ramp: Duration of its soft start, s.
        scale: Velocity of the tool per wrench of the hand, m/s/N and rad/s/(N·m).
        tool_axes: Whether the scale is in the axes of the tool, not of the world.
        by_sensor: Whether the wrist sensor measures the hand, not the arm's joint torques.
        cutoff: Cut-off of the low-pass on the arm's estimate, Hz.
        dead_band: Dead band on the arm's estimate, N and N·m.
        time_constant: Time constant of the two lags between wrench and velocity, s.
        max_speed: Speed limits of the tool, m/s and rad/s.
        max_acceleration: Its acceleration limits, m/s² and rad/s².
        speed: Playback speed; 1 is as recorded.
        loop: Whether playback starts again at the end.
        play_ramp: Duration of the soft start of playback, s.
        way_back: Time from the end of the recorded motion to its beginning, s.
        feed_forward: Share of the recorded torque that is fed forward.
    """

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
    scale: Vector
    tool_axes: bool
    by_sensor: bool
    cutoff: float
    dead_band: Vector
    time_constant: float
    max_speed: Vector
    max_acceleration: Vector
    speed: float
    loop: bool
    play_ramp: float
    way_back: float
    feed_forward: float


def joint_reference_params(
    config: ReferenceConfig, arm: ArmDescription, way_back: float, has_torque: bool
) -> np.ndarray:
    """The parameters for an arm, as a row.

    Args:
        config: The configuration.
        arm: The arm.
        way_back: Time from the end of the recorded motion to its beginning, s.
        has_torque: Whether torques were recorded with it.

    Raises:
        ConfigError: A list has neither one value nor one per joint.
    """
    sinus, hand, playback = config.sinus, config.follow_hand, config.playback
    return JointReferenceParams(
        q_min=arm.q_min + MARGIN,
        q_max=arm.q_max - MARGIN,
        qd_max=arm.qd_max * SPEED_SHARE,
        qdd_max=np.array(arm.qdd_max),
        settle_rate=SETTLING_3 / config.settle,
        brake_rate=SETTLING_2 / config.brake_time,
        amplitude=per_joint(sinus.amplitude, arm.n, "reference.sinus.amplitude"),
        frequency=per_joint(sinus.frequency, arm.n, "reference.sinus.frequency"),
        phase=per_joint(sinus.phase, arm.n, "reference.sinus.phase"),
        sinus_ramp=sinus.ramp,
        scale=hand.scale,
        tool_axes=hand.frame == "tool",
        by_sensor=hand.source == "sensor",
        cutoff=hand.cutoff,
        dead_band=hand.dead_band,
        time_constant=hand.time_constant,
        max_speed=hand.max_speed,
        max_acceleration=hand.max_acceleration,
        speed=playback.speed,
        loop=playback.loop,
        play_ramp=playback.ramp,
        way_back=way_back,
        feed_forward=playback.feed_forward if has_torque else 0.0,
    ).row()


def peak_of_sinus(p: Row[JointReferenceParams]) -> tuple[Array, Array]:
    """Largest excursion and velocity of each joint, soft start included."""
    A, w = p[0].amplitude, 2.0 * pi * p[0].frequency
    # the soft start adds its slope, which is at most that of minimum jerk
    return A, A * (w + PEAK_SPEED / p[0].sinus_ramp)
