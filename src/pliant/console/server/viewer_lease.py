"""Which viewer is in control: taking, releasing, asking for and handing over the lease."""

import time
from typing import TYPE_CHECKING

from pliant.console.server.messages import Event
from pliant.errors import Refused, UnknownNameError

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub
    from pliant.console.server.viewer import Viewer


class ViewerLease:
    """Handles the lease requests of viewers; the controller itself holds the lease."""

    def __init__(self, hub: "Hub", timeout: float) -> None:
        self._hub = hub
        self._timeout = timeout

    @property
    def idle(self) -> float:
        """Time since the viewer in control gave a command, s; 0 if no viewer is in control."""
        holder = self._holder()
        return time.monotonic() - holder.commanded if holder else 0.0

    async def request(self, viewer: "Viewer", action: str, to: str | None) -> str:
        """Handle a request; returns what was done, in words.

        Raises:
            Refused: It cannot be done now.
        """
        if action == "take":
            return await self.take(viewer)
        if action == "release":
            await viewer.release_control()
            return "you no longer control the arm"
        if action == "ask":
            return self._ask(viewer)
        return await self._give(viewer, to or "")

    async def take(self, viewer: "Viewer") -> str:
        """Take control if it is free, or if the holder has been idle for long enough."""
        holder = self._holder()
        if holder and holder is not viewer:
            if self.idle < self._timeout:
                raise Refused(
                    f"{holder.name} is in control and gave a command {self.idle:.0f} s ago; "
                    f"ask for control, or take it after {self._timeout:g} s without a command"
                )
            await holder.release_control()
            self._notify(
                holder, f"{viewer.name} took control after {self.idle:.0f} s without a command"
            )
        await self._grant(viewer)
        return "you control the arm"

    def _ask(self, viewer: "Viewer") -> str:
        holder = self._holder()
        if holder is None:
            raise Refused("no viewer is in control; take it")
        self._notify(holder, f"{viewer.name} asks for control", asked_by=viewer.id)
        return f"asked {holder.name}"

    async def _give(self, viewer: "Viewer", to: str) -> str:
        if self._holder() is not viewer:
            raise Refused("you are not in control")
        target = self._hub.viewers.get(to)
        if target is None:
            raise UnknownNameError("viewer", to, sorted(self._hub.viewers))
        await viewer.release_control()
        target.seen = self._hub.clock
        await self._grant(target)
        self._notify(target, f"{viewer.name} handed control over to you")
        return f"{target.name} controls the arm"

    @staticmethod
    async def _grant(viewer: "Viewer") -> None:
        answer = await viewer.send_line("LEASE take")
        if not answer.ok:
            raise Refused(answer.text)
        viewer.commanded = time.monotonic()

    def _holder(self) -> "Viewer | None":
        return self._hub.holding

    @staticmethod
    def _notify(viewer: "Viewer", text: str, asked_by: str = "") -> None:
        viewer.send(Event(kind="lease", text=text, about=viewer.id, asked_by=asked_by))
