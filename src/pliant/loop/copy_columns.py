"""What a tick that could not be computed takes from the one before it."""

from pliant.tick import STAGES, Rows, columns

_MEASURED = ("clock", "robot")


def carry_computed(prev: Rows, tick: Rows) -> None:
    """All that is computed from what the arm said."""
    _carry(prev, tick, [stage for stage in STAGES if stage not in (*_MEASURED, "write")])


def carry_all(prev: Rows, tick: Rows) -> None:
    """All but the time."""
    _carry(prev, tick, [stage for stage in STAGES if stage != "clock"])


def _carry(prev: Rows, tick: Rows, stages: list[str]) -> None:
    for name, declared, _ in columns():
        if declared.stage in stages:
            tick[name] = prev[name]
