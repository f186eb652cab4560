"""What a guardian does, on a process that stands for a controller."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pliant.controller.guardian import Guardian, Stops
from pliant.controller.tick_silence import RealSilence
from pliant.ring.guardian_page import GuardianPage
from pliant.ring.ring import RingReader, RingWriter
from pliant.tick import new_rows

LIMIT = 0.02

SILENT = re.compile(r"no tick for \d+ ms \(limit 20 ms\): the guardian ended the controller")


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    made = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    yield made
    made.kill()
    made.wait()


class Stopper:
    """Notes whether the controller was dead at each stop; fails if told to."""

    def __init__(self, process: subprocess.Popen[bytes], *, fails: bool = False) -> None:
        self.dead: list[bool] = []
        self._process, self._fails = process, fails

    def stop(self) -> None:
        self.dead.append(self._process.poll() is not None)
        if self._fails:
            raise ConnectionError("the dashboard is gone")


class Watched:
    """A ring in this process, whose guardian watches another."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        pages: list[GuardianPage] = []
        path = folder / "a.ring"
        self.writer = RingWriter(path, 6, 8, {}, lambda memory: pages.append(GuardianPage(memory)))
        self.reader = RingReader(path)
        self._page, self._pidfd = pages[0], os.pidfd_open(process.pid)

    def publish(self, count: int) -> None:
        for _ in range(count):
            self.writer.publish(new_rows(6))

    def watch(self, stopper: Stops | None = None) -> str:
        return Guardian(self._page, self._pidfd, LIMIT, RealSilence(), stopper).watch()


@pytest.fixture
def watched(tmp_path: Path, process: subprocess.Popen[bytes]) -> Iterator[Watched]:
    made = Watched(tmp_path, process)
    yield made
    made.writer.close()


def test_it_stops_at_once_and_again_when_the_controller_is_dead(watched, process) -> None:
    watched.publish(20)
    stopper = Stopper(process)
    why = watched.watch(stopper)
    assert len(stopper.dead) == 2
    assert stopper.dead[1]
    assert process.wait() == -signal.SIGKILL
    assert SILENT.match(why)
    assert why.endswith("ended the controller and stopped the arm by its own means")
    assert watched.reader.last_word == why


def test_it_says_if_the_arms_own_stop_failed(watched, process) -> None:
    watched.publish(20)
    why = watched.watch(Stopper(process, fails=True))
    assert process.wait() == -signal.SIGKILL
    assert "could not stop the arm by its own means: ConnectionError" in why
    assert watched.reader.last_word == why


def test_a_death_without_a_last_word_is_stopped_at_once(watched, process) -> None:
    watched.publish(5)
    process.kill()
    process.wait()
    stopper = Stopper(process)
    why = watched.watch(stopper)
    assert stopper.dead == [True]
    assert why.startswith("the controller died without a last word, after tick 4: the guardian")


def test_a_controller_that_released_its_arm_is_left_alone(watched, process) -> None:
    watched.publish(5)
    watched.writer.mark_released()
    assert watched.watch(Stopper(process)) == ""
    assert process.poll() is None
    assert watched.reader.last_word == ""


def test_nothing_is_guarded_before_the_first_tick(watched, process) -> None:
    watched.publish(1)
    process.kill()
    process.wait()
    stopper = Stopper(process)
    assert watched.watch(stopper) == ""
    assert stopper.dead == []


def test_the_first_ticks_before_which_nothing_moves_may_take_long(watched, process) -> None:
    watched.publish(3)
    threading.Timer(10 * LIMIT, lambda: watched.publish(17)).start()
    assert SILENT.match(watched.watch(Stopper(process)))
    assert watched.reader.published == 20
