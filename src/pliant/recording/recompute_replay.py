"""Runs a recording's inputs and commands through the stages of a loop once more."""

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pliant.arms.description import load_arm
from pliant.commands import SetParameter
from pliant.commands.line_protocol import parse
from pliant.config import Config
from pliant.errors import PliantError, Refused, UnknownNameError
from pliant.laws import Law
from pliant.loop.history import store_row
from pliant.loop.loop import ABANDON_INPUT, STOP_INPUT, Loop
from pliant.reasons import Reason
from pliant.recording.recompute_tape import Tape
from pliant.recording.recording import Recording
from pliant.tick import Rows, tick_dtype

_BLOCK = 1024
"""Ticks that are computed at a time."""

Inputs = dict[int, list[str]]
"""What the supervisor was told, by the tick at which it acted."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An input that was accepted when it was recorded and is refused now."""

    tick: int
    text: str
    why: str


@dataclass(kw_only=True)
class Replay:
    """One run over a recording.

    Attributes:
        recording: What is computed again.
        laws: The user's own laws that it was made with, in order.
        overrides: Parameters by path that are to be other than they were, throughout. With any,
            the loop is open: sensors and clock say what they said, whatever is commanded now.
        refused: Inputs that were refused.
        given: How many ticks were taken as they are, because those before them were lost.
    """

    recording: Recording
    laws: Sequence[Law] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    given: int = 0

    def __post_init__(self) -> None:
        self._inputs: Inputs = defaultdict(list)
        self._abandoned: dict[int, str] = {}
        for line in self.recording.lines:
            word, _, rest = line.text.partition(" ")
            if line.kind == "input" and word == ABANDON_INPUT:
                self._abandoned[line.tick] = rest
            elif line.kind == "input":
                self._inputs[line.tick].append(line.text)

    def law_names(self) -> list[str]:
        """The laws that this version runs on the arm, and the user's own."""
        loop, _ = self._loop(self.recording.rows[:1], self.recording.config)
        return loop.supervisor.law_names

    def first_row(self) -> Rows:
        """The row before the first tick, as a loop makes it from what the arm says."""
        loop, _ = self._loop(self.recording.rows[:1], self.recording.config)
        return loop.row

    def rows(self, start: int) -> Iterator[tuple[int, Rows]]:
        """The ticks computed again, in blocks, each with the index of its first row.

        Args:
            start: Index of the first row to compute; the row before it is taken as it is.
        """
        given = self.given_rows(start)
        self.given = len(given) - 1
        for before, end in zip(given, [*given[1:], len(self.recording.rows)], strict=True):
            yield from self._segment(before + 1, end)

    def given_rows(self, start: int) -> list[int]:
        """Indices of the rows that are taken as they are: before the start, and after each gap."""
        k = self.recording.rows["k"]
        gaps = np.flatnonzero(np.diff(k[start - 1 :]) != 1) + start
        return [start - 1, *gaps.tolist()]

    def _segment(self, first: int, end: int) -> Iterator[tuple[int, Rows]]:
        """Consecutive rows from index first on, before index end."""
        recorded = self.recording.rows
        loop, kept = self._loop(recorded[first - 1 : end], self.config_before(first))
        loop.resume(recorded[first - 1 : first])
        alive = True
        while alive and first < end:
            alive = self._steps(loop, kept, min(_BLOCK, end - first))
            block = kept.take()
            yield first, block
            first += len(block)

    def _steps(self, loop: Loop, kept: "_Kept", count: int) -> bool:
        """Compute a number of ticks; False if one was the last because the arm was abandoned."""
        for done in range(count):
            try:
                loop.step(lambda: self._tell(loop))
            except Exception:
                # an abandoned tick is published, and says why
                if kept.count == done:
                    raise
                return False
        return True

    def config_before(self, index: int) -> Config:
        """The configuration in force after the row before an index."""
        rows = self.recording.rows
        last = rows["k"][index - 1].item()
        known, config = self._config_line(last)
        loop, _ = self._loop(rows[:1], config)
        scratch = rows[:1].copy()
        for tick in sorted(self._inputs):
            if known < tick <= last:
                place = max(0, np.searchsorted(rows["k"], tick) - 1)
                row = rows[place : place + 1]
                for text in self._inputs[tick]:
                    with contextlib.suppress(PliantError):
                        _give(loop, text, row)
                loop.supervisor.stage.update(row, scratch)
        return loop.supervisor.config

    def _config_line(self, last: int) -> tuple[int, Config]:
        """The last configuration that was recorded whole up to a tick, and its tick."""
        lines = [x for x in self.recording.lines if x.kind == "config" and x.tick <= last]
        if not lines:
            return self.recording.rows["k"][0].item(), self.recording.config
        return lines[-1].tick, Config.from_dict(json.loads(lines[-1].text))

    def _loop(self, rows: Rows, config: Config) -> "tuple[Loop, _Kept]":
        for path, value in self.overrides.items():
            config = config.replace(path, value)
        tape = Tape(rows, self._abandoned, open_loop=bool(self.overrides))
        kept = _Kept(tape.n)
        arm = load_arm(self.recording.header["arm"])
        return Loop(tape, arm, tape, config, laws=self.laws, publisher=kept), kept

    def _tell(self, loop: Loop) -> None:
        """What the supervisor was told at the tick that begins."""
        tick = loop.row["k"].item() + 1
        for text in self._inputs.get(tick, ()):
            before = loop.supervisor.config
            try:
                _give(loop, text, loop.row)
            except PliantError as error:
                self.refused.append(Refusal(tick=tick, text=text, why=str(error)))
            if loop.supervisor.config is not before:
                self._override(loop)

    def _override(self, loop: Loop) -> None:
        """Other parameters stay other, also when the recorded run changed them."""
        for path, value in self.overrides.items():
            # what is fixed while an arm runs is as it began
            with contextlib.suppress(Refused):
                loop.supervisor.take(SetParameter(path=path, value=value), loop.row)


def _give(loop: Loop, text: str, row: Rows) -> None:
    word, _, rest = text.partition(" ")
    if word != STOP_INPUT:
        loop.supervisor.take(parse(text), row)
    elif rest in Reason.__members__:
        loop.supervisor.stop(row, Reason[rest])
    else:
        raise UnknownNameError("reason", rest, list(Reason.__members__))


class _Kept:
    """Keeps the rows that a loop publishes, a block at a time."""

    def __init__(self, n: int) -> None:
        self._rows = np.zeros(_BLOCK, tick_dtype(n))
        self.count = 0

    def publish(self, tick: Rows) -> None:
        """Keep a row."""
        store_row(tick, self.count, self._rows)
        self.count += 1

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Lines are in the recording."""

    def take(self) -> Rows:
        """The rows kept since the last call; valid until rows are kept again."""
        count, self.count = self.count, 0
        return self._rows[:count]
