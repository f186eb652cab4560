"""Contact stops in simulation: the tool runs into a table, and the arm stops at its force limit.

`Stop` is one such run under one setting, `SETTINGS` the settings that one could expect to weaken a
stop, each at its worst accepted values, and `table` the whole grid of arms, surfaces and speeds;
`python -m tests.contact_stops` prints it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from pliant import Arm
from pliant.errors import ArmStopped

SPEEDS = (0.05, 0.1, 0.25)
"""Speeds of the tool, m/s."""

STIFFNESSES = (1e5, 1e4)
"""Stiffnesses of the table, N/m."""

TOLERANCE = 1.05
"""Largest factor on the peak force."""

NEARBY = (0.98, 0.99, 1.01, 1.02)
"""Factors on the speed of stops that are the same but for the luck of the impact."""

_SURFACE = 0.1
_HUGE, _TINY = 1e6, 1e-6
_NEAR = 0.004
_TIMEOUT = 3.0

Drive = Literal["position", "hybrid_admittance", "cartesian_impedance", "joints"]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting at one of its worst values.

    Attributes:
        path: The parameter, or the name of a command.
        value: Its value.
        at_start: Whether it cannot be set while the arm moves.
        drives: The ways of driving the arm for which it could matter.
    """

    path: str
    value: Any
    at_start: bool = False
    drives: tuple[Drive, ...] = ("position",)

    def __str__(self) -> str:
        return f"{self.path} = {self.value}".replace(" ", "")


def _each(path: str, *values: Any, **options: Any) -> list[Setting]:
    return [Setting(path=path, value=value, **options) for value in values]


_ALL: tuple[Drive, ...] = ("position", "hybrid_admittance", "joints")
_JOINTS: tuple[Drive, ...] = ("joints",)
_HYBRID: tuple[Drive, ...] = ("hybrid_admittance",)
_GAINS = "laws.hybrid_admittance"

SETTINGS = [
    *_each("safety.joint_acceleration_share", 0.05, drives=_ALL),
    *_each("safety.joint_speed_share", 0.01, 1.0),
    *_each("safety.joint_margin", 0.0, 1.0),
    *_each("safety.tool_speed", 0.001, 3.0),
    *_each("safety.workspace_max", (1.2, 1.2, 0.0), (1.2, 1.2, _SURFACE + 0.002)),
    *_each("safety.workspace_min", (-_HUGE, -_HUGE, -_HUGE)),
    *_each("safety.lateness", 60.0),
    *_each("wrench.cutoff", _TINY, _HUGE, drives=("position", "hybrid_admittance")),
    *_each("wrench.dead_band", (_HUGE, _HUGE), drives=("position", "hybrid_admittance")),
    *_each("wrench.sensor_range", (_HUGE, _HUGE), (61.0, 30.0), (40.0, 30.0), (15.0, 30.0)),
    *_each("wrench.zero_time", _TINY, 10.0),
    *_each("wrench.zero_time", _TINY, at_start=True),
    *_each("wrench.stale_after", 0.2),
    *_each("wrench.plausible", (100.0, 10.0), (_TINY, _TINY)),
    *_each("wrench.bias", (100.0, 10.0), at_start=True),
    *_each("wrench.drift", (10.0, 1.0)),
    *_each("joints.acceleration_share", _TINY, drives=("position", "joints")),
    *_each("joints.acceleration", _TINY, at_start=True, drives=("position",)),
    *_each("joints.velocity_timeout", 2.0, drives=_JOINTS),
    *_each("joints.over_torque", 10.0, 0.35, drives=("position", "joints")),
    *_each("joints.tracking", 3.0, drives=("position", "joints")),
    *_each("joints.fault_time", 0.0, 1.0),
    *_each("joints.hard_limit", 1.0),
    *_each("ACCEL", _TINY, drives=_JOINTS),
    *_each("SPEED", _TINY, drives=_JOINTS),
    *_each("supervisor.stop_time", _TINY, 10.0),
    *_each("supervisor.wrench_limit", (_HUGE, _HUGE), drives=_HYBRID),
    *_each("reference.max_acceleration", (_TINY, _TINY), (_HUGE, _HUGE)),
    *_each("reference.brake_time", 1e3),
    *_each("laws.position.max_acceleration", (_TINY, _TINY), (_HUGE, _HUGE)),
    *_each("laws.position.max_speed", (_HUGE, _HUGE)),
    *_each(f"{_GAINS}.stiffness", (0.0, 0.0), (1e5, 1e3), drives=_HYBRID),
    *_each(f"{_GAINS}.inertia", (1e3, 1e3), drives=_HYBRID),
    *_each(f"{_GAINS}.max_acceleration", (_TINY, _TINY), drives=_HYBRID),
    *_each("resolve.max_damping", 1.0),
]
"""Settings of every arm."""

POSITION_ARM = [
    *_each("tool.mass", 0.001, 20.0),
    *_each("tool.com_F", (0.0, 0.0, 1.0)),
]
"""Settings of a position arm, whose tool can be changed while it moves."""

TORQUE_ARM = [
    *_each("safety.joint_acceleration_share", 0.05, drives=("cartesian_impedance",)),
    *_each("laws.cartesian_impedance.stiffness", (_TINY, _TINY), drives=("cartesian_impedance",)),
]
"""Settings of a torque arm."""

