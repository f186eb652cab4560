"""The last replies of a controller: one for each line that was read, for clients that read them."""

import time
from collections.abc import Callable

from pliant.controller.intake import Intake
from pliant.controller.line_client import Client

LONGEST = 5.0
"""How long all of it may take, s."""

_UNREAD = 0.5
"""How long to wait for clients that read nothing, s."""

_AT_ONCE = 64
"""How many lines are answered before the replies are sent."""


def answer_the_rest(
    intake: Intake, answer: Callable[[Client, bytes | None], None], over: float
) -> None:
    """Answer every line that was read, as long as the clients read the replies.

    Args:
        intake: The clients.
        answer: Answers a line.
        over: When to give up, on the monotonic clock, s.
    """
    intake.receive(intake.look(0))
    while intake.waiting and time.monotonic() < over:
        count = 0
        while count < _AT_ONCE and (taken := intake.next_line()):
            answer(*taken)
            count += 1
        if count == _AT_ONCE:
            intake.flush()
        elif not flush_while_read(intake, over):
            return


def flush_while_read(intake: Intake, over: float) -> bool:
    """Send what waits; False if nobody has read any of it for a while."""
    sent, since = intake.sent, time.monotonic()
    intake.flush()
    while intake.unsent and (now := time.monotonic()) < over:
        if intake.sent != sent:
            sent, since = intake.sent, now
        elif now - since > _UNREAD:
            return False
        else:
            time.sleep(0.001)
        intake.flush()
    return not intake.unsent
