"""The records in a compressed chunk of an MCAP file, never more of them than the chunk may hold.

The sizes in a file are claims. A compressed frame of a few bytes can claim, or really contain,
gigabytes of zeros; so the data is decompressed piece by piece and given up at the first byte too
many.
"""

import io
import zlib
from typing import BinaryIO

import zstandard
from mcap.data_stream import ReadDataStream
from mcap.records import Chunk

LARGEST_CHUNK = 1 << 25
"""Most bytes of a chunk; Pliant's have about 2 MB, those of other programs 1 to 8 MB."""

_PIECE = 1 << 20


def chunk_data(body: bytes, at: int) -> bytes:
    """The records in a chunk.

    Args:
        body: The chunk's record.
        at: Its place in the file, for messages.

    Raises:
        ValueError: The chunk is too large, is not as large as it says, or does not match its
            checksum.
    """
    return unpacked(Chunk.read(ReadDataStream(io.BytesIO(body))), f"the chunk at byte {at}")


def unpacked(chunk: Chunk, what: str) -> bytes:
    """The records in a chunk that has been read.

    Args:
        chunk: The chunk.
        what: What to call it in messages.

    Raises:
        ValueError: As for `chunk_data`.
    """
    size = chunk.uncompressed_size
    if size > LARGEST_CHUNK:
        raise ValueError(f"{what} has {size} bytes, at most {LARGEST_CHUNK} are read")
    data = _read(_opened(chunk), size + 1)
    if len(data) != size:
        more = "more" if len(data) > size else f"{len(data)}"
        raise ValueError(f"{what} says that it has {size} bytes, and has {more}")
    check_crc(data, chunk.uncompressed_crc, what)
    return data


def check_crc(data: bytes, crc: int, what: str) -> None:
    """Compare data with its checksum.

    Raises:
        ValueError: It does not match.
    """
    # 0 means that the writer computed no checksum
    if crc and zlib.crc32(data) != crc:
        raise ValueError(f"{what} does not match its checksum")


def _opened(chunk: Chunk) -> BinaryIO:
    """The records as a stream."""
    if chunk.compression == "zstd":
        limited = zstandard.ZstdDecompressor(max_window_size=LARGEST_CHUNK)
        return limited.stream_reader(chunk.data)
    if chunk.compression == "lz4":
        import lz4.frame

        return lz4.frame.LZ4FrameFile(io.BytesIO(chunk.data))
    if chunk.compression == "":
        return io.BytesIO(chunk.data)
    raise ValueError(f"its chunks use an unsupported compression, {chunk.compression}")


def _read(stream: BinaryIO, most: int) -> bytes:
    """The stream up to its end, or up to a number of bytes."""
    data = bytearray()
    while len(data) < most and (piece := stream.read(min(most - len(data), _PIECE))):
        data += piece
    return bytes(data)
