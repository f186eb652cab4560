"""The summary of a recording."""

from dataclasses import replace

import numpy as np
import pytest

from pliant import __version__
from pliant.recording import Recording
from pliant.recording.summary import inspect


def test_a_summary_reports_laws_commands_and_faults(eventful: Recording) -> None:
    info = inspect(eventful)
    assert (info.spec, info.clock, info.rate) == ("sim:ur5e/table", "fast", 500.0)
    assert (info.ticks, info.lost, info.truncated) == (len(eventful), 0, False)
    assert info.duration == pytest.approx(0.002 * (len(eventful) - 1))
    assert set(info.laws) == {"hybrid_admittance", "position", "fragile"}
    assert info.laws["position"] == pytest.approx(0.3, abs=0.2)
    assert (
        info.commands["JOG"] == 2 and info.commands["ACTIVATE"] == 4 and info.commands["RESET"] == 1
    )
    assert info.refused == 1
    assert [text for _, text in info.faults][1] == "law fragile: ValueError: it broke"
    assert info.peak_force == np.nanmax(eventful["true_f_peak"]) > 2.0
    assert info.versions["pliant"] == __version__


def test_a_summary_reports_lost_ticks_and_truncation(eventful: Recording) -> None:
    rows = np.delete(eventful.rows, [10, 11])
    rows["true_f_peak"] = np.nan
    info = inspect(replace(eventful, rows=rows, truncated=True))
    assert (info.lost, info.truncated, info.peak_force_source) == (2, True, "sensed")
    sensed = np.linalg.norm(rows["w_T_raw"][rows["zeroed"] == 1, :3], axis=1)
    assert info.peak_force == np.nanmax(sensed)
    empty = inspect(replace(eventful, rows=rows[:0]))
    assert (empty.ticks, empty.duration, empty.peak_force, empty.faults) == (0, 0.0, 0.0, [])
