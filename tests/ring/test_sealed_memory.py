"""What protects a ring: it cannot be cut or written, and nothing else passes for one."""

import fcntl
import json
import mmap
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pliant.errors import PliantError
from pliant.ring.ring import RingReader, RingWriter
from pliant.ring.ring_file import read_header
from pliant.ring.ring_layout import HEADER_SIZE, PAGE
from pliant.tick import new_rows

N = 6
ALL = 0x17
"""Shrink, grow, future write and seal."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arm.ring"


@pytest.fixture
def writer(path: Path) -> Iterator[RingWriter]:
    made = RingWriter(path, N, 8, {})
    yield made
    made.close()


def attempts(path: Path) -> dict[str, Callable[[], object]]:
    """Whatever could cut or change a ring."""
    opened = os.open(path, os.O_RDWR)
    return {
        "truncate": lambda: os.truncate(path, 0),
        "shrink": lambda: os.ftruncate(opened, PAGE),
        "grow": lambda: os.ftruncate(opened, 1 << 30),
        "punch a hole": lambda: _punch(opened),
        "write": lambda: os.pwrite(opened, b"x", HEADER_SIZE),
        "map to write": lambda: mmap.mmap(opened, PAGE),
        "unseal": lambda: fcntl.fcntl(opened, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE),
    }


def _punch(descriptor: int) -> None:
    code = "import ctypes, os, sys; libc = ctypes.CDLL(None, use_errno=True); \
r = libc.fallocate(int(sys.argv[1]), 3, ctypes.c_long(0), ctypes.c_long(1 << 16)); \
sys.exit(ctypes.get_errno() if r else 0)"
    status = subprocess.run(
        [sys.executable, "-c", code, str(descriptor)], pass_fds=(descriptor,), check=False
    ).returncode
    if status:
        raise OSError(status, os.strerror(status))


@pytest.mark.parametrize("attempt", list(attempts(Path("/dev/null"))))
def test_a_ring_can_neither_be_cut_nor_written(attempt, path: Path, writer: RingWriter) -> None:
    with pytest.raises(OSError, match="not permitted"):
        attempts(path)[attempt]()
    reader = RingReader(path)
    writer.publish(new_rows(N))
    writer.write_line("event", 0, "goes on")
    assert len(list(reader.ticks())) == 1
    assert [line.text for line in reader.lines()] == ["goes on"]


def test_the_name_leads_to_the_memory_of_its_process(path: Path, writer: RingWriter) -> None:
    assert os.readlink(path).startswith(f"/proc/{os.getpid()}/fd/")
    assert read_header(path)["pid"] == os.getpid()


WRITER = """
import sys, time
from pathlib import Path
from pliant.ring.ring import RingWriter
from pliant.tick import new_rows
writer = RingWriter(Path(sys.argv[1]), 6, 8, {})
writer.publish(new_rows(6))
print("ready", flush=True)
time.sleep(1000)
"""


def test_readers_keep_the_ring_of_a_killed_writer(path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdout.readline() == "ready\n"
    reader = RingReader(path)
    reader.rewind()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert len(list(reader.ticks())) == 1
    assert not reader.ended
    # its name leads nowhere now
    with pytest.raises(OSError, match="No such file"):
        RingReader(path)


# what is not a ring


def planted(path: Path, data: bytes, seals: int = ALL, name: str | None = None) -> None:
    """Memory that somebody else made, behind a link of a ring; it stays until the process ends."""
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    descriptor = os.memfd_create(name or f"pliant-ring:{path.stem}", flags)
    os.write(descriptor, data)
    if seals:
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    path.symlink_to(f"/proc/{os.getpid()}/fd/{descriptor}")


WRONG = {
    "joints in a list": {"n": []},
    "no joints": {"n": -1},
    "half a row": {"depth": 0.5},
    "no rows": {"depth": -1},
    "a text": {"started": "1"},
}


def damaged(whole: bytearray, damage: str) -> bytes:
    text = whole[16 : 16 + int.from_bytes(whole[8:16], "little")]
    header = json.loads(text)
    if damage == "cut short":
        return whole[:-1]
    if damage == "header cut":
        return whole[:200]
    if damage == "newer":
        whole[:8] = b"PLIANT99"
    elif damage == "foreign":
        whole[:8] = b"\x7fELF\0\0\0\0"
    elif damage == "no layout":
        whole[8:18] = (2).to_bytes(8, "little") + b"{}"
    elif damage == "columns":
        header["columns"][0][0] = "q"
    elif damage == "process":
        header["pid"] = 1
    elif damage == "start time":
        header["started"] = 1
    elif damage in WRONG:
        header |= WRONG[damage]
    if damage in ("columns", "process", "start time", *WRONG):
        whole[16 : 16 + len(text)] = json.dumps(header).encode().ljust(len(text))
    return b"" if damage == "empty" else whole


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("cut short", "is truncated"),
        ("header cut", "damaged"),
        ("no layout", "damaged"),
        *((name, "damaged") for name in WRONG),
        ("newer", "another version"),
        ("columns", "another version"),
        ("process", "another process"),
        ("start time", "another process"),
        ("foreign", "is not a ring"),
        ("empty", "is not a ring"),
    ],
)
def test_what_is_not_a_ring_of_this_version_is_refused(
    path: Path, writer: RingWriter, damage: str, message: str
) -> None:
    data = damaged(bytearray(path.read_bytes()), damage)
    writer.close()
    planted(path, data)
    with pytest.raises(PliantError, match=message):
        RingReader(path)


@pytest.mark.parametrize("kind", ["file", "pipe", "other name", "not sealed", "plain link"])
def test_only_sealed_memory_of_its_name_is_opened(
    path: Path, writer: RingWriter, kind: str
) -> None:
    data = path.read_bytes()
    writer.close()
    if kind == "file":
        path.write_bytes(data)
    elif kind == "pipe":
        # opening this one would wait for a writer
        read, _write = os.pipe()
        path.symlink_to(f"/proc/{os.getpid()}/fd/{read}")
    elif kind == "plain link":
        path.symlink_to("/etc/passwd")
    else:
        name = "pliant-ring:other" if kind == "other name" else None
        planted(path, data, seals=0 if kind == "not sealed" else ALL, name=name)
    with pytest.raises(PliantError, match="is not a ring"):
        RingReader(path)
    path.unlink()


def test_closing_leaves_what_took_its_name(path: Path, writer: RingWriter) -> None:
    path.unlink()
    path.write_text("mine")
    writer.close()
    assert path.read_text() == "mine"
