"""The intake tells of everything that is to be received, and where telemetry has room."""

import os
import select
import socket

import pytest

from pliant.controller.intake import Intake


@pytest.fixture
def intake(tmp_path, pipe):
    made = Intake(tmp_path / "c.sock", pipe[0], os.open(os.devnull, os.O_WRONLY))
    yield made
    made.close()


def rings(intake: Intake) -> bool:
    """Whether its bell would ring."""
    return bool(select.select([intake.descriptor], [], [], 0)[0])


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="the system has no such bell")
def test_the_bell_rings_exactly_while_something_is_to_be_received(intake, pipe, tmp_path):
    assert intake.descriptor is not None
    assert not rings(intake)

    os.write(pipe[1], b"STATE\n")
    assert rings(intake)
    intake.receive(intake.look(0))
    assert not rings(intake)
    assert intake.stirred
    assert intake.next_line() == (intake.console, b"STATE")
    assert intake.next_line() is None
    assert not intake.stirred

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(tmp_path / "c.sock"))
        assert rings(intake)
        intake.receive(intake.look(0))
        assert not rings(intake)
        client.send(b"HELP\n")
        assert rings(intake)
        intake.receive(intake.look(0))
    assert rings(intake), "it has hung up"
    intake.receive(intake.look(0))
    assert not rings(intake)
    taken = intake.next_line()
    assert taken is not None
    assert taken[1] == b"HELP"
    assert intake.next_line() is None
    assert intake.stirred
    assert [client.name for client in intake.departed()] == ["client-1"]
    assert intake.next_line() is None
    assert not intake.stirred


def test_a_file_as_input_cannot_ring(tmp_path):
    file = tmp_path / "lines"
    file.write_text("STATE\n")
    descriptor = os.open(file, os.O_RDONLY)
    intake = Intake(tmp_path / "c.sock", descriptor, os.open(os.devnull, os.O_WRONLY))
    assert intake.descriptor is None
    intake.receive(intake.look(0))
    assert intake.next_line() == (intake.console, b"STATE")
    intake.close()
    os.close(descriptor)


LINE = "TELEM: " + "x" * 300
"""As long as a line of telemetry."""

ROOM = 32768
"""Half of the room of a usual pipe."""


@pytest.fixture
def sink(tmp_path):
    """Makes an intake whose standard output is a descriptor."""
    stdin, made = os.pipe(), []

    def make(stdout: int) -> Intake:
        made.append(Intake(tmp_path / "c.sock", stdin[0], stdout))
        return made[-1]

    yield make
    for intake in made:
        intake.close()
    for end in stdin:
        os.close(end)


def tell(intake: Intake, times: int = 1) -> None:
    """Send telemetry where there is room for it, as a controller does after its ticks."""
    for _ in range(times):
        if intake.has_room:
            intake.send(intake.console, LINE)
        if intake.unsent:
            intake.flush()


def read(pipe: tuple[int, int]) -> bytes:
    os.set_blocking(pipe[0], False)
    try:
        return os.read(pipe[0], 1 << 20)
    except BlockingIOError:
        return b""


def test_there_is_no_room_while_something_waits(sink, pipe):
    intake = sink(pipe[1])
    assert intake.has_room
    intake.send(intake.console, "OK reply")
    assert not intake.has_room
    intake.flush()
    assert intake.has_room
    tell(intake)
    assert read(pipe) == f"OK reply\n{LINE}\n".encode()


def test_a_pipe_that_nobody_reads_keeps_half_of_its_room(sink, pipe):
    intake = sink(pipe[1])
    tell(intake, 1000)
    assert not intake.has_room
    unread = len(read(pipe))
    assert ROOM < unread <= ROOM + len(LINE) + 1
    # and once it is read there is more
    tell(intake)
    assert read(pipe) == f"{LINE}\n".encode()


def test_a_reply_gets_through_where_telemetry_has_no_room(sink, pipe):
    intake = sink(pipe[1])
    tell(intake, 1000)
    intake.send_last("END stopped as asked")
    intake.flush()
    assert read(pipe).endswith(b"\nEND stopped as asked\n")


def test_a_full_pipe_has_no_room_and_is_not_waited_for(sink, pipe):
    intake = sink(pipe[1])
    os.set_blocking(pipe[1], False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(pipe[1], bytes(4096))
    assert not intake.has_room
    full = len(read(pipe))
    os.write(pipe[1], bytes(ROOM + 1))
    tell(intake, 10)
    assert len(read(pipe)) == ROOM + 1 < full


def test_a_file_gets_every_line(sink, tmp_path):
    with (tmp_path / "lines").open("wb") as file:
        tell(sink(file.fileno()), 500)
    assert (tmp_path / "lines").read_text() == 500 * f"{LINE}\n"


def test_an_output_that_was_closed_has_no_room_any_more(sink):
    read, write = os.pipe()
    intake = sink(write)
    os.close(read)
    tell(intake)
    assert intake.console.deaf
    assert not intake.has_room
    os.close(write)
