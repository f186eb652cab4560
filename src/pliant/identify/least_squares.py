"""Least squares with standard errors."""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.spatial import Array

_CONFIDENCE = 1.96
"""Half width of a 95 % confidence interval, in standard errors."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimated value and its standard error.

    Attributes:
        value: The value, in SI units.
        error: Its standard error.
    """

    value: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval."""
        return (self.value - _CONFIDENCE * self.error, self.value + _CONFIDENCE * self.error)

    @property
    def is_sure(self) -> bool:
        """Whether it differs significantly from zero."""
        return abs(self.value) > _CONFIDENCE * self.error


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Result of a least-squares fit.

    Attributes:
        x: The solution.
        covariance: Covariance of the solution, estimated from the residuals.
        residual: Root mean square of the residuals.
    """

    x: Array
    covariance: Array
    residual: float

    def estimate(self, i: int) -> Estimate:
        """One value of the solution."""
        error = float(np.sqrt(max(self.covariance[i, i], 0.0)))
        return Estimate(value=float(self.x[i]), error=error)


def least_squares(A: Array, b: Array, samples: float = 1.0) -> Fit:
    """Solve A·x = b in the least-squares sense.

    Args:
        A: One row per equation.
        b: Right-hand side.
        samples: Number of neighbouring equations with a common error, because they were filtered
            together; the covariance is larger by this factor.
    """
    x, *_ = np.linalg.lstsq(A, b, rcond=None)
    residuals = b - A @ x
    degrees_of_freedom = max(1.0, len(b) / samples - A.shape[1])
    variance = float(residuals @ residuals) / samples / degrees_of_freedom
    covariance = samples * variance * np.linalg.pinv(A.T @ A)
    residual = float(np.sqrt(np.mean(residuals * residuals)))
    return Fit(x=np.array(x, float), covariance=np.array(covariance, float), residual=residual)
