"""A virtual UR above a table, and a loop on it; a test file may have an arm of its own."""

from collections.abc import Iterator

import pytest

from pliant.loop.loop import Loop
from tests.virtual_arms import VirtualArm, virtual_arm

from .ur_loops import running


@pytest.fixture
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("ur5e/table", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture
def loop(arm: VirtualArm) -> Iterator[Loop]:
    yield from running(arm)
