"""The past: order, wrapping, and names that do not exist."""

import numpy as np
import pytest

from pliant.errors import UnknownNameError
from pliant.loop.history import History
from pliant.tick import columns, new_rows


def filled(depth: int, count: int) -> History:
    history, tick = History(6, depth), new_rows(6)
    for k in range(count):
        tick["k"] = k
        tick["time"] = 0.002 * k
        tick["q"] = k + np.arange(6)
        history.publish(tick)
    return history


def test_is_empty_at_first() -> None:
    history = History(6, 4)
    assert len(history) == 0
    assert history["q"].shape == (0, 6)


@pytest.mark.parametrize(
    ("count", "remembered"),
    [(3, [0, 1, 2]), (4, [0, 1, 2, 3]), (5, [1, 2, 3, 4]), (8, [4, 5, 6, 7]), (10, [6, 7, 8, 9])],
)
def test_keeps_the_newest_in_order(count: int, remembered: list[int]) -> None:
    history = filled(4, count)
    assert len(history) == len(remembered)
    assert history["k"].tolist() == remembered
    assert history["q"][:, 2].tolist() == [k + 2.0 for k in remembered]


def test_keeps_every_column_bit_for_bit() -> None:
    tick = new_rows(6)
    tick.view(np.uint8)[:] = np.random.default_rng(0).integers(0, 256, tick.nbytes, np.uint8)
    history = History(6, 2)
    history.publish(tick)
    for name, _, _ in columns():
        assert history[name].tobytes() == tick[name].tobytes()


def test_what_was_read_stays_when_more_is_published() -> None:
    history, tick = History(6, 2), new_rows(6)
    history.publish(tick)
    before = history["time"]
    tick["time"] = 7.0
    for _ in range(3):
        history.publish(tick)
    assert before.tolist() == [0.0]


def test_since_gives_whole_rows_from_a_time_on() -> None:
    rows = filled(4, 10).since(0.015)
    assert rows["k"].tolist() == [8, 9]
    assert rows["q"].shape == (2, 6)


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="w_T") as caught:
        filled(4, 1)["wrench"]
    assert "X_WT" in caught.value.valid
