"""The wakeup flag is set once for input after it was re-armed, and never holds up Python."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from pliant.controller.wakeup import Wakeup
from pliant.loop.system_clock import IN_KERNELS, monotonic_ns, sleep_until
from pliant.numerics.kernels import kernel_that_waits

pytestmark = pytest.mark.skipif(not IN_KERNELS, reason="kernels cannot wait here")


@pytest.fixture
def wakeup(pipe):
    made = Wakeup(pipe[0])
    yield made
    made.close()


@kernel_that_waits
def wait_for_flag(flag, spec):
    """Sleep in small pieces until the flag is set, or until it is clear that it never will."""
    start = monotonic_ns(spec)
    while not flag[0] and monotonic_ns(spec) < start + 60_000_000_000:
        sleep_until(monotonic_ns(spec) + 1_000_000, spec)
    return flag[0] != 0


def is_set(wakeup: Wakeup, longest: float = 60.0) -> bool:
    deadline = time.monotonic() + longest
    while not wakeup.flag[0] and time.monotonic() < deadline:
        time.sleep(0.001)
    return bool(wakeup.flag[0])


def test_it_is_set_until_re_armed_and_again_when_input_comes(wakeup, pipe):
    assert wakeup.flag[0], "nobody has looked yet"
    wakeup.rearm()
    assert not is_set(wakeup, 0.05)
    os.write(pipe[1], b"x")
    assert is_set(wakeup)


def test_input_that_is_not_read_sets_it_again_as_soon_as_it_is_re_armed(wakeup, pipe):
    os.write(pipe[1], b"x")
    for _ in range(3):
        wakeup.rearm()
        assert is_set(wakeup)
    os.read(pipe[0], 1)
    wakeup.rearm()
    assert not is_set(wakeup, 0.05)


def test_a_hang_up_sets_it(wakeup, pipe):
    wakeup.rearm()
    assert not is_set(wakeup, 0.02)
    with open(os.devnull, "wb") as elsewhere:
        os.dup2(elsewhere.fileno(), pipe[1])
    assert is_set(wakeup)


def test_nothing_that_comes_while_it_is_hushed_is_missed(wakeup, pipe):
    for _ in range(2000):
        os.write(pipe[1], b"x")
        wakeup.rearm()
        assert is_set(wakeup)
        os.read(pipe[0], 1)


def test_it_can_be_rung_by_hand(wakeup):
    wakeup.rearm()
    wakeup.wake()
    assert wakeup.flag[0]


def test_without_a_descriptor_it_always_rings():
    wakeup = Wakeup(None)
    wakeup.rearm()
    assert wakeup.flag[0]
    wakeup.close()


def test_a_signal_rings_although_python_is_in_a_kernel(wakeup):
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    wakeup_before = signal.set_wakeup_fd(-1)
    try:
        wakeup.watch_signals()
        for _ in range(3):
            wakeup.rearm()
            assert not is_set(wakeup, 0.02)
            os.kill(os.getpid(), signal.SIGUSR1)
            # in the main thread, as a tick does, until it rings
            assert wait_for_flag(np.frombuffer(wakeup.flag, np.uint8), np.zeros(2, np.int64))
        wakeup.close()
        assert signal.set_wakeup_fd(-1) == -1, "nobody hears signals any more"
    finally:
        signal.signal(signal.SIGUSR1, before)
        signal.set_wakeup_fd(wakeup_before)
    assert len(heard) == 3


def test_its_thread_ends_with_it(pipe):
    wakeup = Wakeup(pipe[0])
    wakeup.rearm()
    assert [thread for thread in threading.enumerate() if thread.name == "wakeup"]
    wakeup.close()
    wakeup.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "wakeup"]
