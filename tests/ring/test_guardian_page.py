"""The page of a ring that its guardian writes."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pliant.ring.guardian_page import GuardianPage
from pliant.ring.ring import RingReader, RingWriter
from pliant.ring.ring_layout import LONGEST_WORD, RELEASED, RUNNING, STOPPING
from pliant.ring.snapshot import look
from pliant.tick import new_rows


@pytest.fixture
def pages() -> list[GuardianPage]:
    return []


@pytest.fixture
def writer(tmp_path: Path, pages: list[GuardianPage]) -> Iterator[RingWriter]:
    def guard(memory: Path) -> None:
        pages.append(GuardianPage(memory))

    made = RingWriter(tmp_path / "a.ring", 6, 8, {}, guard)
    yield made
    made.close()


def test_a_guardian_follows_the_writer(writer: RingWriter, pages: list[GuardianPage]) -> None:
    (page,) = pages
    assert (page.ticks, page.release) == (0, RUNNING)
    writer.publish(new_rows(6))
    assert page.ticks == 1
    writer.mark_stopping()
    assert page.release == STOPPING
    writer.mark_released()
    assert page.release == RELEASED


def test_readers_get_its_last_word(writer: RingWriter, pages: list[GuardianPage]) -> None:
    reader = RingReader(writer.path)
    assert reader.guardian == look(writer.path).guardian == os.getpid()
    assert reader.last_word == ""
    pages[0].write("it hung for 23 µs")
    assert reader.last_word == "it hung for 23 µs"
    pages[0].write("x" * 5000)
    assert reader.last_word == "x" * LONGEST_WORD
    writer.publish(new_rows(6))
    assert len(list(reader.ticks())) == 1


def test_nobody_becomes_a_guardian_later(writer: RingWriter) -> None:
    with pytest.raises(OSError, match="not permitted"):
        GuardianPage(writer.path)


def test_a_ring_without_a_guardian_says_so(tmp_path: Path) -> None:
    writer = RingWriter(tmp_path / "b.ring", 6, 8, {})
    reader = RingReader(writer.path)
    assert reader.guardian == 0
    assert reader.last_word == ""
    writer.close()
