"""The bell rings once for whatever comes after it was hushed, and never holds up Python."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from pliant.controller.wakeup import Bell
from pliant.loop.system_clock import IN_KERNELS, monotonic_ns, sleep_until
from pliant.numerics.kernels import kernel_that_waits

pytestmark = pytest.mark.skipif(not IN_KERNELS, reason="kernels cannot wait here")


@pytest.fixture
def bell(pipe):
    made = Bell(pipe[0])
    yield made
    made.close()


@kernel_that_waits
def wait_for_ring(rang, spec):
    """Sleep in small pieces until a bell rings, or until it is clear that it never will."""
    start = monotonic_ns(spec)
    while not rang[0] and monotonic_ns(spec) < start + 60_000_000_000:
        sleep_until(monotonic_ns(spec) + 1_000_000, spec)
    return rang[0] != 0


def rings(bell: Bell, longest: float = 60.0) -> bool:
    deadline = time.monotonic() + longest
    while not bell.rang[0] and time.monotonic() < deadline:
        time.sleep(0.001)
    return bool(bell.rang[0])


def test_it_rings_until_hushed_and_again_when_something_comes(bell, pipe):
    assert bell.rang[0], "nobody has looked yet"
    bell.hush()
    assert not rings(bell, 0.05)
    os.write(pipe[1], b"x")
    assert rings(bell)


def test_what_is_not_taken_rings_again_as_soon_as_it_is_hushed(bell, pipe):
    os.write(pipe[1], b"x")
    for _ in range(3):
        bell.hush()
        assert rings(bell)
    os.read(pipe[0], 1)
    bell.hush()
    assert not rings(bell, 0.05)


def test_who_hangs_up_rings(bell, pipe):
    bell.hush()
    assert not rings(bell, 0.02)
    with open(os.devnull, "wb") as elsewhere:
        os.dup2(elsewhere.fileno(), pipe[1])
    assert rings(bell)


def test_nothing_that_comes_while_it_is_hushed_is_missed(bell, pipe):
    for _ in range(2000):
        os.write(pipe[1], b"x")
        bell.hush()
        assert rings(bell)
        os.read(pipe[0], 1)


def test_it_can_be_rung_by_hand(bell):
    bell.hush()
    bell.ring()
    assert bell.rang[0]


def test_without_a_descriptor_it_always_rings():
    bell = Bell(None)
    bell.hush()
    assert bell.rang[0]
    bell.close()


def test_a_signal_rings_although_python_is_in_a_kernel(bell):
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    wakeup_before = signal.set_wakeup_fd(-1)
    try:
        bell.heed_signals()
        for _ in range(3):
            bell.hush()
            assert not rings(bell, 0.02)
            os.kill(os.getpid(), signal.SIGUSR1)
            # in the main thread, as a tick does, until it rings
            assert wait_for_ring(np.frombuffer(bell.rang, np.uint8), np.zeros(2, np.int64))
        bell.close()
        assert signal.set_wakeup_fd(-1) == -1, "nobody hears signals any more"
    finally:
        signal.signal(signal.SIGUSR1, before)
        signal.set_wakeup_fd(wakeup_before)
    assert len(heard) == 3


def test_its_thread_ends_with_it(pipe):
    bell = Bell(pipe[0])
    bell.hush()
    assert [thread for thread in threading.enumerate() if thread.name == "bell"]
    bell.close()
    bell.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "bell"]
