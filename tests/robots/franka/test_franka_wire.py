"""A controller over the wire beside a loop with pylibfranka alone: what the benchmark measures."""

import pytest

from pliant.bench.franka_wire import FrankaRun, run_franka
from pliant.errors import PliantError
from tests.virtual_arms import is_busy

pytestmark = pytest.mark.alone

_ATTEMPTS = 20


def run(turns: int) -> FrankaRun:
    """Run for so many turns in lock step; again where a busy machine ended it."""
    for _ in range(_ATTEMPTS):
        try:
            return run_franka(turns, "lockstep")
        except PliantError as error:
            ended = ("has ended", "killed by SIGKILL", "was not ready after", "too busy")
            assert is_busy(str(error)) or any(words in str(error) for words in ended), error
    raise AssertionError("this machine is too busy for a real arm")


def test_the_time_from_a_state_to_its_torques_is_measured() -> None:
    wire = run(2)
    assert wire.ticks > 100
    assert wire.missed == 0
    assert 0.0 < wire.p50 <= wire.p99
    assert 0.0 < wire.bare_p50 <= wire.bare_p99
