"""The state of a UR from one RTDE package: what was asked for, and what it means."""

from typing import Any

import numpy as np

from pliant.arms.robot_status import UrStatus
from pliant.robots.ur.rtde_protocol import Recipe
from pliant.robots.ur.ur_frames import Array

VARIABLES = (
    "timestamp",
    "actual_q",
    "actual_qd",
    "target_moment",
    "joint_temperatures",
    "actual_TCP_force",
    "robot_mode",
    "safety_mode",
    "runtime_state",
    "robot_status_bits",
    "speed_scaling",
    "target_speed_fraction",
    "payload",
    "payload_cog",
)
RAW_WRENCH = "ft_raw_wrench"

_RUNNING_MODE, _OFF_MODE = 7, 3
_NORMAL, _REDUCED = 1, 2
_PROGRAM_RUNNING = 1 << 1
_FULL_SPEED = 0.99
_SAFETY = {
    3: UrStatus.PROTECTIVE_STOP,
    4: UrStatus.RECOVERY,
    5: UrStatus.SAFEGUARD_STOP,
    6: UrStatus.EMERGENCY_STOP,
    7: UrStatus.EMERGENCY_STOP,
    8: UrStatus.VIOLATION,
    9: UrStatus.FAULT,
}


class UrState:
    """One package."""

    def __init__(self, recipe: Recipe, values: tuple[float, ...]) -> None:
        self._recipe = recipe
        self._values = values

    def six(self, name: str) -> Array:
        """A vector."""
        return np.array(self._values[self._recipe.where(name)])

    def __getitem__(self, name: str) -> Any:
        """A number."""
        return self._values[self._recipe.where(name).start]

    @property
    def program_runs(self) -> bool:
        """Whether a program runs on the arm."""
        return bool(int(self["robot_status_bits"]) & _PROGRAM_RUNNING)

    @property
    def full_speed(self) -> bool:
        """Whether neither the slider nor safety slows motions down."""
        return min(self["speed_scaling"], self["target_speed_fraction"]) > _FULL_SPEED

    def obstacle(self) -> UrStatus:
        """Why no program could move the arm now; `FOLLOWS` if one could."""
        safety, mode = int(self["safety_mode"]), int(self["robot_mode"])
        if safety not in (_NORMAL, _REDUCED):
            return _SAFETY.get(safety, UrStatus.FAULT)
        if mode != _RUNNING_MODE:
            return UrStatus.POWER_OFF if mode <= _OFF_MODE else UrStatus.NOT_READY
        return UrStatus.FOLLOWS

    def status(self) -> UrStatus:
        """Whether the arm follows set points, or why not."""
        obstacle = self.obstacle()
        if obstacle is not UrStatus.FOLLOWS:
            return obstacle
        if not self.program_runs:
            return UrStatus.PROGRAM_STOPPED
        return UrStatus.FOLLOWS if self.full_speed else UrStatus.SLOWED
