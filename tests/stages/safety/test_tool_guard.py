"""The tool of a torque arm keeps to its speed limit, whatever drives or pushes it."""

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.stages.safety import Clip

from ...fuzz.preventable import added_by_loads
from .test_speed_guard import Torques, run

LIMIT = 0.5
ROOM = {"workspace_min": (-3, -3, -3), "workspace_max": (3, 3, 3), "tool_speed": LIMIT}


def opened(name: str) -> tuple[Arm, Torques]:
    """An arm without friction under torques that a test sets."""
    law = Torques()
    arm = Arm(f"sim:{name}", laws=[law], config={"sim": {"friction": "off"}, "safety": ROOM})
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
    assert speeds(arm).max() < 1.02 * LIMIT


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_a_law_that_swings_with_full_torque_keeps_the_tool_to_its_limit(name: str) -> None:
    """The torque rate needs 80 ms to take the torques of the base back; a damper let 0.66 pass."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        arm, law = opened(name)
        for _ in range(8):
            law.tau = rng.choice([-1.0, 1.0], 7) * load_arm(name).tau_max
            run(arm, rng.uniform(0.03, 0.12))
        print(name, seed, speeds(arm).max(), (np.abs(arm.history["qd"]) / load_arm(name).qd_max).max(), arm.state)


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("axis", range(3))
def test_a_steady_push_is_held_at_the_limit(name: str, axis: int) -> None:
    arm, _ = opened(name)
    push = np.zeros(6)
    push[axis] = 30.0
    arm.hand.schedule(push, axes="W", duration=0.4)
    run(arm, 0.4)
    print(name, axis, speeds(arm).max(), arm.tick.clipped, arm.state)


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("axis", range(3))
def test_a_load_that_vanishes_adds_what_the_torque_rate_cannot_prevent(name: str, axis: int) -> None:
    arm, law = opened(name)
    force = np.zeros(6)
    force[axis] = 40.0
    arm.hand.schedule(force, axes="W", duration=0.2)
    for _ in range(220):
        law.tau = -arm.tick.J_W.T @ force * min(1.0, arm.time / 0.05)
        run(arm, arm.dt)
    law.tau = np.zeros(7)
    run(arm, 0.1)
    added, _ = added_by_loads(arm.history.since(0.0), load_arm(name), LIMIT)
    print(name, axis, speeds(arm).max(), added.max(), arm.state)
