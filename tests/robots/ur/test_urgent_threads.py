"""The threads of ur_rtde get real-time priority, others do not."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from pliant.robots.ur.urgent_threads import urgent_threads


@contextmanager
def waiting() -> Iterator[int]:
    """A thread that waits; its number."""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    assert thread.native_id is not None
    yield thread.native_id
    end.set()
    thread.join()


def test_threads_that_begin_meanwhile_are_urgent() -> None:
    own = os.sched_getscheduler(0)
    with ExitStack() as ending, waiting() as before:
        with urgent_threads():
            meanwhile = ending.enter_context(waiting())
        if os.sched_getscheduler(meanwhile) == os.SCHED_OTHER:
            pytest.skip("this machine permits no real-time priority")
        assert os.sched_getscheduler(meanwhile) == os.SCHED_FIFO
        assert os.sched_getscheduler(before) == own == os.sched_getscheduler(0)
