"""Why a controller exits: its exit status, and the reason in the last tick."""

import signal
from enum import Enum

from pliant.reasons import Reason


class ExitReason(Enum):
    """Exit status, reason in the last tick, and what people read about it."""

    STOPPED = (0, Reason.STOP_ASKED, "`STOP`")
    TIME_OVER = (0, Reason.TIME_OVER, "the time given with `--time` is over")
    FAILED = (1, Reason.EXCEPTION, "an error of the controller itself, or it could not start")
    STDIN_CLOSED = (3, Reason.STDIN_CLOSED, "standard input was closed")
    FAULT = (4, Reason.NONE, "a fault; with `--stay` it holds and waits for `RESET` instead")
    WATCHDOG = (5, Reason.WATCHDOG, "the watchdog")
    RECORDER_LOST = (
        6,
        Reason.NONE,
        "as asked, but the recorder had ended before: ticks are missing",
    )
    UNGUARDED = (7, Reason.UNGUARDED, "the guardian of a real arm has ended")
    HUNG_UP = (129, Reason.SIGNAL, "SIGHUP: the terminal was closed")
    INTERRUPTED = (130, Reason.SIGNAL, "SIGINT: Ctrl-C")
    QUIT = (131, Reason.SIGNAL, "SIGQUIT: Ctrl-\\\\")
    TERMINATED = (143, Reason.SIGNAL, "SIGTERM")
    SUSPENDED = (148, Reason.SIGNAL, "SIGTSTP: Ctrl-Z; an arm cannot be suspended")

    @property
    def status(self) -> int:
        """The exit status."""
        return self.value[0]

    @property
    def reason(self) -> Reason:
        """The reason in the tick; a fault has its own."""
        return self.value[1]

    @property
    def meaning(self) -> str:
        """What causes it."""
        return self.value[2]


WITH_LOSS = (ExitReason.FAILED, ExitReason.FAULT, ExitReason.WATCHDOG, ExitReason.UNGUARDED)
"""Exit reasons that count more than the loss of a recorder."""

BY_SIGNAL = {
    signal.SIGHUP: ExitReason.HUNG_UP,
    signal.SIGINT: ExitReason.INTERRUPTED,
    signal.SIGQUIT: ExitReason.QUIT,
    signal.SIGTERM: ExitReason.TERMINATED,
    signal.SIGTSTP: ExitReason.SUSPENDED,
}
"""The signals that stop a controller."""
