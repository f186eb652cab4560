"""The wrist sensor measures the tool's weight, with the configured errors."""

from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.pinocchio import SENSOR_FRAME, build_pinocchio, pose_to_se3
from pliant.arms.tool import Tool
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.actuator import ActuatorConfig
from pliant.sim.sensor import BLOCK, SensorConfig, SensorFault
from pliant.tick import new_rows

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]
CONFIGURATIONS = np.random.default_rng(3).uniform(-2.0, 2.0, (5, 6))


def weight_in_sensor(robot: SimRobot, q: np.ndarray) -> np.ndarray:
    """The wrench of the tool's weight in S, in closed form."""
    model = build_pinocchio(robot.description, robot.tool)
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    X_WS = data.oMf[model.getFrameId(SENSOR_FRAME)]
    X_WF = data.oMf[model.getFrameId(robot.description.flange)]
    tool = robot.tool
    com_S = X_WS.actInv(X_WF.act(np.array(tool.com_F)))
    force_S = X_WS.rotation.T @ np.array([0.0, 0.0, -9.81 * tool.mass])
    return np.concatenate([force_S, np.cross(com_S, force_S)])


@pytest.mark.parametrize("q", CONFIGURATIONS)
def test_at_rest_it_reads_the_weight(q: np.ndarray, ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal.model_copy(update={"q_start": tuple(q)}))
    rows = follow(robot, np.tile(q, (20, 1)))
    np.testing.assert_allclose(rows["w_S_raw"][-1], weight_in_sensor(robot, q), atol=1e-6)


@pytest.mark.parametrize("lag", [{"dead_time": 0.0, "time_constant": 0.0}, {}])
@pytest.mark.parametrize("seed", range(3))
def test_it_measures_the_inertial_wrench_of_the_tool(
    seed: int, lag: dict[str, float], ideal: SimConfig, follow: Follow
) -> None:
    """The sensor measures the inertial wrench of a tool of 5 kg that accelerates in all joints."""
    qdd = np.random.default_rng(seed).uniform(-1.0, 1.0, 6)
    tool = Tool(mass=5.0, com_F=(0.02, -0.03, 0.06), inertia=(0.02, 0.03, 0.025))
    config = ideal.model_copy(update={"tool": tool, "actuator": ActuatorConfig(**lag)})
    robot = SimRobot(config=config)
    time = robot.dt * np.arange(250)[:, None]
    row = follow(robot, robot.description.home + 0.5 * qdd * time**2)[-1]
    # the mean over the period is that of its middle
    middle = row["q"] - 0.5 * robot.dt * row["qd"], row["qd"] - 0.5 * robot.dt * qdd
    expected = wrench_in_sensor(robot, *middle, qdd)
    at_rest = weight_in_sensor(robot, row["q"])
    assert np.linalg.norm((expected - at_rest)[:3]) > 0.5
    np.testing.assert_allclose(row["w_S_raw"][:3], expected[:3], atol=0.05)
    np.testing.assert_allclose(row["w_S_raw"][3:], expected[3:], atol=0.005)


def wrench_in_sensor(robot: SimRobot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """The wrench of a moving tool on its sensor, by Newton and Euler."""
    model, tool = build_pinocchio(robot.description, robot.tool), robot.tool
    data = model.createData()
    pin.forwardKinematics(model, data, q, qd, qdd)
    pin.updateFramePlacements(model, data)
    frame = model.getFrameId(SENSOR_FRAME)
    v = pin.getFrameVelocity(model, data, frame, pin.LOCAL)
    a = pin.getFrameAcceleration(model, data, frame, pin.LOCAL)
    a.linear += data.oMf[frame].rotation.T @ np.array([0.0, 0.0, 9.81])
    inertia = pin.Inertia(tool.mass, np.array(tool.com_F), np.diag(tool.inertia))
    inertia_S = inertia.se3ActionInverse(pose_to_se3(tool.X_FS))
    return -(inertia_S * a + v.cross(inertia_S * v)).vector


def test_bias_noise_and_drift_have_the_configured_size(follow: Follow) -> None:
    sensor = SensorConfig(bias_force=4.0, drift_force=0.0, drift_torque=0.0)
    robot = SimRobot(config=SimConfig(sensor=sensor, seed=5))
    home = robot.description.home
    rows = follow(robot, np.tile(home, (4 * BLOCK, 1)))
    off = rows["w_S_raw"] - weight_in_sensor(robot, home)
    bias = off.mean(axis=0)
    assert (np.abs(bias[:3]) <= 4.0).all()
    assert (np.abs(bias[:3]) > 0.05).any()
    np.testing.assert_allclose(off.std(axis=0)[:3], 0.1, rtol=0.1)
    np.testing.assert_allclose(off.std(axis=0)[3:], 0.005, rtol=0.1)


def test_drift_walks_by_its_sigma(follow: Follow) -> None:
    sensor = SensorConfig(noise_force=0.0, noise_torque=0.0, drift_force=0.5, drift_torque=0.05)
    robot = SimRobot(config=SimConfig(sensor=sensor))
    rows = follow(robot, np.tile(robot.description.home, (3000, 1)))
    per_tick = np.diff(rows["w_S_raw"], axis=0).std(axis=0) / np.sqrt(robot.dt)
    np.testing.assert_allclose(per_tick[:3], 0.5, rtol=0.1)
    np.testing.assert_allclose(per_tick[3:], 0.05, rtol=0.1)


def test_it_saturates(ideal: SimConfig, follow: Follow) -> None:
    narrow = ideal.sensor.model_copy(update={"range_force": 1.0, "range_torque": 0.01})
    robot = SimRobot(config=ideal.model_copy(update={"sensor": narrow}))
    robot.hand.schedule([40.0, 40.0, 40.0, 5.0, 5.0, 5.0], axes="T")
    rows = follow(robot, np.tile(robot.description.home, (50, 1)))
    limit = np.array([1.0, 1.0, 1.0, 0.01, 0.01, 0.01])
    np.testing.assert_allclose(np.abs(rows["w_S_raw"][-1]), limit)


def test_the_seed_decides(follow: Follow) -> None:
    def readings(seed: int) -> np.ndarray:
        robot = SimRobot(config=SimConfig(seed=seed))
        return follow(robot, np.tile(robot.description.home, (BLOCK + 10, 1)))["w_S_raw"]

    np.testing.assert_array_equal(readings(1), readings(1))
    assert (readings(1) != readings(2)).all()


def test_faults() -> None:
    robot = SimRobot()
    tick = new_rows(robot.n)
    robot.read(tick)
    reading, seq = tick["w_S_raw"][0].copy(), int(tick["sensor_seq"][0])

    robot.set_sensor_fault(SensorFault.FROZEN)
    robot.read(tick)
    np.testing.assert_array_equal(tick["w_S_raw"][0], reading)
    assert tick["sensor_seq"][0] == seq

    robot.set_sensor_fault(SensorFault.NAN)
    robot.read(tick)
    assert np.isnan(tick["w_S_raw"]).all()

    robot.set_sensor_fault(SensorFault.SATURATED)
    robot.read(tick)
    assert tick["w_S_raw"][0, 0] == robot.config.sensor.range_force

    robot.set_sensor_fault(SensorFault.NONE)
    robot.read(tick)
    np.testing.assert_allclose(tick["w_S_raw"][0], reading, atol=1.0)
    assert tick["sensor_seq"][0] == seq + 3
