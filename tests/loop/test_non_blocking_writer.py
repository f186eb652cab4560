"""Telemetry is written where there is room for it, and is never waited for."""

import os

import numpy as np
import pytest

from pliant.loop import telemetry_line as module
from pliant.loop.non_blocking_writer import has_room, new_writer
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.telemetry_line import Telemetry
from pliant.tick import new_rows


@pytest.fixture(autouse=True)
def never_waiting(pipe):
    for end in pipe:
        os.set_blocking(end, False)


TICK = new_rows(6)
TICK["q"], TICK["k"] = np.pi, 1


@pytest.fixture(params=[True, False], ids=["kernel", "python"])
def after(request, monkeypatch):
    """Lets telemetry follow so many ticks; what is left is written, as a controller does."""
    monkeypatch.setattr(module, "IN_KERNELS", request.param and module.IN_KERNELS)

    def after(telemetry, descriptor, ticks=1):
        for _ in range(ticks):
            telemetry.after(TICK)
            rest = telemetry.rest()
            if rest:
                os.write(descriptor, rest)

    return after


@pytest.fixture
def line():
    out = np.zeros(2000, np.uint8)
    return out[: module.write_line(TICK, out)].tobytes()


def test_every_third_tick_is_told(after, pipe, line):
    telemetry = Telemetry(3, pipe[1])
    after(telemetry, pipe[1], 2)
    with pytest.raises(BlockingIOError):
        os.read(pipe[0], 1)
    after(telemetry, pipe[1], 4)
    assert os.read(pipe[0], 1 << 16) == 2 * line


def test_nothing_is_told_while_something_waits(after, pipe, line):
    telemetry = Telemetry(1, pipe[1])
    telemetry.hold(True)
    after(telemetry, pipe[1], 5)
    with pytest.raises(BlockingIOError):
        os.read(pipe[0], 1)
    telemetry.hold(False)
    after(telemetry, pipe[1])
    assert os.read(pipe[0], 1 << 16) == line


def test_a_pipe_that_nobody_reads_keeps_half_of_its_room(after, pipe, line):
    telemetry = Telemetry(1, pipe[1])
    after(telemetry, pipe[1], 1000)
    unread = len(os.read(pipe[0], 1 << 20))
    assert 32768 < unread <= 32768 + len(line)
    # and once it is read there is more
    after(telemetry, pipe[1])
    assert os.read(pipe[0], 1 << 16) == line


def test_a_full_pipe_gets_nothing(after, pipe):
    with pytest.raises(BlockingIOError):
        while True:
            os.write(pipe[1], bytes(4096))
    assert not has_room(new_writer(pipe[1]))
    telemetry = Telemetry(1, pipe[1])
    telemetry.after(TICK)
    assert not telemetry.rest()


def test_a_file_gets_every_line(after, tmp_path, line):
    with (tmp_path / "lines").open("wb") as file:
        after(Telemetry(1, file.fileno()), file.fileno(), 100)
    assert (tmp_path / "lines").read_bytes() == 100 * line


@pytest.mark.skipif(not module.IN_KERNELS, reason="Python leaves everything")
def test_what_cannot_be_written_is_left_and_told_once(line):
    read, write = os.pipe()
    os.close(read)
    telemetry = Telemetry(1, write)
    telemetry.after(TICK)
    assert telemetry.rest() == line
    assert telemetry.rest() == b""
    os.close(write)


@pytest.mark.skipif(not module.IN_KERNELS, reason="Python leaves everything")
def test_a_clock_sends_it_before_it_sleeps_and_rings_if_it_cannot(pipe, line):
    telemetry, flag, clock = Telemetry(2, pipe[1]), bytearray([False]), RealTimeClock(0.001)
    clock.watch(flag, telemetry.state)
    tick = new_rows(6)
    told = [clock.wait(TICK, tick) for _ in range(4)]
    assert told == [False] * 4
    assert os.read(pipe[0], 1 << 16) == 2 * line

    read, write = os.pipe()
    os.close(read)
    telemetry = Telemetry(1, write)
    clock.watch(flag, telemetry.state)
    assert clock.wait(TICK, tick)
    assert telemetry.rest() == line
    os.close(write)
