"""What the force-controlled axes can touch, computed beside the relay whenever that may change."""

import asyncio
from typing import Any

import numpy as np

from pliant.config import Config
from pliant.console.server.describe import arm_of
from pliant.console.server.messages import AxisMargin, Margins
from pliant.numerics.spatial import Array
from pliant.stability import margins
from pliant.tick import Rows

_SECTIONS = ("laws", "wrench", "contact", "tool")
_MOVED, _MOVED_FAR = 0.01, 0.3
"""How far a joint of an arm at rest, or of one that moves, turns before it is judged anew, rad."""
_AT_REST = 0.01
"""Below this speed of all joints, rad/s."""


class MarginDesk:
    """Keeps the margins of the arm that runs up to date.

    Attributes:
        told: The last ones; None if there are none.
    """

    def __init__(self) -> None:
        self.told: Margins | None = None
        self._of: dict[str, Any] = {}
        self._q: Array | None = None

    def forget(self) -> None:
        """Another arm runs, or none."""
        self.told, self._of, self._q = None, {}, None

    def outdated(self, config: dict[str, Any], row: Rows) -> bool:
        """Whether gains, filter, contact, tool or posture are others than those computed for."""
        if self._q is None:
            return True
        rests = np.abs(row["qd"][0]).max() < _AT_REST
        if np.abs(row["q"][0] - self._q).max() > (_MOVED if rests else _MOVED_FAR):
            return True
        return any(config[name] != self._of[name] for name in _SECTIONS)

    async def compute(self, spec: str, dt: float, config: dict[str, Any], row: Rows) -> Margins:
        """The margins where the arm is now, in a thread: it takes some tenths of a second."""
        q = row["q"][0].copy()
        self._of, self._q = {name: config[name] for name in _SECTIONS}, q
        self.told = await asyncio.to_thread(_margins, spec, dt, config, q)
        return self.told


def _margins(spec: str, dt: float, config: dict[str, Any], q: Array) -> Margins:
    settled = Config.model_validate(config)
    return Margins(
        surface=settled.contact.surface_stiffness,
        axes=[
            AxisMargin.model_validate(axis.as_dict())
            for axis in margins(settled, arm_of(spec), dt, q)
        ],
    )