MODEL = _each("model.mass_scale", 0.6, 2.0, at_start=True)
"""The model that drives a torque arm, as wrong as its laws accept: it changes the motion itself."""


def settings_of(robot: str) -> list[Setting]:
    """All settings for an arm."""
    return SETTINGS + (POSITION_ARM if robot == "ur5e" else TORQUE_ARM)


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A contact stop.

    Attributes:
        robot: Name of the arm.
        stiffness: Stiffness of the table, N/m.
        speed: Speed of the tool, m/s.
        drive: What moves the arm: a law, or the joints without one.
        setting: The setting under which it is made, if any.
        seed: Seed of the simulation.
    """

    robot: str = "ur5e"
    stiffness: float = 1e5
    speed: float = 0.1
    drive: Drive = "position"
    setting: Setting | None = None
    seed: int = 1

    def peak(self) -> float:
        """The largest contact force, N, from before the contact until long after the stop."""
        arm = Arm(f"sim:{self.robot}/table", config=self._config(), seed=self.seed)
        arm.zero()
        if self.drive != "joints":
            arm.activate(self.drive)
        start, set_late = arm.time, self.setting is not None and not self.setting.at_start
        move = self._jog if self.drive != "joints" else self._joint_velocities(arm)
        try:
            while arm.time - start < _TIMEOUT:
                move(arm)
                for _ in range(10):
                    arm.wait(arm.dt)
                    if set_late and arm.tick.X_WT[2] < _SURFACE + _NEAR:
                        self._set(arm)
                        set_late = False
        except ArmStopped:
            arm.wait(1.0)
        return float(np.max(arm.history.since(start)["true_f_peak"]))

    def ratio(self) -> float:
        """The peak force relative to that without the setting.

        Where the impact alone comes to the limit of force within the noise, a hundredth of the
        speed decides whether the stop trips at once or 24 ms later. The peak is then relative to
        the worst stop without the setting at nearby speeds.
        """
        peak, usual = self.peak(), replace(self, setting=None)
        ratio = peak / usual_peak(usual)
        if ratio <= TOLERANCE:
            return ratio
        return peak / max(usual_peak(replace(usual, speed=f * self.speed)) for f in NEARBY)

    def _config(self) -> dict[str, Any]:
        config: dict[str, Any] = {
            "sim": {"scene": {"kind": "table", "height": _SURFACE, "stiffness": self.stiffness}},
            "reference": {"max_acceleration": (4.0, 5.0), "max_speed": (0.5, 1.0)},
            # as agile as the reference and faster than any stop: else the law would still be
            # catching up with the reference, faster than it, when the tool touches
            "laws": {"position": {"max_speed": (0.5, 1.0), "max_acceleration": (4.0, 10.0)}},
            "wrench": {"zero_time": 0.1},
            "joints": {"acceleration": 20.0},
        }
        if self.setting is not None and self.setting.at_start:
            section, _, name = self.setting.path.partition(".")
            config[section] = config.get(section, {}) | {name: self.setting.value}
        return config

    def _jog(self, arm: Arm) -> None:
        arm.jog([0, 0, -self.speed, 0, 0, 0], timeout=0.5, frame="world")

    def _joint_velocities(self, arm: Arm) -> Callable[[Arm], None]:
        arm.joints.set_modes("velocity")
        arm.wait(2 * arm.dt)

        def move(arm: Arm) -> None:
            down = np.array([0, 0, -self.speed, 0, 0, 0])
            arm.joints.velocity_move(np.linalg.pinv(arm.tick.J_sent_W) @ down)

        return move

    def _set(self, arm: Arm) -> None:
        assert self.setting is not None
        path, value = self.setting.path, self.setting.value
        if path == "ACCEL":
            arm.joints.set_accelerations([value] * len(arm.joints))
        elif path == "SPEED":
            arm.joints.set_speeds([value] * len(arm.joints))
        else:
            arm.set(path, value)


@cache
def usual_peak(stop: Stop) -> float:
    """The peak force of a stop, N, measured once."""
    return stop.peak()


def grid(robot: str) -> Iterator[Stop]:
    """Every setting on every surface, at every speed."""
    for setting in settings_of(robot):
        for drive in setting.drives:
            for stiffness in STIFFNESSES:
                for speed in SPEEDS:
                    yield Stop(
                        robot=robot, stiffness=stiffness, speed=speed, drive=drive, setting=setting
                    )


def table(robots: Sequence[str]) -> Iterator[str]:
    """The whole grid as Markdown: peaks without a setting, then the largest ratio of each."""
    cells = [(stiffness, speed) for stiffness in STIFFNESSES for speed in SPEEDS]
    for robot in robots:
        peaks = [usual_peak(Stop(robot=robot, stiffness=k, speed=v)) for k, v in cells]
        yield f"| {robot} | {' | '.join(f'{peak:.0f}' for peak in peaks)} |"
    worst: dict[str, dict[str, float]] = {}
    for robot in robots:
        for stop in grid(robot):
            assert stop.setting is not None
            ratios = worst.setdefault(stop.setting.path, {})
            ratios[robot] = max(ratios.get(robot, 0.0), stop.ratio())
    for path, ratios in worst.items():
        found = [f"{ratios[robot]:.2f}" if robot in ratios else "" for robot in robots]
        yield f"| `{path}` | {' | '.join(found)} |"


if __name__ == "__main__":
    for row in table(("ur5e", "panda", "fr3")):
        print(row, flush=True)
