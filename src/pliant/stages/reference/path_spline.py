"""The spline through the points of a timed path: position, orientation and their velocities.

Positions and quaternions follow cubic splines with continuous acceleration, which pass every point
at its time; the quaternion is normalised. A path of four points or more has at its ends the
velocities that its points suggest; a shorter one begins and ends at rest.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from pliant.numerics.kernels import kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, norm3, quat_align, quat_normalize

# Points from which the velocity at an end is estimated.
_AT_AN_END = 4
# Places in each segment at which speed and acceleration are looked at.
_SAMPLES = 4


class ToolPath(NamedTuple):
    """A timed path of the tool, for the kernel.

    Attributes:
        time: Times of the points, from 0, s.
        knots: Position, quaternion, and the derivatives of both, by point.
    """

    time: Array
    knots: Array


class PathPeaks(NamedTuple):
    """The fastest places of a path; a pair is (translation, rotation).

    Attributes:
        speed: Largest speeds, m/s and rad/s.
        speed_at: When, s.
        acceleration: Largest accelerations, m/s² and rad/s².
        acceleration_at: When, s.
    """

    speed: Array
    speed_at: Array
    acceleration: Array
    acceleration_at: Array


NO_PATH = ToolPath(np.array([0.0, 1.0]), np.tile(np.eye(1, 14, 3), (2, 1)))
"""The path of an arm that has none: it rests."""


def tool_path(points: Array) -> ToolPath:
    """The spline through points, by row: time, position and quaternion; times start at 0."""
    knots = np.zeros((len(points), 14))
    knots[:, :7] = points[:, 1:]
    time = np.ascontiguousarray(points[:, 0])
    fit(time, knots)
    return ToolPath(time, knots)


def path_peaks(path: ToolPath) -> PathPeaks:
    """How fast a path is."""
    found = np.zeros((4, 2))
    find_peaks(path.time, path.knots, found)
    return PathPeaks(*found)


@kernel
def fit(time: Array, knots: Array) -> None:
    """Align the quaternions, and write the derivatives that make the spline twice continuous."""
    m = time.shape[0]
    for k in range(m):
        quat_normalize(knots[k, 3:7], knots[k, 3:7])
        if k > 0:
            quat_align(knots[k, 3:7], knots[k - 1, 3:7])
    if m >= _AT_AN_END:
        _end_slopes(time, knots, 0, 1)
        _end_slopes(time, knots, m - 1, -1)
    # continuity of the second derivative: a tridiagonal system with one right side per component
    upper = np.empty(m)
    upper[0] = 0.0
    for k in range(1, m - 1):
        h0, h1 = time[k] - time[k - 1], time[k + 1] - time[k]
        lower, middle = 1.0 / h0, 2.0 / h0 + 2.0 / h1
        pivot = middle - lower * upper[k - 1]
        upper[k] = (1.0 / h1) / pivot
        for i in range(7):
            right = 3.0 * (knots[k, i] - knots[k - 1, i]) / (h0 * h0)
            right += 3.0 * (knots[k + 1, i] - knots[k, i]) / (h1 * h1)
            knots[k, 7 + i] = (right - lower * knots[k - 1, 7 + i]) / pivot
    for k in range(m - 2, 0, -1):
        for i in range(7):
            knots[k, 7 + i] -= upper[k] * knots[k + 1, 7 + i]


@kernel
def _end_slopes(time: Array, knots: Array, end: int, step: int) -> None:
    """The derivative at an end of the polynomial through the four points there."""
    for j in range(4):
        share = 0.0
        for other in range(4):
            if other == j:
                continue
            factor = 1.0 / (time[end + step * j] - time[end + step * other])
            for third in range(4):
                if third != j and third != other:
                    factor *= time[end] - time[end + step * third]
                    factor /= time[end + step * j] - time[end + step * third]
            share += factor
        for i in range(7):
            knots[end, 7 + i] += share * knots[end + step * j, i]


@kernel
def on_segment(time: Array, knots: Array, k: int, phase: float, out: Array) -> None:
    """Write position, quaternion and their first two derivatives at a time, by row of seven.

    Args:
        time: Times of the points.
        knots: The points.
        k: The segment, between points k and k + 1.
        phase: The time.
        out: Out: three rows of seven.
    """
    h = time[k + 1] - time[k]
    x = (phase - time[k]) / h
    for i in range(7):
        y0, y1 = knots[k, i], knots[k + 1, i]
        m0, m1 = h * knots[k, 7 + i], h * knots[k + 1, 7 + i]
        c2, c3 = 3.0 * (y1 - y0) - 2.0 * m0 - m1, 2.0 * (y0 - y1) + m0 + m1
        out[0, i] = y0 + x * (m0 + x * (c2 + x * c3))
        out[1, i] = (m0 + x * (2.0 * c2 + x * 3.0 * c3)) / h
        out[2, i] = (2.0 * c2 + x * 6.0 * c3) / (h * h)


@kernel
def turning(out: Array, omega: Array, alpha: Array) -> None:
    """Normalise the quaternion of a place, and write its angular velocity and acceleration in W.

    With q = s/|s|: ω = 2·q̇·q*, and its derivative is 2·q̈·q*, both as vectors.
    """
    s, ds, dds = out[0, 3:], out[1, 3:], out[2, 3:]
    length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3])
    q, dq, ddq = scratch(4), scratch(4), scratch(4)
    rate, bend = 0.0, 0.0
    for i in range(4):
        q[i] = s[i] / length
        rate += q[i] * ds[i]
    for i in range(4):
        dq[i] = (ds[i] - rate * q[i]) / length
        bend += dq[i] * ds[i] + q[i] * dds[i]
    for i in range(4):
        ddq[i] = (dds[i] - 2.0 * rate * dq[i] - bend * q[i]) / length
    _twice_vector(dq, q, omega)
    _twice_vector(ddq, q, alpha)
    for i in range(4):
        s[i] = q[i]


@kernel
def _twice_vector(a: Array, q: Array, out: Array) -> None:
    """The vector part of 2·a·q*."""
    out[0] = 2.0 * (-a[0] * q[1] + a[1] * q[0] - a[2] * q[3] + a[3] * q[2])
    out[1] = 2.0 * (-a[0] * q[2] + a[1] * q[3] + a[2] * q[0] - a[3] * q[1])
    out[2] = 2.0 * (-a[0] * q[3] - a[1] * q[2] + a[2] * q[1] + a[3] * q[0])


@kernel
def find_peaks(time: Array, knots: Array, out: Array) -> None:
    """Write largest speeds, their times, largest accelerations and their times, by row."""
    place, omega, alpha = scratch_matrix(3, 7), scratch(3), scratch(3)
    for k in range(time.shape[0] - 1):
        for i in range(_SAMPLES + 1):
            at = time[k] + (time[k + 1] - time[k]) * i / _SAMPLES
            on_segment(time, knots, k, at, place)
            turning(place, omega, alpha)
            _keep(norm3(place[1]), at, out[0], out[1], 0)
            _keep(norm3(omega), at, out[0], out[1], 1)
            _keep(norm3(place[2]), at, out[2], out[3], 0)
            _keep(norm3(alpha), at, out[2], out[3], 1)


@kernel
def _keep(value: float, at: float, largest: Array, when: Array, i: int) -> None:
    if value > largest[i]:
        largest[i] = value
        when[i] = at
