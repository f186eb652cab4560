"""Regression tests for each known defect of force_control_demo: law, frames and switches."""

import numpy as np
import pytest

from pliant.errors import ArmStopped, ConfigError
from pliant.laws import HybridAdmittance, HybridConfig
from pliant.numerics.spatial import pose_error
from pliant.sim.sensor import SensorFault

HOME = np.array([0.4, 0.1, 0.3, 0.0, 1.0, 0.0, 0.0])


def way(X_WA: np.ndarray, X_WB: np.ndarray) -> np.ndarray:
    out = np.empty(6)
    pose_error(X_WA, X_WB, out)
    return out


@pytest.mark.parametrize("distance", [(0.0, 0.05, 0.0), (0.0, 0.05, -0.2), (-0.03, 0.02, -0.1)])
@pytest.mark.parametrize("stiffness", [(0.0, 0.0), (50.0, 5.0)])
def test_it_stays_where_it_was_guided_when_made_rigid(make_arm, distance, stiffness):
    arm = make_arm()
    arm.use_preset("hand_guiding")
    arm.law.set(stiffness=stiffness)
    arm.set_axes("x y z rx ry rz")
    X_WR = arm.tick.X_WR.copy()
    goal = X_WR[:3] + distance
    for tick in arm.ticks(20.0):
        # a hand guides the tool there, and rotates it a little
        arm.hand.release()
        pull = 150.0 * (goal - tick.X_WT[:3]) - 60.0 * tick.v_WT_W[:3]
        pull += stiffness[0] * np.array(distance)
        arm.hand.schedule([*np.clip(pull, -15.0, 15.0), 0.1, 0.2, 0.3], axes="W")
        if np.linalg.norm(tick.X_WT[:3] - goal) < 2e-3:
            break
    assert np.linalg.norm(arm.tick.X_WT[:3] - goal) < 5e-3
    arm.set_axes("")
    arm.wait(0.3)
    arm.hand.release()
    X_WT = arm.tick.X_WT_cmd.copy()
    # it brakes from its speed and does not return
    assert np.linalg.norm(X_WT[:3] - goal) < 2e-2
    arm.wait(2.0)
    assert np.abs(way(X_WT, arm.tick.X_WT_cmd)).max() < 1e-6
    np.testing.assert_allclose(arm.tick.X_WR, arm.tick.X_WT_cmd, atol=1e-9)


def test_only_an_axis_made_rigid_drops_its_error(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(stiffness=(400.0, 20.0), damping=(0.0, 20.0), damping_ratio=(1.0, 0.0))
    arm.set_axes("x y z")
    X_WR = arm.tick.X_WR.copy()
    arm.hand.schedule([8.0, 4.0, -8.0, 0, 0, 0], axes="T")
    arm.wait(8.0)
    X_WT = arm.tick.X_WT_cmd.copy()
    arm.set_axes("x y")
    arm.wait(0.1)
    arm.hand.release()
    arm.wait(8.0)
    # x and y return, z stays where it was guided to
    expected = way(X_WR, X_WT) * [0, 0, 1, 0, 0, 0]
    np.testing.assert_allclose(way(X_WR, arm.tick.X_WT_cmd), expected, atol=2e-5)


def test_it_does_not_coast_when_made_compliant_after_a_step(make_arm):
    arm = make_arm(lag=False, quiet=True)
    X_WT0 = arm.tick.X_WT_cmd.copy()
    arm.move_by([0.001, 0, 0, 0, 0, 0], wait=False)
    fastest = 0.0
    for tick in arm.ticks(1.0):
        speed = float(np.linalg.norm(tick.v_cmd_T[:3]))
        if speed < fastest:
            break
        fastest = speed
    X_WT = arm.tick.X_WT_cmd.copy()
    arm.set_axes("x y z rx ry rz")
    arm.wait(1.0)
    law = arm.config.laws.hybrid_admittance
    # a mass with this speed and damping coasts by v·M/D
    coast = fastest * law.inertia[0] / law.damping[0]
    assert np.linalg.norm(arm.tick.X_WT_cmd[:3] - X_WT[:3]) < 1.05 * coast + 1e-9
    assert np.linalg.norm(arm.tick.X_WT_cmd[:3] - X_WT0[:3]) < 2e-3
    assert np.abs(arm.tick.v_cmd_T).max() < 1e-6


def test_a_change_of_axes_drops_the_deadbeat_velocity_of_the_unlimited_law():
    law = HybridAdmittance("force_control_demo")
    pose = law.step(HOME, np.zeros(6), axes=(0,) * 6)
    ahead = HOME + 0.001 * np.eye(7)[0]
    pose = law.step(pose, np.zeros(6), reference=ahead, axes=(0,) * 6)
    np.testing.assert_allclose(pose, ahead, atol=1e-9)
    for _ in range(50):
        pose = law.step(pose, np.zeros(6), reference=ahead, axes=(1,) * 6)
    np.testing.assert_allclose(pose, ahead, atol=1e-9)


def test_a_nan_reading_does_not_spread(make_arm):
    arm = make_arm()
    arm.set_axes("x y z rx ry rz")
    arm.hand.schedule([5, 0, 0, 0, 0, 0])
    arm.wait(0.2)
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped, match="not numbers"):
        arm.wait(0.2)
    arm.simulation.set_sensor_fault(SensorFault.NONE)
    arm.hand.release()
    arm.wait(0.5)
    arm.reset()
    arm.wait(0.05)
    arm.activate("hybrid_admittance")
    arm.wait(0.5)
    for name in ("X_WT_cmd", "v_cmd_T", "w_T", "law_state"):
        assert np.isfinite(arm.history[name]).all(), name


