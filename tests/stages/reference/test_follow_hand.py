"""Guiding by hand: the tool follows the push, stops when released, and stays within limits."""

import numpy as np
import pytest

from pliant import Arm
from pliant.arms import load_arm
from pliant.reasons import State
from pliant.stages.safety import Clip

PANDA = load_arm("panda")


def led_arm(q: np.ndarray | None = None, friction: str = "typical", **follow_hand: object) -> Arm:
    sim: dict = {"friction": friction}
    if q is not None:
        sim["q_start"] = tuple(q)
    config = {"reference": {"follow_hand": follow_hand}, "sim": sim}
    arm = Arm("sim:panda", config=config)
    arm.wait(0.1)
    arm.use_preset("colab")
    arm.wait(0.5)
    return arm


def push(arm: Arm, force: list[float], duration: float) -> np.ndarray:
    start = arm.time
    arm.hand.schedule([*force, 0, 0, 0], start=start, duration=duration)
    arm.wait(duration)
    return arm.history.since(start)


def assert_within_limits(rows: np.ndarray) -> None:
    assert (rows["q"] > PANDA.q_min).all()
    assert (rows["q"] < PANDA.q_max).all()
    assert (np.abs(rows["qd"]) < PANDA.qd_max).all()
    assert not rows["trip"].any()
    assert (rows["state"] == State.ACTIVE).all()


# The arm's estimate of the hand contains its uncompensated friction.
@pytest.mark.parametrize(("friction", "aside"), [("off", 0.1), ("typical", 0.3)])
@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-0.6, 0.0, 0.8)])
def test_the_tool_follows_the_push_and_stops_when_released(direction, friction, aside):
    arm = led_arm(friction=friction)
    rows = push(arm, list(15.0 * np.array(direction)), 1.0)
    way = rows["X_WT"][-1, :3] - rows["X_WT"][0, :3]
    along = way @ direction
    assert along > 0.08
    assert np.linalg.norm(way - along * np.array(direction)) < aside * along
    assert not (rows["clipped"] & ~Clip.TORQUE_RATE).any()
    arm.wait(0.3)
    start = arm.time
    arm.wait(0.5)
    speed = np.linalg.norm(arm.history.since(start)["v_WT_W"][:, :3], axis=1)
    assert speed.max() < 2e-3


def test_a_locked_axis_stays_and_a_scale_counts():
    arm = led_arm(friction="off", scale=(0.005, 0.0, 0.01, 0.0, 0.0, 0.0))
    way = np.ptp(push(arm, [12.0, 12.0, 12.0], 1.0)["X_WT"][:, :3], axis=0)
    assert way[1] < 0.005
    assert way[0] == pytest.approx(0.5 * way[2], rel=0.3)


def test_noise_moves_nothing():
    arm = led_arm()
    start = arm.time
    arm.wait(3.0)
    rows = arm.history.since(start)
    assert np.ptp(rows["q_ref"], axis=0).max() < 1e-12
    assert np.ptp(rows["X_WT"][:, :3], axis=0).max() < 1e-4


def test_it_stays_within_limits_at_a_singularity():
    arm = led_arm()
    rows = push(arm, [15.0, 0.0, 8.0], 4.0)
    # to the limit of its reach
    assert np.linalg.norm(rows["v_WT_W"][-1, :3]) < 0.05
    assert_within_limits(rows)
    back = push(arm, [-15.0, 0.0, -8.0], 1.0)
    assert_within_limits(back)
    assert back["X_WT"][-1, 0] < rows["X_WT"][-1, 0] - 0.005


def test_it_stays_within_limits_at_a_joint_stop():
    q = np.array(PANDA.home)
    q[0], q[5] = 2.7, 3.5
    arm = led_arm(q)
    for force in ([-12.0, -12.0, 0.0], [0.0, 0.0, 12.0], [12.0, 0.0, 12.0]):
        assert_within_limits(push(arm, force, 1.0))
    arm.wait(0.3)
    assert np.linalg.norm(arm.tick.v_WT_W[:3]) < 2e-3
