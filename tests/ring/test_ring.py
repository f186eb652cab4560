"""The ring: order, wrapping, what was missed, torn reads, and files that are no ring."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pliant.errors import PliantError
from pliant.ring.lanes import LONGEST_TEXT, WORDS
from pliant.ring.ring import RingReader, RingWriter
from pliant.ring.ring_file import read_header
from pliant.ring.runtime_folder import ProcessId
from pliant.tick import Rows, new_rows, tick_dtype

N = 6


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arm.ring"


def tick(k: int) -> Rows:
    row = new_rows(N)
    row["k"] = k
    return row


def publish(writer: RingWriter, numbers: range) -> None:
    for k in numbers:
        writer.publish(tick(k))


def ks(reader: RingReader) -> list[int]:
    return [row["k"].item() for row in reader.ticks()]


# ticks


def test_a_reader_gets_every_tick_in_order_across_the_wrap(path: Path) -> None:
    writer = RingWriter(path, N, 8, {})
    reader = RingReader(path)
    for start in range(0, 60, 5):
        publish(writer, range(start, start + 5))
        assert ks(reader) == list(range(start, start + 5))
    assert ks(reader) == []
    assert reader.missed == 0


def test_every_column_arrives_bit_for_bit(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    row = new_rows(N)
    row.view(np.uint8)[:] = np.random.default_rng(0).integers(0, 256, row.nbytes, np.uint8)
    writer.publish(row)
    assert [read.tobytes() for read in reader.ticks()] == [row.tobytes()]


@pytest.mark.parametrize("count", [8, 9, 17, 100])
def test_an_overtaken_reader_is_told_exactly_how_many_it_missed(path: Path, count: int) -> None:
    writer = RingWriter(path, N, 8, {})
    reader = RingReader(path)
    publish(writer, range(count))
    assert ks(reader) == list(range(count - 8, count))
    assert reader.missed == count - 8
    publish(writer, range(count, count + 3))
    assert ks(reader) == list(range(count, count + 3))
    assert reader.missed == count - 8


def test_one_overtaken_between_two_ticks_goes_on_with_the_oldest(path: Path) -> None:
    writer = RingWriter(path, N, 8, {})
    reader = RingReader(path)
    publish(writer, range(8))
    ticks = reader.ticks()
    assert next(ticks)["k"].item() == 0
    publish(writer, range(8, 20))
    assert [row["k"].item() for row in ticks] == list(range(12, 20))
    assert reader.missed == 11


def test_a_tick_that_is_being_overwritten_is_not_given_out(path: Path) -> None:
    writer = RingWriter(path, N, 8, {})
    reader = RingReader(path)
    publish(writer, range(8))
    # as a writer killed in mid-write leaves it: tick 9 begun, over tick 1
    writer._counters["begun"] = 9
    assert ks(reader) == list(range(1, 8))
    assert reader.missed == 1
    reader.rewind()
    assert ks(reader) == list(range(1, 8))


def test_a_late_reader_begins_with_the_next_tick_or_the_oldest(path: Path) -> None:
    writer = RingWriter(path, N, 8, {})
    publish(writer, range(20))
    reader = RingReader(path)
    assert ks(reader) == []
    assert reader.published == 20
    reader.rewind()
    assert ks(reader) == list(range(12, 20))
    assert reader.missed == 0


def test_the_latest_is_a_copy_and_moves_nothing(path: Path) -> None:
    writer = RingWriter(path, N, 8, {})
    reader = RingReader(path)
    assert reader.latest() is None
    publish(writer, range(3))
    latest = reader.latest()
    publish(writer, range(3, 30))
    assert latest is not None
    assert latest["k"].item() == 2
    assert ks(reader) == list(range(22, 30))


# lines


def texts(reader: RingReader) -> list[str]:
    return [line.text for line in reader.lines()]


def test_lines_arrive_with_tick_and_kind(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    for kind in ("command", "reply", "event", "config"):
        writer.write_line(kind, 7, f"{kind} µ")
    lines = list(reader.lines())
    assert [line.kind for line in lines] == ["command", "reply", "event", "config"]
    assert [line.text for line in lines] == [f"{line.kind} µ" for line in lines]
    assert {line.tick for line in lines} == {7}
    assert texts(reader) == []


def test_lines_of_every_length_survive_the_wrap(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    written = 0
    for i in range(2000):
        text = f"{i}:" + "x" * (i * 37 % 5000)
        writer.write_line("event", i, text)
        written += len(text)
        assert texts(reader) == [text]
    assert written > 8 * WORDS
    assert reader.missed_lines == 0


def test_an_overtaken_reader_of_lines_goes_on_with_the_oldest_and_knows_its_loss(path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    writer.write_line("event", 0, "first")
    assert texts(reader) == ["first"]
    for i in range(12_000):
        writer.write_line("event", i, f"{i} " + "y" * 1000)
    numbers = [int(text.split()[0]) for text in texts(reader)]
    assert numbers == list(range(numbers[0], 12_000))
    assert reader.missed_lines == numbers[0]
    # nothing is given up that is still there
    assert len(numbers) > 0.99 * 8 * WORDS / (1000 + 40)
    reader.rewind()
    assert [int(text.split()[0]) for text in texts(reader)] == numbers


def test_an_endless_line_is_cut(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    writer.write_line("event", 0, "z" * (LONGEST_TEXT + 100))
    writer.write_line("event", 1, "")
    assert texts(reader) == ["z" * LONGEST_TEXT, ""]


# the file


def test_the_header_says_what_the_columns_are(path: Path) -> None:
    writer = RingWriter(path, N, 16, {"spec": "sim:ur5e", "pid": 42})
    header = read_header(path)
    assert (header["spec"], header["depth"]) == ("sim:ur5e", 16)
    # whose it is, no caller decides
    assert ProcessId(pid=header["pid"], started=header["started"]) == ProcessId.of(os.getpid())
    names, formats, shapes, offsets = zip(*header["columns"], strict=True)
    rebuilt = np.dtype(
        {
            "names": names,
            "formats": [(f, tuple(s)) for f, s in zip(formats, shapes, strict=True)],
            "offsets": offsets,
            "itemsize": header["row_size"],
        }
    )
    assert rebuilt.fields == np.dtype((np.void, tick_dtype(N))).fields
    writer.close()


def test_a_reader_cannot_write(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    for lane in (reader._counters, reader._rows, reader._words):
        assert not lane.flags.writeable
    writer.close()


def test_the_end_is_seen_by_readers_and_leaves_no_file(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    reader = RingReader(path)
    assert not reader.ended
    writer.publish(tick(5))
    writer.close()
    assert reader.ended
    assert ks(reader) == [5]
    assert list(path.parent.iterdir()) == []


def test_only_its_owner_may_look(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]
    writer.close()


def test_a_second_ring_of_the_same_name_is_refused_and_harms_nothing(path: Path) -> None:
    writer = RingWriter(path, N, 4, {})
    with pytest.raises(PliantError, match="already"):
        RingWriter(path, N, 4, {})
    writer.publish(tick(1))
    latest = RingReader(path).latest()
    assert latest is not None
    assert latest["k"].item() == 1
    assert list(path.parent.iterdir()) == [path]


def test_no_room_is_said_and_nothing_is_left(path: Path, monkeypatch) -> None:
    def refuse(*_arguments: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(PliantError, match="No space left"):
        RingWriter(path, N, 4, {})
    assert list(path.parent.iterdir()) == []


# several processes

HAMMER = """
import sys, numpy as np
from pathlib import Path
from pliant.ring.ring import RingWriter
from pliant.tick import new_rows
writer = RingWriter(Path(sys.argv[1]), 6, 16, {})
tick = new_rows(6)
words = tick.view(np.int64)
print("ready", flush=True)
sys.stdin.readline()
for k in range(int(sys.argv[2])):
    words[:] = k
    writer.publish(tick)
    if k % 200 == 199:
        writer.write_line("event", k, f"{k} " * (k % 400))
