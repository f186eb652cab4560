"""Recordings of earlier versions can still be recomputed.

`position_arm` and `torque_arm` are from before a change of the law state's layout. `torque_arm` is
also from before Pliant computed the dynamics itself: its torques recompute to rounding.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.errors import RecordingError
from pliant.recording import Recording
from pliant.recording.recomputation import recompute
from pliant.recording.recompute_compare import COMPUTED
from pliant.tick import LAW_STATE_SIZE, tick_dtype

BEFORE = Path(__file__).parent / "before"

ROUNDED = ("M", "c", "g", "a_bias_W", "tau_law", "tau_blend", "tau_integral", "tau_requested")
ROUNDED += ("tau_servo_blend", "tau_limited")
"""The columns of `torque_arm` that differ by rounding, because Pinocchio computed its dynamics."""

ROUNDING = 1e-12
"""Their largest difference, relative to the largest value in the column; 2e-14 was measured."""


@pytest.fixture(params=["position_arm", "torque_arm"])
def recording(request: pytest.FixtureRequest) -> Recording:
    """A recording with a smaller law state."""
    return pliant.load(BEFORE / f"{request.param}.mcap")


def test_an_old_recording_keeps_its_law_state(recording: Recording) -> None:
    assert recording["law_state"].shape == (len(recording), 80)
    assert recording["law_state"].any()
    assert LAW_STATE_SIZE != 80


@pytest.mark.parametrize("name", ["position_arm", "torque_arm_own_dynamics"])
def test_an_old_recording_recomputes_without_a_difference(name: str) -> None:
    recording = pliant.load(BEFORE / f"{name}.mcap")
    result = recompute(recording, keep=True)
    assert result.difference is None
    assert result.refused == ()
    assert result.ticks == len(recording) - 1
    assert result.rows is not None and result.rows.dtype == tick_dtype(recording.n)


def test_dynamics_of_pinocchio_recompute_to_rounding() -> None:
    recording = pliant.load(BEFORE / "torque_arm.mcap")
    result = recompute(recording, keep=True)
    assert result.refused == ()
    assert result.ticks == len(recording) - 1
    assert result.rows is not None
    # both begin with row 0
    assert len(result.rows) == len(recording)
    for name in [name for name in COMPUTED if name in recording.columns and name != "law_state"]:
        old, new = recording[name], result.rows[name]
        if name in ROUNDED:
            assert np.abs(new - old).max() <= ROUNDING * np.abs(old).max(), name
        else:
            np.testing.assert_array_equal(new, old, err_msg=name)


def test_other_columns_are_still_compared() -> None:
    recording = pliant.load(BEFORE / "position_arm.mcap")
    rows = recording.rows.copy()
    rows["X_WT_cmd"][-1, 2] += 1e-15
    difference = recompute(replace(recording, rows=rows)).difference
    assert difference is not None
    assert (difference.tick, difference.column) == (rows["k"][-1], "X_WT_cmd")


def test_recomputing_can_start_at_a_row_without_a_law() -> None:
    recording = pliant.load(BEFORE / "position_arm.mcap")
    law = recording["law"]
    idle = int(np.flatnonzero(law[:-1] < 0)[-1])
    result = recompute(recording, int(recording["k"][idle + 1]))
    assert result.difference is None


def test_starting_at_a_row_with_an_active_law_is_refused(recording: Recording) -> None:
    active = int(np.flatnonzero(recording["law"] >= 0)[0])
    with pytest.raises(RecordingError, match=f"from tick {active}, where a law is active") as error:
        recompute(recording, active + 1)
    assert "\n" not in str(error.value)


def test_a_gap_under_an_active_law_is_refused(recording: Recording) -> None:
    active = int(np.flatnonzero(recording["law"] >= 0)[0])
    keep = np.arange(len(recording)) != active
    with pytest.raises(RecordingError, match=f"from tick {active + 1}, where a law is active"):
        recompute(replace(recording, rows=recording.rows[keep]))


def test_another_column_of_a_different_size_is_refused(recording: Recording) -> None:
    fields = [(n, recording.rows.dtype[n]) for n in recording.columns if n != "busy"]
    rows = np.zeros(len(recording), np.dtype([*fields, ("busy", float, (2,))], align=True))
    with pytest.raises(RecordingError, match="whose ticks have different columns"):
        recompute(replace(recording, rows=rows))