@pytest.mark.parametrize("angle", [np.pi / 4, 1.0])
def test_any_orthonormal_axes(make_arm, angle):
    """Compliant along an axis between x and z only, however different their gains."""
    arm = make_arm(lag=False, quiet=True)
    c, s = np.cos(angle), np.sin(angle)
    Tr = np.eye(6)
    Tr[:3, :3] = [[c, 0, s], [0, 1, 0], [-s, 0, c]]
    stiffness = np.array([200.0, 500.0, 800.0, 20.0, 20.0, 20.0])
    arm.law.set(
        stiffness=stiffness,
        damping=[100.0, 200.0, 4000.0, 20.0, 20.0, 20.0],
        inertia=[2.0, 10.0, 40.0, 0.25, 0.25, 0.25],
        gain_ramp=0.0,
    )
    arm.set_axes(Tr, n_af=1)
    arm.wait(0.01)
    X_WR = arm.tick.X_WR.copy()
    push = np.array([6.0, 5.0, 2.0, 0.3, 0.3, 0.3])
    arm.hand.schedule(push, axes="T")
    arm.wait(30.0)
    moved = Tr @ way(X_WR, arm.tick.X_WT_cmd)
    along = c * c * stiffness[0] + s * s * stiffness[2]
    assert moved[0] == pytest.approx((Tr @ push)[0] / along, rel=0.02)
    assert np.abs(moved[1:]).max() < 1e-6


def test_oblique_axes_stay_stable_with_the_most_unequal_inertias_allowed():
    """D·dt/M = 1 along the heavy axis: the light axis must not reduce the apparent inertia."""
    gains = HybridConfig(
        damping=(50.0, 500.0, 50e3, 20, 20, 20), inertia=(1.0, 10.0, 100.0, 0.25, 0.25, 0.25)
    )
    law = HybridAdmittance(gains)
    rows = law._first_rows(HOME)
    s = np.sqrt(0.5)
    Tr = np.eye(6)
    Tr[:3, :3] = [[s, 0, s], [0, 1, 0], [-s, 0, s]]
    prev, tick = rows
    for row in rows:
        row["Tr"], row["n_af"], row["X_WR"] = Tr, 1, HOME
        for name in ("X_WT", "X_WT_sent", "X_WT_cmd"):
            row[name] = HOME
    speeds = []
    for _ in range(200):
        tick["w_T"] = Tr[0] * 10.0
        tick["X_WT_sent"] = prev["X_WT_cmd"]
        law.update(prev, tick)
        speeds.append(Tr[0] @ tick["v_cmd_T"][0])
        prev, tick = tick, prev
    assert np.diff(speeds).min() > -1e-12
    assert speeds[-1] == pytest.approx(10.0 / (0.5 * 50.0 + 0.5 * 50e3), rel=1e-6)


