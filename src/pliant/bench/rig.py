"""A controller in a separate process and runtime folder, with attached readers."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pliant.controller.arm_config import configure
from pliant.controller.launch import end_controller as end
from pliant.controller.launch import launch_controller
from pliant.controller.options import ControlOptions
from pliant.errors import PliantError
from pliant.processes import Child
from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX, SOCKET_SUFFIX, runtime_folder

_NAME = "bench"
_START_TIMEOUT = 60.0
_REPLY_TIMEOUT = 5.0
_END_TIMEOUT = 10.0


@dataclass(frozen=True, kw_only=True)
class Rig:
    """A running controller.

    Attributes:
        pid: Its process id.
        ring: Its ring, read by this process.
        readers: Other processes that read its ring.
        connection: A client connection to it.
    """

    pid: int
    ring: RingReader
    readers: list[subprocess.Popen[bytes]]
    connection: socket.socket

    def send(self, line: str) -> None:
        """Send a line."""
        self.connection.sendall(line.encode() + b"\n")

    def receive(self) -> str:
        """Wait for a reply."""
        return self.connection.recv(4096).decode()

    def cpu_seconds(self) -> float:
        """Processor time that the controller has used so far."""
        return cpu_seconds(self.pid)

    def pause(self) -> None:
        """Pause it, its readers and its recorder."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume all of them."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for reader in self.readers:
            reader.send_signal(number)
        # the controller may have ended
        with contextlib.suppress(OSError):
            os.kill(self.pid, number)
            for children in Path(f"/proc/{self.pid}/task").glob("*/children"):
                for recorder in children.read_text().split():
                    os.kill(int(recorder), number)

    def finish(self) -> int:
        """Stop the controller; return how many ticks its readers missed in total."""
        self.send("STOP")
        return sum(int(reader.communicate(timeout=_END_TIMEOUT)[0]) for reader in self.readers)


def cpu_seconds(pid: int) -> float:
    """Processor time that the threads of a process have used so far."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return 1e-9 * sum(int(thread.read_text().split()[0]) for thread in threads)


@contextlib.contextmanager
def running_controller(
    rate: float, readers: int = 0, record: Path | None = None, cpu: int | None = None
) -> Iterator[Rig]:
    """Run a controller of a simulated arm in free space, with the hybrid law active.

    Args:
        rate: Control rate, Hz.
        readers: Number of processes that read its ring.
        record: The file to record it to, if any.
        cpu: The CPU to pin it to; any if None.

    Raises:
        PliantError: The controller did not start.
    """
    options = ControlOptions(rate=rate, cpu=cpu, name=_NAME, record=record)
    with _folder() as environment:
        yield from _attached(start_tolerant(options, environment), environment, readers)


@contextlib.contextmanager
def controller_of(robot: str) -> Iterator[Rig]:
    """Run a controller of a robot, with the hybrid law active.

    Args:
        robot: Its spec.

    Raises:
        PliantError: The controller did not start.
    """
    with _folder() as environment:
        options = ControlOptions(robot=robot, name=_NAME)
        yield from _attached(start_tolerant(options, environment), environment, 0)


@contextlib.contextmanager
def null_controller(arm: str, guarded: bool = False) -> Iterator[Rig]:
    """Run a controller of a null arm at its own rate, with the hybrid law active.

    Args:
        arm: Which arm.
        guarded: Whether it has a guardian, as strict as that of a real arm.

    Raises:
        PliantError: The controller did not start.
    """
    with _folder() as environment:
        child = Child("still_controller", env=environment, stdin=subprocess.PIPE)
        child.send({"name": _NAME, "arm": arm, "guarded": guarded})
        yield from _attached(child, environment, 0)


@contextlib.contextmanager
def _folder() -> Iterator[dict[str, str]]:
    """An environment with a runtime folder of its own."""
    folder = tempfile.mkdtemp(dir=runtime_folder().parent)
    try:
        yield os.environ | {"PLIANT_RUNTIME_DIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _attached(child: Child, environment: dict[str, str], readers: int) -> Iterator[Rig]:
    """Wait for a controller and attach to it; it ends with the context."""
    path = Path(environment["PLIANT_RUNTIME_DIR"]) / f"{_NAME}{RING_SUFFIX}"
    with contextlib.ExitStack() as stack:
        stack.callback(end, child.process)
        wait_ready(child)
        attached = _attach_readers(path, readers, stack)
        connection = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        connection.settimeout(_REPLY_TIMEOUT)
        connection.connect(str(path.with_suffix(SOCKET_SUFFIX)))
        # opened last, so that it misses nothing while the readers start
        ring = RingReader(path)
        rig = Rig(pid=child.process.pid, ring=ring, readers=attached, connection=connection)
        # a paused process would not react to its termination
        stack.callback(rig.resume)
        yield rig


def start_tolerant(options: ControlOptions, environment: dict[str, str]) -> Child:
    """Start a controller that does not stop at a late tick, because lateness is measured here."""
    config = configure(options.robot, {"safety": {"lateness": 30.0}}, None)
    return launch_controller(options, config, env=environment, stdin=subprocess.PIPE)


def wait_ready(child: Child) -> None:
    """Wait until a controller accepts commands.

    Raises:
        PliantError: It did not start.
    """
    try:
        child.wait_ready(_START_TIMEOUT)
    except PliantError as error:
        raise PliantError(f"the benchmark's controller did not start: {error}") from None


def _attach_readers(
    path: Path, count: int, stack: contextlib.ExitStack
) -> list[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "pliant.bench.reader_process", str(path)]
    readers = []
    for _ in range(count):
        readers.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        stack.callback(_kill, readers[-1])
    for reader in readers:
        if reader.stdout is None or reader.stdout.readline() != b"ready\n":
            raise PliantError("a reader of the ring did not start")
    return readers


def _kill(reader: subprocess.Popen[bytes]) -> None:
    reader.kill()
    reader.communicate()
