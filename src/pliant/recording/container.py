"""An MCAP file that is readable after every chunk.

The caller decides when a chunk is written, and each chunk is a single write. However the program
ends, the file ends either after a complete chunk or inside the last one, and a reader can tell
which. If the disk fills up, the file is truncated to a length at which it can still be closed.
"""

import struct
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import zstandard
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Attachment,
    AttachmentIndex,
    Channel,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    McapRecord,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
)

from pliant.errors import RecordingError
from pliant.recording.atomic_file import AtomicFile

MAGIC = b"\x89MCAP0\r\n"
_CHUNK_HEAD = struct.Struct("<BQQQQII4sQ")
_INDEX_HEAD = struct.Struct("<BQHI")
_RECORD_HEAD = 9
_COMPRESSION = "zstd"

Index = dict[int, np.ndarray]
"""By channel: rows of log time and byte offset within the chunk."""


class Container:
    """Writes an MCAP file chunk by chunk."""

    def __init__(
        self,
        path: Path,
        *,
        library: str,
        schemas: list[Schema],
        channels: list[Channel],
        metadata: Metadata,
        attachments: list[Attachment],
    ) -> None:
        """Create the file and write everything that precedes the first message.

        Raises:
            RecordingError: The file exists already or cannot be written.
        """
        self._file = AtomicFile(path)
        self._definitions: list[McapRecord] = [*schemas, *channels]
        self._chunks: list[ChunkIndex] = []
        self._counts: list[Counter[int]] = []
        self._indexes: list[McapRecord] = []
        self._compress = zstandard.ZstdCompressor(level=1).compress
        start = [MAGIC, encode(Header(profile="ros2", library=library))]
        for record in (metadata, *attachments):
            data = encode(record)
            self._indexes.append(_index_of(record, sum(map(len, start)), len(data)))
            start.append(data)
        start += [encode(record) for record in self._definitions]
        try:
            self._file.append(b"".join(start))
        except RecordingError:
            self._file.close()
            path.unlink()
            raise

    def write_chunk(self, messages: bytes, index: Index) -> None:
        """Append a chunk of message records.

        Args:
            messages: The records.
            index: Log time and offset of each message, by channel.

        Raises:
            RecordingError: The disk is full; the file is unchanged.
        """
        times = np.concatenate([entries[:, 0] for entries in index.values()])
        first, last = int(times.min()), int(times.max())
        packed = self._compress(messages)
        name = _COMPRESSION.encode()
        length = _CHUNK_HEAD.size - _RECORD_HEAD + len(packed)
        head = _CHUNK_HEAD.pack(
            Opcode.CHUNK,
            length,
            first,
            last,
            len(messages),
            zlib.crc32(messages),
            len(name),
            name,
            len(packed),
        )
        start, parts, offsets = self._file.size, [head, packed], {}
        at = chunk_length = len(head) + len(packed)
        for channel, entries in index.items():
            offsets[channel] = start + at
            parts.append(_message_index(channel, entries))
            at += len(parts[-1])
        self._file.append(b"".join(parts))
        self._counts.append(Counter({channel: len(entries) for channel, entries in index.items()}))
        self._chunks.append(
            ChunkIndex(
                chunk_length=chunk_length,
                chunk_start_offset=start,
                compression=_COMPRESSION,
                compressed_size=len(packed),
                message_end_time=last,
                message_index_length=at - chunk_length,
                message_index_offsets=offsets,
                message_start_time=first,
                uncompressed_size=len(messages),
            )
        )

    def close(self) -> int:
        """Write the summary and close the file.

        Returns:
            Number of chunks removed to make room for the summary on a full disk.

        Raises:
            RecordingError: Removing chunks was not enough; the file is readable but has no index.
        """
        dropped = 0
        try:
            while not self._finish(last_try=not self._chunks):
                self._file.truncate(self._chunks.pop().chunk_start_offset)
                self._counts.pop()
                dropped += 1
        finally:
            self._file.close()
        return dropped

    def _finish(self, last_try: bool) -> bool:
        """Append the summary and footer; False if there is no room for them."""
        try:
            self._file.append(self._tail())
        except RecordingError:
            if last_try:
                raise
            return False
        return True

    def _tail(self) -> bytes:
        """Encode the end-of-data record, the summary and the footer."""
        data_end = encode(DataEnd(data_section_crc=0))
        records = [*self._definitions, *self._indexes, *self._chunks, self._statistics()]
        summary = b"".join(encode(record) for record in records)
        start = self._file.size + len(data_end)
        footer = encode(Footer(summary_start=start, summary_offset_start=0, summary_crc=0))
        return data_end + summary + footer + MAGIC

    def _statistics(self) -> Statistics:
        counts: Counter[int] = sum(self._counts, Counter())
        return Statistics(
            attachment_count=sum(isinstance(r, AttachmentIndex) for r in self._indexes),
            channel_count=sum(isinstance(r, Channel) for r in self._definitions),
            channel_message_counts=dict(counts),
            chunk_count=len(self._chunks),
            message_count=counts.total(),
            message_end_time=max((c.message_end_time for c in self._chunks), default=0),
            message_start_time=min((c.message_start_time for c in self._chunks), default=0),
            metadata_count=sum(isinstance(r, MetadataIndex) for r in self._indexes),
            schema_count=sum(isinstance(r, Schema) for r in self._definitions),
        )


def encode(record: McapRecord) -> bytes:
    """Encode a record as bytes."""
    builder = RecordBuilder()
    record.write(builder)
    return builder.end()


def _message_index(channel: int, entries: np.ndarray) -> bytes:
    data = np.ascontiguousarray(entries, "<u8").tobytes()
    return _INDEX_HEAD.pack(Opcode.MESSAGE_INDEX, 6 + len(data), channel, len(data)) + data


def _index_of(record: McapRecord, offset: int, length: int) -> McapRecord:
    """Summary entry that locates a record."""
    if isinstance(record, Metadata):
        return MetadataIndex(offset=offset, length=length, name=record.name)
    if isinstance(record, Attachment):
        return AttachmentIndex(
            offset=offset,
            length=length,
            log_time=record.log_time,
            create_time=record.create_time,
            data_size=len(record.data),
            name=record.name,
            media_type=record.media_type,
        )
    raise TypeError(f"{type(record).__name__} has no index")
