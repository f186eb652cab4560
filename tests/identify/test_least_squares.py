"""Least squares and its standard errors."""

import numpy as np
import pytest

from pliant.identify.least_squares import Estimate, least_squares


def test_the_interval_contains_the_true_value_in_95_percent_of_cases():
    rng, t = np.random.default_rng(0), np.linspace(0.0, 1.0, 200)
    A = np.column_stack([t, np.ones_like(t)])
    fits = [least_squares(A, 3.0 * t + 1.0 + 0.2 * rng.standard_normal(200)) for _ in range(300)]
    slopes = [fit.estimate(0) for fit in fits]
    assert 0.92 < np.mean([s.interval[0] < 3.0 < s.interval[1] for s in slopes]) < 0.98
    assert fits[0].residual == pytest.approx(0.2, rel=0.2)


def test_correlated_errors_count_once():
    """Repeating each reading nine times adds no information."""
    rng, t = np.random.default_rng(0), np.linspace(0.0, 1.0, 100)
    A = np.column_stack([t, np.ones_like(t)])
    b = 3.0 * t + rng.standard_normal(100)
    once = least_squares(A, b).estimate(0)
    repeated = least_squares(np.repeat(A, 9, axis=0), np.repeat(b, 9), samples=9.0).estimate(0)
    assert repeated.value == pytest.approx(once.value)
    assert repeated.error == pytest.approx(once.error, rel=1e-6)


def test_an_insignificant_estimate_is_not_sure():
    assert Estimate(value=2.0, error=0.9).is_sure
    assert not Estimate(value=-1.0, error=0.9).is_sure
