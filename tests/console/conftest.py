"""Starts consoles as processes, and talks to them as a browser would."""

import contextlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from pliant.console.server.messages import FRAME_HEADER
from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX

PATIENCE = 120.0
_HEAD = struct.Struct(FRAME_HEADER)


def _new_folder() -> Path:
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="pl", dir=root))


def _remove_folder(path: Path) -> None:
    """Remove a runtime folder; no controller may have outlived its console."""
    left = list(path.glob(f"*{RING_SUFFIX}"))
    for ring in left:
        # a ring that cannot be opened is that of a controller that was killed
        with contextlib.suppress(OSError):
            os.kill(RingReader(ring).header["pid"], signal.SIGKILL)
    shutil.rmtree(path)
    assert [ring.name for ring in left] == []


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder for one test."""
    path = _new_folder()
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(path))
    yield path
    _remove_folder(path)


def wait_until(condition: Callable[[], Any], longest: float = PATIENCE) -> Any:
    """Wait until a condition is true; returns its value."""
    deadline = time.monotonic() + longest
    while not (found := condition()):
        assert time.monotonic() < deadline, "the condition was not met in time"
        time.sleep(0.005)
    return found


@pytest.fixture
def until() -> Callable[..., Any]:
    """Waits until a condition is true."""
    return wait_until


class Page:
    """A page without a browser: it listens in a thread, and pings.

    Attributes:
        token: The token with which it connected.
        hello: The last hello message.
        status: The last status.
        events: All events.
        ks: Numbers of all ticks received.
        last: The last row, by column.
        closed: The close code of the server.
    """

    def __init__(self, url: str, token: str, **options: Any) -> None:
        options.setdefault("additional_headers", {"Authorization": f"Bearer {token}"})
        self.token = token
        self._connected = contextlib.ExitStack()
        self.socket: ClientConnection = self._connected.enter_context(
            connect(url, max_size=None, compression=None, **options)
        )
        self.hello: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.schema: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.replies: dict[int, dict[str, Any]] = {}
        self.ks: list[int] = []
        self.last: dict[str, np.ndarray] = {}
        self.missed = 0
        self.pinging = True
        self.closed: int | None = None
        self._id = 0
        self._pinged = 0.0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        wait_until(lambda: self.hello and self.status)

    @property
    def name(self) -> str:
        return self.hello["you"]

    @property
    def id(self) -> str:
        return self.hello["id"]

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        self._id += 1
        self.send(**message, id=self._id)
        return wait_until(lambda: self.replies.get(self._id))

    def line(self, text: str) -> dict[str, Any]:
        return self.ask(type="line", text=text)

    def subscribe(self, *columns: str, every: int = 1) -> None:
        self.schema = {}
        self.send(type="subscribe", columns=columns, every=every)
        wait_until(lambda: self.schema)

    def said(self, pattern: str) -> bool:
        return any(re.search(pattern, event["text"]) for event in self.events)

    def close(self) -> None:
        self._connected.close()
        self._thread.join(PATIENCE)

    def vanish(self) -> None:
        """Fall silent without closing the connection, as after the loss of the network."""
        self.pinging = False

    def _listen(self) -> None:
        try:
            for message in self.socket:
                self._take(message)
                if self.pinging and time.monotonic() - self._pinged > 0.08:
                    self._pinged = time.monotonic()
                    self.send(type="ping", t=1.0)
        except ConnectionClosed as error:
            self.closed = error.rcvd.code if error.rcvd else 1006

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self._decode(message)
            return
        data = json.loads(message)
        kind = data["type"]
        if kind == "hello":
            self.hello = data
        elif kind == "status":
            self.status = data
        elif kind == "schema":
            self.schema = data
        elif kind == "reply":
            self.replies[data["id"]] = data
        elif kind == "config":
            self.hello["config"] = data["config"]
        elif kind == "event":
            self.events.append(data)

    def _decode(self, frame: bytes) -> None:
        number, count, first, missed, every = _HEAD.unpack_from(frame)
        assert number == self.schema["id"]
        stride = self.schema["stride"]
        assert len(frame) == _HEAD.size + count * stride
        self.ks += range(first, first + count * every, every)
        self.missed += missed
        row = frame[-stride:]
        for column in self.schema["columns"]:
            cells = row[column["offset"] : column["offset"] + 8 * column["size"]]
            if column["type"] == "number":
                self.last[column["name"]] = np.frombuffer(cells, "<f8").reshape(column["shape"])
            else:
                self.last[column["name"]] = np.frombuffer(cells, np.uint8)


class Console:
    """A console process.

    Attributes:
        host: Address and port.
        token: The token in the printed address.
        address: The printed address.
        api: A client that has the token.
        runtime: The runtime folder.
        recordings: The folder of recordings.
        pages: The open pages.
    """

    def __init__(
        self, home: Path, runtime: Path, *arguments: str, settings: str = "", **variables: str
    ) -> None:
        self.runtime = runtime
        self.recordings = home / "recordings"
        # other work on this machine must cause no faults
        patient = home / "patient.yaml"
        patient.write_text(
            "safety: {lateness: 60.0}\njoints: {velocity_timeout: 2.0, torque_timeout: 2.0}\n"
            + settings
        )
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "pliant.cli", "console", "--port=0"),
                *("--recordings", str(self.recordings), "--config", str(patient)),
                *arguments,
            ],
            env=os.environ | {"PLIANT_RUNTIME_DIR": str(runtime)} | variables,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        words = self.process.stdout.readline()
        found = re.search(r"(http://(\S+?)/\?token=(\S+))$", words.strip())
        assert found, words
        self.address, self.host, self.token = found[1], found[2], unquote(found[3])
        self.api = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            headers=self.bearer,
            timeout=PATIENCE,
        )
        self.pages: list[Page] = []

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def port(self) -> str:
        return self.host.rpartition(":")[2]

    def page(self, **options: Any) -> Page:
        """Open a page; its thread ends with the fixture."""
        made = Page(f"ws://{self.host}/ws", self.token, **options)
        self.pages.append(made)
        return made

    def started(self, robot: str = "sim:ur5e/peg") -> Page:
        """Open a page and start an arm; the page is in control."""
        page = self.page()
        reply = page.ask(type="start", robot=robot)
        assert reply["ok"], reply
        wait_until(lambda: page.status["state"] and page.status["holder"] == page.name)
        return page

    def close(self) -> int:
        self.api.close()
        for page in self.pages:
            with contextlib.suppress(OSError, ConnectionClosed):
                page.close()
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()
        return status


def _consoles(home: Path, runtime: Path) -> Iterator[Callable[..., Console]]:
    made: list[Console] = []

    def make(*arguments: str, heartbeat: float | None = 10.0, **variables: str) -> Console:
        """Make one, patient with a busy machine; None leaves the heartbeat at its default."""
        patience = () if heartbeat is None else ("--heartbeat", str(heartbeat))
        made.append(Console(home, runtime, *patience, *arguments, **variables))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def console(folder: Path, tmp_path: Path) -> Iterator[Callable[..., Console]]:
    """Starts consoles, and ends them."""
    yield from _consoles(tmp_path, folder)


@pytest.fixture(scope="module")
def console_for_module(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Console]]:
    """Starts consoles for all tests of a file."""
    runtime = _new_folder()
    yield from _consoles(tmp_path_factory.mktemp("console"), runtime)
    _remove_folder(runtime)


@pytest.fixture
def open_page() -> Iterator[Callable[[str], Page]]:
    """Opens pages at an address."""
    opened: list[Page] = []

    def open_at(address: str) -> Page:
        parts = urlsplit(address)
        opened.append(Page(f"ws://{parts.netloc}/ws", parse_qs(parts.query)["token"][0]))
        return opened[-1]

    yield open_at
    for page in opened:
        with contextlib.suppress(OSError, ConnectionClosed):
            page.close()


@pytest.fixture
def ring(folder: Path) -> Callable[[], RingReader]:
    """Opens the ring of the running controller, which shows what the arm did."""

    def open_ring() -> RingReader:
        (path,) = folder.glob(f"*{RING_SUFFIX}")
        return RingReader(path)

    return open_ring
