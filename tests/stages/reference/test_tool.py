"""The tool reference arrives exactly and never exceeds its limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant import Arm
from pliant.numerics.spatial import (
    pose_error,
    pose_step,
    quat_inverse_multiply,
    quat_log,
    quat_rotate,
)
from pliant.stages.reference import ReferenceConfig, RefKind
from pliant.stages.reference.path_spline import NO_PATH
from pliant.stages.reference.stage import reference_kernel, reference_params
from pliant.tick import new_rows

DT = 0.002
CONFIG = ReferenceConfig(max_speed=(0.1, 0.5), max_acceleration=(0.5, 2.0))
START = np.array([0.4, 0.1, 0.3, 0.0, 1.0, 0.0, 0.0])
ROUNDING = 1e-7


class Track:
    """The reference stage alone, with two rows."""

    def __init__(self, config: ReferenceConfig = CONFIG) -> None:
        self.configure(config)
        self.prev, self.tick = new_rows(6), new_rows(6)
        for row in (self.prev, self.tick):
            row["dt"], row["law"] = DT, 0
            for name in ("X_WR", "X_WT_cmd", "X_WT_sent", "X_WR_target"):
                row[name] = START
        self.poses = [START.copy()]
        self.velocities = [np.zeros(6)]

    def configure(self, config: ReferenceConfig) -> None:
        self.p = reference_params(config, takes=["tool"], most_laws=1)

    def run(self, ticks: int, **columns: object) -> None:
        for name, value in columns.items():
            self.prev[name] = self.tick[name] = value
        for _ in range(ticks):
            self.tick["time"] = self.prev["time"] + DT
            reference_kernel(self.prev, self.tick, self.p, None, NO_PATH)
            self.poses.append(self.tick["X_WR"][0].copy())
            self.velocities.append(self.tick["v_WR_W"][0].copy())
            self.prev, self.tick = self.tick, self.prev

    @property
    def done(self) -> bool:
        return bool(self.prev["ref_done"][0])

    def motion(self) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration in W, from the poses alone."""
        poses = np.array(self.poses)
        turns = np.empty((len(poses) - 1, 3))
        between = np.empty(4)
        for turn, old, new in zip(turns, poses[:-1], poses[1:], strict=True):
            quat_inverse_multiply(old[3:], new[3:], between)
            quat_log(between, turn)
            quat_rotate(old[3:], turn, turn)
        v = np.hstack([np.diff(poses[:, :3], axis=0), turns]) / DT
        return v, np.diff(v, axis=0, prepend=np.zeros((1, 6))) / DT

    def assert_within_limits(self, config: ReferenceConfig = CONFIG) -> None:
        v, a = self.motion()
        for part, half in ((0, slice(0, 3)), (1, slice(3, 6))):
            speed = np.linalg.norm(v[:, half], axis=1)
            acceleration = np.linalg.norm(a[:, half], axis=1)
            assert speed.max() <= config.max_speed[part] * (1.0 + ROUNDING)
            assert acceleration.max() <= config.max_acceleration[part] + 1e-5


def offset(step: np.ndarray) -> np.ndarray:
    out = np.empty(7)
    pose_step(START, np.asarray(step, dtype=float), out)
    return out


way = st.floats(-0.05, 0.05)
turn = st.floats(-0.5, 0.5)
steps = st.tuples(way, way, way, turn, turn, turn)


@settings(max_examples=50)
@given(target=steps)
def test_reaches_its_target_exactly(target):
    track = Track()
    goal = offset(np.array(target))
    track.run(1500, ref_kind=RefKind.POSE, X_WR_target=goal)
    assert track.done
    error = np.empty(6)
    pose_error(track.poses[-1], goal, error)
    assert np.abs(error).max() < 1e-9
    track.assert_within_limits()


@settings(max_examples=50)
@given(legs=st.lists(st.tuples(steps, st.integers(1, 300)), min_size=2, max_size=6))
def test_limits_hold_under_new_targets_during_a_motion(legs):
    track = Track()
    for target, ticks in legs:
        track.run(ticks, ref_kind=RefKind.POSE, X_WR_target=offset(np.array(target)))
    track.run(1500)
    assert track.done
    error = np.empty(6)
    pose_error(track.poses[-1], offset(np.array(legs[-1][0])), error)
    assert np.abs(error).max() < 1e-9
    track.assert_within_limits()


@settings(max_examples=50)
@given(
    twists=st.lists(st.tuples(st.tuples(*[st.floats(-1, 1)] * 6), st.integers(0, 1)), max_size=5),
    target=steps,
)
def test_limits_hold_under_jogs_holds_and_targets(twists, target):
    track = Track()
    for twist, frame in twists:
        now = track.prev["time"][0]
        track.run(100, ref_kind=RefKind.JOG, v_jog=twist, v_jog_frame=frame, jog_until=now + 0.15)
        track.run(20, ref_kind=RefKind.HOLD)
        track.run(60, ref_kind=RefKind.POSE, X_WR_target=offset(np.array(target)))
    track.run(500, ref_kind=RefKind.HOLD)
    assert track.done
    np.testing.assert_array_equal(track.velocities[-1], np.zeros(6))
    track.assert_within_limits()


