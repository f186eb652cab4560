"""Which time without a tick counts."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pliant.controller.tick_silence import (
    REAL_LIMIT,
    RealSilence,
    SimulatedSilence,
    silence_limit,
    threads_of,
    visit_cpus,
)


def test_a_real_arm_has_20_ms_and_a_simulated_one_100() -> None:
    assert silence_limit(False, 0.001) == silence_limit(False, 0.008) == REAL_LIMIT == 0.02
    assert silence_limit(True, 0.002) == 0.1
    # a slow arm ticks less often than that
    assert silence_limit(False, 0.02) == pytest.approx(0.05)


def test_on_a_real_arm_every_moment_counts() -> None:
    silence = RealSilence()
    assert silence.since(1, 10.0) == 0.0
    assert silence.since(1, 10.5) == 0.5
    assert silence.since(2, 10.6) == 0.0


class Threads:
    """A process whose threads do what a test says."""

    def __init__(self) -> None:
        self.states, self.cpu = {"S"}, 0.0

    def __call__(self) -> tuple[set[str], float]:
        return self.states, self.cpu


def counted(states: set[str], share: float, looks: int = 10) -> float:
    """How much counts of looks 20 ms apart, with threads that compute for a share of them."""
    threads = Threads()
    silence = SimulatedSilence(threads, 0.04)
    silence.since(1, 5.0)
    threads.states, total = states, 0.0
    for i in range(looks):
        threads.cpu += 0.02 * share
        total = silence.since(1, 5.0 + 0.02 * (i + 1))
    return total


@pytest.mark.parametrize("states", [{"S"}, {"T"}, {"S", "T"}])
def test_a_simulated_arms_controller_may_not_sleep_or_be_stopped(states: set[str]) -> None:
    assert counted(states, 0.0) == pytest.approx(0.2)


def test_it_may_not_compute_for_ever() -> None:
    assert counted({"R"}, 1.0) == pytest.approx(0.18)
    assert counted({"R", "S"}, 1.0) == pytest.approx(0.18)


@pytest.mark.parametrize("states", [{"R"}, {"R", "S"}, {"D"}, {"t"}])
def test_waiting_for_a_cpu_a_disk_or_a_debugger_does_not_count(states: set[str]) -> None:
    assert counted(states, 0.0) == 0.0
    assert counted(states, 0.1) < 0.03


def test_a_guardian_that_was_late_itself_counts_little() -> None:
    silence = SimulatedSilence(Threads(), 0.04)
    silence.since(1, 5.0)
    assert silence.since(1, 15.0) == pytest.approx(0.04)


def test_a_cpu_that_was_taken_away_does_not_count() -> None:
    """The controller sleeps there, and its timer fires when the CPU is back: so does the visit."""
    now, ticks = 5.0, 1

    def visit() -> None:
        nonlocal now, ticks
        now, ticks = now + 3.0, 2

    silence = SimulatedSilence(Threads(), 0.05, visit)
    silence.since(ticks, now)
    now += 0.025
    assert silence.since(ticks, now) < 0.1
    now += 0.025
    assert silence.since(ticks, now) == 0.0


def test_every_cpu_is_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    own, visited = os.sched_getaffinity(0), []
    move = os.sched_setaffinity

    def note(pid: int, cpus: set[int]) -> None:
        move(pid, cpus)
        visited.append(set(os.sched_getaffinity(pid)))

    monkeypatch.setattr(os, "sched_setaffinity", note)
    visit_cpus()
    assert visited == [*[{cpu} for cpu in sorted(own)], own]


def test_a_tick_ends_the_silence() -> None:
    silence = SimulatedSilence(Threads(), 0.04)
    silence.since(1, 5.0)
    silence.since(1, 5.03)
    assert silence.since(2, 5.06) == 0.0
    assert silence.since(2, 5.09) == pytest.approx(0.03)


def test_threads_of_a_process_are_seen_computing_and_stopped() -> None:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        before, deadline = threads_of(process.pid)[1], time.monotonic() + 60.0
        while threads_of(process.pid)[1] < before + 0.05:
            assert time.monotonic() < deadline
        os.kill(process.pid, signal.SIGSTOP)
        while threads_of(process.pid)[0] != {"T"}:
            assert time.monotonic() < deadline
    finally:
        process.kill()
        process.wait()
