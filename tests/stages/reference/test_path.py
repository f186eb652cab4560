"""A timed path: its spline, its run-up, its end, and how exactly every law follows it."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm, Refused
from pliant.numerics.spatial import pose_error, quat_exp
from pliant.recording.recomputation import recompute
from pliant.stages.reference import RefKind
from pliant.stages.reference.path_reference import place_on_path
from pliant.stages.reference.path_spline import path_peaks, tool_path

AMPLITUDE, FREQUENCY = 0.05, 0.2
LAWS = {
    "sim:ur5e": ("position", "hybrid_admittance"),
    "sim:panda": (
        "position",
        "hybrid_admittance",
        "cartesian_impedance",
        "task_space_inverse_dynamics",
        "hybrid_force",
    ),
}


def sine(time: float, start: np.ndarray) -> np.ndarray:
    pose = np.array(start)
    pose[1] += AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * time)
    return pose


def turning(time: float) -> np.ndarray:
    """A smooth motion in all six directions."""
    quat = np.empty(4)
    quat_exp(np.array([0.4 * np.sin(time), 3.0 + 0.3 * np.cos(time), 0.5 * time]), quat)
    return np.array([0.4 + 0.1 * np.sin(2 * time), 0.05 * time, 0.3 - 0.1 * np.cos(time), *quat])


def place(path, phase: float) -> tuple[np.ndarray, np.ndarray]:
    pose, motion = np.empty(7), np.empty((2, 6))
    place_on_path(path, phase, 1.0, 0.0, pose, motion)
    return pose, motion


def test_the_spline_passes_its_points_and_is_near_the_motion_between_them() -> None:
    times = np.arange(0.0, 4.01, 0.1)
    path = tool_path(np.array([[time, *turning(time)] for time in times]))
    for time in np.arange(0.0, 4.0, 0.0137):
        e = np.empty(6)
        pose_error(place(path, time)[0], turning(time), e)
        assert np.abs(e).max() < 2e-5
    for time in times[:-1]:
        e = np.empty(6)
        pose_error(place(path, time)[0], turning(time), e)
        assert np.abs(e).max() < 1e-12


def test_velocity_and_acceleration_are_the_derivatives_of_the_pose() -> None:
    path = tool_path(np.array([[time, *turning(time)] for time in np.arange(0.0, 4.01, 0.1)]))
    h = 1e-5
    for time in np.arange(-0.2, 3.9, 0.137):
        (before, _), (_, motion), (after, _) = (place(path, time + i * h) for i in (-1, 0, 1))
        turn = np.empty(6)
        pose_error(before, after, turn)
        velocity = (after[:3] - before[:3]) / (2 * h)
        np.testing.assert_allclose(motion[0, :3], velocity, atol=1e-6)
        np.testing.assert_allclose(
            np.linalg.norm(motion[0, 3:]), np.linalg.norm(turn[3:]) / (2 * h), atol=2e-2
        )
        slope = (place(path, time + h)[1][0] - place(path, time - h)[1][0]) / (2 * h)
        np.testing.assert_allclose(motion[1], slope, atol=1e-3)


def test_a_short_path_begins_and_ends_at_rest() -> None:
    path = tool_path(np.array([[0, *turning(0.0)], [2, *turning(1.0)]]))
    assert np.abs(place(path, 0.0)[1][0]).max() == 0.0
    assert path_peaks(path).speed_at[0] == pytest.approx(1.0)


@pytest.mark.parametrize(("spec", "law"), [(s, law) for s, laws in LAWS.items() for law in laws])
def test_every_law_is_commanded_along_the_path(spec: str, law: str) -> None:
    """Torque laws command no pose but follow the reference; how close is their stiffness."""
    arm = Arm(spec, seed=1, flight=False)
    arm.zero()
    arm.activate(law)
    arm.wait(0.1)
    start = arm.tick.X_WR
    moved = arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 5.01, 0.1)])
    assert moved is not None and moved.distance < 3e-3
    h = arm.history
    on = (h["ref_kind"] == RefKind.PATH) & (h["ref_phase"] >= 0.0) & (h["ref_phase"] < 5.0)
    goal = np.array([sine(phase, start) for phase in h["ref_phase"][on]])

    def rms(column: str) -> float:
        return float(np.sqrt(((h[column][on][:, :3] - goal[:, :3]) ** 2).sum(axis=1).mean()))

    commanded = "X_WR" if h["by_torque"].any() else "X_WT_cmd"
    assert rms(commanded) < 1e-6
    assert rms("X_WT") < 3e-3
    limit = arm.config.reference
    whole = h["ref_kind"] == RefKind.PATH
    speed = np.linalg.norm(h["v_WR_W"][whole][:, :3], axis=1)
    acceleration = np.linalg.norm(h["a_WR_W"][whole][:, :3], axis=1)
    assert speed.max() <= limit.max_speed[0] * 1.001
    assert acceleration[h["ref_phase"][whole] < 5.0].max() <= limit.max_acceleration[0] * 1.001
    # position and velocity have no jump, at the start and at the end either
    steps = np.diff(h["X_WR"][whole][:, :3], axis=0) / arm.dt
    np.testing.assert_allclose(steps, h["v_WR_W"][whole][1:, :3], atol=2e-3)
    np.testing.assert_allclose(arm.tick.X_WR, sine(5.0, start), atol=1e-5)


@pytest.mark.parametrize("law", ["cartesian_impedance", "task_space_inverse_dynamics"])
def test_a_torque_law_is_behind_by_friction_alone(law: str) -> None:
    """Velocity and acceleration are fed forward: without friction the tool is on the path."""
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}}, seed=1, flight=False)
    arm.zero()
    arm.activate(law)
    start = arm.tick.X_WR
    moved = arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 5.01, 0.1)])
    assert moved is not None and moved.reached
    h = arm.history
    on = (h["ref_kind"] == RefKind.PATH) & (h["ref_phase"] >= 0.0) & (h["ref_phase"] < 5.0)
    goal = np.array([sine(phase, start) for phase in h["ref_phase"][on]])
    error = np.linalg.norm(h["X_WT"][on][:, :3] - goal[:, :3], axis=1)
    assert np.sqrt((error**2).mean()) < 1e-5


def test_a_path_that_ends_in_motion_comes_to_rest_at_its_last_point() -> None:
    arm = Arm("sim:ur5e", seed=1, flight=False)
    arm.activate("position")
    start = arm.tick.X_WT_sent
    moved = arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 5.01, 0.1)])
    assert moved is not None and moved.reached
    h = arm.history
    on = (h["ref_kind"] == RefKind.PATH) & (h["ref_phase"] > 4.0)
    beyond = h["X_WR"][on][:, 1] - start[1]
    # at 63 mm/s the last point is passed by no more than rounding, and by the arm hardly more
    assert beyond.max() < 1e-6
    assert (h["X_WT"][on][:, 1] - start[1]).max() < 1e-4
    acceleration = np.diff(beyond, 2) / arm.dt**2
    assert np.abs(acceleration).max() < arm.config.reference.max_acceleration[0] * 1.05
    # braking from v with a takes v/a instead of v/2a
    late = h["time"][on][np.argmax(h["ref_phase"][on] >= 5.0)] - h["time"][on][0] - 1.0
    assert late == pytest.approx(0.5 * 2 * np.pi * FREQUENCY * AMPLITUDE / 0.5, abs=0.01)


def test_a_path_is_recomputed_from_any_row(tmp_path: Path) -> None:
    arm = Arm("sim:ur5e", seed=1, flight=False)
    arm.activate("position")
    with pliant.record(arm, tmp_path / "path.mcap"):
        start = arm.tick.X_WT_sent
        arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 2.01, 0.05)])
        start = arm.tick.X_WT_sent
        arm.follow([(0, start), (0.5, start + np.array([0, 0, 0.02, 0, 0, 0, 0]))])
    recording = pliant.load(tmp_path / "path.mcap")
    for part in (None, 0.3, 0.6, 0.9):
        start_tick = None if part is None else int(recording["k"][int(part * len(recording))])
        result = recompute(recording, start_tick)
        assert result.difference is None and result.refused == ()


def test_a_recording_that_begins_on_the_path_recomputes(tmp_path: Path) -> None:
    arm = Arm("sim:ur5e", seed=1, flight=False)
    arm.activate("position")
    start = arm.tick.X_WT_sent
    arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 3.01, 0.1)], wait=False)
    arm.wait(1.5)
    with pliant.record(arm, tmp_path / "path.mcap"):
        arm.wait(2.5)
    assert recompute(pliant.load(tmp_path / "path.mcap")).difference is None


def test_a_path_waits_for_an_arm_that_a_limit_holds_back() -> None:
    arm = Arm("sim:ur5e", config={"safety": {"tool_speed": 0.04}}, seed=1, flight=False)
    arm.activate("position")
    start = arm.tick.X_WT_sent
    moved = arm.follow([(t, sine(t, start)) for t in np.arange(0.0, 5.01, 0.1)])
    assert moved is not None and moved.reached
    assert arm.history["ref_rate"][arm.history["ref_phase"] > 0.1].min() < 0.8
    lead = np.linalg.norm(arm.history["X_WR"][:, :3] - arm.history["X_WT_sent"][:, :3], axis=1)
    assert lead.max() < 5e-3


def test_until_ends_a_path() -> None:
    arm = Arm("sim:ur5e", seed=1, flight=False)
    arm.activate("position")
    start = arm.tick.X_WT_sent
    path = [(t, sine(t, start)) for t in np.arange(0.0, 5.01, 0.1)]
    moved = arm.follow(path, until=pliant.position("y") > start[1] + 0.02)
    assert moved is not None and moved.stopped_by is not None
    arm.wait(0.2)
    assert 0.02 < arm.tick.X_WT[1] - start[1] < 0.025
    assert arm.tick.ref_kind == RefKind.BRAKE


def shifted(start: np.ndarray, *offset: float) -> np.ndarray:
    return start + np.array([*offset, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda x: [(0, x)], "two points or more"),
        (lambda x: [(1, x), (2, x)], "begins at time 0"),
        (lambda x: [(0, x), (1, x), (1, x)], "after 1 s comes 1 s"),
        (lambda x: [(0, x), (0.2, shifted(x, 0, 0.1, 0))], r"moves at 0\.75 of 0\.1 m/s"),
        (lambda x: [(0, x), (0.08, shifted(x, 0, 0.003, 0))], r"has 2\.81 of 0\.5 m/s²"),
        (lambda x: [(0, x), (9, shifted(x, 0, 0, -9))], "outside the workspace"),
        (lambda x: [(0, x), (90, shifted(x, 0.65, 0, 0))], "out of reach"),
        (lambda x: [(0, x[:3]), (1, x[:3])], r"a point is \[t, x, y, z"),
        (lambda x: [(0, x), (1, 2 * x)], "has length 2, not 1"),
        (lambda x: [(t, x) for t in range(501)], "at most 500 points"),
    ],
)
def test_a_path_that_cannot_be_followed_is_refused(make, why: str) -> None:
    arm = Arm("sim:ur5e")
    arm.activate("position")
    start = arm.tick.X_WT_sent
    with pytest.raises(Refused, match=why):
        arm.follow(make(start))
    arm.wait(0.1)
    np.testing.assert_allclose(arm.tick.X_WR, start, atol=1e-9)
