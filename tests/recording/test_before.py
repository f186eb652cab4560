"""Recordings made before the state of the laws got another layout still recompute."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.errors import RecordingError
from pliant.recording import Recording
from pliant.recording.recomputation import recompute
from pliant.tick import LAW_STATE_SIZE, tick_dtype

BEFORE = Path(__file__).parent / "before"


@pytest.fixture(params=["position_arm", "torque_arm"])
def recording(request: pytest.FixtureRequest) -> Recording:
    """A recording with a smaller block for the state of the law."""
    return pliant.load(BEFORE / f"{request.param}.mcap")


def test_it_opens_with_the_state_that_it_has(recording: Recording) -> None:
    assert recording["law_state"].shape == (len(recording), 80)
    assert recording["law_state"].any()
    assert LAW_STATE_SIZE != 80


def test_it_recomputes_without_a_difference(recording: Recording) -> None:
    result = recompute(recording, keep=True)
    assert result.difference is None
    assert result.refused == ()
    assert result.ticks == len(recording) - 1
    assert result.rows is not None and result.rows.dtype == tick_dtype(recording.n)


def test_other_columns_are_still_compared(recording: Recording) -> None:
    rows = recording.rows.copy()
    rows["X_WT_cmd"][-1, 2] += 1e-15
    difference = recompute(replace(recording, rows=rows)).difference
    assert difference is not None
    assert (difference.tick, difference.column) == (rows["k"][-1], "X_WT_cmd")


def test_it_recomputes_from_a_row_without_a_law(recording: Recording) -> None:
    law = recording["law"]
    idle = int(np.flatnonzero(law[:-1] < 0)[-1])
    result = recompute(recording, int(recording["k"][idle + 1]))
    assert result.difference is None


def test_a_row_with_an_active_law_is_refused_in_a_sentence(recording: Recording) -> None:
    active = int(np.flatnonzero(recording["law"] >= 0)[0])
    with pytest.raises(RecordingError, match=f"from tick {active}, where a law is active") as said:
        recompute(recording, active + 1)
    assert "\n" not in str(said.value)


def test_ticks_lost_under_a_law_are_refused_too(recording: Recording) -> None:
    active = int(np.flatnonzero(recording["law"] >= 0)[0])
    keep = np.arange(len(recording)) != active
    with pytest.raises(RecordingError, match=f"from tick {active + 1}, where a law is active"):
        recompute(replace(recording, rows=recording.rows[keep]))


def test_any_other_column_of_another_size_is_refused(recording: Recording) -> None:
    fields = [(n, recording.rows.dtype[n]) for n in recording.columns if n != "busy"]
    rows = np.zeros(len(recording), np.dtype([*fields, ("busy", float, (2,))], align=True))
    with pytest.raises(RecordingError, match="whose ticks have different columns"):
        recompute(replace(recording, rows=rows))
