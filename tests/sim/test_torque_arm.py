"""A torque arm behaves as a real one: it compensates gravity and estimates external torques."""

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.external_torque import EstimateConfig
from pliant.sim.scenes.table import TableScene
from pliant.tick import Rows, new_rows

EXACT = EstimateConfig(noise=0.0, bias=0.0, cutoff=500.0, friction=0.0)
FREE = SimConfig(friction="off", estimate=EXACT)
PUSH = np.array([6.0, -4.0, 5.0, 0.2, -0.3, 0.1])


def drive(robot: SimRobot, torques: np.ndarray) -> Rows:
    """Send torques, one row a tick, and return a row per tick."""
    rows = new_rows(robot.n, len(torques))
    for k, tau in enumerate(torques):
        tick = rows[k : k + 1]
        robot.read(tick)
        tick["tau_limited"] = tau
        robot.write(tick)
    return rows


def gravity(robot: SimRobot, q: np.ndarray) -> np.ndarray:
    model = build_pinocchio(robot.description, robot.tool)
    return pin.computeGeneralizedGravity(model, model.createData(), q)


def jacobian_W(robot: SimRobot, q: np.ndarray) -> np.ndarray:
    model = build_pinocchio(robot.description, robot.tool)
    frame = model.getFrameId(TCP_FRAME)
    return pin.computeFrameJacobian(model, model.createData(), q, frame, pin.LOCAL_WORLD_ALIGNED)


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_it_compensates_gravity_and_its_sensors_measure_its_weight(name: str) -> None:
    robot = SimRobot(name, FREE)
    rows = drive(robot, np.zeros((500, 7)))
    np.testing.assert_allclose(rows["q"][-1], robot.description.home, atol=1e-9)
    np.testing.assert_allclose(rows["tau"][-1], gravity(robot, rows["q"][-1]), atol=1e-6)
    assert not rows["tau_sent"].any()


def test_a_torque_accelerates_it_by_its_inertia() -> None:
    robot = SimRobot("panda", FREE)
    tau = np.array([2.0, -1.0, 1.5, 1.0, 0.2, -0.3, 0.05])
    rows = drive(robot, np.tile(tau, (12, 1)))
    model = build_pinocchio(robot.description, robot.tool)
    q, qd = rows["q"][5], rows["qd"][5]
    expected = pin.aba(model, model.createData(), q, qd, tau + gravity(robot, q))
    np.testing.assert_allclose((rows["qd"][6] - qd) / robot.dt, expected, rtol=1e-6)
    np.testing.assert_allclose(rows["tau"][6], tau + gravity(robot, q), atol=1e-6)


def test_it_estimates_a_push() -> None:
    robot = SimRobot("panda", FREE)
    robot.hand.schedule(PUSH, duration=0.05)
    rows = drive(robot, np.zeros((40, 7)))
    J_W = jacobian_W(robot, rows["q"][-1])
    np.testing.assert_allclose(rows["tau_ext"][-1], J_W.T @ PUSH, atol=0.03)
    R_WT = robot.world.data.body("T").xmat.reshape(3, 3)
    w_W = (rows["w_ext_T"][-1].reshape(2, 3) @ R_WT.T).ravel()
    np.testing.assert_allclose(w_W, PUSH, atol=0.15)


def test_it_estimates_a_contact() -> None:
    robot = SimRobot("panda", FREE.model_copy(update={"scene": TableScene()}))
    robot.hand.schedule([0.0, 0.0, -20.0, 0.0, 0.0, 0.0])
    # the hand presses the floating tool onto the table
    rows = new_rows(7, 3000)
    for k in range(3000):
        tick = rows[k : k + 1]
        robot.read(tick)
        tick["tau_limited"] = -8.0 * tick["qd"] * np.array([1, 1, 1, 1, 0.1, 0.1, 0.01])
        robot.write(tick)
    assert rows["true_f_fixture_W"][-100:, 2].mean() == pytest.approx(-20.0, abs=1.0)
    # the table and the hand cancel
    assert np.abs(rows["w_ext_T"][-100:, 2].mean()) < 1.0


