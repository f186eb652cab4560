"""A slow press tells the stiffness of what is touched."""

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
def test_stiffness_within_a_percent(robot, scene, stiffness):
    arm = over(scene, stiffness, robot)
    start = np.array(arm.tick.X_WT)
    fit = identify_surface(arm, speed=5e-3)
    assert fit.stiffness.value == pytest.approx(stiffness, rel=0.01)
    # a fixture weighs 1 kg, at a damping ratio of 0.3
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
    # friction keeps a torque arm from getting back quite as exactly
    np.testing.assert_allclose(arm.tick.X_WT, start, atol=2e-4 if robot == "ur5e" else 1e-3)


def test_nothing_to_press_on_is_said():
    arm = Arm("sim:ur5e")
    arm.wait(0.05)
    with pytest.raises(Refused, match="zero the force sensor first"):
        identify_surface(arm)
    arm.zero()
    with pytest.raises(Refused, match="nothing within 5 mm along the tool's z axis"):
        identify_surface(arm, reach=0.005)
    assert arm.wait_until(lambda tick: tick.law < 0, 5.0), "it lets go even so"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"speed": 0.0}, "reach and speed are above 0"),
        ({"reach": -0.1}, "reach and speed are above 0"),
        ({"force": 0.1}, "press with 2 to 42 N"),
        ({"force": 1000.0}, "press with 2 to 42 N"),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_arm_moves(asked, said):
    arm = over("table", 1e4)
    begin = arm.time
    with pytest.raises(Refused, match=said):
        identify_surface(arm, **asked)
    assert arm.time == begin
