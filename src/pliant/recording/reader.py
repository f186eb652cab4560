"""Reads a recording: `pliant.load(file)`."""

import io
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Chunk, Metadata, Schema

from pliant.errors import RecordingError
from pliant.recording.container import MAGIC
from pliant.recording.line_message import LINE_TOPIC
from pliant.recording.recording import Recording
from pliant.recording.writer import CONFIG_FILE, FORMAT, HEADER_FILE, METADATA, message_dtype
from pliant.ring.ring import Line
from pliant.tick import Rows, tick_dtype
from pliant.tick_message import TICK_MESSAGE, TICK_TOPIC, RecordedColumn, read_definition

_RECORD = struct.Struct("<BQ")
_MESSAGE_HEAD = struct.Struct("<HIQQ")

_DAMAGE = (
    McapError,
    zstandard.ZstdError,
    struct.error,
    ValueError,
    LookupError,
    ArithmeticError,
    # from lz4
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
        self._blocks: list[np.ndarray] = []
        self._lines: list[Line] = []
        self._truncated = True
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
        return Recording(
            path=self._path,
            rows=self._rows(),
            lines=self._lines,
            header=json.loads(self._files[HEADER_FILE]),
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
                self._take_all(_decompressed(body, at))
            else:
                self._take(opcode, body)

    def _take_all(self, data: bytes) -> None:
        """Take the records of a chunk, runs of consecutive ticks in one step."""
        at = 0
        while at < len(data):
            taken = self._take_ticks(data, at)
            at += taken
            if not taken:
                opcode, length = _RECORD.unpack_from(data, at)
                at += _RECORD.size
                self._take(opcode, data[at : at + length])
                at += length

    def _take_ticks(self, data: bytes, at: int) -> int:
        """Take the run of consecutive ticks that starts here; return its size in bytes."""
        dtype = self._message
        if dtype is None:
            return 0
        found = np.frombuffer(data, dtype, (len(data) - at) // dtype.itemsize, at)
        fits = (found["opcode"] == Opcode.MESSAGE) & (found["length"] == dtype.itemsize - 9)
        fits &= np.isin(found["channel"], [i for i, t in self._topics.items() if t == TICK_TOPIC])
        count = len(fits) if fits.all() else int(np.argmin(fits))
        if count:
            self._blocks.append(found["row"][:count])
        return count * dtype.itemsize

    def _take(self, opcode: int, body: bytes) -> None:
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
            _check(body[:-4], int.from_bytes(body[-4:], "little"), attachment.name)
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
            self._blocks.append(np.frombuffer(data, f"V{len(data)}"))

    def _rows(self) -> Rows:
        rows = np.zeros(sum(map(len, self._blocks)), self._row_dtype)
        raw, at = rows.view(f"V{self._row_dtype.itemsize}"), 0
        for block in self._blocks:
            raw[at : at + len(block)] = block
            at += len(block)
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


def _decompressed(body: bytes, at: int) -> bytes:
    chunk = Chunk.read(ReadDataStream(io.BytesIO(body)))
    if chunk.compression == "zstd":
        data = zstandard.ZstdDecompressor().decompress(chunk.data, chunk.uncompressed_size)
    elif chunk.compression == "lz4":
        import lz4.frame

        data = lz4.frame.decompress(chunk.data)
    elif chunk.compression == "":
        data = chunk.data
    else:
        raise ValueError(f"its chunks use an unsupported compression, {chunk.compression}")
    _check(data, chunk.uncompressed_crc, f"the chunk at byte {at}")
    return data


def _check(data: bytes, crc: int, what: str) -> None:
    # 0 means that the writer computed no checksum
    if crc and zlib.crc32(data) != crc:
        raise ValueError(f"{what} does not match its checksum")


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
