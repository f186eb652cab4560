"""A controller in a process of its own and folder of its own, with readers attached."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pliant.api.remote_session import end
from pliant.errors import PliantError
from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX, SOCKET_SUFFIX, runtime_folder

_NAME = "bench"
_STILL = ("pliant.bench.still_controller",)
_START_TIMEOUT = 60.0
_REPLY_TIMEOUT = 5.0
_END_TIMEOUT = 10.0


@dataclass(frozen=True, kw_only=True)
class Rig:
    """A controller that runs.

    Attributes:
        pid: Its process.
        ring: Its ring, read by this process.
        readers: Other processes that read its ring.
        connection: A client's connection to it.
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
        """Processor time that the controller has taken so far."""
        return cpu_seconds(self.pid)

    def pause(self) -> None:
        """Let it stand still, with all that follow it, until it is resumed."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for reader in self.readers:
            reader.send_signal(number)
        # what has ended has no recorder any more
        with contextlib.suppress(OSError):
            os.kill(self.pid, number)
            for children in Path(f"/proc/{self.pid}/task").glob("*/children"):
                for recorder in children.read_text().split():
                    os.kill(int(recorder), number)

    def finish(self) -> int:
        """Stop the controller; how many ticks its readers missed in all."""
        self.send("STOP")
        return sum(int(reader.communicate(timeout=_END_TIMEOUT)[0]) for reader in self.readers)


def cpu_seconds(pid: int) -> float:
    """Processor time that the threads of a process have taken so far."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return 1e-9 * sum(int(thread.read_text().split()[0]) for thread in threads)


@contextlib.contextmanager
def running_controller(
    rate: float,
    readers: int = 0,
    record: Path | None = None,
    physics: bool = True,
    cpu: int | None = None,
) -> Iterator[Rig]:
    """An arm in free space under the hybrid law, until the context is left.

    Args:
        rate: Its control rate, Hz.
        readers: How many processes read its ring.
        record: The file to which it is recorded, if any.
        physics: Whether the arm is simulated; otherwise it stands still at 500 Hz.
        cpu: The CPU on which a simulated one stays; any if None.

    Raises:
        PliantError: It did not start.
    """
    folder = Path(tempfile.mkdtemp(dir=runtime_folder().parent))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        # a tick held up by other work is a figure here, and not a fault
        patient = folder / "patient.yaml"
        patient.write_text("safety: {lateness: 30.0}\n")
        program = ["pliant.cli", "control", "--rate", str(rate), "--config", str(patient)]
        if cpu is not None:
            program += ["--cpu", str(cpu)]
        options = ["--name", _NAME]
        if record is not None:
            options += ["--record", str(record)]
        process = subprocess.Popen(
            [sys.executable, "-m", *(program if physics else _STILL), *options],
            env=os.environ | {"PLIANT_RUNTIME_DIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(end, process)
        path = folder / f"{_NAME}{RING_SUFFIX}"
        _wait_until_ready(path, process)
        attached = _attach_readers(path, readers, stack)
        connection = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        connection.settimeout(_REPLY_TIMEOUT)
        connection.connect(str(path.with_suffix(SOCKET_SUFFIX)))
        # begins here: what passed while the others started was nobody's to read
        ring = RingReader(path)
        rig = Rig(pid=process.pid, ring=ring, readers=attached, connection=connection)
        # what stands still does not hear that it shall end
        stack.callback(rig.resume)
        yield rig


def _wait_until_ready(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists():
            ring = RingReader(path)
            ring.rewind()
            if any(line.text.startswith("ready") for line in ring.lines()):
                return
        time.sleep(0.05)
    raise PliantError("the controller to be measured did not start; try `pliant control`")


def _attach_readers(
    path: Path, count: int, stack: contextlib.ExitStack
) -> list[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "pliant.bench.reader_process", str(path)]
    readers = []
    for _ in range(count):
        readers.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        stack.callback(_dismiss, readers[-1])
    for reader in readers:
        if reader.stdout is None or reader.stdout.readline() != b"ready\n":
            raise PliantError("a reader of the ring did not start")
    return readers


def _dismiss(reader: subprocess.Popen[bytes]) -> None:
    reader.kill()
    reader.communicate()
