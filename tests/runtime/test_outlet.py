"""Telemetry is written where there is room for it, and is never waited for."""

import os

import numpy as np
import pytest

from pliant.runtime import telemetry as module
from pliant.runtime.outlet import has_room, new_outlet
from pliant.runtime.telemetry import Telemetry
from pliant.tick import new_rows


@pytest.fixture
def pipe():
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    yield read, write
    os.close(read)
    os.close(write)


@pytest.fixture(params=[True, False], ids=["kernel", "python"])
def send(request, monkeypatch):
    """Sends a tick; whatever is left for others to write is written."""
    monkeypatch.setattr(module, "IN_KERNELS", request.param and module.IN_KERNELS)
    tick, telemetry = new_rows(6), Telemetry(6)
    tick["q"] = np.pi

    def send(descriptor):
        rest = telemetry.send(tick, new_outlet(descriptor))
        if rest and not module.IN_KERNELS:
            os.write(descriptor, rest)
            rest = bytearray()
        return bytes(rest), bytes(telemetry.line(tick))

    return send


def test_a_line_is_written_whole(send, pipe):
    rest, line = send(pipe[1])
    assert not rest
    assert os.read(pipe[0], 1 << 16) == line


def test_a_pipe_that_nobody_reads_keeps_half_of_its_room(send, pipe):
    for _ in range(1000):
        rest, line = send(pipe[1])
        assert not rest
    unread = len(os.read(pipe[0], 1 << 20))
    assert 32768 < unread <= 32768 + len(line)
    # and once it is read there is more
    send(pipe[1])
    assert os.read(pipe[0], 1 << 16) == line


def test_a_full_pipe_gets_nothing(send, pipe):
    with pytest.raises(BlockingIOError):
        while True:
            os.write(pipe[1], bytes(4096))
    assert not has_room(new_outlet(pipe[1]))
    assert not send(pipe[1])[0]


def test_a_file_gets_every_line(send, tmp_path):
    with (tmp_path / "lines").open("wb") as file:
        for _ in range(100):
            rest, line = send(file.fileno())
            assert not rest
    assert (tmp_path / "lines").read_bytes() == 100 * line


def test_what_cannot_be_written_is_left(pipe):
    if not module.IN_KERNELS:
        pytest.skip("Python leaves everything")
    read, write = os.pipe()
    os.close(read)
    telemetry, tick = Telemetry(6), new_rows(6)
    assert telemetry.send(tick, new_outlet(write)) == telemetry.line(tick)
    os.close(write)
