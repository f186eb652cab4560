"""Hostile clients on the socket of a controller in real time.

Whatever they do, ticks go on, another client gets its answer, and STOP is obeyed.
"""

import contextlib
import json
import random
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from pliant.ring.ring import RingReader

from ..controllers import HANGS, PATIENT, Line, Process
from .footprint import Footprint, footprint
from .kind import Finding, Tally
from .own_folder import runtime_folder_at

_MANY = 70
"""More clients than a controller serves."""

_LINES = (b"STATE", b"PING", b"HELP", b"GET wrench.cutoff", b"nonsense", b"LEASE who", b"")


class SocketClients:
    """A case is a controller, and a number of scenarios upon it; then it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = runtime_folder_at(folder / "run")
        self._config = folder / "patient.yaml"
        self._config.write_text(json.dumps(PATIENT))
        self._scenarios: list[Callable[[Path, random.Random], None]] = [
            _fragments, _flood, _unread, _half_open, _idle, _come_and_go, _binary, _endless_line,
            _leaves_in_control,
        ]  # fmt: skip

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Attack a controller, and stop it in the end."""
        process = Process(self._config, "--robot", "sim:ur5e", "--stay")
        try:
            ring = process.ready(self._folder)
            before: Footprint | None = None
            for k in range(count):
                scenario = dice.choice(self._scenarios)
                _serves(self._folder, ring, "before")
                scenario(self._folder, dice)
                _serves(self._folder, ring, scenario.__name__)
                if k == count // 3:
                    before = footprint(process.popen.pid)
            self._check_growth(process, before)
            self._stop(process, dice)
        finally:
            process.popen.kill()
            process.popen.communicate()
            for left in self._folder.iterdir():
                left.unlink()
        return Tally(accepted=count)

    def _check_growth(self, process: Process, before: Footprint | None) -> None:
        after = footprint(process.popen.pid)
        if before is None:
            return
        if after.memory - before.memory > 16.0:
            raise Finding(f"the controller grew from {before.memory:.0f} to {after.memory:.0f} MB")
        if after.descriptors > before.descriptors + 2:
            raise Finding(f"descriptors grew from {before.descriptors} to {after.descriptors}")

    def _stop(self, process: Process, dice: random.Random) -> None:
        """STOP must get through, also past clients that take up all places."""
        idle = []
        if dice.random() < 0.5:
            for _ in range(_MANY):
                with contextlib.suppress(OSError):
                    idle.append(_connect(self._folder))
        stranger = _connect(self._folder)
        with contextlib.suppress(OSError):
            stranger.sendall(b"STOP\n")
        try:
            process.popen.wait(HANGS)
            status, said, error = process.end()
        except subprocess.TimeoutExpired:
            raise Finding(f"STOP was not obeyed past {len(idle)} idle clients") from None
        finally:
            for client in (*idle, stranger):
                client.close()
        if status != 0 or "Traceback" in error:
            raise Finding(f"it ended with {status}: {said[-1:]} {error[-300:]}")


def _connect(folder: Path) -> socket.socket:
    """Connect, however many wait to be let in."""
    deadline = time.monotonic() + HANGS
    while True:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        client.settimeout(HANGS)
        try:
            client.connect(str(folder / "c.sock"))
            return client
        except BlockingIOError:
            client.close()
            if time.monotonic() > deadline:
                raise Finding("nobody is let in any more") from None
            time.sleep(0.01)


def _serves(folder: Path, ring: RingReader, after: str) -> None:
    """Ticks go on, and another client is answered; a place may take a moment to become free."""
    k = ring.published
    deadline = time.monotonic() + HANGS
    answer = ""
    while not answer.startswith("OK") and time.monotonic() < deadline:
        try:
            with contextlib.closing(Line(folder)) as client:
                answer = client.ask("STATE")
        except (OSError, EOFError) as error:
            # too many wait to be let in
            answer = str(error)
            time.sleep(0.01)
    if not answer.startswith("OK"):
        raise Finding(f"nobody is served after {after}: {answer}")
    while ring.published <= k:
        if time.monotonic() > deadline:
            raise Finding(f"ticks stopped after {after}")
        time.sleep(0.01)


