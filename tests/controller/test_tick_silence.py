"""Which time without a tick counts."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pliant.controller.tick_silence import (
    REAL_LIMIT,
    Progress,
    RealSilence,
    SimulatedSilence,
    silence_limit,
    threads_of,
    visit_cpus,
)
from pliant.ring.ring_layout import RUNNING, STOPPING


def test_a_real_arm_has_20_ms_and_a_simulated_one_100() -> None:
    assert silence_limit(False, 0.001) == silence_limit(False, 0.008) == REAL_LIMIT == 0.02
    assert silence_limit(True, 0.002) == 0.1
    # a slow arm ticks less often than that
    assert silence_limit(False, 0.02) == pytest.approx(0.05)


def test_on_a_real_arm_every_moment_counts() -> None:
    silence = RealSilence()
    assert silence.since(Progress(1, RUNNING, 9.75), 10.0) == 0.25
    assert silence.since(Progress(1, RUNNING, 9.75), 10.5) == 0.75
    assert silence.since(Progress(2, RUNNING, 10.5), 10.5) == 0.0


def test_the_time_to_bring_an_arm_to_rest_counts_from_its_begin() -> None:
    silence = RealSilence()
    silence.since(Progress(1, RUNNING, 9.75), 10.0)
    assert silence.since(Progress(1, STOPPING, 9.75), 10.5) == 0.0
    assert silence.since(Progress(1, STOPPING, 9.75), 11.5) == 1.0


def test_the_guardian_of_a_real_arm_looks_again_when_the_time_may_be_over() -> None:
    assert RealSilence().pause(0.018) == 0.018


def after(ticks: int) -> Progress:
    return Progress(ticks, RUNNING, 0.0)


class Threads:
    """A process whose threads do what a test says."""

    def __init__(self) -> None:
        self.states, self.cpu = {"S"}, 0.0

    def __call__(self) -> tuple[set[str], float]:
        return self.states, self.cpu


def counted(states: set[str], share: float, looks: int = 10) -> float:
    """How much counts of looks 20 ms apart, with threads that compute for a share of them."""
    threads = Threads()
    silence = SimulatedSilence(threads, 0.02)
    silence.since(after(1), 5.0)
    threads.states, total = states, 0.0
    for i in range(looks):
        threads.cpu += 0.02 * share
        total = silence.since(after(1), 5.0 + 0.02 * (i + 1))
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
    silence = SimulatedSilence(Threads(), 0.02)
    silence.since(after(1), 5.0)
    assert silence.since(after(1), 15.0) == pytest.approx(0.04)


def test_a_cpu_that_was_taken_away_does_not_count() -> None:
    """The controller sleeps there, and its timer fires when the CPU is back: so does the visit."""
    now, ticks = 5.0, 1

    def visit() -> None:
        nonlocal now, ticks
        now, ticks = now + 3.0, 2

    silence = SimulatedSilence(Threads(), 0.025, visit)
    silence.since(after(ticks), now)
    now += 0.025
    assert silence.since(after(ticks), now) < 0.1
    now += 0.025
    assert silence.since(after(ticks), now) == 0.0


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
    silence = SimulatedSilence(Threads(), 0.02)
    silence.since(after(1), 5.0)
    silence.since(after(1), 5.03)
    assert silence.since(after(2), 5.06) == 0.0
    assert silence.since(after(2), 5.09) == pytest.approx(0.03)


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
