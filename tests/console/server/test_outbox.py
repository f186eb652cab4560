"""The outbox of a viewer is bounded."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pliant.console.server.outbox import Outbox


def taken(outbox: Outbox, count: int) -> list[str | bytes]:
    async def take() -> list[str | bytes]:
        return [await outbox.next() for _ in range(count)]

    # Playwright may have left an event loop running in this thread
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, take()).result()


def test_texts_first_then_the_newest_status_then_frames_in_order() -> None:
    outbox = Outbox()
    outbox.frame(b"1")
    outbox.latest("old status")
    outbox.text("schema")
    outbox.latest("status")
    outbox.frame(b"2")
    assert taken(outbox, 4) == ["schema", "status", b"1", b"2"]


def test_the_oldest_of_too_many_frames_are_dropped() -> None:
    outbox = Outbox()
    for i in range(100):
        outbox.frame(bytes([i]) * 100_000)
    assert outbox.left_out == 60
    first, *_, last = taken(outbox, 40)
    assert (first[0], last[0]) == (60, 99)


def test_too_many_texts_overflow_the_outbox() -> None:
    outbox = Outbox()
    for _ in range(512):
        outbox.text("x")
    assert not outbox.overflown
    outbox.text("x")
    assert outbox.overflown
