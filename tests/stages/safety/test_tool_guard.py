"""The tool of a torque arm keeps to its speed limit, whatever drives or pushes it."""

from typing import Any

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.reasons import State

from ...fuzz.preventable import added_by_loads
from .test_speed_guard import Torques, run

LIMIT = 0.5
ROOM = {"workspace_min": (-3, -3, -3), "workspace_max": (3, 3, 3), "tool_speed": LIMIT}


def opened(name: str, **sim: Any) -> tuple[Arm, Torques]:
    """An arm without friction under torques that a test sets."""
    law = Torques()
    arm = Arm(f"sim:{name}", laws=[law], config={"sim": {"friction": "off"} | sim, "safety": ROOM})
    arm.activate("torques")
    return arm, law


def speeds(arm: Arm) -> np.ndarray:
    """The tool's speed, m/s."""
    return np.linalg.norm(arm.history["v_WT_W"][:, :3], axis=1)


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("joint", range(7))
def test_full_torque_keeps_the_tool_to_its_limit(name: str, joint: int) -> None:
    arm, law = opened(name)
    law.tau = load_arm(name).tau_max * np.eye(7)[joint]
    run(arm, 0.4)
    assert speeds(arm).max() < 1.05 * LIMIT


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_a_law_that_swings_with_full_torque_keeps_the_tool_to_its_limit(name: str) -> None:
    """The arm needs 87 ms to take such torques back: a damper at the limit let 1.45 m/s pass."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        arm, law = opened(name)
        for _ in range(8):
            law.tau = rng.choice([-1.0, 1.0], 7) * load_arm(name).tau_max
            law.tau[4:] = 0.0
            run(arm, rng.uniform(0.03, 0.12))
        assert arm.state is State.ACTIVE
        assert speeds(arm).max() < 1.1 * LIMIT


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("axis", range(3))
def test_a_steady_push_is_held_at_the_limit(name: str, axis: int) -> None:
    arm, _ = opened(name)
    arm.hand.schedule(30.0 * np.eye(6)[axis], axes="W", duration=0.4)
    run(arm, 0.4)
    assert 0.9 * LIMIT < speeds(arm).max() < 1.1 * LIMIT


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_a_load_that_vanishes_adds_no_more_than_the_torque_rate_makes_it(name: str) -> None:
    arm, law = opened(name)
    pull = 60.0 * np.eye(6)[1]
    law.tau = arm.tick.J_W.T @ pull
    arm.hand.schedule(-45.0 * np.eye(6)[1], axes="W", start=0.0, duration=0.35)
    run(arm, 0.5)
    added, _ = added_by_loads(arm.history.since(0.0), load_arm(name), LIMIT)
    assert speeds(arm).max() < 1.05 * LIMIT + added.max()


def test_a_joint_at_its_limit_does_not_free_a_law_from_the_guard() -> None:
    """Near a state of a soak: the elbow comes to its limit, and the law asks for far too much.

    What the limit changes is not the tool's to choose; the rest of the law's torque is.
    """
    arm, law = opened("panda", q_start=(-0.342, -0.932, 1.335, -3.023, -1.576, 2.99, -0.512))
    arm.simulation.world.data.qvel[:7] = (-0.336, -0.991, 1.083, -0.347, -1.415, 0.652, 0.552)
    law.tau = np.array([1904.0, 4863.0, 4865.0, -11197.0, 1617.0, -26.7, -201.7])
    run(arm, 0.3)
    assert speeds(arm).max() < 1.1 * LIMIT


def test_a_slow_motion_is_not_touched() -> None:
    arm, law = opened("panda")
    law.tau = np.array([0.1, 0, 0, 0, 0, 0, 0])
    run(arm, 0.2)
    np.testing.assert_array_equal(arm.history["tau_sent"][5:], arm.history["tau_requested"][5:])
