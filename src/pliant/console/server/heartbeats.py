"""Two watchdogs over the viewer in control: the server's over its page, the controller's over both.

The page pings ten times a second. While it has not been silent for longer than the heartbeat, the
server pings the controller by itself, so each watchdog judges one link: a slow page does not look
like a server that hangs. A tab that is closed and a server that is killed close their connections
and are noticed at once, whatever the times; the watchdogs are for those that hang, and for a
network that is lost.
"""

from typing import TYPE_CHECKING

from pliant.sim.spec import PREFIX

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub
    from pliant.console.server.viewer import Viewer

SIMULATED_HEARTBEAT = 3.0
REAL_HEARTBEAT = 1.0
"""Longest silence of the viewer in control towards the server, and of the server towards the
controller, s. With the browser on the same two cores and a load of 14, the page's pings came with
gaps of 0.22 s (p99) and 0.32 s at most, the server's with 0.31 s (p99.9): 1 s is three times as
long. A simulated arm hurts nobody and may wait for longer."""

_PING_EVERY = 5
_STUCK = 10.0
_TRY_AGAIN = 1013


class Heartbeats:
    """Watches the viewers, and pings the controller for the one in control."""

    def __init__(self, hub: "Hub") -> None:
        self._hub = hub
        self._watched = ""
        self._cycles = 0

    @property
    def limit(self) -> float:
        """Longest silence on each of the two links, s."""
        simulated = self._hub.spec.startswith(PREFIX)
        default = SIMULATED_HEARTBEAT if simulated else REAL_HEARTBEAT
        return self._hub.settings.heartbeat or default

    def forget(self) -> None:
        """Another arm runs, whose watchdog is not set yet."""
        self._watched = ""

    def set_watchdog(self) -> None:
        """Set the controller's watchdog for a viewer in control, in case this server hangs."""
        hub = self._hub
        if hub.holder != self._watched:
            self._watched = hub.holder
            if hub.holding and hub.backend and "WATCHDOG" in hub.backend.words:
                hub.holding.send_if_connected(f"WATCHDOG {self.limit:g} hold")

    def check(self) -> None:
        """Disconnect silent viewers from the controller, and close those that do not read."""
        self._cycles += 1
        for viewer in list(self._hub.viewers.values()):
            if viewer.connected and self._hub.clock - viewer.seen > self.limit:
                self._disconnect(viewer)
            if viewer.outbox.overflown or viewer.stuck > _STUCK:
                self._hub.spawn(viewer.close(_TRY_AGAIN, "you do not read what is sent to you"))
                viewer.drop()
        if self._cycles % _PING_EVERY == 0 and (holding := self._hub.holding):
            holding.send_if_connected("PING")

    def _disconnect(self, viewer: "Viewer") -> None:
        """The dead man's switch: for the controller, a viewer that falls silent is gone."""
        silence, was_holder = self._hub.clock - viewer.seen, self._hub.holding is viewer
        viewer.disconnect()
        if was_holder:
            self._hub.announce(
                "warning",
                f"{viewer.name} was in control and fell silent: no message for {silence:.2f} s, "
                f"the limit is {self.limit:g} s (--heartbeat); the arm holds",
            )
