"""Waiting in the time of an arm, as ur_rtde receives it."""

import time

LOOK = 0.001
"""Pause between two looks, s, so that the arm's process gets a share of the machine."""


def until(condition, receive) -> None:
    """Wait, at most 20 s of the arm's time."""
    end = receive.getTimestamp() + 20.0
    while not condition():
        assert receive.getTimestamp() < end, "it did not come to pass"
        time.sleep(LOOK)


def pass_time(receive, seconds: float) -> None:
    end = receive.getTimestamp() + seconds
    until(lambda: receive.getTimestamp() > end, receive)


def fresh(ask, receive):
    """The answer to a real-time command, for whose execution ur_rtde does not wait."""
    ask()
    pass_time(receive, 0.05)
    return ask()
