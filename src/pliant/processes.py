"""Starts Pliant's own programs as processes and exchanges JSON messages with them.

A program is a module with `main(options, parent)`. It gets its options as the first message, and
answers `parent.ready()` when it does its work; `parent.options()` waits for a further message. If
that takes long, `parent.doing(text)` says how far it is. A `PliantError` that ends it reaches the
parent as a message too. So no command line is composed and nothing that is printed for people is
parsed.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any, Literal

from pliant.errors import PliantError

ProgramName = Literal[
    "controller",
    "guardian",
    "motion_reader",
    "recorder",
    "plotter",
    "console",
    "still_controller",
    "compiler",
    "virtual_ur",
    "virtual_fr3",
    "franka_hand",
]

PROGRAMS: Mapping[str, str] = {
    "controller": "pliant.controller.controller_program",
    "guardian": "pliant.controller.guardian_program",
    "motion_reader": "pliant.controller.motion_program",
    "recorder": "pliant.recording.recorder_program",
    "plotter": "pliant.recording.plot_program",
    "console": "pliant.console.server.console_program",
    "still_controller": "pliant.bench.still_controller",
    "compiler": "pliant.controller.compiler_program",
    "virtual_ur": "pliant.virtual.ur.virtual_program",
    "virtual_fr3": "pliant.virtual.franka.virtual_fr3_program",
    "franka_hand": "pliant.robots.franka.hand_program",
}
"""The module of each program. It is imported in the new process only."""

_READY, _FAILED, _DOING = "ready", "failed", "doing"
_LONGEST = 1 << 22
_ENDING = 0.2
"""Time for a program to end after it has hung up, s."""


class Child:
    """A program that runs in a process of its own.

    Attributes:
        process: The process.
        doing: What it said last that it does before it is ready; empty if it said nothing.
    """

    doing = ""

    def __init__(self, program: ProgramName, **popen: Any) -> None:
        """Start a program; it waits for its options.

        Args:
            program: Which one.
            **popen: Arguments of `subprocess.Popen`, such as stdin or start_new_session. Standard
                error is kept for `why` unless it is given.
        """
        here, there = socket.socketpair()
        self._socket, self._data = here, b""
        self._stderr = None if "stderr" in popen else tempfile.TemporaryFile()  # noqa: SIM115
        descriptor = there.fileno()
        popen.setdefault("stdin", subprocess.DEVNULL)
        popen.setdefault("stdout", subprocess.DEVNULL)
        popen.setdefault("stderr", self._stderr)
        passed = (descriptor, *popen.pop("pass_fds", ()))
        with there:
            command = [sys.executable, "-m", "pliant.processes", program, str(descriptor)]
            process: Any = subprocess.Popen(command, pass_fds=passed, **popen)
        self.process: subprocess.Popen[bytes] = process

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message; a program that has ended does not get it."""
        _send(self._socket, message)

    def poll(self) -> dict[str, Any] | None:
        """The next message that is already there; None if there is none yet.

        Raises:
            PliantError: The program has failed or ended; the message says why.
        """
        self._socket.setblocking(False)
        return self._next()

    def wait_ready(self, timeout: float) -> dict[str, Any]:
        """Wait until the program is ready; what it says of itself.

        Raises:
            PliantError: It has failed or ended, or the time is over.
        """
        deadline = time.monotonic() + timeout
        something = select.poll()
        something.register(self._socket, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0.0:
            message = self.poll()
            if message is not None:
                return message
            something.poll(1e3 * left)
        raise PliantError(f"it was not ready after {timeout:g} s")

    def why(self) -> str:
        """The last line on the program's standard error; empty if there is none."""
        if self._stderr is None or self._stderr.closed:
            return ""
        self._stderr.seek(0)
        lines = self._stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def ended_descriptor(self) -> int:
        """A descriptor that becomes readable when the process ends; `close` closes it."""
        if self._pidfd is None:
            self._pidfd = os.pidfd_open(self.process.pid)
        return self._pidfd

    def how_it_ended(self) -> str:
        """How the process ended: by which signal, or for which reason; call it after its end."""
        status = self.process.wait()
        if status < 0:
            return f"was {_manner(status)}"
        with contextlib.suppress(PliantError):
            while self.poll() is not None:
                pass
        return f"failed: {self._failure}" if self._failure else f"ended {_manner(status)}"

    def result(self, timeout: float) -> None:
        """Wait for the end of the program.

        Raises:
            PliantError: It has failed; the message says why.
            subprocess.TimeoutExpired: It has not ended in time.
        """
        status = self.process.wait(timeout)
        with contextlib.suppress(PliantError):
            while self.poll() is not None:
                pass
        if status:
            raise PliantError(self._failure or self.why() or f"it ended with status {status}")

    def close(self) -> None:
        """Hang up; a program that still waits for its options ends. Safe to call twice."""
        self._socket.close()
        if self._stderr is not None:
            self._stderr.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None

    def finish(self, timeout: float) -> None:
        """Hang up and wait for the end of the program; after the timeout, s, it is ended."""
        self.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout)
            return
        self.kill()

    def kill(self) -> None:
        """End the process at once, if it still runs, and wait for that."""
        self.process.kill()
        self.process.wait()

    _failure = ""
    _pidfd: int | None = None

    def _next(self) -> dict[str, Any] | None:
        """The next message but for those that say what the program does."""
        while (message := self._receive()) is not None and _DOING in message:
            self.doing = message[_DOING]
        return None if message is None else message[_READY]

    def _receive(self) -> dict[str, Any] | None:
        ended = False
        try:
            while b"\n" not in self._data and not ended:
                data = self._socket.recv(1 << 16)
                self._data += data
                ended = not data
        except BlockingIOError:
            pass
        except ConnectionError:
            # it died before it read its options
            ended = True
        line, found, rest = self._data.partition(b"\n")
        if found:
            self._data = rest
            message = json.loads(line)
            if _FAILED not in message:
                return message
            self._failure = message[_FAILED]
        elif not ended:
            return None
        raise PliantError(self._failure or self.why() or self._silent_end())

    def _silent_end(self) -> str:
        """How a program ended that said nothing; it has just hung up, so it ends any moment."""
        silent = "it ended without a word"
        try:
            status = self.process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            return silent
        return f"{silent}, {_manner(status)}"


