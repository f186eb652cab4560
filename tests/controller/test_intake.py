"""The intake's bell tells of everything that is to be received."""

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
