"""Copies columns from the previous row into a tick that could not be computed."""

from pliant.tick import STAGES, Rows, columns

_MEASURED = ("clock", "robot")


def copy_computed(prev: Rows, tick: Rows) -> None:
    """Copy all columns that are computed from the arm's readings."""
    _copy(prev, tick, [stage for stage in STAGES if stage not in (*_MEASURED, "write")])


def copy_all(prev: Rows, tick: Rows) -> None:
    """Copy all columns but the clock's."""
    _copy(prev, tick, [stage for stage in STAGES if stage != "clock"])


def _copy(prev: Rows, tick: Rows, stages: list[str]) -> None:
    for name, declared, _ in columns():
        if declared.stage in stages:
            tick[name] = prev[name]