def _ask(client: socket.socket, data: bytes, expected: int, what: str) -> None:
    """Count the replies until the connection has had enough of them."""
    got, told = 0, b""
    while got < expected:
        received = client.recv(1 << 16)
        if not received:
            raise Finding(f"{what}: {expected} lines got {got} replies")
        told += received
        *lines, told = told.split(b"\n")
        got += sum(not line.startswith(b"EVENT") for line in lines)
    if got > expected or told:
        raise Finding(f"{what}: {expected} lines got {got} replies: {data[:80]!r}")


def _fragments(folder: Path, dice: random.Random) -> None:
    """Lines in pieces of any size."""
    with _connect(folder) as client:
        lines = dice.choices(_LINES, k=dice.randrange(1, 100))
        data = b"".join(line + b"\n" for line in lines)
        at = 0
        while at < len(data):
            size = dice.choice((1, 2, 3, 7, 4096))
            client.sendall(data[at : at + size])
            at += size
        _ask(client, data, len(lines), "fragments")


def _flood(folder: Path, dice: random.Random) -> None:
    """More lines than are obeyed in a while, read in the end."""
    count = dice.choice((300, 1500))
    with _connect(folder) as client:
        client.settimeout(HANGS)
        data = b"PING\n" * count
        client.setblocking(False)
        at, got, told = 0, 0, b""
        deadline = time.monotonic() + HANGS
        while got < count and time.monotonic() < deadline:
            with contextlib.suppress(BlockingIOError):
                at += client.send(data[at : at + 4096])
            with contextlib.suppress(BlockingIOError):
                told += client.recv(1 << 16)
                got += told.count(b"\n")
                told = told[told.rfind(b"\n") + 1 :]
            time.sleep(0.001)
        if got != count:
            raise Finding(f"a flood: {count} lines got {got} replies")


def _unread(folder: Path, dice: random.Random) -> None:
    """Lines whose replies are never read."""
    with _connect(folder) as client:
        client.setblocking(False)
        for _ in range(dice.choice((100, 2000))):
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                client.send(b"HELP\n" * 50)


def _half_open(folder: Path, dice: random.Random) -> None:
    """A client that has said all, and still listens."""
    with _connect(folder) as client:
        count = dice.randrange(1, 40)
        client.sendall(b"STATE\n" * count)
        client.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            while client.recv(1 << 16):
                pass


def _idle(folder: Path, dice: random.Random) -> None:
    """Many clients that say nothing."""
    clients = []
    for _ in range(dice.choice((5, _MANY))):
        with contextlib.suppress(OSError):
            clients.append(_connect(folder))
    for client in clients:
        client.close()


def _come_and_go(folder: Path, dice: random.Random) -> None:
    """Clients that leave at once, some in the middle of a line."""
    for _ in range(dice.choice((10, 200))):
        with contextlib.suppress(OSError), _connect(folder) as client:
            client.sendall(dice.choice((b"", b"STA", b"STATE\n", b"\xff\n", b"\0" * 100)))


def _binary(folder: Path, dice: random.Random) -> None:
    """Bytes that are no text."""
    data = dice.randbytes(dice.choice((10, 3000))).replace(b"STOP", b"") + b"\n"
    with _connect(folder) as client:
        client.sendall(data)
        _ask(client, data, data.count(b"\n"), "binary")


def _endless_line(folder: Path, dice: random.Random) -> None:
    """A line that does not end for long, and then does."""
    data = b"x" * dice.choice((5000, 200_000)) + b"\nPING\n"
    with _connect(folder) as client:
        client.sendall(data)
        _ask(client, data, 2, "an endless line")


def _leaves_in_control(folder: Path, dice: random.Random) -> None:
    """A client that moves the arm, and vanishes."""
    with _connect(folder) as client:
        lines = (b"LEASE take\n", b"RESET\n", b"LAW position\n", b"JOG 0.02 0 0 0 0 0 world 2.0\n")
        client.sendall(b"".join(lines))
        if dice.random() < 0.5:
            client.recv(100)
