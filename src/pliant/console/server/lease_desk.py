"""Who of the viewers commands: taking, handing over, asking for control."""

import time
from typing import TYPE_CHECKING

from pliant.console.server.messages import Event
from pliant.errors import Refused, UnknownNameError

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub
    from pliant.console.server.viewer import Viewer


class LeaseDesk:
    """The controller holds the lease; this is what a viewer can do about it."""

    def __init__(self, hub: "Hub", timeout: float) -> None:
        self._hub = hub
        self._timeout = timeout

    @property
    def idle(self) -> float:
        """For how long the viewer who is in control gave no command, s; 0 if it is no viewer."""
        holder = self._holder()
        return time.monotonic() - holder.commanded if holder else 0.0

    async def request(self, viewer: "Viewer", action: str, to: str | None) -> str:
        """Do what a viewer asks for; what was done, in words.

        Raises:
            Refused: It cannot be done now.
        """
        if action == "take":
            return await self.take(viewer)
        if action == "release":
            await viewer.say("LEASE release")
            return "you no longer control the arm"
        if action == "ask":
            return self._ask(viewer)
        return await self._give(viewer, to or "")

    async def take(self, viewer: "Viewer") -> str:
        """Take control if it is free, or if its holder has been idle for long enough."""
        holder = self._holder()
        if holder and holder is not viewer:
            if self.idle < self._timeout:
                raise Refused(
                    f"{holder.name} is in control and gave a command {self.idle:.0f} s ago; "
                    f"ask for control, or take it after {self._timeout:g} s without one"
                )
            await holder.say("LEASE release")
            self._tell(
                holder, f"{viewer.name} took control after {self.idle:.0f} s without a command"
            )
        answer = await viewer.say("LEASE take")
        if not answer.ok:
            raise Refused(answer.text)
        viewer.commanded = time.monotonic()
        return "you control the arm"

    def _ask(self, viewer: "Viewer") -> str:
        holder = self._holder()
        if holder is None:
            raise Refused("no viewer is in control; take it")
        self._tell(holder, f"{viewer.name} asks for control")
        return f"asked {holder.name}"

    async def _give(self, viewer: "Viewer", to: str) -> str:
        if self._holder() is not viewer:
            raise Refused("you are not in control")
        if to not in self._hub.viewers:
            raise UnknownNameError("viewer", to, sorted(self._hub.viewers))
        target = self._hub.viewers[to]
        await viewer.say("LEASE release")
        target.seen = self._hub.clock
        answer = await target.say("LEASE take")
        if not answer.ok:
            raise Refused(answer.text)
        target.commanded = time.monotonic()
        self._tell(target, f"{viewer.name} handed control over to you")
        return f"{to} controls the arm"

    def _holder(self) -> "Viewer | None":
        return self._hub.viewers.get(self._hub.holder)

    @staticmethod
    def _tell(viewer: "Viewer", text: str) -> None:
        viewer.tell(Event(kind="lease", text=text, about=viewer.name))
