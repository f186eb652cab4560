"""Long recordings made drawable without losing a peak."""

import numpy as np

_BLINK = 0.002
"""Share of the whole time below which nobody sees a flag go down."""


def stretches(flags: np.ndarray, time: np.ndarray) -> list[tuple[float, float]]:
    """The times, from and to, over which a flag was up; it may blink."""
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    last = len(time) - 1
    begins, ends = time[edges[::2]], time[np.minimum(edges[1::2], last)]
    apart = begins[1:] - ends[:-1] > _BLINK * (time[-1] - time[0])
    return list(
        zip(
            begins[np.append(True, apart)[: len(begins)]].tolist(),
            ends[np.append(apart, True)[: len(ends)]].tolist(),
            strict=True,
        )
    )


def thin(time: np.ndarray, values: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At most about `most` points of a line, among them the lowest and highest of every bucket.

    Args:
        time: Times of the values.
        values: One value, or NaN, for every time.
        most: How many points to keep.
    """
    size = -(-2 * len(values) // most)
    if size <= 2:
        return time, values
    padding = -len(values) % size
    buckets = np.append(values, np.full(padding, np.nan)).reshape(-1, size)
    empty = np.all(np.isnan(buckets), axis=1, keepdims=True)
    filled = np.where(empty, 0.0, buckets)
    chosen = np.column_stack([np.nanargmin(filled, axis=1), np.nanargmax(filled, axis=1)])
    # in the order in which they came
    chosen.sort(axis=1)
    places = np.minimum(chosen + size * np.arange(len(buckets))[:, None], len(values) - 1).ravel()
    return time[places], np.where(np.repeat(empty.ravel(), 2), np.nan, values[places])
