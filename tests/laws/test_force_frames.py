"""Force-controlled axes, gains and targets in the axes of the tool, the world and a task frame."""

import numpy as np
import pytest

from pliant import Pose

from .test_contact import press, rotated

TILTED = Pose.from_rotvec([0.4, 0.1, 0.3], [0.3, -0.4, 0.5])


def directions(frame: str) -> np.ndarray:
    """The axes of a frame, as columns in W."""
    return np.eye(3) if frame == "world" else np.array(TILTED.matrix)[:3, :3]


@pytest.mark.parametrize("frame", ["world", "task"])
def test_the_tool_yields_along_an_axis_of_the_frame_only(make_arm, frame):
    arm = make_arm(pose=3, lag=False, quiet=True)
    arm.set_task_frame(TILTED)
    arm.law.set(damping=(400.0, 20.0), stiffness=(0.0, 0.0))
    arm.set_axes("x", frame=frame)
    arm.wait(0.05)
    start = arm.tick.X_WT.copy()
    axes = directions(frame)
    push = axes @ np.array([4.0, 7.0, -5.0])
    arm.hand.schedule([*push, 0, 0, 0], axes="W")
    # the axis keeps its direction while the tool turns
    arm.jog([0, 0, 0, 0.2, 0.1, 0.3], timeout=1.0)
    arm.wait(1.0)
    way = axes.T @ (arm.tick.X_WT[:3] - start[:3])
    # 4 N against 400 N·s/m, after M/D = 25 ms
    assert way[0] == pytest.approx(4.0 / 400.0 * (1.0 - 0.025), rel=0.05)
    np.testing.assert_allclose(way[1:], 0.0, atol=2e-4)


@pytest.mark.parametrize("frame", ["world", "task"])
def test_the_springs_are_in_the_axes_of_the_frame(make_arm, frame):
    arm = make_arm(pose=5, lag=False, quiet=True)
    arm.set_task_frame(TILTED)
    K = np.array([400.0, 800.0, 1600.0])
    arm.law.set(stiffness=(*K, 20.0, 20.0, 20.0), damping_ratio=(1.0, 1.0), damping=(50.0, 2.0))
    arm.set_axes("x y z", frame=frame)
    arm.wait(0.05)
    start, axes = arm.tick.X_WT[:3].copy(), directions(frame)
    force = np.array([4.0, -4.0, 6.0])
    arm.hand.schedule([*(axes @ force), 0, 0, 0], axes="W")
    arm.wait(3.0)
    np.testing.assert_allclose(axes.T @ (arm.tick.X_WT[:3] - start), force / K, rtol=0.02)


def test_a_task_frame_may_turn_in_contact_without_a_jump(make_arm):
    arm = make_arm("table", stiffness=1e4)
    arm.set_task_frame(Pose())
    arm.set_axes("z", frame="task")
    arm.set_wrench([0, 0, 5, 0, 0, 0], frame="task")
    force = press(arm, 1.0)
    assert np.abs(force - 5.0).max() < 0.3
    start = arm.time
    arm.set_task_frame(Pose.from_rotvec([0, 0, 0], [0.02, 0.0, 0.0]))
    arm.wait(1.5)
    rows = arm.history.since(start)
    assert not (rows["law_limited"] & 3).any()
    assert np.abs(np.diff(rows["w_desired_T"], axis=0)).max() < 0.25
    after = rotated(arm.tick.X_WT, arm.tick.w_desired_T[:3])
    np.testing.assert_allclose(after, 5.0 * directions_of(0.02), atol=0.05)


def test_a_task_frame_that_turns_lets_force_control_go_on(make_arm):
    arm = make_arm("table", stiffness=1e4)
    arm.law.damping = "adaptive"
    arm.set_task_frame(Pose())
    arm.set_axes("z", frame="task")
    arm.set_wrench([0, 0, 5, 0, 0, 0], frame="task")
    press(arm, 1.0)
    start, begun = arm.tick.axes_seq, arm.time
    for angle in np.linspace(0.0, 0.1, 100):
        arm.set_task_frame(Pose.from_rotvec([0, 0, 0], [angle, 0.0, 0.0]), turn=True)
        arm.wait(0.01)
    assert arm.tick.axes_seq == start
    rows = arm.history.since(begun)
    assert rows["touching"][:, 0].all()
    assert np.abs(np.linalg.norm(rows["w_desired_T"][:, :3], axis=1) - 5.0).max() < 0.01
    after = rotated(arm.tick.X_WT, arm.tick.w_desired_T[:3])
    np.testing.assert_allclose(after, 5.0 * directions_of(0.1), atol=0.05)


def test_what_was_learned_of_a_surface_holds_on_for_the_same_axis_of_another_frame(make_arm):
    arm = make_arm("table", stiffness=1e4)
    arm.law.damping = "adaptive"
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    press(arm, 1.0)
    learned = arm.tick.k_contact[0]
    assert learned == pytest.approx(1e4, rel=0.4)
    arm.set_task_frame([0, 0, 0, *arm.tick.X_WT[3:]])
    arm.set_axes("z", frame="task", turn=True)
    arm.wait(0.02)
    assert arm.tick.k_contact[0] == pytest.approx(learned, rel=0.05)
    arm.set_axes("x z", frame="task")
    arm.wait(0.02)
    assert arm.tick.k_contact[0] > 10.0 * learned, "x is another axis"


def directions_of(angle: float) -> np.ndarray:
    """The z axis of a frame turned about x."""
    return np.array([0.0, -np.sin(angle), np.cos(angle)])


def test_an_axis_of_another_frame_stays_where_it_yielded(make_arm):
    arm = make_arm(pose=4)
    arm.set_task_frame(TILTED)
    arm.set_axes("x y z", frame="task")
    arm.hand.schedule([6, 5, 4, 0, 0, 0], start=arm.time, duration=0.5)
    arm.wait(1.5)
    before = arm.tick.X_WT_cmd[:3].copy()
    arm.set_axes("")
    arm.wait(0.5)
    assert np.linalg.norm(arm.tick.X_WT_cmd[:3] - before) < 1e-5
