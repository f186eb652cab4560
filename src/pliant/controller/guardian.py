"""The guardian: stops an arm whose controller no longer can.

If no tick comes for too long, or the controller dies without having released the arm, it ends the
controller, so that its connection to the arm drops, and calls the backend's own stop on a
connection of its own where there is one. The arm's own watchdog comes after that.
"""

import contextlib
import select
import signal
import time
from typing import Protocol

from pliant.controller.tick_silence import RELEASE_LIMIT, Progress, Silence
from pliant.ring.guardian_page import GuardianPage
from pliant.ring.ring_layout import RELEASED, STOPPING

_FIRST = 2
"""The ring begins with the row that the loop starts from; the second tick is its own first."""

_SETTLED = 10
"""Ticks that may take long, because everything in them happens for the first time: the sensor is
being zeroed, and nothing moves yet."""

_DEATH = 1000.0
"""Longest time to wait for the death of a controller, ms: it frees its memory first."""


class Stops(Protocol):
    """Stops an arm on a connection of its own."""

    def stop(self) -> None:
        """Bring the arm to rest."""
        ...


class Guardian:
    """Watches one controller until it has released its arm."""

    def __init__(
        self,
        page: GuardianPage,
        controller: int,
        limit: float,
        silence: Silence,
        stopper: Stops | None,
    ) -> None:
        """Set up the guardian.

        Args:
            page: The controller's counters.
            controller: A descriptor of its process (pidfd).
            limit: Longest time without a tick, s.
            silence: Measures that time.
            stopper: The backend's own stop; None if it has none.
        """
        self._page = page
        self._controller = controller
        self._limit = limit
        self._silence = silence
        self._stopper = stopper
        self._poll = select.poll()
        self._poll.register(controller, select.POLLIN)

    def watch(self) -> str:
        """Watch until the end; why the arm was stopped, empty if its controller released it."""
        pause = self._silence.pause(self._limit)
        # the controller's descriptor becomes readable when it dies
        while not self._poll.poll(1e3 * pause):
            release = self._page.release
            if release == RELEASED:
                return ""
            progress = Progress(self._page.ticks, release, self._page.stamp)
            silent = self._silence.since(progress, time.monotonic())
            patient = release == STOPPING or self._page.ticks < _SETTLED
            limit = RELEASE_LIMIT if patient else self._limit
            if silent > limit and self._page.ticks >= _FIRST:
                return self._take_out(release, silent, limit)
            left = limit - silent
            pause = self._silence.pause(left if 0.0 < left < self._limit else self._limit)
        if self._page.release == RELEASED or self._page.ticks < _FIRST:
            return ""
        # counted from 0, after the row that the loop started from
        last = self._page.ticks - 1
        return self._stop(f"the controller died without a last word, after tick {last}", [])

    def _take_out(self, release: int, silent: float, limit: float) -> str:
        """End a stuck controller and stop the arm at once, and again when the controller is dead.

        One that comes back to life in this moment may have sent one more set point.
        """
        why = f"{_silence_text(release, silent)} (limit {1e3 * limit:.0f} ms)"
        # before the end, so that nobody who notices it asks in vain
        self._page.write(_verdict(why, acts := ["ended the controller"]))
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._controller, signal.SIGKILL)
        self._stop(why, list(acts))
        self._poll.poll(_DEATH)
        return self._stop(why, acts)

    def _stop(self, why: str, acts: list[str]) -> str:
        """Call the backend's own stop where there is one, and write the last word."""
        if self._stopper is not None:
            try:
                self._stopper.stop()
                acts.append("stopped the arm by its own means")
            except Exception as error:
                acts.append(f"could not stop the arm by its own means: {error!r}")
        text = _verdict(why, acts)
        self._page.write(text)
        return text


def _verdict(why: str, acts: list[str]) -> str:
    return f"{why}: the guardian {' and '.join(acts)}" if acts else why


def _silence_text(release: int, silent: float) -> str:
    if release == STOPPING:
        return f"the arm was not brought to rest within {1e3 * silent:.0f} ms"
    return f"no tick for {1e3 * silent:.0f} ms"
