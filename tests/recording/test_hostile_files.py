"""Files that somebody made to be read: they cost bounded memory, and end in one sentence."""

import contextlib
import io
import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lz4.frame
import numpy as np
import pytest
import zstandard

from pliant.cli import main
from pliant.config import Config
from pliant.recording.container import Container
from pliant.recording.writer import CDR_HEADER, HEADER_FILE, RecordingWriter, message_dtype
from pliant.recording.writer import _cdr_line as line_body
from pliant.recording.writer import _preamble as preamble
from pliant.tick import new_rows, tick_dtype

HEADER: dict[str, Any] = {
    **{"spec": "sim:ur5e", "clock": "fast", "n": 6, "dt": 0.002, "rate": 500.0, "start": 1e9},
    **{
        "laws": ["hybrid_admittance", "position"],
        "law_files": {},
        "versions": {"pliant": "0.1.0"},
        "python": "3",
    },
}
CONFIG = Config().to_yaml()
MOST_MEMORY = 200e6
GIGABYTE = 1 << 30

MEASURE = """
import resource, sys
from pliant.errors import RecordingError
from pliant.recording import load
def peak(): return 1000 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
try:
    load(sys.argv[1])
except RecordingError as error:
    print(error)
print(peak() - before)
"""


def chunk(compression: str, packed: bytes, size: int) -> bytes:
    """A chunk record that says that it has so many bytes."""
    name = compression.encode()
    body = struct.pack("<QQQII", 0, 1, size, 0, len(name)) + name
    body += struct.pack("<Q", len(packed)) + packed
    return struct.pack("<BQ", 6, len(body)) + body


def zeros_in_zstd(size: int) -> bytes:
    """A frame that contains so many zeros, and says so."""
    out = io.BytesIO()
    with zstandard.ZstdCompressor().stream_writer(out, size=size, closefd=False) as packer:
        for _ in range(size >> 20):
            packer.write(bytes(1 << 20))
    return out.getvalue()


def zeros_in_lz4(size: int) -> bytes:
    packer = lz4.frame.LZ4FrameCompressor()
    parts = [packer.begin(), *(packer.compress(bytes(1 << 20)) for _ in range(size >> 20))]
    return b"".join([*parts, packer.flush()])


def message(channel: int, body: bytes) -> bytes:
    return struct.pack("<BQHIQQ", 5, 22 + len(body), channel, 1, 1, 1) + body