writer.close()
"""


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_writer_at_full_speed_never_hands_out_a_torn_tick_or_line(path: Path) -> None:
    published = 300_000
    writer = python(HAMMER, path, published)
    reader, read = RingReader(path), 0
    assert writer.stdin is not None
    print("go", file=writer.stdin, flush=True)
    # however the processes are scheduled, the reader is overtaken once
    while reader.published < 100:
        time.sleep(0.001)
    while not reader.ended:
        for row in reader.ticks():
            words = row.view(np.int64)
            assert words[0] == words[-1] == words.min() == words.max()
            read += 1
        latest = reader.latest()
        assert latest is None or len(set(latest.view(np.int64).tolist())) == 1
        for line in reader.lines():
            assert set(line.text.split()) <= {str(line.tick)}
    read += len(ks(reader))
    writer.communicate(timeout=120)
    assert reader.missed > 0
    assert read + reader.missed == published


FOLLOW = """
import sys
from pathlib import Path
from pliant.ring.ring import RingReader
reader = RingReader(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    for row in reader.ticks():
        pass
"""


def test_readers_killed_in_mid_read_are_not_noticed(path: Path) -> None:
    writer = RingWriter(path, N, 100_000, {})
    survivor, readers = RingReader(path), [python(FOLLOW, path) for _ in range(2)]
    k = 0
    try:
        for reader in readers:
            until = time.monotonic() + 0.3
            while time.monotonic() < until and k < 45_000:
                writer.publish(tick(k))
                k += 1
            reader.send_signal(signal.SIGKILL)
            writer.publish(tick(k))
            k += 1
    finally:
        for reader in readers:
            reader.kill()
            reader.communicate()
    assert ks(survivor) == list(range(k))
    assert survivor.missed == 0
    writer.close()
