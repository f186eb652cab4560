"""Controllers for tests: one inside the test in simulated time, and one in a process of its own."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from pliant.arms.description import load_arm
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.controller.controller import Controller, Start
from pliant.controller.exit_reason import BY_SIGNAL, ExitReason
from pliant.controller.intake import Intake
from pliant.errors import PliantError
from pliant.laws import Law
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.ring.ring import RingReader, RingWriter
from pliant.robots.base import Clock
from pliant.robots.registry import open_robot
from pliant.tick import Rows, tick_dtype

ARM = load_arm("ur5e")
HANGS = 120.0
"""After this long, s, whatever is waited for will not come, however busy the machine."""

PATIENT = {"safety": {"lateness": 60.0}}
"""The configuration of an arm in real time that no busy machine stops."""


def children() -> set[int]:
    """The processes that this one started and that still run."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(path.parent.name))
    return found


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder of the test's own; nothing may be left in it, and no process."""
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    path = Path(tempfile.mkdtemp(prefix="pl", dir=root))
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(path))
    before = children()
    yield path
    left = sorted(file.name for file in path.iterdir())
    shutil.rmtree(path)
    assert left == []
    assert children() <= before


class Line:
    """A client on a controller's socket."""

    def __init__(self, folder: Path, name: str = "c") -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(HANGS)
        self.socket.connect(str(folder / f"{name}.sock"))
        self._data = b""

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def reply(self) -> str:
        while b"\n" not in self._data:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("hung up")
            self._data += data
        line, _, self._data = self._data.partition(b"\n")
        return line.decode()

    def ask(self, text: str) -> str:
        self.send(text + "\n")
        return self.reply()

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The ends of a pipe: to read from, and to write to."""
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


class Script:
    """Does something at given times of the arm, each time before its clock waits."""

    def __init__(self, clock: Clock) -> None:
        self._wait = clock.wait
        # the clock itself stays: a controller in simulated time looks for input in every tick
        vars(clock)["wait"] = self.wait
        self.entries: list[tuple[float, Callable[[], object]]] = []
        self.every: list[Callable[[], object]] = []

    def wait(self, prev: Rows, tick: Rows) -> None:
        for do in self.every:
            do()
        for entry in [e for e in self.entries if e[0] <= prev["time"].item()]:
            self.entries.remove(entry)
            entry[1]()
        self._wait(prev, tick)


class Rig:
    """A controller inside the test, its standard input and output the ends of pipes.

    Attributes:
        rows: Every tick, as a reader of the ring saw it.
        said: What came out on standard output, without telemetry.
        telemetry: The lines of telemetry.
    """

    def __init__(
        self,
        folder: Path,
        start: Start | None = None,
        spec: str = "sim:ur5e",
        laws: tuple[Law, ...] = (),
        make_clock: Callable[[float], Clock] = FastClock,
        config: Config | None = None,
    ) -> None:
        self.folder = folder
        numbers = [*BY_SIGNAL, signal.SIGTTIN, signal.SIGTTOU]
        self._handlers = {number: signal.getsignal(number) for number in numbers}
        config = configure(spec, config, None)
        self.robot = open_robot(spec, config)
        clock = make_clock(self.robot.dt)
        self.script = Script(clock)
        arm, nobody = self.robot.description, History(self.robot.n, 1)
        self.loop = Loop(self.robot, arm, clock, config, laws=laws, publisher=nobody)
        header = {"dt": self.robot.dt}
        ring = RingWriter(folder / "c.ring", self.robot.n, 6000, header)
        self.reader = RingReader(folder / "c.ring")
        self.stdin_read, self.stdin = os.pipe()
        self.stdout, self.stdout_write = os.pipe()
        os.set_blocking(self.stdout, False)
        self.reading = True
        self._said = b""
        self.intake = Intake(folder / "c.sock", self.stdin_read, self.stdout_write)
        self.controller = Controller(self.loop, self.intake, ring, start or Start())
        self._rows: list[bytes] = []
        self.script.every.append(self.look)

    def look(self) -> None:
        self._rows += [row.tobytes() for row in self.reader.ticks()]
        if self.reading:
            with contextlib.suppress(BlockingIOError):
                self._said += os.read(self.stdout, 1 << 20)

    def at(self, time: float, do: Callable[[], object]) -> None:
        """Do something when the arm's time has come."""
        self.script.entries.append((time, do))

    def say(self, time: float, text: str) -> None:
        """Say something on standard input when the arm's time has come."""
        self.at(time, lambda: os.write(self.stdin, text.encode() + b"\n"))

    def run(self, longest: float = 20.0) -> ExitReason:
        """Run to the end; in simulated time a test that does not end would never."""
        self.at(longest, lambda: os.kill(os.getpid(), signal.SIGHUP))
        try:
            ending = self.controller.run()
        finally:
            self.look()
        return ending

    @property
    def rows(self) -> np.ndarray:
        return np.frombuffer(b"".join(self._rows), tick_dtype(self.robot.n))

    @property
    def said(self) -> list[str]:
        return [line for line in self._lines if line[:5] != "TELEM"]

    @property
    def telemetry(self) -> list[str]:
        return [line for line in self._lines if line[:5] == "TELEM"]

    @property
    def _lines(self) -> list[str]:
        return self._said.decode().split("\n")[:-1]

    def close(self) -> None:
        """Close what the controller leaves open; the signals are as before it."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for descriptor in (self.stdin_read, self.stdin, self.stdout, self.stdout_write):
            with contextlib.suppress(OSError):
                os.close(descriptor)


@pytest.fixture
def rig(folder: Path) -> Iterator[Callable[..., Rig]]:
    """Makes controllers inside the test; the signals are as before afterwards."""
    rigs: list[Rig] = []

    def make(**arguments) -> Rig:
        rigs.append(Rig(folder, **arguments))
        return rigs[-1]

    yield make
    for made in reversed(rigs):
        made.close()


def assert_stopped_well(rows: np.ndarray, since: float = 0.0) -> None:
    """No tick is missing, the limits hold in each, and at the end the arm rests without a law."""
    assert (np.diff(rows["k"]) == 1).all()
    dt = rows["dt"][-1]
    speed, acceleration = rows["qd_limited"], np.diff(rows["qd_limited"], axis=0) / dt
    assert (np.abs(speed) <= np.array(ARM.qd_max) * (1 + 1e-9)).all()
    assert (np.abs(acceleration) <= np.array(ARM.qdd_max) * (1 + 1e-6)).all()
    assert np.abs(speed[rows["time"] >= since]).max() > 0.01, "it did not move"
    assert np.abs(speed[-1]).max() < 1e-4
    assert rows["law"][-1] == -1
    assert not rows["w_target"][-1].any()


@pytest.fixture
def stopped_well() -> Callable[..., None]:
    return assert_stopped_well


class Process:
    """`pliant control` in a process of its own."""

    def __init__(
        self, config: Path, *arguments: str, name: str = "c", stdin=subprocess.PIPE, **popen
    ) -> None:
        popen.setdefault("stdout", subprocess.PIPE)
        self.name = name
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "pliant.cli", "control", "--name", name,
             "--config", str(config), *arguments],
            stdin=stdin,
            stderr=subprocess.PIPE,
            **popen,
        )  # fmt: skip

    def say(self, text: str) -> None:
        assert self.popen.stdin
        self.popen.stdin.write(text.encode() + b"\n")
        self.popen.stdin.flush()

    def line(self) -> str:
        """The next line on standard output; empty at the end."""
        assert self.popen.stdout
        return self.popen.stdout.readline().decode().rstrip("\n")

    def reply(self) -> str:
        """The next line on standard output that is no telemetry."""
        while (line := self.line()).startswith("TELEM"):
            pass
        return line

    def ask(self, text: str) -> str:
        self.say(text)
        return self.reply()

    def ready(self, folder: Path) -> RingReader:
        """Wait until it obeys; a reader of its ring from the first tick on."""
        deadline = time.monotonic() + HANGS
        while time.monotonic() < deadline and self.popen.poll() is None:
            time.sleep(0.02)
            try:
                ring = RingReader(folder / f"{self.name}.ring")
            except (OSError, ValueError, PliantError):
                continue
            while time.monotonic() < deadline and self.popen.poll() is None:
                ring.rewind()
                if any(line.text.startswith("ready") for line in ring.lines()):
                    return ring
                time.sleep(0.02)
        raise AssertionError(f"not ready: {self.end()}")

    def end(self) -> tuple[int, list[str], str]:
        """Wait for the end: exit status, the last lines without telemetry, and standard error."""
        out, error = self.popen.communicate(timeout=HANGS)
        lines = [line for line in (out or b"").decode().split("\n") if line]
        return self.popen.returncode, [x for x in lines if x[:5] != "TELEM"], error.decode()


@pytest.fixture
def patient(tmp_path: Path) -> Path:
    """A file with the configuration of an arm that no busy machine stops."""
    file = tmp_path / "patient.yaml"
    file.write_text(json.dumps(PATIENT))
    return file


@pytest.fixture
def control(folder: Path, patient: Path) -> Iterator[Callable[..., Process]]:
    """Starts controllers; whichever still runs after the test is killed."""
    started: list[Process] = []

    def start(*arguments: str, **options) -> Process:
        started.append(Process(patient, *arguments, **options))
        return started[-1]

    yield start
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
        process.popen.communicate()


@pytest.fixture
def connect(folder: Path) -> Iterator[Callable[..., Line]]:
    """Connects to a controller's socket."""
    made: list[Line] = []

    def make(name: str = "c") -> Line:
        made.append(Line(folder, name))
        return made[-1]

    yield make
    for line in made:
        line.close()
