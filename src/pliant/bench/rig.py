"""A controller in a separate process and runtime folder, with attached readers."""

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
    rate: float,
    readers: int = 0,
    record: Path | None = None,
    physics: bool = True,
    cpu: int | None = None,
) -> Iterator[Rig]:
    """Run a controller of an arm in free space, with the hybrid law active.

    Args:
        rate: Control rate, Hz.
        readers: Number of processes that read its ring.
        record: The file to record it to, if any.
        physics: Whether the arm is simulated; otherwise it is a null arm at 500 Hz.
        cpu: The CPU to pin a simulated one to; any if None.

    Raises:
        PliantError: The controller did not start.
    """
    folder = Path(tempfile.mkdtemp(dir=runtime_folder().parent))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        # the benchmark measures late ticks, so they must not stop the arm
        config = folder / "tolerant.yaml"
        config.write_text("safety: {lateness: 30.0}\n")
        program = ["pliant.cli", "control", "--rate", str(rate), "--config", str(config)]
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
        ring = _wait_until_ready(path, process)
        attached = _attach_readers(path, readers, stack)
        connection = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        connection.settimeout(_REPLY_TIMEOUT)
        connection.connect(str(path.with_suffix(SOCKET_SUFFIX)))
        rig = Rig(pid=process.pid, ring=ring, readers=attached, connection=connection)
        # a paused process would not react to its termination
        stack.callback(rig.resume)
        yield rig


def _wait_until_ready(path: Path, process: subprocess.Popen[bytes]) -> RingReader:
    deadline = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists():
            ring = RingReader(path)
            ring.rewind()
            if any(line.text.startswith("ready") for line in ring.lines()):
                return ring
        time.sleep(0.05)
    raise PliantError("the benchmark's controller did not start; try `pliant control`")


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
