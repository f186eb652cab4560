"""The sensor measures the wrench of the hand."""

from collections.abc import Callable

import numpy as np
import pytest

from pliant.errors import ConfigError
from pliant.numerics.spatial import pose_inverse_multiply, wrench_move
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.guiding_hand import GuidingHand, HandImpedance
from pliant.sim.hand import Hand

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]
PUSH_T = np.array([3.0, -4.0, 5.0, 0.2, -0.3, 0.1])


def in_sensor(robot: SimRobot, w_T: np.ndarray) -> np.ndarray:
    X_ST, w_S = np.empty(7), np.empty(6)
    tool = robot.tool
    pose_inverse_multiply(np.array(tool.X_FS), np.array(tool.X_FT), X_ST)
    wrench_move(X_ST, w_T, w_S)
    return w_S


def test_a_push_appears_in_the_sensor_with_its_lever_arm(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal)
    home = np.tile(robot.description.home, (300, 1))
    rest = follow(robot, home)["w_S_raw"][-1]
    robot.hand.schedule(PUSH_T, axes="T", start=robot.time)
    pushed = follow(robot, home)["w_S_raw"][-1]
    # the servos yield a little, so the tool tilts by about 0.1 mrad
    np.testing.assert_allclose(pushed - rest, in_sensor(robot, PUSH_T), atol=5e-3)


def test_world_axes_differ_from_tool_axes(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal)
    home = np.tile(robot.description.home, (300, 1))
    rest = follow(robot, home)["w_S_raw"][-1]
    robot.hand.schedule([0.0, 0.0, 10.0, 0.0, 0.0, 0.0], axes="W", start=robot.time)
    pushed = follow(robot, home)["w_S_raw"][-1]
    # the tool points down, so a lift is along its -z
    np.testing.assert_allclose((pushed - rest)[:3], [0.0, 0.0, -10.0], atol=5e-3)


def test_pushes_come_and_go_on_time_and_add_up(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal)
    lift = [0.0, 0.0, 10.0, 0.0, 0.0, 0.0]
    robot.hand.schedule(lift, start=0.2, duration=0.4)
    robot.hand.schedule(lift, start=0.4, duration=0.4)
    home = np.tile(robot.description.home, (500, 1))
    force = -follow(robot, home)["w_S_raw"][:, 2]
    level = force[[95, 195, 295, 395, 495]] - force[95]
    np.testing.assert_allclose(level, [0.0, 10.0, 20.0, 10.0, 0.0], atol=0.05)
    assert robot.hand.idle


def test_release_ends_a_lasting_push(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal)
    robot.hand.schedule([0.0, 0.0, 10.0, 0.0, 0.0, 0.0])
    home = np.tile(robot.description.home, (200, 1))
    assert follow(robot, home)["w_S_raw"][-1, 2] < 0.0
    robot.hand.release()
    weight = robot.tool.mass * 9.81
    assert follow(robot, home)["w_S_raw"][-1, 2] == pytest.approx(weight, abs=0.01)


@pytest.mark.parametrize(
    "times", [{"start": np.nan}, {"start": np.inf}, {"duration": 0.0}, {"duration": np.nan}]
)
def test_pushes_with_invalid_times_are_refused(times: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="a push cannot begin"):
        Hand(lambda: 0.0).schedule([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], **times)


@pytest.mark.parametrize(
    "path", [[0, 0, 0], lambda _: None, lambda _: [0, 0], lambda _: [0, 0, float("nan")]]
)
def test_a_path_of_a_hand_is_refused_when_it_takes_hold(path) -> None:
    with pytest.raises(ConfigError, match="a function of the arm's time that gives x y z"):
        Hand(lambda: 0.0).hold(path)


@pytest.mark.parametrize("wrench", [[1.0, 2.0, 3.0], [np.nan] * 6])
def test_bad_pushes_are_refused(wrench: list[float]) -> None:
    with pytest.raises(ConfigError, match="six finite numbers"):
        Hand(lambda: 0.0).schedule(wrench)


def test_a_hand_that_holds_the_tool_is_a_spring_to_where_it_wants_to_be(
    ideal: SimConfig, follow: Follow
) -> None:
    robot = SimRobot(config=ideal)
    home = np.tile(robot.description.home, (2500, 1))
    rest = follow(robot, home[:300])["w_S_raw"][-1]
    begin = robot.time

    def aside(time: float) -> np.ndarray:
        return np.array([0.0, 0.0, 0.02 * min(time - begin, 1.0)])

    robot.hand.hold(aside, mass=1.0, stiffness=500.0, damping=30.0)
    held = follow(robot, home)["w_S_raw"][-1] - rest
    # 20 mm at 500 N/m, upwards; the tool points down and its arm hardly yields
    np.testing.assert_allclose(held[:3], [0.0, 0.0, -10.0], atol=0.1)
    assert robot.hand.holds
    robot.hand.release()
    freed = follow(robot, home)["w_S_raw"][-1] - rest
    np.testing.assert_allclose(freed, 0.0, atol=0.01)
    assert robot.hand.idle


def test_a_hand_has_its_mass_spring_and_damper() -> None:
    """On a tool that does not move it swings as its numbers say."""
    hand = GuidingHand(
        HandImpedance(mass=2.0, stiffness=800.0, damping=10.0),
        lambda time: np.array([0.01 if time > 0.0 else 0.0, 0.0, 0.0]),
        0.0,
        np.zeros(3),
    )
    force = np.empty((3000, 3))
    for row in force:
        hand.step(0.001, np.zeros(3), row)
    assert force[-1, 0] == pytest.approx(8.0, rel=0.05)
    assert np.abs(force[:, 1:]).max() == 0.0


@pytest.mark.parametrize("bad", [{"mass": 0.0}, {"stiffness": -1.0}, {"damping": np.nan}])
def test_hands_that_cannot_be_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="a hand has a mass"):
        Hand(lambda: 0.0).hold(**bad)
