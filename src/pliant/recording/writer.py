"""Writes ticks and lines to an MCAP file; a crash loses at most a quarter of a second."""

import json
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Metadata, Schema

from pliant.errors import RecordingError
from pliant.loop.history import store_row
from pliant.recording.container import Container, Index
from pliant.recording.line_message import LINE_DEFINITION, LINE_MESSAGE, LINE_TOPIC
from pliant.tick import Rows, tick_dtype
from pliant.tick_message import CDR_HEADER, TICK_MESSAGE, TICK_TOPIC, tick_definition
from pliant.version import __version__

FORMAT = 1
"""Format version, raised when older versions of Pliant could no longer read the file."""

CONFIG_FILE = "config.yaml"
HEADER_FILE = "header.json"
METADATA = "pliant"

_CHUNK = 0.25
"""Duration of a chunk, s; a sudden end loses at most this much."""

_TICKS, _LINES = 1, 2
_LINE_HEAD = struct.Struct("<BQHIQQ")


def message_dtype(row_size: int) -> np.dtype:
    """Layout of an MCAP message record that holds one row."""
    return np.dtype(
        [
            ("opcode", "u1"),
            ("length", "<u8"),
            ("channel", "<u2"),
            ("sequence", "<u4"),
            ("log_time", "<u8"),
            ("publish_time", "<u8"),
            ("cdr", "V4"),
            ("row", f"V{row_size}"),
        ]
    )


class RecordingWriter:
    """Writes ticks and lines to a file; implements `Publisher`.

    Attributes:
        path: The file.
        ticks: Number of ticks written.
        lost: Number of ticks missing between them.
    """

    def __init__(self, path: Path, header: dict[str, Any], config: str) -> None:
        """Create the file.

        Args:
            path: The file.
            header: Metadata of the arm: at least the number of joints `n`, the period `dt`, and
                `start`, the Unix time at which the arm's time was 0, s.
            config: The configuration in force at the first tick, as YAML.

        Raises:
            RecordingError: The file exists already or cannot be written.
        """
        self.path = path
        self.ticks = 0
        self.lost = 0
        n, self._dt = header["n"], header["dt"]
        self._start = round(1e9 * header["start"])
        self._file = Container(path, **_preamble(header, config))
        size = tick_dtype(n).itemsize
        self._rows = np.zeros(max(1, round(_CHUNK / self._dt)), tick_dtype(n))
        self._count = 0
        self._messages = np.zeros(self._rows.size, message_dtype(size))
        self._messages["opcode"] = Opcode.MESSAGE
        self._messages["length"] = self._messages.itemsize - 9
        self._messages["channel"] = _TICKS
        self._messages["cdr"] = np.void(CDR_HEADER)
        self._lines: list[bytes] = []
        self._line_times: list[int] = []
        self._line_count = 0
        self._last_k: int | None = None

    def publish(self, tick: Rows) -> None:
        """Add a tick."""
        store_row(tick, self._count, self._rows)
        self._count += 1
        if self._count == self._rows.size:
            self.flush()

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Add a line that belongs to a tick."""
        log_time = self._time_of(tick * self._dt)
        body = CDR_HEADER + _cdr_line(tick, kind, text)
        self._line_count += 1
        length = _LINE_HEAD.size - 9 + len(body)
        head = _LINE_HEAD.pack(
            Opcode.MESSAGE, length, _LINES, self._line_count % 2**32, log_time, log_time
        )
        self._lines.append(head + body)
        self._line_times.append(log_time)

    def flush(self) -> None:
        """Write all pending ticks and lines to the file.

        Raises:
            RecordingError: The disk is full; the file is unchanged.
        """
        self._note_lost()
        if not self._count and not self._lines:
            return
        ticks = self._messages[: self._count]
        index: Index = {}
        if self._count:
            self._fill(ticks)
            offsets = np.arange(self._count, dtype=np.uint64) * ticks.itemsize
            index[_TICKS] = np.column_stack([ticks["log_time"], offsets])
        if self._lines:
            lengths = [ticks.nbytes, *(len(line) for line in self._lines[:-1])]
            index[_LINES] = np.array([self._line_times, np.cumsum(lengths)], np.uint64).T
        data = ticks.tobytes() + b"".join(self._lines)
        self._count = 0
        self._lines, self._line_times = [], []
        self._file.write_chunk(data, index)

    def close(self) -> None:
        """Write what is pending and close the file.

        Raises:
            RecordingError: The disk is full; the file is readable but lacks its end.
        """
        try:
            self.flush()
        finally:
            dropped = self._file.close()
        if dropped:
            seconds = dropped * _CHUNK
            raise RecordingError(f"{self.path} lacks its last {seconds:g} s: the disk is full")

    def _fill(self, ticks: np.ndarray) -> None:
        rows = self._rows[: self._count]
        ticks["row"] = rows.view(ticks.dtype["row"])
        ticks["log_time"] = self._start + np.round(1e9 * rows["time"]).astype(np.int64)
        ticks["publish_time"] = ticks["log_time"]
        ticks["sequence"] = rows["k"] % 2**32
        self.ticks += self._count

    def _note_lost(self) -> None:
        """Add a line to the file wherever ticks are missing."""
        if not self._count:
            return
        k = self._rows["k"][: self._count]
        before = k[0] - 1 if self._last_k is None else self._last_k
        missing = np.diff(k, prepend=before) - 1
        for i in np.flatnonzero(missing):
            self.lost += int(missing[i])
            self.write_line("lost", int(k[i]), f"{missing[i]} ticks before this one are missing")
        self._last_k = int(k[-1])

    def _time_of(self, seconds: float) -> int:
        return self._start + round(1e9 * seconds)


def _preamble(header: dict[str, Any], config: str) -> dict[str, Any]:
    """Everything that precedes the first message in a file."""
    now = time.time_ns()
    definition = tick_definition(header["n"]).encode()
    files = {
        CONFIG_FILE: ("application/yaml", config),
        HEADER_FILE: ("application/json", json.dumps(header, ensure_ascii=False)),
    }
    metadata = {"format": str(FORMAT), "version": __version__}
    metadata |= {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in header.items()
    }
    return {
        "library": f"pliant {__version__}",
        "schemas": [
            Schema(id=_TICKS, name=TICK_MESSAGE, encoding="ros2msg", data=definition),
            Schema(id=_LINES, name=LINE_MESSAGE, encoding="ros2msg", data=LINE_DEFINITION.encode()),
        ],
        "channels": [
            Channel(id=id, topic=topic, message_encoding="cdr", metadata={}, schema_id=id)
            for id, topic in ((_TICKS, TICK_TOPIC), (_LINES, LINE_TOPIC))
        ],
        "metadata": Metadata(name=METADATA, metadata=metadata),
        "attachments": [
            Attachment(
                create_time=now, log_time=now, name=name, media_type=kind, data=text.encode()
            )
            for name, (kind, text) in files.items()
        ],
    }


def _cdr_line(tick: int, kind: str, text: str) -> bytes:
    data = struct.pack("<q", tick) + _cdr_string(kind)
    return data + bytes(-len(data) % 4) + _cdr_string(text)


def _cdr_string(text: str) -> bytes:
    data = text.encode(errors="replace") + b"\0"
    return struct.pack("<I", len(data)) + data
