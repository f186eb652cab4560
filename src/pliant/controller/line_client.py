"""One client's lines, in and out, without ever blocking."""

import contextlib
import json
import os
import stat
import time
from collections import deque

from pliant.commands.line_protocol import MAX_LINE

_CHUNK = 4096
"""Bytes that a ready pipe takes without blocking (POSIX PIPE_BUF)."""

_WAITING_LINES = 4096
_LAST_LINES = 64
"""How many lines of a client that hung up are still obeyed."""

_NOT_OBEYED = "not obeyed: you hung up"
_WAITING_REPLIES = 256
_STOP = b"STOP"


class Client:
    """A client that sends lines and gets replies.

    Attributes:
        name: Its name for other clients.
        lines: Lines not yet obeyed; None stands for one that was too long.
        stop_asked: One of its lines, obeyed or not, was STOP.
        gone: It hung up, and everything it sent was read.
        deaf: Nothing can be written to it any more.
        lost: How many lines to it were dropped because it does not read.
        json: Whether replies to it are JSON objects.
        waits: It waits for a reply that takes time; its next lines are not obeyed before.
        reserved: It came when all places were taken, and may do little but stop the arm.
        heard: Whether a line ever came from it.
        since: When it connected or, if heard, when its last line came, s.
    """

    def __init__(self, name: str, read: int, write: int) -> None:
        self.name = name
        self.lines: deque[bytes | None] = deque()
        self.stop_asked = False
        self.gone = False
        self.deaf = False
        self.lost = 0
        self.json = False
        self.waits = False
        self.reserved = False
        self.heard = False
        self.since = time.monotonic()
        self.read_descriptor = read
        self.write_descriptor = write
        self._hung_up = False
        self._partial = b""
        self._overlong = False
        self._out: deque[bytes] = deque()
        self._not_obeyed = 0

    @property
    def busy(self) -> bool:
        """Whether lines of it are still to be obeyed or answered."""
        return bool(self.lines or self.waits)

    @property
    def wants_reading(self) -> bool:
        """Whether it may be read: not while too many of its lines wait."""
        return not self.gone and (self._hung_up or len(self.lines) < _WAITING_LINES)

    @property
    def wants_writing(self) -> bool:
        """Whether something waits to be sent to it."""
        return bool(self._out) or (self._not_obeyed > 0 and not self.busy)

    @property
    def full(self) -> bool:
        """Whether the queue of replies to it is full."""
        return len(self._out) >= _WAITING_REPLIES

    def hang_up(self) -> None:
        """Note that it hung up: only its next few lines are still obeyed, and a STOP."""
        self._hung_up = True
        while len(self.lines) > _LAST_LINES:
            self.lines.pop()
            self._not_obeyed += 1

    def read(self) -> None:
        """Read what there is; call only when it is readable."""
        try:
            data = os.read(self.read_descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            if _in_background(self.read_descriptor):
                return
            data = b""
        self._receive(data)

    def _receive(self, data: bytes) -> None:
        """Split data into lines; no data means that it hung up. An unfinished line never counts."""
        if not data:
            self.hang_up()
            self.gone = True
            return
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._add(None if self._overlong or len(line) > MAX_LINE else line)
            self._overlong = False
        if len(self._partial) > MAX_LINE:
            self._overlong = True
        if self._overlong:
            self._partial = b""

    def _add(self, line: bytes | None) -> None:
        self.heard, self.since = True, time.monotonic()
        if line is not None and line.strip() == _STOP:
            self.stop_asked = True
        if not self._hung_up or (len(self.lines) < _LAST_LINES and not self._not_obeyed):
            self.lines.append(line)
        else:
            self._not_obeyed += 1

    def send(self, text: str) -> None:
        """Queue a line; if too many wait already it is lost."""
        if self.deaf:
            return
        if self.full:
            self.lost += 1
            return
        self._out.append(text.encode() + b"\n")

    def send_last(self, text: str) -> None:
        """Queue the last line, however many wait."""
        self._report_lost()
        self._out.append(text.encode() + b"\n")

    def flush(self) -> int:
        """Write as much as surely does not block; call only when it is writable.

        Returns:
            How many bytes were written.
        """
        if not self._out:
            self._answer_not_obeyed()
        chunk = b""
        while self._out and len(chunk) + len(self._out[0]) <= _CHUNK:
            chunk += self._out.popleft()
        if not chunk and self._out:
            chunk, self._out[0] = self._out[0][:_CHUNK], self._out[0][_CHUNK:]
        written = self._write(chunk)
        if not self._out and not self.deaf:
            self._report_lost()
        return written

    def put_back(self, rest: bytes | bytearray) -> None:
        """Queue the rest of a line before all that waits."""
        self._out.appendleft(bytes(rest))

    def _write(self, chunk: bytes) -> int:
        try:
            written = os.write(self.write_descriptor, chunk)
        except BlockingIOError:
            written = 0
        except OSError:
            self.deaf = True
            self._out.clear()
            self._not_obeyed = 0
            return 0
        if written < len(chunk):
            self.put_back(chunk[written:])
        return written

    def _answer_not_obeyed(self) -> None:
        """Queue replies to lines that came too late to be obeyed, as many as fit into a chunk."""
        if self._not_obeyed and not self.busy:
            text = f"ERR {_NOT_OBEYED}"
            if self.json:
                text = json.dumps({"ok": False, "text": _NOT_OBEYED, "value": None})
            reply = text.encode() + b"\n"
            count = min(self._not_obeyed, _CHUNK // len(reply))
            self._not_obeyed -= count
            self._out.append(reply * count)

    def _report_lost(self) -> None:
        if self.lost:
            self._out.append(f"EVENT {self.lost} lines to you were lost: read faster\n".encode())
            self.lost = 0


def without_blocking(descriptor: int, flags: int) -> int:
    """Open an inherited pipe or terminal again, without blocking.

    The inherited descriptor stays as it is, because other processes may share it. Files would
    start at their beginning and sockets cannot be reopened; those are used as they are, whenever
    they are ready.
    """
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISCHR(kind):
        with contextlib.suppress(OSError):
            path = f"/proc/self/fd/{descriptor}"
            return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    return descriptor


def _in_background(descriptor: int) -> bool:
    """Whether it is a terminal whose foreground is another process group."""
    try:
        return os.tcgetpgrp(descriptor) != os.getpgrp()
    except OSError:
        return False
