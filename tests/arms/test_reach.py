"""The reach of an arm: what it gets to, and how far it stays from the rest."""

import time

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.chain import chain_row, tool_kinematics
from pliant.arms.description import load_arm
from pliant.arms.pinocchio import build_pinocchio
from pliant.arms.reach import closest_pose
from pliant.arms.tool import Tool
from pliant.numerics.spatial import pose_error, quat_from_matrix


class Reaching:
    """An arm at home, and the pose nearest to a target."""

    def __init__(self, name: str) -> None:
        self.arm = load_arm(name)
        self.model: pin.Model = build_pinocchio(self.arm, Tool())
        self.chain = chain_row(self.model)
        self.low, self.high = np.array(self.arm.q_min), np.array(self.arm.q_max)
        self.home = np.array(self.arm.home)
        self.start = self.pose(self.home)

    def pose(self, q: np.ndarray) -> np.ndarray:
        R, J, X = np.empty((3, 3)), np.empty((6, self.arm.n)), np.empty(7)
        tool_kinematics(self.chain, q, R, X[:3], J)
        quat_from_matrix(R, X[3:])
        return X

    def error(self, target: np.ndarray) -> tuple[float, float]:
        out, e = np.empty(7), np.empty(6)
        closest_pose(self.chain, self.home.copy(), self.low, self.high, self.start, target, out)
        pose_error(out, target, e)
        return float(np.linalg.norm(e[:3])), float(np.linalg.norm(e[3:]))


@pytest.fixture(scope="module", params=["ur5e", "panda"])
def reaching(request: pytest.FixtureRequest) -> Reaching:
    return Reaching(request.param)


def test_what_the_joints_near_home_reach_is_reached(reaching: Reaching) -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        q = np.clip(reaching.home + rng.uniform(-0.5, 0.5, reaching.arm.n), *_inside(reaching))
        distance, angle = reaching.error(reaching.pose(q))
        assert distance < 1e-3 and angle < 5e-3


def _inside(reaching: Reaching) -> tuple[np.ndarray, np.ndarray]:
    return reaching.low + 0.05, reaching.high - 0.05


def test_beyond_its_reach_an_arm_stays_as_far_as_geometry_says(reaching: Reaching) -> None:
    """Straight ahead at the height of home: the distance grows as the target recedes."""

    def at(x: float) -> float:
        return reaching.error(np.array([x, *reaching.start[1:]]))[0]

    near, far = at(1.3), at(1.5)
    assert near > 0.2
    assert far - near == pytest.approx(0.2, abs=0.03)


def test_it_takes_a_fraction_of_a_period(reaching: Reaching) -> None:
    target = np.array([1.5, *reaching.start[1:]])
    reaching.error(target)
    took = []
    for _ in range(50):
        begun = time.perf_counter()
        reaching.error(target)
        took.append(time.perf_counter() - begun)
    assert min(took) < 0.5e-3
