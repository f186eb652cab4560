"""The token: right and wrong ones, and the delays of wrong ones."""

import pytest

from pliant.console.server import access_token
from pliant.console.server.access_token import TokenGate


def test_only_the_token_opens() -> None:
    gate = TokenGate("the right token")
    assert gate.opens("the right token")
    for wrong in ("", "the right toke", "the right tokens", "é", gate.cookie):
        assert not gate.opens(wrong)
    assert gate.opens_by_cookie(gate.cookie)
    assert not gate.opens_by_cookie("the right token")
    assert not gate.opens_by_cookie("")


def test_delays_double_up_to_a_bound_and_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(access_token.time, "monotonic", lambda: now)
    gate = TokenGate("the right token")
    assert [gate.delay() for _ in range(7)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert {gate.delay() for _ in range(2000)} == {5.0}
    now += 1e6
    assert gate.delay() == 0.1
