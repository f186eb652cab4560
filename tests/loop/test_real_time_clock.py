"""Deadlines on the real clock."""

import signal
import threading
import time

import pytest

from pliant.loop import real_time_clock as realtime
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.system_clock import IN_KERNELS
from pliant.tick import new_rows

MS = 1_000_000
ROUNDING = 10
"""What is lost of a lateness in seconds, ns."""


class Time:
    """A clock that moves only when someone sleeps or works."""

    def __init__(self) -> None:
        self.now = 5_000 * MS
        self.oversleep = 0

    def monotonic_ns(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0.0
        self.now += round(seconds * 1e9) + self.oversleep


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Time:
    fake = Time()
    monkeypatch.setattr(realtime, "time", fake)
    monkeypatch.setattr(realtime, "IN_KERNELS", False)
    return fake


class Ticker:
    """Waits and keeps the rows as the loop does."""

    def __init__(self, dt: float) -> None:
        self.clock = RealTimeClock(dt)
        self.rows = new_rows(6), new_rows(6)

    def wait(self) -> tuple[float, float]:
        prev, tick = self.rows
        self.clock.wait(prev, tick)
        self.rows = tick, prev
        return tick["lateness"][0], tick["busy"][0]

    @property
    def woke(self) -> int:
        """When the last tick began, ns, by the clock itself."""
        return int(self.clock._times["woke"][0])


def test_deadlines_do_not_drift_however_late_each_tick_is(fake: Time) -> None:
    ticker, start = Ticker(0.002), fake.now
    fake.oversleep = 70_000
    for k in range(1, 2001):
        lateness, _ = ticker.wait()
        assert fake.now == start + k * 2 * MS + 70_000
        assert lateness == pytest.approx(70e-6)
        fake.now += 300_000 + 1000 * (k % 7)
    assert ticker.rows[0]["k"][0] == 2000


def test_busy_is_what_the_tick_before_took(fake: Time) -> None:
    ticker = Ticker(0.002)
    for work in (0, 100_000, 1_900_000, 2_500_000):
        ticker.wait()
        fake.now += work
    assert ticker.wait()[1] == pytest.approx(2.5e-3)


def test_a_tick_that_is_a_little_late_leaves_the_next_deadline_alone(fake: Time) -> None:
    ticker, start = Ticker(0.002), fake.now
    ticker.wait()
    fake.now += 3 * MS
    assert ticker.wait()[0] == pytest.approx(1e-3)
    assert ticker.wait()[0] == 0.0
    assert fake.now == start + 6 * MS


def test_a_long_delay_is_followed_by_one_late_tick_and_no_burst(fake: Time) -> None:
    ticker, start = Ticker(0.002), fake.now
    ticker.wait()
    fake.now += 101 * MS
    assert ticker.wait()[0] == pytest.approx(99e-3)
    # the deadlines it missed are left out, and the grid stays where it was
    for k in range(10):
        assert ticker.wait()[0] == 0.0
        assert fake.now == start + (104 + 2 * k) * MS


@pytest.mark.parametrize("in_kernels", [True, False])
def test_the_real_clock_is_never_early_and_does_not_drift(in_kernels, monkeypatch) -> None:
    monkeypatch.setattr(realtime, "IN_KERNELS", in_kernels and IN_KERNELS)
    period = 5 * MS
    ticker, deadline = Ticker(1e-9 * period), 0
    for k in range(60):
        before = time.monotonic_ns()
        lateness = round(1e9 * ticker.wait()[0])
        assert before <= ticker.woke <= time.monotonic_ns()
        last, deadline = deadline, ticker.woke - lateness
        if k == 0:
            assert deadline >= before + period - ROUNDING
            continue
        periods = round((deadline - last) / period)
        assert periods >= 1
        assert deadline - last == pytest.approx(periods * period, abs=2 * ROUNDING)


@pytest.mark.skipif(not IN_KERNELS, reason="Python sleeps here")
def test_threads_and_signals_get_their_turn_while_a_kernel_sleeps() -> None:
    ticker, ran, fired = Ticker(0.5), [], []
    lateness, _ = ticker.wait()
    deadline = ticker.woke - round(1e9 * lateness) + 500 * MS
    before = signal.signal(signal.SIGALRM, lambda *_: fired.append(time.monotonic()))
    thread = threading.Thread(target=lambda: ran.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        thread.start()
        ticker.wait()
        woke = time.monotonic()
    finally:
        signal.signal(signal.SIGALRM, before)
        thread.join()
    # the signal interrupts the sleep, which then goes on to the deadline
    assert ticker.woke >= deadline - ROUNDING
    assert len(fired) == 1
    assert ran[0] < woke
