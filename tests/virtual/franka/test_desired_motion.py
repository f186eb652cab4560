"""The motion that the virtual FR3 makes of commands, in the test's own process."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.arms.chain import chain_row
from pliant.arms.description import load_arm
from pliant.arms.pinocchio import build_pinocchio
from pliant.arms.tool import Tool
from pliant.virtual.franka.cartesian_generator import begin_cartesian, follow_twist
from pliant.virtual.franka.desired_motion import (
    PERIOD,
    brake,
    frame_kinematics,
    new_motion,
    rotation_between,
)
from pliant.virtual.franka.fr3_limits import limits_row, too_fast
from pliant.virtual.franka.joint_generator import approach_target

FR3 = load_arm("fr3")
LIMITS = limits_row(FR3)
FLANGE = chain_row(build_pinocchio(FR3, Tool(X_FT=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))))


def kinematics(motion, pose) -> None:
    m = motion[0]
    frame_kinematics(FLANGE, pose, m["q"], m["R"], m["p"], m["J"])


@pytest.fixture
def pose():
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_rotvec([0.1, -0.2, 0.3]).as_matrix()
    pose[:3, 3] = 0.05, -0.02, 0.1
    return pose


def test_the_jacobian_is_the_derivative_of_the_pose(pose) -> None:
    motion = new_motion(np.array(FR3.home))
    kinematics(motion, pose)
    J, R, p = (motion[name][0].copy() for name in ("J", "R", "p"))
    for j in range(7):
        moved = new_motion(np.array(FR3.home) + 1e-6 * np.eye(7)[j])
        kinematics(moved, pose)
        turn = np.zeros(3)
        rotation_between(R, moved["R"][0], turn)
        change = np.r_[moved["p"][0] - p, turn] / 1e-6
        np.testing.assert_allclose(change, J[:, j], atol=1e-5)


def test_rotations_between_orientations() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        first, turn, out = (
            Rotation.from_rotvec(rng.uniform(-2.0, 2.0, 3)),
            rng.uniform(-1.5, 1.5, 3),
            np.zeros(3),
        )
        second = Rotation.from_rotvec(turn) * first
        rotation_between(first.as_matrix(), second.as_matrix(), out)
        np.testing.assert_allclose(out, turn, atol=1e-9)


def test_a_twist_moves_the_end_effector_and_the_elbow(pose) -> None:
    motion = new_motion(np.array(FR3.home))
    kinematics(motion, pose)
    begin_cartesian(motion)
    start, elbow = motion["p"][0].copy(), float(motion["q"][0, 2])
    for i in range(1000):
        speed = 0.1 * min(i / 200, 1.0, (1000 - i) / 200)
        elbow += PERIOD * 2.0 * speed
        twist = np.array([0.0, speed, 0.0, 0.0, 0.0, 0.0])
        assert follow_twist(motion, LIMITS, twist, elbow) == -1
        kinematics(motion, pose)
    moved = motion["p"][0] - start
    np.testing.assert_allclose(moved, [0.0, 0.08, 0.0], atol=2e-4)
    assert motion["q"][0, 2] == pytest.approx(elbow, abs=1e-3)


def test_a_joint_may_always_go_so_fast_that_it_can_still_brake() -> None:
    for j in range(7):
        reach = FR3.q_max[j]
        assert too_fast(LIMITS, j, 0.0, 1.1 * FR3.qd_max[j])
        assert not too_fast(LIMITS, j, 0.5 * (FR3.q_min[j] + reach), 0.5 * FR3.qd_max[j])
        assert too_fast(LIMITS, j, reach - 1e-3, 0.5 * FR3.qd_max[j])
        assert not too_fast(LIMITS, j, reach - 1e-3, -0.5 * FR3.qd_max[j])


def test_targets_that_come_at_any_rate_are_approached_within_the_limits() -> None:
    motion, target = new_motion(np.array(FR3.home)), np.array(FR3.home) + 0.3
    speeds, fastest = np.full(7, 0.5), np.zeros(7)
    for _ in range(2000):
        before = motion["dq"][0].copy()
        approach_target(motion, LIMITS, target, speeds)
        fastest = np.maximum(fastest, np.abs(motion["dq"][0]))
        assert (np.abs(motion["dq"][0] - before) <= 10.1 * PERIOD).all()
    np.testing.assert_allclose(motion["q"][0], target, atol=1e-6)
    assert (fastest <= 0.5).all() and (fastest > 0.49).all()
    assert np.abs(motion["dq"][0]).max() < 1e-6


def test_braking_takes_as_long_as_the_deceleration_says() -> None:
    motion = new_motion(np.array(FR3.home))
    motion["dq"][0, :2] = 0.5, -0.25
    periods = 1
    while not brake(motion, 10.0):
        # all joints together, so that the path does not bend
        assert motion["dq"][0, 0] == pytest.approx(-2.0 * motion["dq"][0, 1])
        periods += 1
    assert periods == pytest.approx(50, abs=1)