def many(record: bytes) -> bytes:
    """Chunks that unfold to half a gigabyte of one record, again and again, as they say."""
    data = record * (30_000_000 // len(record))
    return 17 * chunk("zstd", zstandard.ZstdCompressor().compress(data), len(data))


TICK = message(1, CDR_HEADER + bytes(tick_dtype(6).itemsize))
LINE = message(2, CDR_HEADER + line_body(1, "event", ""))

BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "zstd, more than it says": (
        lambda: chunk("zstd", zeros_in_zstd(3 * GIGABYTE), 1000),
        "says that it has 1000 bytes, and has more",
    ),
    "lz4, more than it says": (
        lambda: chunk("lz4", zeros_in_lz4(GIGABYTE), 1000),
        "says that it has 1000 bytes, and has more",
    ),
    "zstd, less than it says": (
        lambda: chunk("zstd", zeros_in_zstd(1 << 20), 3 * GIGABYTE),
        "has 3221225472 bytes, at most 33554432 are read",
    ),
    "ticks": (lambda: many(TICK), "unfolds to more than 200 times its size"),
    "lines": (lambda: many(LINE), "has more records than bytes"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_file_cannot_take_all_memory(bomb: str, tmp_path: Path) -> None:
    made, message = BOMBS[bomb]
    path = tmp_path / "bomb.mcap"
    RecordingWriter(path, HEADER, CONFIG).close()
    # before the end of the data
    whole = path.read_bytes()
    start = whole.index(struct.pack("<BQ", 15, 4))
    path.write_bytes(whole[:start] + made() + whole[start:])
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    *said, taken = done.stdout.splitlines()
    assert message in said[0]
    assert float(taken) < MOST_MEMORY


def write(path: Path, ticks: int, header: bytes, lines: list[tuple[str, str]]) -> None:
    """A recording with a header as it is given, and lines at its first tick."""
    parts = preamble(HEADER, CONFIG)
    for attachment in parts["attachments"]:
        if attachment.name == HEADER_FILE:
            attachment.data = header
    container = Container(path, **parts)
    rows = np.concatenate([new_rows(6) for _ in range(ticks)] or [np.zeros(0, tick_dtype(6))])
    rows["k"], rows["time"] = np.arange(ticks), 0.002 * np.arange(ticks)
    rows["law"] = 0
    messages = np.zeros(ticks, message_dtype(rows.itemsize))
    messages["opcode"], messages["length"] = 5, messages.itemsize - 9
    messages["channel"], messages["cdr"] = 1, np.void(CDR_HEADER)
    messages["row"] = rows.view(f"V{rows.itemsize}")
    data = messages.tobytes()
    data += b"".join(message(2, CDR_HEADER + line_body(0, *line)) for line in lines)
    if data:
        container.write_chunk(data, {1: np.zeros((1, 2), np.uint64)})
    container.close()


def sentence_of(arguments: list[str]) -> str:
    """What a verb says when it ends; empty if it succeeded. Anything but a sentence is an error."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            main(arguments)
    except SystemExit as ended:
        assert isinstance(ended.code, str) and "\n" not in ended.code
        return ended.code
    return ""


VERBS = [["info", "FILE"], ["plot", "FILE", "--out", "OUT.html"], ["recompute", "FILE"],
         ["export", "FILE", "OUT.csv"]]  # fmt: skip
WRONG_HEADERS = {
    "no JSON": b"{",
    "not UTF-8": b"\xff",
    "deep": b"[" * 5000,
    "a list": b"[]",
    "empty": b"{}",
    "no period": json.dumps(HEADER | {"dt": 0.0}).encode(),
    "a period of text": json.dumps(HEADER | {"dt": "fast"}).encode(),
    "other joints": json.dumps(HEADER | {"n": 7}).encode(),
    "a thousand joints": json.dumps(HEADER | {"n": 1000}).encode(),
    "laws that are numbers": json.dumps(HEADER | {"laws": [1, 2]}).encode(),
    "versions that are a list": json.dumps(HEADER | {"versions": ["x"]}).encode(),
}


@pytest.mark.parametrize("header", WRONG_HEADERS)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_wrong_header_is_one_sentence(verb: list[str], header: str, tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, 20, WRONG_HEADERS[header], [])
    given = [x.replace("FILE", str(path)).replace("OUT", str(tmp_path / "out")) for x in verb]
    assert "is damaged: its header " in sentence_of(given)


def test_a_header_without_laws_can_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, 20, json.dumps(HEADER | {"laws": []}).encode(), [])
    assert sentence_of(["info", str(path)]) == ""
    assert sentence_of(["plot", str(path), "--out", str(tmp_path / "a.html")]) == ""
    assert "has law 0, which has no meaning" in sentence_of(["recompute", str(path)])


@pytest.mark.parametrize(
    "config", ["{", "[]", "null", "[" * 5000, '{"laws": 3}', '{"laws": {"a b": {}}}']
)
def test_a_wrong_config_line_is_one_sentence(config: str, tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, 20, json.dumps(HEADER).encode(), [("config", config)])
    assert "its configuration at tick 0 is damaged" in sentence_of(["recompute", str(path)])


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npz", "npy"])
def test_a_recording_without_ticks_is_exported(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, 0, json.dumps(HEADER).encode(), [])
    assert sentence_of(["export", str(path), str(tmp_path / f"out.{suffix}")]) == ""
    assert (tmp_path / f"out.{suffix}").exists()
