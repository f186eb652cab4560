"""Scalar filters."""

from math import exp, pi

from pliant.numerics.kernels import kernel


@kernel
def dead_band(x: float, width: float) -> float:
    """Zero below `width`, slope 2 up to twice the width, identity above."""
    size = abs(x)
    if size >= 2.0 * width:
        return x
    if size <= width:
        return 0.0
    return 2.0 * (x - width) if x > 0.0 else 2.0 * (x + width)


@kernel
def beyond(x: float, width: float) -> float:
    """Subtractive dead band: zero within `width`, then slope 1."""
    if abs(x) <= width:
        return 0.0
    return x - width if x > 0.0 else x + width


@kernel
def smoothing(cutoff: float, dt: float) -> float:
    """Smoothing factor α of a first-order low-pass: y += α·(x − y) per period."""
    return 1.0 - exp(-2.0 * pi * cutoff * dt)
