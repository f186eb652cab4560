"""Identification of a surface by a slow press."""

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import Refused
from pliant.identify import identify_surface


def over(scene: str, stiffness: float, robot: str = "ur5e") -> Arm:
    config = {"sim": {"scene": {"kind": scene, "stiffness": stiffness}}}
    arm = Arm(f"sim:{robot}/{scene}", config=config, seed=3)
    arm.wait(0.05)
    arm.zero()
    return arm


@pytest.mark.parametrize(
    ("robot", "scene", "stiffness"),
    [
        ("ur5e", "table", 1e3),
        ("ur5e", "wall", 1e4),
        ("ur5e", "table", 1e5),
        ("panda", "table", 1e4),
        ("panda", "table", 1e5),
    ],
)
def test_the_stiffness_is_identified_within_one_percent(robot, scene, stiffness):
    arm = over(scene, stiffness, robot)
    start = np.array(arm.tick.X_WT)
    fit = identify_surface(arm, speed=5e-3)
    assert fit.stiffness.value == pytest.approx(stiffness, rel=0.01)
    # the fixture has a mass of 1 kg and a damping ratio of 0.3
    if robot == "ur5e" or stiffness < 5e4:
        assert fit.damping.value == pytest.approx(0.6 * np.sqrt(stiffness), rel=0.25)
    if stiffness < 5e4:
        assert fit.mass.value == pytest.approx(1.0, abs=0.25)
        assert fit.surface.mass == fit.mass.value
    if robot == "ur5e":
        assert fit.arm_stiffness is not None
        assert 5e4 < fit.arm_stiffness.value < 5e5
    else:
        assert fit.arm_stiffness is None
    assert arm.history["true_f_peak"].max() < 30.0
    # friction makes the return of a torque arm less accurate
    np.testing.assert_allclose(arm.tick.X_WT, start, atol=2e-4 if robot == "ur5e" else 1e-3)


def test_a_missing_surface_is_reported():
    arm = Arm("sim:ur5e")
    arm.wait(0.05)
    with pytest.raises(Refused, match="zero the force sensor first"):
        identify_surface(arm)
    arm.zero()
    with pytest.raises(Refused, match="nothing within 5 mm along the tool's z axis"):
        identify_surface(arm, reach=0.005)
    assert arm.wait_until(lambda tick: tick.law < 0, 5.0), (
        "position control is deactivated after the error"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 0.0}, "reach and speed must be above 0"),
        ({"reach": -0.1}, "reach and speed must be above 0"),
        ({"force": 0.1}, "press with 2 to 42 N"),
        ({"force": 1000.0}, "press with 2 to 42 N"),
    ],
)
def test_invalid_options_are_refused_before_the_arm_moves(options, message):
    arm = over("table", 1e4)
    start = arm.time
    with pytest.raises(Refused, match=message):
        identify_surface(arm, **options)
    assert arm.time == start
