"""A client that reads its replies gets exactly one for each of its lines, also at the end."""

import os
import socket
import threading
from collections import Counter

import pytest

from pliant.controller.exit_reason import ExitReason

MANY = [10_000, pytest.param(100_000, marks=pytest.mark.long)]


def all_of(descriptor: int, replies: list[bytes]) -> None:
    """Read to the end."""
    while data := os.read(descriptor, 1 << 16):
        replies.append(data)


def flood(count: int) -> bytes:
    """Lines of all kinds that end in STOP."""
    kinds = (b"PING", b"STATE", b"NONSENSE", b"GET wrench.cutoff", b"HOLD", b"AXIS 0 0 2")
    return b"".join(kinds[k % len(kinds)] + b"\n" for k in range(count - 1)) + b"STOP\n"


@pytest.mark.parametrize("count", MANY)
def test_lines_that_end_in_stop_get_as_many_replies(count, rig, folder):
    made = rig()
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.connect(str(folder / "c.sock"))
    data: list[bytes] = []
    reader = threading.Thread(target=all_of, args=(client.fileno(), data))
    writer = threading.Thread(target=client.sendall, args=(flood(count),))
    reader.start()
    made.at(0.5, writer.start)
    assert made.run(1e4) is ExitReason.STOPPED
    writer.join()
    reader.join()
    client.close()
    lines = b"".join(data).split(b"\n")[:-1]
    assert len(lines) == count
    assert {line.split(b" ")[0] for line in lines} == {b"OK", b"ERR"}
    assert lines[-1] == b"OK stopping"


@pytest.mark.parametrize("way", ["stdin", "socket"])
def test_lines_of_a_client_that_hung_up_are_answered_if_not_obeyed(way, rig, folder):
    made, data = rig(), []
    text = flood(10_000)
    if way == "stdin":
        made.reading = False
        reader = threading.Thread(target=all_of, args=(os.dup(made.stdout), data))
        os.set_blocking(made.stdout, True)

        def send() -> None:
            os.write(made.stdin, text)
            os.close(made.stdin)
    else:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.connect(str(folder / "c.sock"))
        reader = threading.Thread(target=all_of, args=(client.fileno(), data))

        def send() -> None:
            client.sendall(text)
            client.shutdown(socket.SHUT_WR)

    reader.start()
    made.at(0.5, lambda: threading.Thread(target=send).start())
    made.run()
    os.close(made.stdout_write)
    reader.join()
    lines = b"".join(data).split(b"\n")[:-1]
    count = Counter(line.split(b" ")[0].rstrip(b":") for line in lines)
    assert count[b"OK"] + count[b"ERR"] == 10_000
    assert b"ERR not obeyed: you hung up" in lines
