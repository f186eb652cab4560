"""Rate and silence of the loop."""

import pytest

from pliant.console.server import health
from pliant.console.server.health import Health
from pliant.tick import new_rows


def test_the_rate_is_that_of_the_ticks_and_falls_to_zero_without_them(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(health.time, "monotonic", lambda: now[0])
    watched = Health(6)
    assert watched.rate == 0.0
    for _ in range(200):
        now[0] += 0.02
        watched.take(new_rows(6, 10))
        if now[0] > 100.05:
            assert watched.rate == pytest.approx(500.0)
    now[0] += 2.0
    watched.take(new_rows(6, 0))
    assert watched.rate == 0.0
    assert watched.silence == pytest.approx(2.0)
