"""Shows how far compiling is: a line that changes on a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType

import numba.core.event as event

_KERNELS = {"position": 235, "torque": 360}
"""About how many kernels are compiled for an arm, by its interface."""

_EVERY = 4.0
"""How often a new line is printed where lines cannot change, s."""


class CompileProgress(event.Listener):
    """Counts kernels as Numba compiles them, and says how long the rest will take."""

    def __init__(self, interface: str) -> None:
        """Expect the kernels of an arm with this interface."""
        self._expected = _KERNELS[interface]
        self._done = 0
        self._begun = self._told = 0.0
        self._live = sys.stderr.isatty()

    def __enter__(self) -> "CompileProgress":
        self._begun = self._told = time.monotonic()
        event.register("numba:compile", self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        event.unregister("numba:compile", self)
        if self._done and kind is None:
            self._say(f"compiled {self._done} kernels in {self._elapsed:.0f} s, once\n")

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._begun

    def on_start(self, event: event.Event) -> None:
        """A kernel begins to compile."""
        self._tell()

    def on_end(self, event: event.Event) -> None:
        """A kernel is compiled."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        if not self._live and now - self._told < _EVERY and self._done:
            return
        self._told = now
        share = min(0.99, self._done / self._expected)
        left = f", about {self._elapsed * (1.0 / share - 1.0):.0f} s left" if share > 0.1 else ""
        self._say(f"compiling, once: {100.0 * share:.0f} %{left}" + ("" if self._live else "\n"))

    def _say(self, text: str) -> None:
        print(f"\r\x1b[K{text}" if self._live else text, end="", file=sys.stderr, flush=True)
