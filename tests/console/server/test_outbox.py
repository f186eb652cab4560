"""What waits for a viewer is bounded."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pliant.console.server.bucket import Bucket
from pliant.console.server.outbox import Outbox


def taken(outbox: Outbox, count: int) -> list[str | bytes]:
    async def take() -> list[str | bytes]:
        return [await outbox.next() for _ in range(count)]

    # a browser's tests may have left a loop running in this thread
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


def test_of_too_many_frames_the_oldest_are_left_out() -> None:
    outbox = Outbox()
    for i in range(100):
        outbox.frame(bytes([i]) * 100_000)
    assert outbox.left_out == 60
    first, *_, last = taken(outbox, 40)
    assert (first[0], last[0]) == (60, 99)


def test_too_many_texts_are_a_reason_to_give_up() -> None:
    outbox = Outbox()
    for _ in range(512):
        outbox.text("x")
    assert not outbox.overflown
    outbox.text("x")
    assert outbox.overflown


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    bucket = Bucket(rate=1e-9, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    assert all(Bucket(rate=1e12, burst=1).take() for _ in range(5))
