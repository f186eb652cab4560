"""Least squares with what every figure deserves: its standard error."""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.spatial import Array

_CONFIDENCE = 1.96
"""Standard errors within which the true value lies in 95 of 100 cases."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure and how sure it is.

    Attributes:
        value: In SI units.
        error: Its standard error.
    """

    value: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true value lies in 95 of 100 cases."""
        return (self.value - _CONFIDENCE * self.error, self.value + _CONFIDENCE * self.error)

    @property
    def is_sure(self) -> bool:
        """Whether it can be told from zero."""
        return abs(self.value) > _CONFIDENCE * self.error


@dataclass(frozen=True, kw_only=True)
class Fit:
    """What least squares found.

    Attributes:
        x: The solution.
        covariance: Of the solution, from the residuals.
        residual: Their root mean square.
    """

    x: Array
    covariance: Array
    residual: float

    def estimate(self, i: int) -> Estimate:
        """One figure of the solution."""
        error = float(np.sqrt(max(self.covariance[i, i], 0.0)))
        return Estimate(value=float(self.x[i]), error=error)


def least_squares(A: Array, b: Array, samples: float = 1.0) -> Fit:
    """Solve A·x = b as well as possible.

    Args:
        A: One row per equation.
        b: Right side.
        samples: How many neighbouring equations share one error, because they were filtered or
            smoothed together; the covariance is larger by that.
    """
    x, *_ = np.linalg.lstsq(A, b, rcond=None)
    off = b - A @ x
    freedom = max(1.0, len(b) / samples - A.shape[1])
    variance = float(off @ off) / samples / freedom
    covariance = samples * variance * np.linalg.pinv(A.T @ A)
    residual = float(np.sqrt(np.mean(off * off)))
    return Fit(x=np.array(x, float), covariance=np.array(covariance, float), residual=residual)
