"""Damages recordings: their bytes, their records, their compression, their header and lines."""

import io
import json
import random
import struct
import zlib

import zstandard
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.records import Attachment, Chunk

from pliant.recording.container import MAGIC, encode

from .hostile import damaged, damaged_text, nested, spoiled, value

_RECORD = struct.Struct("<BQ")
Records = list[tuple[int, bytes]]


def damaged_recording(dice: random.Random, data: bytes) -> bytes:
    """A recording with some damage, at one of the levels of the format."""
    choice = dice.random()
    if choice < 0.25:
        return damaged(dice, data)
    if choice < 0.3:
        return data[: dice.randrange(len(data))]
    found = _records(data)
    if choice < 0.45:
        _shuffle(dice, found)
    elif choice < 0.65:
        _damage_attachment(dice, found)
    elif choice < 0.75:
        _damage_schema(dice, found)
    elif choice < 0.95:
        _damage_chunk(dice, found)
    else:
        _inflate(dice, found)
    return MAGIC + b"".join(_RECORD.pack(opcode, len(body)) + body for opcode, body in found)


def _records(data: bytes) -> Records:
    found, at = [], len(MAGIC)
    while at + _RECORD.size <= len(data) - len(MAGIC):
        opcode, length = _RECORD.unpack_from(data, at)
        at += _RECORD.size
        found.append((opcode, data[at : at + length]))
        at += length
    return found


def _of(dice: random.Random, found: Records, opcode: int) -> int | None:
    places = [k for k, (code, _) in enumerate(found) if code == opcode]
    return dice.choice(places) if places else None


def _shuffle(dice: random.Random, found: Records) -> None:
    """Records lost, doubled, moved, renumbered or damaged inside."""
    for _ in range(dice.randrange(1, 4)):
        at = dice.randrange(len(found))
        opcode, body = found[at]
        what = dice.randrange(5)
        if what == 0 and len(found) > 1:
            del found[at]
        elif what == 1:
            found.insert(dice.randrange(len(found)), (opcode, body))
        elif what == 2:
            found.insert(dice.randrange(len(found)), found.pop(at))
        elif what == 3:
            found[at] = (dice.randrange(256), body)
        else:
            found[at] = (opcode, damaged(dice, body))


def _damage_attachment(dice: random.Random, found: Records) -> None:
    """The header or the configuration, with a checksum that fits."""
    at = _of(dice, found, Opcode.ATTACHMENT)
    if at is None:
        return
    old = Attachment.read(ReadDataStream(io.BytesIO(found[at][1])))
    text = old.data.decode()
    choice = dice.random()
    if old.name.endswith(".json") and choice < 0.7:
        text = json.dumps(spoiled(dice, json.loads(text)))
    elif choice < 0.8:
        text = damaged_text(dice, text)
    elif choice < 0.9:
        text = nested(dice)
    else:
        text = json.dumps(value(dice))
    new = Attachment(
        create_time=old.create_time,
        log_time=old.log_time,
        name=old.name,
        media_type=old.media_type,
        data=text.encode(errors="replace"),
    )
    found[at] = (Opcode.ATTACHMENT, encode(new)[_RECORD.size :])


def _damage_schema(dice: random.Random, found: Records) -> None:
    """The definition of the tick: other types, sizes, names."""
    at = _of(dice, found, Opcode.SCHEMA)
    if at is None:
        return
    body = found[at][1]
    if dice.random() < 0.5:
        swaps = ((b"float64", b"int64"), (b"[6]", b"[99999]"), (b"[7]", b"[0]"), (b" q\n", b" k\n"))
        old, new = dice.choice(swaps)
        changed = bytearray(body.replace(old, new, dice.choice((1, 3, -1))))
        # id, name, encoding, then the size of the definition
        size_at = len(body) - _text_size(body)
        struct.pack_into("<I", changed, size_at - 4, len(changed) - size_at)
        found[at] = (Opcode.SCHEMA, bytes(changed))
    else:
        found[at] = (Opcode.SCHEMA, damaged(dice, body))


def _text_size(body: bytes) -> int:
    at = 2
    for _ in range(2):
        (size,) = struct.unpack_from("<I", body, at)
        at += 4 + size
    return struct.unpack_from("<I", body, at)[0]


def _damage_chunk(dice: random.Random, found: Records) -> None:
    """The messages inside a chunk, with sizes and checksum that fit, or do not."""
    at = _of(dice, found, Opcode.CHUNK)
    if at is None:
        return
    chunk = Chunk.read(ReadDataStream(io.BytesIO(found[at][1])))
    data = zstandard.ZstdDecompressor().decompress(chunk.data, chunk.uncompressed_size)
    choice = dice.random()
    if choice < 0.4:
        data = damaged(dice, data)
    elif choice < 0.8:
        # texts of lines, most of them configurations and commands
        lines = data.rfind(b"\x00\x01\x00\x00")
        data = data[:lines] + damaged(dice, data[lines:], most=8)
    else:
        # numbers of ticks
        for _ in range(dice.randrange(1, 20)):
            place = 8 * dice.randrange(max(1, len(data) // 8))
            data = data[:place] + struct.pack("<d", float("nan")) + data[place + 8 :]
    size = len(data) if dice.random() < 0.9 else dice.choice((0, 1, 2**31, 2**40, 2**63))
    name = dice.choice((b"zstd", b"zstd", b"zstd", b"lz4", b"", b"brotli"))
    packed = zstandard.ZstdCompressor(level=1).compress(data) if name == b"zstd" else data
    found[at] = (Opcode.CHUNK, _chunk(chunk, data, packed, size, name))


def _inflate(dice: random.Random, found: Records) -> None:
    """A chunk that is small, and enormous when decompressed."""
    at = _of(dice, found, Opcode.CHUNK)
    if at is None:
        return
    chunk = Chunk.read(ReadDataStream(io.BytesIO(found[at][1])))
    zeros = bytes(1 << 20)
    compress = zstandard.ZstdCompressor(level=1).compressobj()
    times = dice.choice((200, 1500))
    packed = b"".join(compress.compress(zeros) for _ in range(times)) + compress.flush()
    size = dice.choice((100, times << 20, 2**40))
    found[at] = (Opcode.CHUNK, _chunk(chunk, b"", packed, size, b"zstd"))


def _chunk(chunk: Chunk, data: bytes, packed: bytes, size: int, name: bytes) -> bytes:
    head = struct.pack("<QQQI", chunk.message_start_time, chunk.message_end_time, size, 0)
    if data and size == len(data):
        head = head[:-4] + struct.pack("<I", zlib.crc32(data))
    return head + struct.pack("<I", len(name)) + name + struct.pack("<Q", len(packed)) + packed
