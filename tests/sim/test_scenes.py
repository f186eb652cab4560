"""Scenes: registry, nominal values, and the fit of the peg."""

from collections.abc import Callable

import numpy as np
import pytest
from pydantic import ValidationError

from pliant.arms.pinocchio import build_pinocchio, reach
from pliant.errors import UnknownNameError
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.scenes import SCENES
from pliant.sim.scenes.peg import PegScene
from pliant.sim.spec import parse_place

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]


def lower_into_hole(scene: PegScene, config: SimConfig, follow: Follow, depth: float) -> np.ndarray:
    """Move the peg straight down at 0.1 m/s to a depth below the nominal rim, and hold it there."""
    robot = SimRobot(config=config.model_copy(update={"scene": scene}))
    model = build_pinocchio(robot.description, robot.tool)
    X_WT = np.array(scene.start())
    q = np.array(robot.world.data.qpos[: robot.n])
    set_points = []
    for z in np.linspace(X_WT[2], scene.hole[2] - depth, 300):
        X_WT[2] = z
        q = reach(model, X_WT, q)
        set_points.append(q)
    return follow(robot, np.array(set_points + [q] * 200))


def test_spec_names_arm_and_scene() -> None:
    assert parse_place("ur5e") == ("ur5e", "free")
    assert parse_place("ur5e/peg") == ("ur5e", "peg")
    with pytest.raises(UnknownNameError, match="table"):
        parse_place("ur5e/pig")
    with pytest.raises(UnknownNameError, match="ur5e"):
        parse_place("ur4")


@pytest.mark.parametrize("name", SCENES)
def test_scenes_start_clear_of_contact(name: str, follow: Follow) -> None:
    robot = SimRobot(config=SimConfig(scene=SCENES[name]()))
    rows = follow(robot, np.tile(robot.world.data.qpos[: robot.n], (50, 1)))
    assert not rows["true_f_peak"].any()
    assert robot.scene_nominal.name == name


def test_the_nominal_pose_hides_offset_and_tilt() -> None:
    hidden = PegScene(offset=(0.002, -0.001), tilt=(0.01, 0.02), clearance=1e-4)
    assert hidden.nominal() == PegScene().nominal()


@pytest.mark.parametrize("clearance", [1e-4, 3e-4])
def test_a_centred_peg_slides_in_freely(clearance: float, ideal: SimConfig, follow: Follow) -> None:
    scene = PegScene(offset=(0.0, 0.0), clearance=clearance)
    rows = lower_into_hole(scene, ideal, follow, depth=0.02)
    assert rows["true_f_peak"].max() < 5.0


def test_a_stiff_arm_breaks_on_an_offset_hole(ideal: SimConfig, follow: Follow) -> None:
    rows = lower_into_hole(PegScene(offset=(0.001, 0.0)), ideal, follow, depth=0.01)
    assert rows["true_f_peak"].max() > 80.0


def test_the_hole_has_a_floor(ideal: SimConfig, follow: Follow) -> None:
    scene = PegScene(offset=(0.0, 0.0))
    rows = lower_into_hole(scene, ideal, follow, depth=scene.depth + 0.001)
    assert rows["true_f_fixture_W"][-1, 2] == pytest.approx(-0.001 * scene.stiffness, rel=0.1)


def test_bounds_are_checked() -> None:
    with pytest.raises(ValidationError):
        PegScene(clearance=2e-5)
    with pytest.raises(ValidationError):
        PegScene(stiffness=2e5)
