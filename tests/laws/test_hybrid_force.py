"""Force along some axes and springs along the others, by joint torques."""

import numpy as np
import pytest

from pliant import Arm, Pose
from pliant.errors import PliantWarning

from .pressing import Case, arm_above


@pytest.fixture
def pressing() -> Arm:
    """A Panda that presses on a table with 5 N, without friction."""
    arm = arm_above(Case(arm="panda", friction="off"))
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.5, 10.0)
    arm.wait(1.0)
    return arm


def true_force(rows: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rows["true_f_fixture_W"], axis=1)


def test_the_other_axes_are_springs(pressing):
    """A push across deflects the tool by w/K, and leaves the force alone."""
    before = pressing.tick.X_WT[:3].copy()
    pressing.hand.schedule([0, 1.0, 0, 0, 0, 0], axes="T")
    pressing.wait(2.0)
    # friction of the table holds against up to 0.3 times 5 N
    moved = np.linalg.norm(pressing.tick.X_WT[:2] - before[:2])
    assert moved <= 1.0 / 600.0 + 1e-4
    rows = pressing.history.since(pressing.time - 0.5)
    assert np.abs(rows["true_f_fixture_W"][:, 2] + 5.0).max() < 0.2


def test_springs_have_their_stiffness_in_free_space(make_panda):
    arm = make_panda()
    arm.zero()
    arm.activate("hybrid_force", stiffness=(400.0, 30.0))
    arm.set_axes("z")
    arm.wait(0.1)
    before = arm.tick.X_WT[:3].copy()
    arm.hand.schedule([2.0, -3.0, 0.0, 0, 0, 0], axes="T")
    arm.wait(4.0)
    off = np.linalg.norm(arm.tick.X_WT[:2] - before[:2])
    assert off == pytest.approx(np.hypot(2.0, 3.0) / 400.0, rel=0.03)


@pytest.mark.parametrize(("most", "low", "high"), [(1.0, 0.3, 1.0), (0.05, 0.05, 0.1)])
def test_a_push_is_braked_from_the_largest_speed_on(make_panda, most, low, high):
    arm = make_panda()
    arm.zero()
    arm.activate("hybrid_force", max_speed=(most, 4.0))
    arm.set_axes("z")
    arm.wait(0.1)
    start = arm.time
    # up, away from anything
    arm.hand.schedule([0, 0, -20.0, 0, 0, 0], axes="T")
    arm.wait(1.0)
    speed = np.linalg.norm(arm.history.since(start)["v_WT_W"][:, :3], axis=1)
    assert low < speed.max() < high


def test_a_target_changes_along_its_ramp(pressing):
    start = pressing.time
    pressing.set_wrench([0, 0, -9, 0, 0, 0])
    pressing.wait(1.5)
    force = true_force(pressing.history.since(start))
    assert force.max() < 9.5
    assert np.abs(force[-500:] - 9.0).max() < 0.2


def test_axes_switch_in_contact_without_a_step_of_torque(pressing):
    start = pressing.time
    pressing.set_axes("")
    pressing.wait(1.0)
    pressing.set_axes("z")
    pressing.wait(1.0)
    rows = pressing.history.since(start)
    assert np.abs(np.diff(rows["tau_law"], axis=0)).max() <= 1.0 + 1e-9
    assert not rows["clipped"].any()
    assert np.abs(true_force(rows)[-200:] - 5.0).max() < 0.3


def test_the_integral_stops_where_safety_clips(make_panda):
    arm = make_panda(friction="typical", laws={"hybrid_force": {"force_i_limit": (4.0, 1.0)}})
    arm.zero()
    arm.activate("hybrid_force")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.hand.schedule([0, 0, -8.0, 0, 0, 0], axes="T")
    arm.wait(1.0)
    law = next(law for law in arm._session._loop.pipeline.laws if law.name == "hybrid_force")
    integral = law.state_of(arm.history.since(0.0))["integral"]
    assert np.abs(integral).max() <= 4.0


@pytest.mark.parametrize("frame", ["world", "task"])
def test_it_presses_along_axes_of_other_frames(frame):
    arm = arm_above(Case(arm="panda", friction="typical"))
    arm.set_task_frame(Pose.from_rotvec([0.4, 0, 0.1], [np.pi, 0, 0]))
    sign = 1.0 if frame == "world" else -1.0
    arm.set_axes("z", frame=frame)
    arm.set_wrench([0, 0, sign * 5.0, 0, 0, 0], frame=frame)
    arm.wait_until(lambda tick: tick.true_f_peak > 4.5, 10.0)
    arm.wait(1.5)
    assert np.abs(true_force(arm.history.since(arm.time - 0.5)) - 5.0).max() < 0.3


def test_it_takes_part_in_force_control(make_panda, recwarn):
    arm = make_panda()
    arm.zero()
    arm.activate("hybrid_force")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    assert not [w for w in recwarn if issubclass(w.category, PliantWarning)]