def test_moves_in_a_straight_line_in_minimum_time():
    track = Track()
    goal = offset(np.array([0.03, -0.04, 0.0, 0, 0, 0]))
    track.run(1000, ref_kind=RefKind.POSE, X_WR_target=goal)
    path = np.array(track.poses)[:, :3] - START[:3]
    along = (goal[:3] - START[:3]) / 0.05
    assert np.abs(path - np.outer(path @ along, along)).max() < 1e-12
    # 0.2 s to accelerate and to brake at 0.5 m/s², the rest of 50 mm at 0.1 m/s
    arrived = np.argmax(np.linalg.norm(path - 0.05 * along, axis=1) < 1e-9) * DT
    assert arrived == pytest.approx(0.05 / 0.1 + 0.2, abs=3 * DT)


def test_a_reversal_has_no_detour():
    track = Track()
    track.run(200, ref_kind=RefKind.POSE, X_WR_target=offset([0.05, 0, 0, 0, 0, 0]))
    turning = track.poses[-1][0] - START[0]
    track.run(1000, ref_kind=RefKind.POSE, X_WR_target=offset([-0.02, 0, 0, 0, 0, 0]))
    x = np.array(track.poses)[:, 0] - START[0]
    # braking from 0.1 m/s takes 10 mm
    assert x.max() < turning + 0.1**2 / (2 * 0.5) + 0.1 * DT
    assert x.min() > -0.02 - 1e-9
    track.assert_within_limits()


@pytest.mark.parametrize(("frame", "direction"), [(0, -1.0), (1, 1.0)])
def test_jogs_in_the_axes_of_the_tool_or_of_the_world_until_timeout(frame, direction):
    # the tool points down: its z is −z of the world
    track = Track()
    twist = [0, 0, 0.05, 0, 0, 0]
    track.run(300, ref_kind=RefKind.JOG, v_jog=twist, v_jog_frame=frame, jog_until=0.3)
    v, _ = track.motion()
    assert v[145, 2] == pytest.approx(direction * 0.05)
    np.testing.assert_allclose(v[-1], 0.0, atol=1e-12)
    # 0.3 s at 0.05 m/s: acceleration and braking cancel
    moved = track.poses[-1][2] - START[2]
    assert moved == pytest.approx(direction * 0.05 * 0.3, abs=2 * 0.05 * DT)
    assert track.done


def test_limits_lowered_in_motion_brake_instead_of_jumping():
    track = Track()
    track.run(200, ref_kind=RefKind.POSE, X_WR_target=offset([0.2, 0, 0, 0, 0, 0]))
    track.configure(ReferenceConfig(max_speed=(0.02, 0.1), max_acceleration=(0.5, 2.0)))
    track.run(300)
    track.assert_within_limits()
    assert np.linalg.norm(track.velocities[-1][:3]) == pytest.approx(0.02)


def test_without_a_law_it_rests_at_the_set_points_sent():
    track = Track()
    elsewhere = offset([0.1, 0.2, 0.0, 0.1, 0.0, 0.0])
    track.run(1, law=-1, X_WT_sent=elsewhere, ref_kind=RefKind.POSE)
    np.testing.assert_array_equal(track.poses[-1], elsewhere)
    assert track.done


@pytest.fixture
def arm() -> Arm:
    arm = Arm("sim:ur5e")
    arm.activate("position")
    arm.wait(0.02)
    return arm


def settle(arm: Arm) -> np.ndarray:
    arm.wait(0.01)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    arm.wait(0.5)
    return arm.tick.X_WT.copy()


def test_the_arm_goes_to_a_pose_of_the_world(arm):
    goal = arm.tick.X_WT_cmd.copy()
    goal[:3] += [0.05, -0.03, 0.02]
    arm.move_to(goal, wait=False)
    error = np.empty(6)
    pose_error(settle(arm), goal, error)
    assert np.abs(error).max() < 2e-6


@pytest.mark.parametrize("frame", ["tool", "world"])
def test_the_arm_moves_by_a_displacement_of_the_tool_or_the_world(arm, frame):
    X_WT = arm.tick.X_WT_cmd.copy()
    delta = np.array([0.02, 0.03, -0.04, 0.1, -0.2, 0.3])
    arm.move_by(delta, frame=frame, wait=False)
    end = settle(arm)
    error, turned, turn = np.empty(6), np.empty(4), np.empty(3)
    pose_error(X_WT, end, error)
    if frame == "world":
        quat_inverse_multiply(X_WT[3:], end[3:], turned)
        quat_log(turned, turn)
        quat_rotate(X_WT[3:], turn, turn)
        error = np.concatenate([end[:3] - X_WT[:3], turn])
    np.testing.assert_allclose(error, delta, atol=2e-6)


def test_displacements_add_up_while_moving(arm):
    X_WT = arm.tick.X_WT_cmd.copy()
    for _ in range(3):
        arm.move_by([0.01, 0, 0, 0, 0, 0], wait=False)
        arm.wait(0.02)
    np.testing.assert_allclose(settle(arm)[:3] - X_WT[:3], [0.03, 0, 0], atol=2e-6)


def test_a_target_given_with_new_axes_is_kept(arm):
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.wait(0.1)
    goal = arm.tick.X_WT_cmd.copy()
    goal[0] += 0.02
    arm.move_to(goal, wait=False)
    arm.set_axes("z")
    np.testing.assert_allclose(settle(arm)[:3], goal[:3], atol=1e-5)


def test_a_jog_times_out(arm):
    X_WT = arm.tick.X_WT_cmd.copy()
    arm.jog([0, 0.05, 0, 0, 0, 0], timeout=0.2)
    moved = settle(arm)[:3] - X_WT[:3]
    np.testing.assert_allclose(moved, [0, 0.01, 0], atol=2e-4)
