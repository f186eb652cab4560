"""The past: order, wrapping, and names that do not exist."""

import sys
import warnings
from types import ModuleType

import matplotlib
import numpy as np
import pytest

from pliant.errors import ConfigError, MissingExtra, PliantWarning, UnknownNameError
from pliant.loop.history import History
from pliant.tick import columns, new_rows

matplotlib.use("Agg")


def filled(depth: int, count: int) -> History:
    history, tick = History(6, depth), new_rows(6)
    for k in range(count):
        tick["k"] = k
        tick["time"], tick["dt"] = 0.002 * k, 0.002
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


def test_a_misspelt_column_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'w_t'; did you mean w_T"):
        filled(4, 1)["w_t"]


def test_a_past_that_was_cut_is_told_once() -> None:
    whole, cut = filled(4, 4), filled(4, 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = whole["q"], cut.since(0.015), repr(cut)
    with pytest.warns(PliantWarning, match=r"holds the last .* before are dropped"):
        _ = cut["q"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = cut["q"], cut["time"]
    assert (whole.dropped, cut.dropped) == (0, 6)
    assert "dropped" in repr(cut) and "0.012 to 0.018 s" in repr(cut)


def test_columns_are_plotted_by_their_units() -> None:
    figure = filled(9, 9).plot("w_T", "w_desired_T", "time")
    assert [panel.get_ylabel() for panel in figure.axes] == ["N", "N·m", "s"]
    labels = [line.get_label() for line in figure.axes[0].lines]
    assert labels == [
        f"{name} {element}" for name in ("w_T", "w_desired_T") for element in ("Fx", "Fy", "Fz")
    ]
    styles = {line.get_linestyle() for line in figure.axes[0].lines}
    assert len(styles) == 2
    with pytest.raises(UnknownNameError, match="did you mean w_T"):
        filled(4, 1).plot("w_t")
    with pytest.raises(ConfigError, match="name the columns"):
        filled(4, 1).plot()


def test_a_table_has_one_column_per_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in: pandas need not be installed."""
    made = {}
    stand_in = ModuleType("pandas")
    stand_in.__dict__["Index"] = lambda values, name: (name, values.tolist())
    stand_in.__dict__["DataFrame"] = lambda columns, index: made.update(columns, index=index)
    monkeypatch.setitem(sys.modules, "pandas", stand_in)
    history = filled(4, 3)
    history.to_pandas("q", "k")
    assert list(made) == [*(f"q_{i}" for i in range(6)), "k", "index"]
    assert made["q_2"].tolist() == [2.0, 3.0, 4.0]
    assert made["index"] == ("time", [0.0, 0.002, 0.004])


def test_without_pandas_or_matplotlib_one_sentence_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, use in {
        "pandas": lambda: filled(4, 1).to_pandas(),
        "matplotlib": lambda: filled(4, 1).plot("q"),
    }.items():
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingExtra, match=rf"needs {name}.*pip install 'pliant\[\w+\]'"):
            use()
