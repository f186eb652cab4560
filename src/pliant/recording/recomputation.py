"""Computing a recording again: the same stages, from the inputs and commands that were recorded.

On the same version every computed column comes out equal bit for bit, from the first row or from
any other. With other parameters it tells what the arm would have been told: in open loop, because
the sensors keep saying what they said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.errors import ConfigError, RecordingError
from pliant.laws import Law
from pliant.recording.recompute_compare import COMPUTED, Difference, first_difference
from pliant.recording.recompute_replay import Refusal, Replay
from pliant.recording.recording import Recording
from pliant.tick import Rows, tick_dtype

_STATE = "law_state"
"""The one column whose size may differ between versions."""


@dataclass(frozen=True, kw_only=True)
class Recomputation:
    """What came out of computing a recording again.

    Attributes:
        first: Number of the first tick that was computed.
        last: Number of the last.
        ticks: How many were compared.
        given: How many were taken as they are, because the ticks before them were lost.
        difference: Where it differs first from what was recorded; None if nowhere.
        refused: Commands that were accepted then and are refused now.
        rows: The ticks from the one before the first on, as they are now; None unless asked for.
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
        recording: What to compute again.
        start: Number of the first tick to compute; None is from the first on.
        overrides: Parameters by path that are to be other than they were, throughout.
        laws: The user's own laws that it was made with.
        keep: Whether to go on after the first difference and return the rows.

    Raises:
        RecordingError: It cannot be computed again by this version, or has no such tick.
        ConfigError: A law is missing, or a parameter cannot work.
    """
    same_state = _has_todays_state(recording)
    recording = _fitted(recording)
    replay = Replay(
        recording=recording, laws=_own_laws(recording, laws), overrides=dict(overrides or {})
    )
    _check_laws(recording, replay)
    index = _index(recording, start)
    recorded = recording.rows
    if not same_state:
        _refuse_active_laws(recording, replay.given_rows(index))
    names = [name for name in COMPUTED if same_state or name != _STATE]
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


def _has_todays_state(recording: Recording) -> bool:
    """Whether the state of a law has the size that it has in this version."""
    found = recording.rows.dtype
    return _STATE in (found.names or ()) and found[_STATE] == tick_dtype(recording.n)[_STATE]


def _fitted(recording: Recording) -> Recording:
    """The recording with rows of this version's dtype, fitted by column name.

    A state of a law that has another size has another layout too: it is left at zero, as it is
    while no law is active.

    Raises:
        RecordingError: Any other column is missing or different, or there is nothing to recompute.
    """
    own, found = tick_dtype(recording.n), recording.rows.dtype
    names = set(own.names or ())
    kept = [name for name in found.names or () if name != _STATE or _has_todays_state(recording)]
    if names != set(found.names or ()) or any(found[name] != own[name] for name in kept):
        version = recording.header.get("versions", {}).get("pliant", "another version")
        raise RecordingError(
            f"{recording.path} was written by Pliant {version}, whose ticks have other columns: "
            "recompute it with that version"
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
    """Refuse to continue from the state of a law that has another layout here.

    Raises:
        RecordingError: A law is active in a row that would be taken as it is.
    """
    active = [index for index in given if recording.rows["law"][index] >= 0]
    if active:
        raise RecordingError(
            f"{recording.path} was written by another version of Pliant, whose laws have another "
            f"state: it cannot be recomputed from tick {recording.rows['k'][active[0]]}, where a "
            "law is active; begin at a tick before which none is"
        )


def _check_laws(recording: Recording, replay: Replay) -> None:
    """The tick has the number of a law, which must mean the same law."""
    then, now = recording.header["laws"], replay.law_names()
    if then != now:
        raise RecordingError(
            f"{recording.path} was made with the laws {', '.join(then)}, and not with "
            f"{', '.join(now)} as they are here: recompute it with the version that wrote it"
        )


def _index(recording: Recording, start: int | None) -> int:
    """Index of the row of a tick, which must have one before it."""
    k = recording.rows["k"]
    if start is None:
        return 1
    index = int(np.searchsorted(k, start))
    if index == 0 or index == len(k) or k[index] != start:
        raise RecordingError(
            f"tick {start} cannot be recomputed: the recording has ticks {k[0]} to {k[-1]}, and "
            "each needs the one before it"
        )
    return index


def _own_laws(recording: Recording, given: Sequence[Law]) -> list[Law]:
    """The user's own laws, in the order in which they were recorded."""
    pliants = Replay(recording=recording).law_names()
    by_name = {law.name: law for law in given}
    own = [name for name in recording.header["laws"] if name not in pliants]
    for name in own:
        if name not in by_name:
            # never loaded unasked: whoever made the recording says what would run here
            place = recording.header["law_files"].get(name, "FILE.py:CLASS")
            raise ConfigError(
                f"{recording.path} was made with a law of the user's own, {name}: give it with "
                f"--law {place}, or in Python with laws=[...]"
            )
    return [by_name[name] for name in own]
