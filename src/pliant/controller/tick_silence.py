"""How long a controller has been silent, and how long it may be.

On a real arm every moment without a tick counts, whatever its cause: the arm goes on with the last
thing it was told. A simulated arm stands still while its controller does, so there only time counts
in which the controller could have ticked: a law that computes or sleeps, a stopped process. Time in
which it waited for a CPU or a disk, or was held by a debugger, does not; a busy machine harms
nothing there. A controller whose CPU a hypervisor has taken away looks as if it slept, because no
timer wakes it there. So the guardian runs on every CPU in turn before it looks again: it waits
there until the CPU is back, and by then the controller has been woken too.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from pliant.ring.ring_layout import RUNNING

REAL_LIMIT = 0.020
"""Longest time without a tick on a real arm, s. No setting changes it."""

SIMULATED_LIMIT = 0.100
"""Longest time without a tick on a simulated arm, s."""

LEAST_PERIODS = 2.5
"""A slow arm may be silent for this many of its periods, if that is longer: 20 ms at 125 Hz."""

RELEASE_LIMIT = 2.0
"""Longest time that a backend may take to bring the arm to rest at the end, s."""

LOOKS = 4
"""How often the guardian of a simulated arm looks within the limit."""


def silence_limit(simulated: bool, dt: float) -> float:
    """Longest time without a tick, s, for an arm with a control period."""
    return max(SIMULATED_LIMIT if simulated else REAL_LIMIT, LEAST_PERIODS * dt)


class Progress(NamedTuple):
    """How far a controller is.

    Attributes:
        ticks: Ticks that it has finished.
        release: Whether it drives the arm: a value of `Counters.release`.
        stamp: When it finished the last tick, by the monotonic clock, s.
    """

    ticks: int
    release: int
    stamp: float


class Silence(Protocol):
    """Measures how long a controller has been silent."""

    def since(self, progress: Progress, now: float) -> float:
        """The time that counts since the progress last changed, s."""
        ...

    def pause(self, left: float) -> float:
        """When to look again if so much is left of the limit, s."""
        ...


class RealSilence:
    """Counts all time, from the end of the last tick."""

    def __init__(self) -> None:
        self._release = RUNNING
        self._released = 0.0

    def since(self, progress: Progress, now: float) -> float:
        """The time since the last tick, or since the controller began to stop the arm, s."""
        if progress.release != self._release:
            self._release, self._released = progress.release, now
        return now - (progress.stamp if progress.release == RUNNING else self._released)

    def pause(self, left: float) -> float:
        """No sooner than it can matter: a guardian that looks more often is in the loop's way."""
        return left


class SimulatedSilence:
    """Counts the time in which a process ran, slept or was stopped, not that in which it waited."""

    def __init__(
        self,
        threads: Callable[[], tuple[set[str], float]],
        period: float,
        visit: Callable[[], None] = lambda: None,
    ) -> None:
        """Start to count.

        Args:
            threads: The states of the process's threads, and their processor time, s.
            period: Time between two looks, s; at most twice that counts between them, because the
                guardian may have waited too.
            visit: Waits until every CPU has run something.
        """
        self._threads = threads
        self._period = period
        self._visit = visit
        self._progress: Progress | None = None
        self._looked = self._counted = self._cpu = 0.0

    def pause(self, left: float) -> float:
        """A part of the limit, to see what the process does meanwhile."""
        return self._period

    def since(self, progress: Progress, now: float) -> float:
        """The time that counts since the progress last changed, s."""
        passed, self._looked = min(now - self._looked, 2.0 * self._period), now
        if progress != self._progress:
            self._progress, self._counted, self._cpu = progress, 0.0, -1.0
            return 0.0
        states, cpu = self._threads()
        if states <= _IDLE:
            self._counted += passed
        elif self._cpu >= 0.0:
            self._counted += min(cpu - self._cpu, passed)
        self._cpu = cpu
        self._visit()
        return self._counted


_IDLE = {"S", "T", "Z", "X"}
"""Asleep, stopped or ended: none of them waits for a CPU, a disk or a debugger."""


def threads_of(pid: int) -> tuple[set[str], float]:
    """The states of a process's threads, and the processor time that they have used, s."""
    states, cpu = set(), 0
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            states.add((task / "stat").read_text().rpartition(")")[2].split()[0])
            cpu += int((task / "schedstat").read_text().split()[0])
        except OSError:
            # it has just ended
            continue
    return states, 1e-9 * cpu


def visit_cpus() -> None:
    """Run on every CPU in turn, and so wait for one that a hypervisor has taken away."""
    own = os.sched_getaffinity(0)
    for cpu in range(os.cpu_count() or 1):
        # some may be offline, or not for this process
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {cpu})
    os.sched_setaffinity(0, own)
