"""Says how far compiling is, in words, once a second."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

KERNELS = {"position": 266, "torque": 410}
"""About how many kernels are compiled for an arm, by its interface."""

_EVERY = 1.0

_ALMOST = 0.99


class CompileProgress:
    """Counts the kernels that appear in the cache, and says how long the rest will take.

    Args:
        folder: The cache.
        interface: What the arm takes, by which the number of kernels is expected.
        tell: Called once a second, in a thread of its own, with how far it is.
    """

    def __init__(self, folder: Path, interface: str, tell: Callable[[str], None]) -> None:
        self._folder = folder
        self._expected = KERNELS[interface]
        self._tell = tell
        self._before = self._found()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._begun = time.monotonic()

    def __enter__(self) -> "CompileProgress":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    @property
    def done(self) -> int:
        """How many kernels have been compiled."""
        return self._found() - self._before

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.monotonic() - self._begun

    def _run(self) -> None:
        while not self._over.wait(_EVERY):
            self._tell(self._text())

    def _text(self) -> str:
        share = min(_ALMOST, self.done / self._expected)
        if share == 0.0:
            # nothing can be saved in a folder that cannot be written, and so nothing counted
            return f"compiling: {self.seconds:.0f} s"
        if share == _ALMOST:
            # how many are left is not known, and a text that stays the same looks like a stall
            return f"compiling, once: almost done after {self.seconds:.0f} s"
        left = f", about {self.seconds * (1.0 / share - 1.0):.0f} s left" if share > 0.1 else ""
        return f"compiling, once: {100.0 * share:.0f} %{left}"

    def _found(self) -> int:
        return sum(1 for _ in self._folder.glob("*.kernel"))
