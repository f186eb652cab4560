"""The token bucket that limits the messages of a page."""

from pliant.console.server.token_bucket import TokenBucket


def test_a_burst_passes_and_then_the_rate_limits() -> None:
    bucket = TokenBucket(rate=1e-9, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    assert all(TokenBucket(rate=1e12, burst=1).take() for _ in range(5))
