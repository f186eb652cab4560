"""Runs the inputs and commands of a recording through the stages of a loop again."""

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pliant.commands import SetParameter
from pliant.commands.line_protocol import parse
from pliant.config import Config, config_of_run
from pliant.errors import ConfigError, PliantError, RecordingError, Refused, UnknownNameError
from pliant.laws import Law
from pliant.loop.history import store_row
from pliant.loop.loop import ABANDON_INPUT, STOP_INPUT, Loop
from pliant.reasons import Reason
from pliant.recording.recompute_tape import Tape
from pliant.recording.recording import Recording
from pliant.robots.registry import describe_robot
from pliant.tick import Rows, tick_dtype

_BLOCK = 1024
"""Number of ticks computed at a time."""

Inputs = dict[int, list[str]]
"""Inputs of the supervisor, by the tick at which they took effect."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An input that was accepted when it was recorded and is refused now."""

    tick: int
    text: str
    why: str


@dataclass(kw_only=True)
class Replay:
    """One pass over a recording.

    Attributes:
        recording: The recording.
        laws: The user-defined laws that it was made with, in order.
        overrides: Parameter values, by path, that replace the recorded ones throughout. With any,
            the pass is open loop: sensor and clock values stay as recorded, whatever is commanded.
        refused: Inputs that were refused.
        given: Number of ticks copied from the recording, because those before them were lost.
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
        """Names of the laws that this version offers for the arm, and of the user-defined ones."""
        loop, _ = self._loop(self.recording.rows[:1], self.recording.config)
        return loop.supervisor.law_names

    def first_row(self) -> Rows:
        """The row before the first tick, as a loop computes it from the arm's first reading."""
        loop, _ = self._loop(self.recording.rows[:1], self.recording.config)
        return loop.row

    def rows(self, start: int) -> Iterator[tuple[int, Rows]]:
        """Recompute ticks in blocks; yields each block with the index of its first row.

        Args:
            start: Index of the first row to recompute; the row before it is copied.
        """
        given = self.given_rows(start)
        self.given = len(given) - 1
        for before, end in zip(given, [*given[1:], len(self.recording.rows)], strict=True):
            yield from self._segment(before + 1, end)

    def given_rows(self, start: int) -> list[int]:
        """Indices of the rows that are copied: the one before the start, and one after each gap."""
        k = self.recording.rows["k"]
        gaps = np.flatnonzero(np.diff(k[start - 1 :]) != 1) + start
        return [start - 1, *gaps.tolist()]

    def _segment(self, first: int, end: int) -> Iterator[tuple[int, Rows]]:
        """Recompute consecutive rows, from index first up to but not including end."""
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
        """Compute a number of ticks; False if the loop abandoned the arm in one of them."""
        for done in range(count):
            try:
                loop.step(lambda: self._replay_inputs(loop))
            except Exception:
                # the loop publishes a tick that it abandons; without one, the exception is a bug
                if kept.count == done:
                    raise
                return False
        return True

    def config_before(self, index: int) -> Config:
        """The configuration in force after the row that precedes an index."""
        rows = self.recording.rows
        last = rows["k"][index - 1].item()
        known, config = self._config_line(last)
        loop, _ = self._loop(rows[:1], config)
        for tick in sorted(self._inputs):
            if known < tick <= last:
                index_before = max(0, np.searchsorted(rows["k"], tick) - 1)
                row = rows[index_before : index_before + 1]
                for text in self._inputs[tick]:
                    with contextlib.suppress(PliantError):
                        _apply_input(loop, text, row)
                loop.supervisor.wishes.clear()
        return loop.supervisor.config

    def _config_line(self, last: int) -> tuple[int, Config]:
        """The last complete configuration recorded up to a tick, with its tick."""
        lines = [x for x in self.recording.lines if x.kind == "config" and x.tick <= last]
        if not lines:
            return self.recording.rows["k"][0].item(), self.recording.config
        try:
            return lines[-1].tick, config_of_run(json.loads(lines[-1].text))
        except (ValueError, RecursionError, ConfigError) as error:
            raise RecordingError(
                f"{self.recording.path}: its configuration at tick {lines[-1].tick} is damaged, or "
                f"from another version of Pliant: {error}"
            ) from None

    def _loop(self, rows: Rows, config: Config) -> "tuple[Loop, _Kept]":
        for path, value in self.overrides.items():
            config = config.replace(path, value)
        arm = describe_robot(self.recording.header["spec"])
        tape = Tape(arm, rows, self._abandoned, open_loop=bool(self.overrides))
        kept = _Kept(tape.n)
        return Loop(tape, arm, tape, config, laws=self.laws, publisher=kept), kept

    def _replay_inputs(self, loop: Loop) -> None:
        """Give the supervisor its recorded inputs for the coming tick."""
        tick = loop.row["k"].item() + 1
        for text in self._inputs.get(tick, ()):
            before = loop.supervisor.config
            try:
                _apply_input(loop, text, loop.row)
            except PliantError as error:
                self.refused.append(Refusal(tick=tick, text=text, why=str(error)))
            if loop.supervisor.config is not before:
                self._override(loop)

    def _override(self, loop: Loop) -> None:
        """Apply the overrides again after the recorded run changed the configuration."""
        for path, value in self.overrides.items():
            # a parameter that cannot change while an arm runs keeps its value from the start
            with contextlib.suppress(Refused):
                loop.supervisor.read_and_take(SetParameter(path=path, value=value), loop.row)


def _apply_input(loop: Loop, text: str, row: Rows) -> None:
    word, _, rest = text.partition(" ")
    if word != STOP_INPUT:
        loop.supervisor.read_and_take(parse(text), row)
    elif rest in Reason.__members__:
        loop.supervisor.stop(row, Reason[rest])
    else:
        raise UnknownNameError("reason", rest, list(Reason.__members__))


class _Kept:
    """Publisher that keeps a block of rows."""

    def __init__(self, n: int) -> None:
        self._rows = np.zeros(_BLOCK, tick_dtype(n))
        self.count = 0

    def publish(self, tick: Rows) -> None:
        """Keep a row."""
        store_row(tick, self.count, self._rows)
        self.count += 1

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Ignore the line: the recording has it already."""

    def take(self) -> Rows:
        """Return the rows kept since the last call; valid until the next row is kept."""
        count, self.count = self.count, 0
        return self._rows[:count]
