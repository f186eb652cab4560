"""Parameters of the references."""

from typing import Literal

from pydantic import Field

from pliant.params import (
    Frame,
    NonNegative,
    Pair,
    Params,
    PerJoint,
    PerJointNonNegative,
    Positive,
    SixNonNegative,
    param,
)


class SinusConfig(Params):
    """q = q_middle + s(t)·A·sin(2π·f·t + φ), where s rises smoothly from 0 to 1."""

    amplitude: PerJointNonNegative = param(0.3, "rad", "A, one value or one per joint.")
    frequency: PerJointNonNegative = param(0.25, "Hz", "f, one value or one per joint.")
    phase: PerJoint = param(0.0, "rad", "φ, one value or one per joint.")
    ramp: Positive = param(2.0, "s", "How long the soft start takes.")


class CircleConfig(Params):
    """The tool on a circle that begins where it is; its orientation stays."""

    diameter: Positive = param(0.2, "m", "Diameter.", le=1.0)
    period: Positive = param(4.0, "s", "Time for one turn.", ge=0.5)
    plane: Literal["xy", "yz", "zx"] = param("yz", "", "Plane of the circle, axes of the world.")
    ramp: Positive = param(1.0, "s", "How long the soft start takes.")


class FollowHandConfig(Params):
    """The hand's wrench becomes a velocity of the tool.

    The default follows a force in any direction and keeps the tool's orientation.
    """

    scale: SixNonNegative = param(
        (0.01, 0.0), "m/s/N, rad/s/(N·m)", "Velocity per wrench, x y z rx ry rz; 0 locks an axis."
    )
    frame: Frame = param("world", "", "Axes of the scale.")
    source: Literal["arm", "sensor"] = param(
        "arm", "", "Who feels the hand: the arm by its joint torques, or the wrist sensor."
    )
    cutoff: Positive = param(20.0, "Hz", "Low-pass on the arm's estimate.")
    dead_band: tuple[NonNegative, NonNegative] = param(
        (3.0, 0.6), "N, N·m", "Below this, along an axis, the arm's estimate is taken for noise."
    )
    time_constant: Positive = param(
        0.025, "s", "How fast the velocity follows the wrench: with two such lags."
    )
    max_speed: Pair = param((0.25, 1.0), "m/s, rad/s", "Speed of the tool.")
    max_acceleration: Pair = param((2.0, 10.0), "m/s², rad/s²", "Its acceleration.")


class PlaybackConfig(Params):
    """A recorded motion of the joints, gone to gently and then replayed."""

    file: str | None = param(
        None, "", "A recording (.mcap), a table (.csv) or a rosbag2; read only while no law runs."
    )
    speed: Positive = param(1.0, "1", "How fast it is replayed, 1 being as recorded.", le=10.0)
    loop: bool = param(False, "", "Go back to the beginning at the end, and again.")
    ramp: Positive = param(0.5, "s", "How long getting up to speed takes.")
    join_speed_share: Positive = param(
        0.25, "1", "Share of the arm's joint speed limits used on the way to the beginning.", le=0.8
    )
    feed_forward: NonNegative = param(
        1.0, "1", "Share of the recorded torque that is sent along.", le=1.0
    )


class ReferenceConfig(Params):
    """How the reference moves; a pair is (translation, rotation)."""

    max_speed: Pair = param((0.10, 0.5), "m/s, rad/s", "Speed of a reference of the tool.")
    max_acceleration: Pair = param((0.5, 2.0), "m/s², rad/s²", "Its acceleration.")
    settle: Positive = param(
        1.0, "s", "How long it takes to get from another motion into a sinus or a circle."
    )
    brake_time: Positive = param(
        0.4, "s", "How long a reference of the joints takes to come to rest."
    )
    sinus: SinusConfig = Field(default_factory=SinusConfig)
    circle: CircleConfig = Field(default_factory=CircleConfig)
    follow_hand: FollowHandConfig = Field(default_factory=FollowHandConfig)
    playback: PlaybackConfig = Field(default_factory=PlaybackConfig)
