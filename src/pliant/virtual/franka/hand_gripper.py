"""The Franka Hand: two fingers without physics; the tool in the simulation stays as it is."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

MAX_WIDTH = 0.08
"""How far the fingers open, m."""

_PERIOD = 0.001
_HOMING_SPEED = 0.05
_MOST_SPEED, _MOST_FORCE = 0.2, 140.0


class GripperStatus(IntEnum):
    """How a command ended."""

    SUCCESS = 0
    FAIL = 1
    UNSUCCESSFUL = 2
    ABORTED = 3


Done = Callable[[GripperStatus], None]


class HandGripper:
    """Fingers that move with a given speed until they are there, or meet an object.

    Attributes:
        width: Distance of the fingers, m.
        max_width: Its largest value; 0 before the homing.
        is_grasped: Whether an object is held.
        object_width: Width of the object between the fingers, m; 0 if there is none.
    """

    def __init__(self) -> None:
        self.width = self._opening = MAX_WIDTH
        self.max_width = 0.0
        self.is_grasped = False
        self.object_width = 0.0
        self._targets: list[float] = []
        self._speed = 0.0
        self._end: Callable[[], GripperStatus] = _succeed
        self._done: Done | None = None

    def cycle(self) -> None:
        """One period."""
        if self.is_grasped and self.object_width < self.width:
            self.is_grasped = False
        if not self._targets:
            return
        target = max(self._targets[0], min(self.object_width, self.width))
        step = self._speed * _PERIOD
        if abs(target - self.width) > step:
            self.width += step if target > self.width else -step
            return
        self.width = target
        self._targets.pop(0)
        if not self._targets:
            self._finish(self._end())

    def home(self, done: Done) -> None:
        """Close, open, and learn the largest width."""

        def learn() -> GripperStatus:
            self.max_width = MAX_WIDTH
            return GripperStatus.SUCCESS

        self._begin([0.0, MAX_WIDTH], _HOMING_SPEED, learn, done)

    def move(self, width: float, speed: float, done: Done) -> None:
        """Move the fingers to a width."""

        def arrived() -> GripperStatus:
            near = abs(self.width - width) < 1e-3
            return GripperStatus.SUCCESS if near else GripperStatus.UNSUCCESSFUL

        if not (0.0 <= width <= MAX_WIDTH and 0.0 < speed <= _MOST_SPEED):
            done(GripperStatus.FAIL)
            return
        self._begin([width], speed, arrived, done)

    def grasp(
        self, width: float, inner: float, outer: float, speed: float, force: float, done: Done
    ) -> None:
        """Close until an object is met; it is grasped if its width is about the expected one.

        Args:
            width: The expected width, m.
            inner: How much narrower it may be, m.
            outer: How much wider it may be, m.
            speed: Speed of the fingers, m/s.
            force: Force of the fingers, N.
            done: Called at the end.
        """

        def held() -> GripperStatus:
            met = self.object_width > 0.0 and self.width == self.object_width
            self.is_grasped = met and width - inner < self.width < width + outer
            return GripperStatus.SUCCESS if self.is_grasped else GripperStatus.UNSUCCESSFUL

        if not (0.0 < speed <= _MOST_SPEED and 0.0 < force <= _MOST_FORCE):
            done(GripperStatus.FAIL)
            return
        self._begin([0.0], speed, held, done)

    def stop(self, done: Done) -> None:
        """Stop the fingers, and let go."""
        self._finish(GripperStatus.ABORTED)
        self.is_grasped = False
        done(GripperStatus.SUCCESS)

    def truth(self) -> dict[str, Any]:
        """For tests."""
        return {"width": self.width, "grasped": self.is_grasped}

    def _begin(
        self, targets: list[float], speed: float, end: Callable[[], GripperStatus], done: Done
    ) -> None:
        self._finish(GripperStatus.ABORTED)
        self.is_grasped = False
        self._targets, self._speed, self._end, self._done = targets, speed, end, done

    def _finish(self, status: GripperStatus) -> None:
        self._targets = []
        done, self._done = self._done, None
        if done is not None:
            done(status)


def _succeed() -> GripperStatus:
    return GripperStatus.SUCCESS
