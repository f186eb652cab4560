"""Makes a Franka arm follow again after a reflex, when asked.

libfranka's recovery waits for the arm, for seconds, and pylibfranka holds Python's lock meanwhile:
in a thread it would stop the ticks, and the guardian would end the controller. Only one program may
be connected to an arm. So a copy of this process asks, on the same connection, and ends. The arm
has stopped by then, and nothing else is asked of it.
"""

import ctypes
import os
import select
import signal
import time
import warnings
from typing import Any

_PATIENCE = 20.0
"""Longest time that a recovery may take, s."""

_PR_SET_PDEATHSIG = 1


class FrankaRecovery:
    """Runs libfranka's automatic error recovery.

    Attributes:
        error: Why the last one failed; empty if it did not.
    """

    def __init__(self) -> None:
        self.error = ""
        self._child = 0
        self._answer = -1
        self._since = 0.0

    @property
    def busy(self) -> bool:
        """Whether one is at work."""
        if self._child:
            self._look()
        return bool(self._child)

    def begin(self, robot: Any) -> None:
        """Begin, unless one is at work.

        Args:
            robot: pylibfranka's `Robot`.
        """
        if self.busy:
            return
        self.error, self._since = "", time.monotonic()
        self._answer, say = os.pipe()
        with warnings.catch_warnings():
            # the copy calls libfranka, and no thread of this process has its locks
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = os.fork()
        if not self._child:
            _recover(robot, say)
        os.close(say)

    def close(self) -> None:
        """End one that is at work."""
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._end("it was interrupted")

    def _look(self) -> None:
        """See whether it has ended."""
        if select.select([self._answer], [], [], 0.0)[0]:
            said = os.read(self._answer, 1000).decode(errors="replace")
            os.waitpid(self._child, 0)
            self._end(said)
        elif time.monotonic() - self._since > _PATIENCE:
            self.close()

    def _end(self, error: str) -> None:
        os.close(self._answer)
        self._child, self.error = 0, error


def _recover(robot: Any, say: int) -> None:
    """Recover, say why not, and end without tidying up, which would close the connection."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        robot.automatic_error_recovery()
    except Exception as error:
        os.write(say, str(error)[:500].encode())
    finally:
        os._exit(0)
