"""Long recordings made drawable without losing a peak."""

import numpy as np


def stretches(flags: np.ndarray, time: np.ndarray) -> list[tuple[float, float]]:
    """The times, from and to, over which a flag was up."""
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    last = len(time) - 1
    return [
        (float(time[begin]), float(time[min(end, last)]))
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
    ]


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
