"""Recomputing recordings: equal bit for bit, or the first difference is found."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm
from pliant.errors import ConfigError, PliantError, RecordingError, UnknownNameError
from pliant.laws import PoseLaw
from pliant.reasons import State
from pliant.recording import Recording
from pliant.recording.recomputation import recompute
from pliant.recording.recompute_compare import COMPUTED, first_difference
from pliant.ring.ring import Line
from pliant.stages.supervisor import read_text
from pliant.tasks.insertion import Insertion

DAMPING = "laws.hybrid_admittance.damping"


def middle(recording: Recording, seed: int) -> int:
    """A random tick in the middle."""
    return int(np.random.default_rng(seed).integers(2, len(recording) - 2))


def test_the_recording_covers_every_situation(eventful: Recording) -> None:
    assert set(eventful["state"]) == set(State)
    assert set(eventful["law"]) == {-1, 0, 1, 2}
    assert set(eventful["ref_kind"]) == {0, 1, 2}
    assert np.nanmax(eventful["true_f_peak"]) > 2.0
    assert read_text(eventful.rows[-1:]) == "law fragile: ValueError: it broke"


def test_recomputing_from_the_first_row_is_equal_bit_for_bit(
    eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    result = recompute(eventful, laws=own_laws)
    assert result.difference is None
    assert result.refused == ()
    assert (result.first, result.ticks) == (1, len(eventful) - 1)


@pytest.mark.parametrize("seed", range(6))
def test_recomputing_from_any_row_is_equal(
    seed: int, eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    start = middle(eventful, seed)
    result = recompute(eventful, start, laws=own_laws)
    assert result.difference is None
    assert result.ticks == len(eventful) - start


def test_recomputing_from_the_tick_of_any_command_is_equal(
    eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    for line in eventful.lines:
        if line.kind == "input" and line.tick > 1:
            short = cut(eventful, line.tick + 20)
            assert recompute(short, line.tick, laws=own_laws).difference is None, line
            assert recompute(short, line.tick + 1, laws=own_laws).difference is None, line


def cut(recording: Recording, end: int) -> Recording:
    """A recording up to a tick."""
    return replace(recording, rows=recording.rows[:end])


def test_a_flipped_bit_in_any_computed_column_is_found(
    eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    rng = np.random.default_rng(0)
    at = 300
    for name in COMPUTED:
        rows = eventful.rows[: at + 3].copy()
        cells = rows[name][at : at + 1].reshape(-1)
        bits = cells.view(np.uint8)
        bits[rng.integers(len(bits))] ^= 1
        rows[name][at] = cells.reshape(rows[name][at].shape)
        altered = replace(eventful, rows=rows)
        try:
            difference = recompute(altered, at - 1, laws=own_laws).difference
        except RecordingError as error:
            # a code that means nothing
            assert f"tick {at} has {name} " in str(error)
        else:
            assert difference is not None, name
            assert (difference.tick, difference.column) == (at, name)


def test_nan_equals_nan_and_zero_differs_from_minus_zero(eventful: Recording) -> None:
    rows = eventful.rows[5:8].copy()
    rows["w_T"][1, 2] = np.nan
    other = rows.copy()
    other["w_T"][1, 2] = -np.nan
    assert first_difference(rows, other) is None
    rows["e_T"][2, 1], other["e_T"][2, 1] = 0.0, -0.0
    difference = first_difference(rows, other)
    assert difference is not None
    assert (difference.tick, difference.column, difference.element) == (7, "e_T", (1,))


def test_an_altered_gain_is_found_at_its_first_effect(
    eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    assert "800.0" in eventful.config_text
    altered = replace(
        eventful,
        config_text=eventful.config_text.replace("800.0", "800.5", 1),
        lines=[line for line in eventful.lines if line.kind != "config"],
    )
    difference = recompute(altered, laws=own_laws).difference
    assert difference is not None
    activated = int(np.argmax(eventful["law"] == 0))
    assert (difference.tick, difference.column) == (activated, "law_state")
    assert difference.recomputed == 800.5
    assert "recorded 800.0, recomputed 800.5, a difference of 0.5" in str(difference)


def test_a_text_difference_is_reported_as_text(
    eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    rows = eventful.rows.copy()
    rows["reason_text"][-1, :4] = list(b"LAW ")
    difference = recompute(replace(eventful, rows=rows), laws=own_laws).difference
    assert difference is not None
    assert "recorded 'LAW fragile: ValueError: it broke', recomputed 'law " in str(difference)


def test_overridden_gains_command_what_the_law_predicts(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.mcap"):
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("z")
        arm.set_wrench([0, 0, -5, 0, 0, 0])
        arm.wait(0.5)
        arm.law.set(damping=(1000, 20), inertia=(12, 0.3))
        arm.wait(0.5)
    recording = pliant.load(tmp_path / "a.mcap")
    result = recompute(recording, overrides={DAMPING: [1600, 20]}, keep=True)
    assert result.difference is not None and result.rows is not None
    # in free space, a force error moves the tool at F/D
    before, now = (rows["v_cmd_T"][:, 2] for rows in (recording.rows, result.rows))
    then = int(np.searchsorted(recording.time, recording.time[-1] - 0.52))
    assert before[then] == pytest.approx(5 / 800, rel=0.01)
    assert now[then] == pytest.approx(5 / 1600, rel=0.01)
    # the override survives the recorded change of gains
    assert before[-1] == pytest.approx(5 / 1000, rel=0.02)
    assert now[-1] == pytest.approx(5 / 1600, rel=0.01)
    # the inputs from clock, arm and sensor are unchanged
    for name in ("lateness", "q", "w_S_raw", "w_T", "X_WT"):
        np.testing.assert_array_equal(result.rows[name], recording[name])


def test_the_tick_after_lost_ticks_is_copied(eventful: Recording, own_laws: list[PoseLaw]) -> None:
    keep = np.ones(len(eventful), bool)
    keep[[100, 101, 102, 400, 402]] = False
    with_gaps = replace(eventful, rows=eventful.rows[keep])
    assert with_gaps.lost == 5
    result = recompute(with_gaps, laws=own_laws)
    assert result.difference is None
    assert (result.given, result.ticks) == (3, len(with_gaps) - 1 - 3)


def test_an_unreadable_arm_fails_with_the_recorded_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unplugged(_: object) -> None:
        raise PliantError("the cable: it is out")

    arm = Arm("sim:ur5e")
    recorder = pliant.record(arm, tmp_path / "a.mcap")
    arm.activate("position")
    arm.move_by([0.01, 0, 0, 0, 0, 0], wait=False)
    arm.wait(0.1)
    monkeypatch.setattr(arm.simulation, "read", unplugged)
    with pytest.raises(PliantError):
        arm.wait(0.1)
    recorder.close()
    recording = pliant.load(tmp_path / "a.mcap")
    assert read_text(recording.rows[-1:]) == "PliantError: the cable: it is out"
    assert recompute(recording).difference is None
    assert recompute(recording, len(recording) - 2).difference is None


def test_recomputing_the_position_controlled_insertion_is_equal(tmp_path: Path) -> None:
    with Arm("sim:ur5e/peg", history=60.0) as arm, pliant.record(arm, tmp_path / "a.mcap"):
        Insertion(arm).run("position")
    recording = pliant.load(tmp_path / "a.mcap")
    assert np.isinf(recording.rows.size and arm.config.safety.contact_force)
    assert recompute(recording).difference is None
    assert recompute(recording, middle(recording, 1)).difference is None


@pytest.mark.parametrize(
    ("do", "message"),
    [
        (lambda r: recompute(r), "made with a user-defined law, fragile: pass it with --law"),
        (lambda r: recompute(r, 0, laws=LAWS), "tick 0 cannot be recomputed: the recording has"),
        (lambda r: recompute(r, 10**6, laws=LAWS), "tick 1000000 cannot be recomputed"),
        (lambda r: recompute(cut(r, 1), laws=LAWS), "fewer than two ticks: nothing to recompute"),
        (lambda r: recompute(older(r), laws=LAWS), "recompute it with that version"),
        (lambda r: recompute(other_laws(r), laws=LAWS), "was made with the laws position, fragile"),
        (lambda r: recompute(r, overrides={"a.b": 1}, laws=LAWS), "unknown parameter 'a'"),
        (lambda r: recompute(r, overrides={DAMPING: -1}, laws=LAWS), "six values x y z rx ry rz"),
    ],
)
def test_an_impossible_recomputation_is_refused_in_one_sentence(
    do: Callable[[Recording], object],
    message: str,
    eventful: Recording,
    own_laws: list[PoseLaw],
) -> None:
    LAWS[:] = own_laws
    with pytest.raises((RecordingError, ConfigError, UnknownNameError)) as refused:
        do(eventful)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


LAWS: list[PoseLaw] = []


def older(recording: Recording) -> Recording:
    """The same recording without one column."""
    names = [name for name in recording.columns if name != "busy"]
    return replace(recording, rows=recording.rows[names])


def other_laws(recording: Recording) -> Recording:
    """The same recording, as from a version with different laws."""
    return replace(recording, header=recording.header | {"laws": ["position", "fragile"]})


@pytest.mark.parametrize(
    ("text", "why"), [("LAW none_such", "unknown law"), ("stop WHATEVER", "unknown reason")]
)
def test_an_input_that_is_refused_now_is_reported(
    text: str, why: str, eventful: Recording, own_laws: list[PoseLaw]
) -> None:
    line = Line(tick=50, kind="input", text=text)
    result = recompute(replace(eventful, lines=[*eventful.lines, line]), laws=own_laws)
    assert [(r.tick, r.text) for r in result.refused] == [(50, text)]
    assert why in result.refused[0].why


@pytest.mark.parametrize("spec", ["sim:ur5e", "sim:panda"])
def test_a_run_with_injected_faults_is_recomputed_bit_for_bit(spec: str, tmp_path: Path) -> None:
    with Arm(spec) as arm, pliant.record(arm, tmp_path / "faults.mcap"):
        for fault in ("over_torque", "encoder", "tracking"):
            arm.wait(0.02)
            arm.joints.inject_fault(1, fault)
            arm.wait(0.05)
            arm.joints.inject_fault(1, "none")
            arm.wait(0.02)
            arm.joints.set_modes(1, "fidl")
    recording = pliant.load(tmp_path / "faults.mcap")
    assert recording["fault"].any()
    result = recompute(recording)
    assert result.difference is None
    assert result.refused == ()
