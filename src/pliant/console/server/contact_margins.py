"""The contact margins of the force-controlled axes, computed again when they may have changed."""

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.config import Config
from pliant.console.server.backend import Backend
from pliant.console.server.describe import arm_of
from pliant.console.server.messages import AxisMargin, Margins
from pliant.numerics.spatial import Array
from pliant.stability import margins
from pliant.tick import Rows

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub

_SECTIONS = ("laws", "wrench", "contact", "tool")
_MOVED, _MOVED_FAR = 0.01, 0.3
"""The margins are outdated after a joint has turned this far, rad: at rest, and in motion."""

_AT_REST = 0.01
"""An arm is at rest if all joints are slower than this, rad/s."""


class ContactMargins:
    """Keeps the margins of the running arm up to date.

    Attributes:
        newest: The last margins; None if there are none.
    """

    def __init__(self) -> None:
        self.newest: Margins | None = None
        self._config: dict[str, Any] = {}
        self._q: Array | None = None
        self._task: asyncio.Task[None] | None = None

    def clear(self) -> None:
        """Forget the margins of an arm that no longer runs."""
        self.newest, self._config, self._q = None, {}, None

    def update(self, hub: "Hub") -> None:
        """Compute the margins again if they may have changed; one computation at a time."""
        backend, health = hub.backend, hub.health
        if self._task or backend is None or backend.kind != "pliant" or not health.seen:
            return
        if self._outdated(hub.config, health.row):
            self._task = hub.spawn(self._send(hub, backend, health.row))

    async def _send(self, hub: "Hub", backend: Backend, row: Rows) -> None:
        try:
            margins = await self._compute(backend.spec, backend.dt, hub.config, row)
            if backend is hub.backend:
                hub.viewers.send(margins)
        finally:
            self._task = None

    def _outdated(self, config: dict[str, Any], row: Rows) -> bool:
        """Whether gains, filter, contact, tool or posture have changed since the last margins."""
        if self._q is None:
            return True
        at_rest = np.abs(row["qd"][0]).max() < _AT_REST
        if np.abs(row["q"][0] - self._q).max() > (_MOVED if at_rest else _MOVED_FAR):
            return True
        return any(config[name] != self._config[name] for name in _SECTIONS)

    async def _compute(self, spec: str, dt: float, config: dict[str, Any], row: Rows) -> Margins:
        """The margins at the arm's posture, in a thread: they take some tenths of a second."""
        q = row["q"][0].copy()
        self._config, self._q = {name: config[name] for name in _SECTIONS}, q
        self.newest = await asyncio.to_thread(_margins, spec, dt, config, q)
        return self.newest


def _margins(spec: str, dt: float, values: dict[str, Any], q: Array) -> Margins:
    config = Config.model_validate(values)
    return Margins(
        surface=config.contact.surface_stiffness,
        axes=[
            AxisMargin.model_validate(axis.as_dict())
            for axis in margins(config, arm_of(spec), dt, q)
        ],
    )
