"""Slides along surfaces of hidden shape and stiffness, judged by the physics engine's force."""

import numpy as np
import pytest

from pliant import Arm
from pliant.tasks.sliding_trial import slide_trial
from pliant.tasks.surface_trial import normal_force

LONG = pytest.mark.long


def slides(robot: str, **given: float) -> None:
    """Slide, and hold it to the bounds: 0.3 N RMS on flat, 1 N on curved surfaces."""
    figures = slide_trial(given, 1, f"sim:{robot}/table")
    assert figures["kept"], figures
    assert figures["ticks_lost"] == 0.0
    assert figures["rms_error_n"] <= (1.0 if given.get("radius") else 0.3)


@pytest.mark.parametrize(
    ("robot", "force", "speed", "stiffness", "lag"),
    [
        ("ur5e", 3.0, 100.0, 100.0, 34.0),
        ("ur5e", 15.0, 100.0, 10.0, 2.0),
        ("panda", 3.0, 100.0, 100.0, 0.0),
    ],
)
def test_a_flat_surface(robot, force, speed, stiffness, lag):
    slides(robot, force=force, speed=speed, stiffness=stiffness, lag=lag, direction=90.0)


@pytest.mark.parametrize(
    ("robot", "force", "stiffness", "direction"),
    # uphill, downhill and askew on a dome whose top is 50 mm away
    [("ur5e", 15.0, 100.0, 0.0), ("ur5e", 3.0, 10.0, 135.0), ("panda", 15.0, 10.0, 180.0)],
)
def test_a_dome(robot, force, stiffness, direction):
    slides(robot, radius=0.2, speed=50.0, force=force, stiffness=stiffness, direction=direction)


@LONG
@pytest.mark.parametrize("robot", ["ur5e", "panda"])
@pytest.mark.parametrize("lag", [2.0, 34.0])
@pytest.mark.parametrize("stiffness", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("force", [3.0, 15.0])
@pytest.mark.parametrize("speed", [5.0, 20.0, 50.0, 100.0])
def test_all_flat_surfaces(robot, lag, stiffness, force, speed):
    slides(robot, lag=lag, stiffness=stiffness, force=force, speed=speed, direction=90.0)


@LONG
@pytest.mark.parametrize("robot", ["ur5e", "panda"])
@pytest.mark.parametrize("radius", [0.2, 1.0])
@pytest.mark.parametrize("stiffness", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("force", [3.0, 15.0])
@pytest.mark.parametrize("speed", [5.0, 50.0])
@pytest.mark.parametrize("direction", [0.0, 45.0, 180.0])
def test_all_curved_surfaces(robot, radius, stiffness, force, speed, direction):
    slides(robot, radius=radius, stiffness=stiffness, force=force, speed=speed, direction=direction)


def test_a_path_of_several_legs_around_a_dome():
    scene = {"kind": "table", "radius": 0.3}
    gains = {"hybrid_admittance": {"damping": "adaptive"}}
    arm = Arm("sim:ur5e/table", config={"sim": {"scene": scene}, "laws": gains}, history=60.0)
    arm.zero()
    arm.press(6.0)
    start, begun, facing = arm.time, arm.pose.position, arm.pose.matrix[:3, :3]
    legs = [[0.04, 0, 0, 0, 0, 0], [0, 0.04, 0, 0, 0, 0], [-0.04, -0.04, 0, 0, 0, 0]]
    moved = arm.slide(legs, 6.0, speed=0.04)
    assert moved is not None and moved.reached
    # back where it began, on the surface, and facing as before
    np.testing.assert_allclose(arm.pose.position, begun, atol=1e-3)
    # a rotation vector of half a turn has two signs
    np.testing.assert_allclose(arm.pose.matrix[:3, :3], facing, atol=5e-3)
    force = normal_force(arm, arm.history.since(start))
    assert np.sqrt(np.mean((force - 6.0) ** 2)) < 0.5
    assert force.min() > 4.0


def test_a_slide_in_the_axes_of_the_tool():
    arm = Arm("sim:ur5e/table", config={"laws": {"hybrid_admittance": {"damping": "adaptive"}}})
    arm.zero()
    arm.move_by([0, 0, 0, 0, 0, 0.5])
    moved = arm.slide([0.0, 0.05, 0, 0, 0, 0], 4.0, frame="tool", speed=0.05)
    assert moved is not None and moved.reached
    rows = arm.history.since(arm.time - 0.5)
    assert normal_force(arm, rows) == pytest.approx(4.0, abs=0.3)
