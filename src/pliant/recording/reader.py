"""Reads a recording: `pliant.load(file)`."""

import io
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Metadata, Schema

from pliant.chunk_data import check_crc, chunk_data
from pliant.errors import RecordingError
from pliant.recording.container import MAGIC
from pliant.recording.line_message import LINE_TOPIC
from pliant.recording.recording import Recording
from pliant.recording.recording_header import read_recording_header
from pliant.recording.writer import CONFIG_FILE, FORMAT, HEADER_FILE, METADATA, message_dtype
from pliant.ring.ring import Line
from pliant.tick import Rows, tick_dtype
from pliant.tick_message import TICK_MESSAGE, TICK_TOPIC, RecordedColumn, read_definition

_RECORD = struct.Struct("<BQ")
_MESSAGE_HEAD = struct.Struct("<HIQQ")

MOST_BYTES = 1 << 25
MOST_RATIO = 200
"""A file may unfold to `MOST_BYTES`, and `MOST_RATIO` times its size on top; that of an arm which
stands perfectly still unfolds to 75 times its size."""
MOST_RECORDS = 10_000
"""A small file may have this many records; a large one, one for each of its bytes."""

_DAMAGE = (
    McapError,
    zstandard.ZstdError,
    struct.error,
    ValueError,
    LookupError,
    ArithmeticError,
    EOFError,
    # from lz4, and from nesting too deep
    RuntimeError,
    # from a corrupt size field
    MemoryError,
)
"""Exceptions that reading a damaged file can raise."""


def load(file: str | Path) -> Recording:
    """Read a recording.

    If the recorder was killed or the disk was full, the recording holds what reached the file, and
    `truncated` is True.

    Raises:
        RecordingError: The file is missing, not a recording, damaged, or from a newer version.
    """
    path = Path(file)
    try:
        with path.open("rb") as opened:
            return _Reading(path, opened).finish()
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from None
    except _DAMAGE as error:
        raise RecordingError(f"{path} is damaged: {_cause(error)}") from None


