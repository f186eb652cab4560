"""Following a ring, by a clock that moves only when someone sleeps."""

from pathlib import Path

import pytest

from pliant.config import Config
from pliant.recording import follow as module
from pliant.recording.follow import StartPoint, follow
from pliant.ring.ring import RingReader, RingWriter
from pliant.tick import Rows, new_rows

DT = 0.002


class Controller:
    """Publishes ticks while others sleep, for ten seconds."""

    def __init__(self, path: Path) -> None:
        self.ring = RingWriter(path, 6, 6000, {})
        self.ring.write_line("config", 0, Config().model_dump_json(round_trip=True))
        self.row = new_rows(6)
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        while self.row["k"][0] * DT < self.now:
            self.row["k"] += 1
            self.ring.publish(self.row)
        if self.now > 10.0:
            self.ring.close()


class Keeper:
    """A sink that notes how much it was given between two flushes."""

    def __init__(self) -> None:
        self.ks: list[int] = []
        self.kept: list[int] = []
        self.flushed = 0
        self.closed = False

    def publish(self, row: Rows) -> None:
        self.ks.append(row["k"].item())

    def write_line(self, kind: str, tick: int, text: str) -> None:
        pass

    def flush(self) -> None:
        self.kept.append(len(self.ks) - self.flushed)
        self.flushed = len(self.ks)

    def close(self) -> None:
        self.closed = True


def test_nothing_stays_out_of_the_file_for_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = Controller(tmp_path / "a.ring")
    monkeypatch.setattr(module, "time", controller)
    ring, sink = RingReader(tmp_path / "a.ring"), Keeper()
    follow(ring, StartPoint.in_ring(ring, 0), [sink])
    assert sink.closed
    assert sink.ks == list(range(1, controller.row["k"][0] + 1))
    assert len(sink.kept) > 10
    assert max(sink.kept) * DT < 1.0
