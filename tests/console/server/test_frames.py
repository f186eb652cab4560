"""Frames are packed by the schema, and decoded with the schema alone."""

import struct

import numpy as np

from pliant.console.server.frames import Subscription
from pliant.console.server.messages import FRAME_HEADER
from pliant.console.server.subscriptions import Subscriptions
from pliant.tick import columns, new_rows

HEAD = struct.Struct(FRAME_HEADER)


def ticks(*numbers: int, n: int = 6) -> np.ndarray:
    rows = new_rows(n, len(numbers))
    rows["k"] = numbers
    rng = np.random.default_rng(0)
    for name, _, _ in columns():
        if name != "k" and rows[name].dtype == np.float64:
            rows[name] = rng.normal(size=rows[name].shape)
    rows["reason_text"][:, :4] = np.frombuffer(b"why?", np.uint8)
    rows["mode"] = 3
    return rows


def decode(frame: bytes, schema) -> tuple[dict[str, np.ndarray], int, int]:
    """Decode a frame as the page does: one array of doubles, and offsets from the schema."""
    number, count, first, missed, _ = HEAD.unpack_from(frame)
    assert number == schema.id
    cells = np.frombuffer(frame, "<f8", offset=HEAD.size).reshape(count, schema.stride // 8)
    out = {}
    for column in schema.columns:
        part = cells[:, column.offset // 8 : column.offset // 8 + column.size]
        text = column.type == "text"
        out[column.name] = part if text else part.reshape(count, *column.shape)
    return out, first, missed


def test_every_column_survives() -> None:
    names = tuple(name for name, _, _ in columns())
    for n in (6, 7):
        made = Subscription(5, n, names, 1)
        rows = ticks(100, 101, 102, n=n)
        (frame,) = made.frames(rows, missed=4)
        got, first, missed = decode(frame, made.schema)
        assert (first, missed) == (100, 4)
        assert list(got) == list(names)
        for name in names:
            if name == "reason_text":
                assert got[name][0].tobytes() == rows[name][0].tobytes()
            else:
                np.testing.assert_array_equal(got[name], rows[name])


def test_rows_are_aligned_for_an_array_of_doubles() -> None:
    made = Subscription(1, 6, ("reason_text", "k", "q"), 1)
    assert HEAD.size % 8 == 0
    assert made.schema.stride % 8 == 0
    assert all(column.offset % 8 == 0 for column in made.schema.columns)


def test_the_schema_lists_unknown_names() -> None:
    made = Subscription(1, 6, ("k", "nope", "k", "q"), 1)
    assert [column.name for column in made.schema.columns] == ["k", "q"]
    assert made.schema.unknown == ["nope"]
    assert Subscription(1, 6, ("nope",), 1).frames(ticks(1), 0) == []
    assert made.frames(ticks(), 0) == []


def test_a_gap_begins_a_new_frame() -> None:
    made = Subscription(1, 6, ("k",), 1)
    frames = [decode(frame, made.schema) for frame in made.frames(ticks(1, 2, 5, 6, 9), missed=3)]
    assert [(first, missed) for _, first, missed in frames] == [(1, 3), (5, 0), (9, 0)]
    assert [list(got["k"]) for got, _, _ in frames] == [[1, 2], [5, 6], [9]]


def test_every_tenth_tick() -> None:
    made = Subscription(1, 6, ("k",), 10)
    (frame,) = made.frames(ticks(*range(8, 45)), missed=0)
    got, first, _ = decode(frame, made.schema)
    assert first == 10
    assert list(got["k"]) == [10, 20, 30, 40]


def test_equal_subscriptions_are_shared_and_unused_ones_forgotten() -> None:
    subscriptions = Subscriptions()
    a = subscriptions.get(6, ("k",), 1, [])
    assert subscriptions.get(6, ("k",), 1, [a]) is a
    b = subscriptions.get(6, ("q",), 1, [a])
    assert b.schema.id != a.schema.id
    assert subscriptions.get(6, ("k",), 1, [b]) is not a
