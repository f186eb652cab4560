"""The joints of a torque arm stay below the arm's own speed limits."""

import contextlib
from typing import Any

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.errors import ArmStopped
from pliant.laws import TorqueLaw
from pliant.reasons import State
from pliant.tick import Rows

ROOM = {"workspace_min": (-3, -3, -3), "workspace_max": (3, 3, 3), "tool_speed": 3.0}


class Torques(TorqueLaw):
    """Torques as they are set."""

    name = "torques"

    def __init__(self) -> None:
        self.tau = np.zeros(7)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Command them."""
        tick["tau_law"] = self.tau


def opened(name: str, **sim: Any) -> tuple[Arm, Torques]:
    """An arm without friction under torques that a test sets."""
    law = Torques()
    arm = Arm(f"sim:{name}", laws=[law], config={"sim": {"friction": "off"} | sim, "safety": ROOM})
    arm.activate("torques")
    return arm, law


def fastest(arm: Arm) -> float:
    """The largest joint speed, relative to the arm's own limit."""
    return float((np.abs(arm.history["qd"]) / arm.simulation.description.qd_max).max())


def run(arm: Arm, seconds: float) -> None:
    """Run, also after a fault."""
    end = arm.time + seconds
    while arm.time < end - 0.5 * arm.dt:
        with contextlib.suppress(ArmStopped):
            arm.wait(end - arm.time)


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("joint", range(7))
def test_full_torque_does_not_pass_the_speed_limit(name: str, joint: int) -> None:
    arm, law = opened(name)
    law.tau = load_arm(name).tau_max * np.eye(7)[joint]
    run(arm, 0.4)
    assert 0.5 < fastest(arm) < 1.0


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_random_torques_do_not_pass_the_speed_limit(name: str) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        arm, law = opened(name)
        for _ in range(6):
            law.tau = rng.uniform(-1, 1, 7) * load_arm(name).tau_max * rng.choice([0.2, 1.0])
            run(arm, 0.1)
        # the most, 1.14: joints 0 and 2 of a Panda, about one axis, both driven by 80 N·m
        assert fastest(arm) < 1.2


def test_a_push_that_the_joint_can_hold_is_held_at_the_speed_limit() -> None:
    arm, _ = opened("fr3")
    arm.hand.schedule([0, 0, 0, 0, 0, 8], axes="T", duration=0.5)
    run(arm, 0.5)
    assert fastest(arm) < 1.0


def test_a_joint_that_holds_a_position_is_braked_when_it_is_pushed_away() -> None:
    """The stiff servo alone lets a push of 8 N·m turn the last joint at more than its limit."""
    arm = Arm("sim:fr3", config={"sim": {"friction": "off"}, "joints": {"tracking": 3.0}})
    arm.hand.schedule([0, 0, 0, 0, 0, 11], axes="T", duration=0.4)
    run(arm, 0.4)
    assert fastest(arm) < 1.0


def test_slow_motion_is_not_touched() -> None:
    arm, law = opened("panda")
    law.tau = np.array([0.1, 0, 0, 0, 0, 0, 0])
    run(arm, 0.2)
    assert arm.state is State.ACTIVE
    np.testing.assert_array_equal(arm.history["tau_sent"][5:], arm.history["tau_requested"][5:])
