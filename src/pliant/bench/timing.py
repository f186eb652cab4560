"""Timing on a machine with other load.

Compared functions are measured in turns, in short batches, and the median is taken: a slow phase of
the machine slows all of them, and short disturbances drop out.
"""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from time import perf_counter_ns
from typing import Any

Batch = Callable[[int], None]
"""Calls the measured function a given number of times."""

BATCH = 50


def calls(function: Callable[..., Any], *args: Any) -> Batch:
    """A batch of plain calls."""

    def batch(count: int) -> None:
        for _ in range(count):
            function(*args)

    return batch


def time_each(function: Callable[[], Any], times: list[float]) -> Batch:
    """A batch that times each call and appends the time, µs, to a list."""

    def batch(count: int) -> None:
        for _ in range(count):
            start = perf_counter_ns()
            function()
            times.append(1e-3 * (perf_counter_ns() - start))

    return batch


@contextmanager
def no_collection() -> Iterator[None]:
    """Disable garbage collection, which would hit one batch and not another."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def in_turns(batches: Mapping[str, Batch], rounds: int) -> dict[str, float]:
    """The median time of one call of each, µs."""
    times: dict[str, list[float]] = {name: [] for name in batches}
    with no_collection():
        for _ in range(rounds):
            for name, batch in batches.items():
                start = perf_counter_ns()
                batch(BATCH)
                times[name].append(1e-3 * (perf_counter_ns() - start) / BATCH)
    return {name: median(values) for name, values in times.items()}