def test_estimates_have_noise_and_bias_from_the_seed() -> None:
    rows = drive(SimRobot("panda", SimConfig(seed=3)), np.zeros((1500, 7)))
    again = drive(SimRobot("panda", SimConfig(seed=3)), np.zeros((1500, 7)))
    other = drive(SimRobot("panda", SimConfig(seed=4)), np.zeros((1500, 7)))
    assert rows.tobytes() == again.tobytes()
    assert (np.abs(rows["tau_ext"] - other["tau_ext"]).max(axis=0) > 1e-3).all()
    np.testing.assert_allclose(rows["tau_ext"].std(axis=0), 0.05, rtol=0.1)
    assert (np.abs(rows["tau_ext"].mean(axis=0)) < 0.11).all()


def test_a_position_arm_estimates_nothing() -> None:
    tick = new_rows(6)
    SimRobot("ur5e").read(tick)
    assert np.isnan(tick["tau_ext"]).all()
    assert np.isnan(tick["w_ext_T"]).all()


def test_friction_holds_a_joint_until_it_is_overcome() -> None:
    robot = SimRobot("panda", SimConfig(estimate=EXACT))
    friction = robot.description.friction
    held = drive(robot, np.tile(0.9 * friction, (2000, 1)))
    np.testing.assert_allclose(held["q"][-1], robot.description.home, atol=2e-4)
    # friction is not an external torque, and reduces the torque on the links
    np.testing.assert_allclose(held["tau_ext"][-1], 0.0, atol=1e-3)
    np.testing.assert_allclose(held["tau"][-1], gravity(robot, held["q"][-1]), atol=5e-3)
    moved = drive(robot, np.tile(1.5 * friction, (200, 1)))
    assert np.abs(moved["q"][-1] - held["q"][-1]).max() > 0.01


def test_the_estimate_contains_friction_beyond_the_sensors() -> None:
    config = EXACT.model_copy(update={"friction": 0.25})
    robot = SimRobot("panda", SimConfig(estimate=config))
    friction = robot.description.friction
    held = drive(robot, np.tile(0.8 * friction, (2000, 1)))
    # friction holds the joint against the motor: a quarter of it is taken for a push
    np.testing.assert_allclose(held["tau_ext"][-1], -0.25 * 0.8 * friction, atol=2e-3)


def test_stop_brakes_and_holds() -> None:
    robot = SimRobot("panda", FREE)
    rows = drive(robot, np.tile([1.0, 2.0, 1.0, 1.0, 0.1, 0.1, 0.02], (100, 1)))
    assert np.abs(rows["qd"][-1]).max() > 0.1
    robot.stop()
    tick = new_rows(7)
    for _ in range(1000):
        robot.read(tick)
    np.testing.assert_allclose(tick["qd"], 0.0, atol=1e-4)
    np.testing.assert_allclose(tick["q"][0], rows["q"][-1], atol=1e-2)


def test_the_position_arms_torques_are_those_that_moved_it() -> None:
    robot = SimRobot("ur5e")
    time = robot.dt * np.arange(300)[:, None]
    wave = robot.description.home + 0.05 * (1.0 - np.cos(2.0 * np.pi * 2.0 * time))
    rows = new_rows(6, len(wave))
    for k, q in enumerate(wave):
        tick = rows[k : k + 1]
        robot.read(tick)
        tick["q_limited"] = q
        robot.write(tick)
    model = build_pinocchio(robot.description, robot.tool)
    data = model.createData()
    for k in range(200, 290, 10):
        qdd = (rows["qd"][k] - rows["qd"][k - 1]) / robot.dt
        q, qd = (0.5 * (rows[name][k] + rows[name][k - 1]) for name in ("q", "qd"))
        expected = pin.rnea(model, data, q, qd, qdd)
        np.testing.assert_allclose(rows["tau"][k], expected, atol=0.02)