def test_springs_are_capped(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(stiffness=(1000.0, 50.0), max_spring_force=5.0, max_spring_torque=0.5)
    arm.set_axes("x y z rx ry rz")
    arm.wait(1.0)
    arm.hand.schedule([3.0, 4.5, 0, 0, 0, 0], axes="T")
    arm.wait(8.0)
    # 5.4 N exceed the cap of the spring: the tool creeps away with the difference
    speed = np.linalg.norm(arm.tick.v_cmd_T[:3])
    assert speed == pytest.approx((np.hypot(3.0, 4.5) - 5.0) / 800.0, rel=0.02)
    arm.hand.release()
    arm.wait(0.05)
    assert np.linalg.norm(arm.tick.v_cmd_T[:3]) < 5.0 / 800.0 * 1.02


def test_stiction_holds_small_errors_and_is_continuous(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(stiction=(2.0, 0.1))
    arm.set_axes("x")
    X_WT = arm.tick.X_WT_cmd.copy()
    arm.hand.schedule([1.9, 0, 0, 0, 0, 0], axes="T")
    arm.wait(1.0)
    np.testing.assert_array_equal(arm.tick.X_WT_cmd, X_WT)
    for push, felt in ((2.5, 1.0), (6.0, 6.0)):
        arm.hand.release()
        arm.hand.schedule([push, 0, 0, 0, 0, 0], axes="T")
        arm.wait(0.3)
        assert arm.tick.v_cmd_T[0] == pytest.approx(felt / 800.0, rel=0.01)


def test_rigid_axes_with_springs_ignore_force_and_return(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(rigid_axes="spring", stiffness=(400.0, 20.0), damping=(126.0, 4.5), gain_ramp=0.0)
    arm.set_axes("x")
    arm.wait(0.02)
    X_WR = arm.tick.X_WR.copy()
    arm.hand.schedule([4.0, 8.0, 8.0, 0, 0, 0], axes="T")
    arm.wait(2.0)
    moved = way(X_WR, arm.tick.X_WT_cmd)
    assert moved[0] == pytest.approx(0.01, rel=0.02)
    assert np.abs(moved[1:]).max() < 1e-6
    arm.hand.release()
    arm.move_by([0, 0.05, 0, 0, 0, 0], frame="tool", wait=False)
    arm.wait(4.0)
    assert np.abs(way(arm.tick.X_WR_target, arm.tick.X_WT_cmd)).max() < 1e-4


def test_every_rigid_axis_needs_a_spring(make_arm):
    arm = make_arm()
    with pytest.raises(ConfigError, match="stiffness"):
        arm.law.set(rigid_axes="spring")


def test_integral_action_compensates_a_spring_and_does_not_wind_up(make_arm):
    """A spring to the reference reduces the contact force; the integral compensates it."""
    arm = make_arm("table", stiffness=1e4)
    arm.law.set(stiffness=(300.0, 20.0), pid_i=(1.5, 0.0), pid_i_limit=(20.0, 0.0))
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 0.3)
    arm.wait(10.0)
    force = arm.history.since(arm.time - 2.0)["true_f_fixture_W"]
    assert np.abs(np.linalg.norm(force, axis=1) - 5.0).max() < 0.3


def integral(arm) -> np.ndarray:
    return HybridAdmittance().state_of(arm.history.since(arm.time))["integral_T"][0]


def test_the_integral_does_not_grow_while_limited(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(pid_i=(1.0, 1.0), pid_i_limit=(100.0, 10.0), max_speed=(0.005, 0.1))
    arm.set_axes("x")
    arm.hand.schedule([10.0, 0, 0, 0, 0, 0], axes="T")
    arm.wait(0.5)
    assert arm.tick.law_limited
    at = integral(arm)
    arm.wait(2.0)
    np.testing.assert_array_equal(integral(arm), at)
    # the integral may shrink
    arm.hand.release()
    arm.hand.schedule([-10.0, 0, 0, 0, 0, 0], axes="T")
    arm.wait(0.05)
    assert integral(arm)[0] < at[0]


def test_the_integral_is_bounded_and_reset_on_rigid_axes(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(pid_i=(0.1, 0.1), pid_i_limit=(2.0, 0.2))
    arm.set_axes("x y")
    arm.hand.schedule([4.0, 4.0, 0, 0, 0, 0], axes="T")
    arm.wait(2.0)
    np.testing.assert_allclose(integral(arm), [2, 2, 0, 0, 0, 0])
    arm.set_axes("y")
    arm.wait(0.01)
    np.testing.assert_allclose(integral(arm), [0, 2, 0, 0, 0, 0])


def test_drift_reset_stops_free_axes_but_not_springs(make_arm):
    arm = make_arm(lag=False)
    arm.law.set(
        stiffness=[0, 300, 0, 0, 0, 0],
        damping=(60.0, 20.0),
        drift_reset=(1e-3, 1e-2),
        gain_ramp=0.0,
    )
    arm.set_axes("x y")
    arm.wait(0.02)
    X_WR = arm.tick.X_WR.copy()
    arm.hand.schedule([3.0, 3.0, 0, 0, 0, 0], axes="T", start=arm.time, duration=1.0)
    arm.wait(5.0)
    # x has no spring and stays exactly at rest; y has one and returns through all slow speeds
    assert abs(arm.tick.v_cmd_T[0]) < 1e-15
    moved = way(X_WR, arm.tick.X_WT_cmd)
    assert moved[0] > 0.03
    assert abs(moved[1]) < 1e-5


def test_a_rigid_axis_stays_on_its_reference_while_another_yields(make_arm):
    arm = make_arm(lag=False, quiet=True)
    arm.set_axes("z")
    arm.hand.schedule([0, 0, -10, 0, 0, 0], axes="T")
    arm.wait(4.0)
    arm.hand.release()
    assert abs(arm.tick.e_T[2]) > 0.04
    # the tool rotates about its tip, so the error along z gets a lateral part
    arm.move_by([0, 0, 0, 0.3, 0, 0], frame="tool", wait=False)
    arm.wait(0.5)
    rows = arm.history.since(arm.time - 0.3)
    assert np.linalg.norm(rows["v_WR_W"][:, 3:], axis=1).max() > 0.1
    assert np.abs(rows["e_T"][:, :2]).max() < 1e-4
