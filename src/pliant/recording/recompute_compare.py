"""Compares two tables of ticks bit for bit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.tick import STAGES, Rows, columns

COMPUTED = [
    name
    for name, declared, _ in columns()
    if STAGES.index(declared.stage) > STAGES.index("robot") and declared.stage != "write"
]
"""The columns that the loop computes from its clock and robot inputs, in stage order."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The first difference between two tables.

    Attributes:
        tick: Number of the tick.
        time: The arm's time at that tick, s.
        column: The first column that differs in it.
        element: Index within the column; empty if the column is a scalar or a text.
        recorded: The recorded value.
        recomputed: The recomputed value.
    """

    tick: int
    time: float
    column: str
    element: tuple[int, ...]
    recorded: float | str
    recomputed: float | str

    def __str__(self) -> str:
        element = f"[{', '.join(map(str, self.element))}]" if self.element else ""
        text = (
            f"tick {self.tick} ({self.time:.3f} s), {self.column}{element}: recorded "
            f"{self.recorded!r}, recomputed {self.recomputed!r}"
        )
        if isinstance(self.recorded, str) or isinstance(self.recomputed, str):
            return text
        return f"{text}, a difference of {self.recomputed - self.recorded:.3g}"


def first_difference(
    recorded: Rows, recomputed: Rows, names: Sequence[str] = COMPUTED
) -> Difference | None:
    """Find the first tick that differs, and the first computed column that differs in it.

    NaN equals NaN, and 0 differs from -0.

    Args:
        recorded: The recorded ticks.
        recomputed: The same ticks, recomputed.
        names: The columns to compare, in stage order.
    """
    if recorded.tobytes() == recomputed.tobytes():
        return None
    places = [_first_row(recorded[name], recomputed[name]) for name in names]
    row = min(places)
    if row == len(recorded):
        return None
    name = names[places.index(row)]
    element, before, now = _largest_difference(recorded[name][row], recomputed[name][row])
    return Difference(
        tick=recorded["k"][row].item(),
        time=recorded["time"][row].item(),
        column=name,
        element=element,
        recorded=before,
        recomputed=now,
    )


def _largest_difference(
    recorded: np.ndarray, recomputed: np.ndarray
) -> tuple[tuple[int, ...], float | str, float | str]:
    """Index and values of the element that differs most, which is the most telling one."""
    if recorded.dtype == np.uint8:
        return (), _text(recorded), _text(recomputed)
    with np.errstate(invalid="ignore"):
        distance = np.nan_to_num(np.abs(recomputed - 1.0 * recorded))
    distance = np.where(_differs(recorded, recomputed), distance, -1.0)
    element = np.unravel_index(np.argmax(distance), distance.shape)
    index = tuple(int(i) for i in element)
    return index, recorded[element].item(), recomputed[element].item()


def _text(data: np.ndarray) -> str:
    return bytes(data).rstrip(b"\0").decode(errors="replace")


def _first_row(recorded: np.ndarray, recomputed: np.ndarray) -> int:
    """Index of the first row that differs, or the number of rows if none does."""
    differs = _differs(recorded, recomputed).reshape(len(recorded), -1).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else len(recorded)


def _differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind != "f":
        return a != b
    bits = np.ascontiguousarray(a).view(np.int64) != np.ascontiguousarray(b).view(np.int64)
    return bits.reshape(a.shape) & ~(np.isnan(a) & np.isnan(b))
