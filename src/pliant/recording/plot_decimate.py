"""Reduces long recordings to a number of points that can be plotted, and keeps every peak."""

import numpy as np

_MIN_GAP = 0.002
"""Shortest visible gap in a flag, as a fraction of the total time."""


def intervals(flags: np.ndarray, time: np.ndarray) -> list[tuple[float, float]]:
    """Start and end times of the intervals in which a flag was set, ignoring invisible gaps."""
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    last = len(time) - 1
    starts, ends = time[edges[::2]], time[np.minimum(edges[1::2], last)]
    separate = starts[1:] - ends[:-1] > _MIN_GAP * (time[-1] - time[0])
    return list(
        zip(
            starts[np.append(True, separate)[: len(starts)]].tolist(),
            ends[np.append(separate, True)[: len(ends)]].tolist(),
            strict=True,
        )
    )


def decimate(
    time: np.ndarray, values: np.ndarray, max_points: int
) -> tuple[np.ndarray, np.ndarray]:
    """Reduce a line to about `max_points` points: the minimum and maximum of every bucket.

    Args:
        time: Times of the values.
        values: One value, or NaN, per time.
        max_points: Number of points to keep.
    """
    size = -(-2 * len(values) // max_points)
    if size <= 2:
        return time, values
    padding = -len(values) % size
    buckets = np.append(values, np.full(padding, np.nan)).reshape(-1, size)
    empty = np.all(np.isnan(buckets), axis=1, keepdims=True)
    filled = np.where(empty, 0.0, buckets)
    chosen = np.column_stack([np.nanargmin(filled, axis=1), np.nanargmax(filled, axis=1)])
    # back in time order
    chosen.sort(axis=1)
    indices = np.minimum(chosen + size * np.arange(len(buckets))[:, None], len(values) - 1).ravel()
    return time[indices], np.where(np.repeat(empty.ravel(), 2), np.nan, values[indices])
