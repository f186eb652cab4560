"""Parameters of the references."""

from typing import Literal

from pydantic import Field

from pliant.params import (
    Frame,
    NonNegative,
    Number,
    Pair,
    Params,
    PerJoint,
    PerJointNonNegative,
    Positive,
    SixNonNegative,
    param,
)

MOST_POINTS = 500
"""Most points of a path: all of them are in the configuration, which is published every second."""

PathPoint = tuple[Number, Number, Number, Number, Number, Number, Number, Number]
"""Time, s, and a pose x y z qw qx qy qz."""


class SinusConfig(Params):
    """q = q_middle + s(t)·A·sin(2π·f·t + φ), where s rises smoothly from 0 to 1."""

    amplitude: PerJointNonNegative = param(0.3, "rad", "A, one value or one per joint.")
    frequency: PerJointNonNegative = param(0.25, "Hz", "f, one value or one per joint.")
    phase: PerJoint = param(0.0, "rad", "φ, one value or one per joint.")
    ramp: Positive = param(2.0, "s", "Duration of the soft start.")


class CircleConfig(Params):
    """The tool moves along a circle from where it is, with constant orientation."""

    diameter: Positive = param(0.2, "m", "Diameter.", le=1.0)
    period: Positive = param(4.0, "s", "Time for one turn.", ge=0.5)
    plane: Literal["xy", "yz", "zx"] = param("yz", "", "Plane of the circle, axes of the world.")
    ramp: Positive = param(1.0, "s", "Duration of the soft start.")


class FollowHandConfig(Params):
    """Guiding by hand: the wrench of the hand gives the velocity of the tool.

    The default follows a force in any direction and keeps the orientation of the tool.
    """

    scale: SixNonNegative = param(
        (0.01, 0.0), "m/s/N, rad/s/(N·m)", "Velocity per wrench, x y z rx ry rz; 0 locks an axis."
    )
    frame: Frame = param("world", "", "Axes of the scale.")
    source: Literal["arm", "sensor"] = param(
        "arm", "", "What measures the hand: the arm by its joint torques, or the wrist sensor."
    )
    cutoff: Positive = param(20.0, "Hz", "Cut-off of the low-pass on the arm's estimate.")
    dead_band: tuple[NonNegative, NonNegative] = param(
        (3.0, 0.6), "N, N·m", "Dead band per axis on the arm's estimate."
    )
    time_constant: Positive = param(
        0.025, "s", "Time constant of the two lags between wrench and velocity."
    )
    max_speed: Pair = param((0.25, 1.0), "m/s, rad/s", "Speed of the tool.")
    max_acceleration: Pair = param((2.0, 10.0), "m/s², rad/s²", "Its acceleration.")


class PlaybackConfig(Params):
    """Replay of a recorded joint motion, after a gentle approach to its start."""

    file: str | None = param(
        None, "", "A recording (.mcap), a table (.csv) or a rosbag2; read only while no law runs."
    )
    speed: Positive = param(1.0, "1", "Speed of the replay; 1 is as recorded.", le=10.0)
    loop: bool = param(False, "", "Repeat the motion from the start.")
    ramp: Positive = param(0.5, "s", "Time to reach full speed.")
    join_speed_share: Positive = param(
        0.25, "1", "Share of the arm's joint speed limits used on the way to the start.", le=0.8
    )
    feed_forward: NonNegative = param(
        1.0, "1", "Share of the recorded torque that is fed forward.", le=1.0
    )


class PathConfig(Params):
    """A timed path of the tool; the command PATH writes it."""

    points: tuple[PathPoint, ...] = param(
        (), "s, m, 1", "Points: time from 0, x y z, qw qx qy qz.", max_length=MOST_POINTS
    )


class ReferenceConfig(Params):
    """Limits and settling times of the references; a pair is (translation, rotation)."""

    max_speed: Pair = param((0.10, 0.5), "m/s, rad/s", "Speed limit of tool references.")
    max_acceleration: Pair = param(
        (0.5, 2.0), "m/s², rad/s²", "Acceleration limit of tool references."
    )
    settle: Positive = param(
        1.0, "s", "Settling time from another motion into a sinus or a circle."
    )
    brake_acceleration: Pair = param(
        (5.0, 20.0), "m/s², rad/s²", "Deceleration of a tool reference by a reaction."
    )
    brake_time: Positive = param(0.4, "s", "Time in which a joint reference comes to rest.")
    sinus: SinusConfig = Field(default_factory=SinusConfig)
    circle: CircleConfig = Field(default_factory=CircleConfig)
    follow_hand: FollowHandConfig = Field(default_factory=FollowHandConfig)
    playback: PlaybackConfig = Field(default_factory=PlaybackConfig)
    path: PathConfig = Field(default_factory=PathConfig)
