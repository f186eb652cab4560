"""Pressing with one set of gains, whatever the surface and the lag; all draws: pressing.py."""

import numpy as np
import pytest

from .pressing import Case, arm_above, press


@pytest.mark.parametrize(
    ("force", "stiffness", "lag"),
    [(5.0, 1e3, 0.034), (5.0, 1e5, 0.034), (15.0, 1e5, 0.002), (15.0, 1e4, 0.012)],
)
def test_adaptive_damping_presses_within_bounds(force, stiffness, lag):
    case = Case(force=force, stiffness=stiffness, lag=lag)
    result = press(case)
    assert result.faults(case) == []
    assert result.lag == pytest.approx(lag, abs=1.5e-3)
    # near enough: damping of half or twice 2·k·T is stable too
    assert 0.6 * stiffness < result.stiffness < 1.6 * stiffness


@pytest.mark.parametrize(
    ("force", "stiffness", "friction"),
    [(5.0, 1e3, "typical"), (5.0, 1e5, "off"), (15.0, 1e5, "typical")],
)
def test_a_torque_arm_presses_within_bounds(force, stiffness, friction):
    case = Case(arm="panda", force=force, stiffness=stiffness, friction=friction)
    assert press(case).faults(case) == []


def test_one_parameter_trades_the_peak_for_speed():
    case = Case(stiffness=1e5, lag=0.034)
    careful, bold = press(case, contact_peak=6.0), press(case, contact_peak=20.0)
    assert careful.peak < 7.0
    assert careful.peak < bold.peak < 20.0
    assert bold.speed > 2.0 * careful.speed


def stiffen(arm, before: float, after: float) -> None:
    """Change the stiffness of the table under load, without a jump of its force."""
    model = arm.simulation.world.model
    body = arm.simulation.world.fixture
    joints = [j for j in range(model.njnt) if model.jnt_bodyid[j] == body]
    data, vertical = arm.simulation.world.data, joints[2]
    scale = after / before
    for j in joints:
        model.jnt_stiffness[j] *= scale
        model.dof_damping[model.jnt_dofadr[j]] *= np.sqrt(scale)
    place = model.jnt_qposadr[vertical]
    now, rest = data.qpos[place], model.qpos_spring[place]
    model.qpos_spring[place] = now - (now - rest) / scale


def test_a_jump_of_stiffness_under_load_does_not_ring():
    case = Case(stiffness=3e3, lag=0.034)
    arm = arm_above(case)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.5, 60.0)
    arm.wait(1.0)
    stiffen(arm, 3e3, 1e5)
    start = arm.time
    arm.wait(0.2)
    arm.set_wrench([0, 0, -7, 0, 0, 0])
    arm.wait(2.0)
    rows = arm.history.since(start)
    force = np.linalg.norm(rows["true_f_fixture_W"], axis=1)
    error = force[np.abs(rows["time"] - start) > 0.25] - 7.0
    swings = np.count_nonzero(np.diff(np.sign(error[np.abs(error) > 0.35])) != 0)
    assert swings <= 3
    assert np.ptp(force[-500:]) < 0.5
    assert rows["k_contact"][-1, 0] > 1e4
    assert force.max() < 10.0


def test_adaptive_damping_takes_over_without_a_jump(make_arm):
    arm = make_arm("table", stiffness=3e4)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.0, 20.0)
    arm.wait(1.5)
    for mode in ("adaptive", "fixed"):
        start = arm.time
        arm.law.damping_mode = mode
        arm.wait(1.0)
        rows = arm.history.since(start)
        assert not (rows["law_limited"] & 3).any()
        force = np.linalg.norm(rows["true_f_fixture_W"], axis=1)
        assert np.abs(force - 5.0).max() < 0.6
    assert arm.config.laws.hybrid_admittance.damping_mode == "fixed"


def test_damping_adaptive_is_a_mode_by_name(make_arm):
    arm = make_arm()
    arm.law.damping = "adaptive"
    assert arm.law.damping_mode == "adaptive"
    arm.law.set(damping=(100.0, 5.0), damping_mode="fixed")
    assert arm.law.damping[0] == 100.0
