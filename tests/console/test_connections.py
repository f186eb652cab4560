"""Connections that only take up room do not keep an operator out."""

import contextlib
import select
import socket
import time

from pliant.console.server.connection_guard import HEADER_TIMEOUT

SILENT = 500
HALF = b"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:"


def closed(connection: socket.socket) -> bool:
    """Whether the server has closed a connection."""
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(65536) == b""
    except OSError:
        return True


def test_silent_connections_keep_nobody_out_and_are_closed(console, until):
    served = console()
    page = served.started("sim:ur5e")
    silent: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        for number in range(SILENT):
            made = socket.create_connection(served.host.split(":"), timeout=60)
            stack.callback(made.close)
            if number % 2:
                # half a request is as silent as none
                made.sendall(HALF)
            silent.append(made)
        assert served.api.get("/api/status").status_code == 200
        second = served.page()
        assert second.status["holder_id"] == page.id
        assert page.line("HOLD")["ok"]
        # no more of them stay than there are places, and these not for long
        waiting = list(silent)
        began = time.monotonic()

        def all_closed() -> bool:
            waiting[:] = [made for made in waiting if not closed(made)]
            return not waiting

        until(all_closed)
        assert time.monotonic() - began < 2 * HEADER_TIMEOUT + 60.0
        second.send(type="stop")
        until(lambda: page.status["phase"] == "ended")


def test_a_connection_that_is_used_stays_open(console):
    """Also beyond the time that a silent one is given."""
    served = console()
    with socket.create_connection(served.host.split(":"), timeout=60) as kept:
        head = f"Host: {served.host}\r\nAuthorization: Bearer {served.token}\r\n\r\n"
        for _ in range(6):
            kept.sendall(f"GET /api/arms HTTP/1.1\r\n{head}".encode())
            answer = b""
            while not answer.endswith(b"]"):
                answer += kept.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200")
            time.sleep(HEADER_TIMEOUT / 4)