def _manner(status: int) -> str:
    """How a process with this exit status ended."""
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"with status {status}"


class Parent:
    """The process that started this program."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._data = b""

    def options(self) -> dict[str, Any] | None:
        """Wait for the next message; None if the parent has gone or needs the program no more."""
        while b"\n" not in self._data:
            received = self._socket.recv(1 << 16)
            if not received or len(self._data) > _LONGEST:
                return None
            self._data += received
        line, _, self._data = self._data.partition(b"\n")
        return json.loads(line)

    @property
    def has_message(self) -> bool:
        """Whether a message is there, or the parent has gone."""
        return b"\n" in self._data or bool(select.select([self._socket], [], [], 0.0)[0])

    def ready(self, **value: Any) -> None:
        """Tell the parent that this program does its work now."""
        _send(self._socket, {_READY: value})

    def doing(self, text: str) -> None:
        """Tell the parent what this program does before it is ready."""
        _send(self._socket, {_DOING: text})

    def failed(self, why: str) -> None:
        """Tell the parent why this program ends."""
        _send(self._socket, {_FAILED: why})


def _send(connection: socket.socket, message: Mapping[str, Any]) -> None:
    # the other side may have gone
    with contextlib.suppress(OSError):
        connection.setblocking(True)
        connection.sendall(json.dumps(message).encode() + b"\n")


def import_program(module: str) -> Any:
    """Import a module that does the work of this process, and let no collection look at it.

    Collecting garbage while importing takes longer than a fifth of the imports and finds none; the
    first collection afterwards would take a tenth of a second. MuJoCo does not look for a display,
    which takes as long: no program of Pliant draws with it.
    """
    os.environ.setdefault("MUJOCO_GL", "disable")
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        # frozen objects are never freed, and compiled libraries complain about that at exit
        atexit.register(gc.unfreeze)
        gc.enable()


def main() -> None:
    """Run the program that the command line names."""
    name, descriptor = sys.argv[1:]
    parent = Parent(socket.socket(fileno=int(descriptor)))
    program = import_program(PROGRAMS[name])
    options = parent.options()
    if options is None:
        return
    try:
        program.main(options, parent)
    except PliantError as error:
        parent.failed(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
