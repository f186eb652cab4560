"""Recomputes a recording: runs its inputs and commands through the stages again.

With the same version of Pliant, every computed column is equal bit for bit, from the first row or
from any other. With other parameters it shows what would have been commanded. That is open loop:
the recorded sensor values do not react to the new commands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.errors import ConfigError, RecordingError
from pliant.laws import Law
from pliant.recording.recompute_codes import check_codes
from pliant.recording.recompute_compare import COMPUTED, Difference, first_difference
from pliant.recording.recompute_replay import Refusal, Replay
from pliant.recording.recording import Recording
from pliant.tick import Rows, columns, tick_dtype

_STATE = "law_state"
"""The one column whose size may differ between versions."""

ADDED = frozenset(
    {
        "ref_speed",
        "ref_seq",
        "ref_stalled",
        "reactions",
        "reactions_armed",
        "reaction_k",
        "reaction_slot",
        "true_side_peak",
        "true_torque_peak",
        "axes_frame",
        "X_WF",
        "D_row",
        "v_row",
        *(name for name, _, _ in columns() if name.startswith("gripper_")),
        *(name for name, declared, _ in columns() if declared.stage == "contact"),
    }
)
"""Columns that older recordings lack; zero in them means what those versions did."""


@dataclass(frozen=True, kw_only=True)
class Recomputation:
    """Result of recomputing a recording.

    Attributes:
        first: Number of the first recomputed tick.
        last: Number of the last.
        ticks: Number of ticks compared.
        given: Number of ticks copied from the recording, because the ticks before them were lost.
        difference: The first difference from the recording; None if there is none.
        refused: Commands that were accepted when recorded and are refused now.
        rows: The recomputed ticks, preceded by the recorded tick before them; None unless kept.
    """

    first: int
    last: int
    ticks: int
    given: int
    difference: Difference | None
    refused: tuple[Refusal, ...]
    rows: Rows | None


def recompute(
    recording: Recording,
    start: int | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    laws: Sequence[Law] = (),
    keep: bool = False,
) -> Recomputation:
    """Run the recorded inputs and commands through the stages again and compare.

    Args:
        recording: The recording.
        start: Number of the first tick to recompute; None for all.
        overrides: Parameter values, by path, that replace the recorded ones throughout.
        laws: The user-defined laws that the recording was made with.
        keep: Whether to continue after the first difference and return the rows.

    Raises:
        RecordingError: This version cannot recompute it, or it has no such tick.
        ConfigError: A law is missing, or a parameter value is invalid.
    """
    same_state, known = _has_current_law_state(recording), set(recording.columns)
    recording = _converted(recording)
    replay = Replay(
        recording=recording, laws=_own_laws(recording, laws), overrides=dict(overrides or {})
    )
    _check_laws(recording, replay)
    check_codes(recording)
    index = _index(recording, start)
    recorded = recording.rows
    if not same_state:
        _refuse_active_laws(recording, replay.given_rows(index))
    names = [name for name in COMPUTED if name in known and (same_state or name != _STATE)]
    difference = None
    if start is None and recorded["k"][0] == 0:
        difference = first_difference(recorded[:1], replay.first_row(), names)
    rows = recorded[index - 1 :].copy() if keep else None
    compared = 0
    for at, block in replay.rows(index):
        compared += len(block)
        difference = difference or first_difference(recorded[at : at + len(block)], block, names)
        if rows is not None:
            rows[at - index + 1 : at - index + 1 + len(block)] = block
        elif difference is not None:
            break
    return Recomputation(
        first=recorded["k"][index].item(),
        last=recorded["k"][-1].item(),
        ticks=compared,
        given=replay.given,
        difference=difference,
        refused=tuple(replay.refused),
        rows=rows,
    )


def _has_current_law_state(recording: Recording) -> bool:
    """Whether the law state of the recording has the same size as in this version."""
    found = recording.rows.dtype
    names = found.names or ()
    # laws had other states before there was a stage `contact`
    same = _STATE in names and "swing_gain" in names
    return same and found[_STATE] == tick_dtype(recording.n)[_STATE]


def _converted(recording: Recording) -> Recording:
    """The recording with its rows converted to this version's dtype, by column name.

    A law state of another size also has another layout. It is left at zero, which is its value
    while no law is active. Columns that were added since are zero too.

    Raises:
        RecordingError: Another column is missing or different, or there is nothing to recompute.
    """
    own, found = tick_dtype(recording.n), recording.rows.dtype
    names = set(own.names or ())
    kept = [
        name for name in found.names or () if name != _STATE or _has_current_law_state(recording)
    ]
    missing, unknown = names - set(found.names or ()), set(found.names or ()) - names
    if not missing <= ADDED or unknown or any(found[name] != own[name] for name in kept):
        version = recording.header.get("versions", {}).get("pliant", "another version")
        raise RecordingError(
            f"{recording.path} was written by Pliant {version}, whose ticks have different "
            "columns: recompute it with that version"
        )
    if len(recording.rows) < 2:
        raise RecordingError(f"{recording.path} has fewer than two ticks: nothing to recompute")
    if found == own:
        return recording
    rows = np.zeros(len(recording.rows), own)
    for name in kept:
        rows[name] = recording.rows[name]
    return replace(recording, rows=rows)


def _refuse_active_laws(recording: Recording, given: Sequence[int]) -> None:
    """Refuse to start from a law state that has another layout in this version.

    Raises:
        RecordingError: A law is active in a row that would be copied.
    """
    active = [index for index in given if recording.rows["law"][index] >= 0]
    if active:
        raise RecordingError(
            f"{recording.path} was written by another version of Pliant with a different law "
            f"state: it cannot be recomputed from tick {recording.rows['k'][active[0]]}, where a "
            "law is active; start after a tick without an active law"
        )


def _check_laws(recording: Recording, replay: Replay) -> None:
    """A tick stores the index of its law, so the index must mean the same law here.

    Without names in the header nothing is known; then no law may be active.
    """
    recorded, here = recording.header["laws"], replay.law_names()
    # laws that were added since come last
    if recorded and recorded != here[: len(recorded)]:
        raise RecordingError(
            f"{recording.path} was made with the laws {', '.join(recorded)}; this version has "
            f"{', '.join(here)}: recompute it with the version that wrote it"
        )


def _index(recording: Recording, start: int | None) -> int:
    """Index of a tick's row; the row before it must exist too."""
    k = recording.rows["k"]
    if start is None:
        return 1
    index = int(np.searchsorted(k, start))
    if index == 0 or index == len(k) or k[index] != start:
        raise RecordingError(
            f"tick {start} cannot be recomputed: the recording has ticks {k[0]} to {k[-1]}, and "
            "recomputing a tick needs the one before it"
        )
    return index


def _own_laws(recording: Recording, given: Sequence[Law]) -> list[Law]:
    """The user-defined laws, in the order in which they were recorded."""
    built_in = Replay(recording=recording).law_names()
    by_name = {law.name: law for law in given}
    own = [name for name in recording.header["laws"] if name not in built_in]
    for name in own:
        if name not in by_name:
            # never loaded automatically: the recording would decide which code runs here
            file = recording.header["law_files"].get(name, "FILE.py:CLASS")
            raise ConfigError(
                f"{recording.path} was made with a user-defined law, {name}: pass it with "
                f"--law {file}, or in Python with laws=[...]"
            )
    return [by_name[name] for name in own]