class _Reading:
    """One pass through a file, record by record."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._schemas: dict[int, Schema] = {}
        self._topics: dict[int, str] = {}
        self._files: dict[str, bytes] = {}
        self._metadata: dict[str, str] = {}
        self._message: np.dtype | None = None
        self._row_dtype = np.dtype([])
        self._columns: dict[str, RecordedColumn] = {}
        self._ticks = bytearray()
        self._lines: list[Line] = []
        self._truncated = True
        size = os.fstat(file.fileno()).st_size
        self._bytes_left = MOST_BYTES + MOST_RATIO * size
        self._records_left = MOST_RECORDS + size
        start = file.read(len(MAGIC))
        if start != MAGIC:
            what = "it is not an MCAP file" if len(start) == len(MAGIC) else "it is empty"
            raise RecordingError(f"{path} is not a recording: {what}")
        self._read(file)

    def finish(self) -> Recording:
        """Return the recording, if the file is one of Pliant's."""
        known = self._message is not None and HEADER_FILE in self._files
        if not known and self._truncated and not self._topics:
            raise RecordingError(f"{self._path} is truncated before its first tick")
        if not known:
            topics = ", ".join(self._topics.values()) or "none"
            raise RecordingError(
                f"{self._path} is an MCAP file, but not a Pliant recording: it has no topic "
                f"{TICK_TOPIC}; its topics: {topics}"
            )
        header = read_recording_header(self._files[HEADER_FILE])
        if "q" in self._columns and self._row_dtype["q"].shape != (header.n,):
            raise ValueError(f"its header says {header.n} joints, its ticks have another number")
        return Recording(
            path=self._path,
            rows=self._rows(),
            lines=self._lines,
            header=header.model_dump(),
            config_text=self._files.get(CONFIG_FILE, b"").decode(),
            described=self._columns,
            truncated=self._truncated,
        )

    def _read(self, file: BinaryIO) -> None:
        for at, opcode, body in _records(file):
            if opcode == Opcode.DATA_END:
                self._truncated = False
                return
            if opcode == Opcode.CHUNK:
                data = chunk_data(body, at)
                self._bytes_left -= len(data)
                if self._bytes_left < 0:
                    raise ValueError(f"it unfolds to more than {MOST_RATIO} times its size")
                self._take_all(data)
            else:
                self._take(opcode, body)

    def _take_all(self, data: bytes) -> None:
        """Take the records of a chunk, runs of consecutive ticks in one step."""
        at = 0
        while at < len(data):
            opcode, length = _RECORD.unpack_from(data, at)
            taken = self._take_ticks(data, at, length) if opcode == Opcode.MESSAGE else 0
            at += taken
            if not taken:
                at += _RECORD.size
                self._take(opcode, data[at : at + length])
                at += length

    def _take_ticks(self, data: bytes, at: int, length: int) -> int:
        """Take the run of ticks that starts with a message of this length; return its bytes."""
        dtype = self._message
        if dtype is None or length != dtype.itemsize - _RECORD.size:
            return 0
        found = np.frombuffer(data, dtype, (len(data) - at) // dtype.itemsize, at)
        fits = (found["opcode"] == Opcode.MESSAGE) & (found["length"] == dtype.itemsize - 9)
        fits &= np.isin(found["channel"], [i for i, t in self._topics.items() if t == TICK_TOPIC])
        count = len(fits) if fits.all() else int(np.argmin(fits))
        if count:
            self._ticks += found["row"][:count].tobytes()
        return count * dtype.itemsize

    def _take(self, opcode: int, body: bytes) -> None:
        self._records_left -= 1
        if self._records_left < 0:
            raise ValueError("it has more records than bytes")
        stream = ReadDataStream(io.BytesIO(body))
        if opcode == Opcode.SCHEMA:
            self._take_schema(Schema.read(stream))
        elif opcode == Opcode.CHANNEL:
            channel = Channel.read(stream)
            self._topics[channel.id] = channel.topic
        elif opcode == Opcode.METADATA:
            metadata = Metadata.read(stream)
            if metadata.name == METADATA:
                self._metadata = metadata.metadata
                self._refuse_newer()
        elif opcode == Opcode.ATTACHMENT:
            attachment = Attachment.read(stream)
            check_crc(body[:-4], int.from_bytes(body[-4:], "little"), attachment.name)
            self._files[attachment.name] = attachment.data
        elif opcode == Opcode.MESSAGE:
            self._take_message(body)

    def _take_schema(self, schema: Schema) -> None:
        if schema.name == TICK_MESSAGE:
            self._row_dtype, self._columns = read_definition(schema.data.decode())
            self._message = message_dtype(self._row_dtype.itemsize)

    def _refuse_newer(self) -> None:
        if int(self._metadata.get("format", "0")) > FORMAT:
            version = self._metadata.get("version", "a newer version")
            raise RecordingError(
                f"{self._path} was recorded by Pliant {version}, which is newer: update to read it"
            )

    def _take_message(self, body: bytes) -> None:
        channel, *_ = _MESSAGE_HEAD.unpack_from(body)
        data = body[_MESSAGE_HEAD.size + 4 :]
        topic = self._topics.get(channel)
        if topic == LINE_TOPIC:
            self._lines.append(_line(data))
        elif topic == TICK_TOPIC:
            if len(data) != self._row_dtype.itemsize:
                raise ValueError("a tick does not have the size that its definition gives")
            self._ticks += data

    def _rows(self) -> Rows:
        count = len(self._ticks) // max(1, self._row_dtype.itemsize)
        rows = np.ndarray(count, self._row_dtype, self._ticks)
        # kernels need the identical dtype object, not an equal one
        own = self._own_dtype()
        return rows.view(own) if own is not None and _same(own, self._row_dtype) else rows

    def _own_dtype(self) -> np.dtype | None:
        joints = self._row_dtype["q"].shape if "q" in self._columns else ()
        return tick_dtype(joints[0]) if joints else None


def _cause(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return "it contains text that is not UTF-8"
    return " ".join(str(error).split()) or "it ends inside a record"


def _records(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Offset, opcode and body of every complete record."""
    size = os.fstat(file.fileno()).st_size
    at = file.tell()
    while at + _RECORD.size <= size:
        opcode, length = _RECORD.unpack(file.read(_RECORD.size))
        end = at + _RECORD.size + length
        if end > size:
            return
        yield at, opcode, file.read(length)
        at = end


def _line(data: bytes) -> Line:
    (tick, size), at = struct.unpack_from("<qI", data), 12
    kind = data[at : at + size - 1].decode()
    at += size + -size % 4
    (size,) = struct.unpack_from("<I", data, at)
    return Line(tick=tick, kind=kind, text=data[at + 4 : at + 3 + size].decode())


def _same(a: np.dtype, b: np.dtype) -> bool:
    def layout(dtype: np.dtype) -> list[Any]:
        return [(name, field[0], field[1]) for name, field in (dtype.fields or {}).items()]

    return a.itemsize == b.itemsize and layout(a) == layout(b)
