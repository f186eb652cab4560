"""Scalar filters."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pliant.numerics.filters import beyond


@given(x=st.floats(-100, 100), y=st.floats(-100, 100), width=st.floats(0, 10))
def test_the_subtractive_dead_band_never_amplifies_a_change(
    x: float, y: float, width: float
) -> None:
    assert abs(beyond(x, width) - np.sign(x) * max(0.0, abs(x) - width)) < 1e-12
    assert abs(beyond(x, width) - beyond(y, width)) <= abs(x - y) + 1e-12
