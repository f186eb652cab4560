"""tool_contact: whether the tool touches something, and how many periods ago it began.

Assumed, as UR publishes no threshold: a contact is a force of 6 N against the direction of motion,
and it began when that force passed 1 N.
"""

from collections import deque

import numpy as np

from pliant.robots.ur.ur_frames import Array

THRESHOLD = 6.0
_BEGIN = 1.0
_LENGTH = 1000
"""Periods that are remembered: 2 s."""


class ContactHistory:
    """Joint positions and forces of the last periods, the newest last."""

    def __init__(self) -> None:
        self._q: deque[Array] = deque(maxlen=_LENGTH)
        self._force: deque[Array] = deque(maxlen=_LENGTH)

    def add(self, q: Array, force_B: Array) -> None:
        """Note a period: joint positions, and the force on the tool in axes of the base."""
        self._q.append(q.copy())
        self._force.append(force_B.copy())

    def steps_back(self, direction_B: Array) -> int:
        """Periods since a contact began; 0 if there is none.

        Args:
            direction_B: Direction of motion in the base; zero stands for any direction.
        """
        if not self._force or self._against(self._force[-1], direction_B) < THRESHOLD:
            return 0
        steps = 0
        for force in reversed(self._force):
            if self._against(force, direction_B) < _BEGIN:
                break
            steps += 1
        return max(1, steps)

    def positions(self, steps: int) -> Array:
        """Joint positions some periods ago."""
        return self._q[-1 - min(max(steps, 0), len(self._q) - 1)]

    @staticmethod
    def _against(force: Array, direction: Array) -> float:
        length = float(np.linalg.norm(direction[:3]))
        if length < 1e-9:
            return float(np.linalg.norm(force))
        return float(-force @ direction[:3]) / length
