"""Nothing stays of an arm that was closed."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from pliant import Arm

WARM_UP, ARMS = 5, 30
MOST = 100.0
"""Most memory that may stay for each arm, kB."""


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Nothing is collected, so what is freed is not part of a cycle of references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def use(spec: str) -> "weakref.ref[object]":
    with Arm(spec, history=30.0, seed=0) as arm:
        arm.wait(0.02)
        arm.joints.positions()
        arm.hand.schedule([1.0, 0, 0, 0, 0, 0], duration=0.01)
        arm.wait(0.02)
        return weakref.ref(arm.session.robot)


def memory() -> float:
    """Memory that belongs to this process alone, kB."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty"):
            return float(line.split()[1])
    raise AssertionError("the kernel does not say")


@pytest.mark.parametrize("spec", ["sim:ur5e/table", "sim:panda"])
def test_an_arm_is_freed_when_it_is_closed_and_forgotten(spec: str, no_collection: None) -> None:
    assert use(spec)() is None


@pytest.mark.parametrize("spec", ["sim:ur5e/table", "sim:panda"])
def test_the_memory_of_thirty_arms_is_that_of_one(spec: str, no_collection: None) -> None:
    for _ in range(WARM_UP):
        use(spec)
    before = memory()
    for _ in range(ARMS):
        use(spec)
    assert (memory() - before) / ARMS < MOST
