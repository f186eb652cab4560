"""Pressing as a task: force profiles, figures, gains."""

import numpy as np
import pytest

import pliant
from pliant import Arm, Refused
from pliant.errors import ConfigError, UnknownNameError
from pliant.tasks.pressing_trial import PRESS, press_trial
from pliant.tasks.retracting_trial import retract_trial


@pytest.mark.parametrize("robot", ["sim:ur5e/table", "sim:ur5e/wall", "sim:panda/table"])
def test_a_profile_of_forces_is_followed(robot):
    figures = press_trial({"force": 3.0, "to": 12.0, "ramp": 3.0}, 2, robot)
    assert figures["held"], figures
    assert figures["peak_force_n"] < 13.0
    assert figures["rms_error_n"] < 0.5
    assert abs(figures["mean_error_n"]) < 0.1
    assert figures["ripple_n"] < 0.5


def test_a_profile_by_the_verb_ends_at_its_condition():
    arm = Arm("sim:ur5e/table", seed=1, flight=False)
    arm.zero()
    pressed = arm.press([(0, 2), (2, 8), (4, 5)])
    assert pressed is not None and pressed.reached
    assert pressed.force == pytest.approx(5.0, abs=0.5)
    rows = arm.history.since(arm.time - 4.0)
    wished = np.interp(rows["time"] - rows["time"][0], [0, 2, 4], [2, 8, 5])
    assert np.abs(-rows["w_target"][:, 2] - wished).max() < 0.1
    pressed = arm.press([(0, 5), (4, 15)], until=pliant.force("z") > 9)
    assert pressed is not None and pressed.stopped_by is not None
    arm.wait(0.5)
    assert np.abs(arm.tick.w_target).max() == 0.0


def test_an_axis_of_the_world_keeps_its_direction():
    arm = Arm("sim:ur5e/table", seed=1, flight=False)
    arm.zero()
    arm.move_by([0, 0, 0, 0.2, 0, 0])
    arm.press(-5.0, frame="world")
    arm.wait(1.0)
    # upwards is the table's push, and its friction holds the tip sideways
    assert arm.tick.true_f_fixture_W[2] == pytest.approx(-5.0, abs=0.3)


@pytest.mark.parametrize(
    ("force", "why"),
    [
        ([(0, 5), (0, 6)], "begin with 0 and ascend"),
        ([(1, 5), (2, 6)], "begin with 0 and ascend"),
        ([(0, 5), (2, 60)], "at most 20 N"),
        ("5 N", "a number, N, or a profile"),
    ],
)
def test_forces_that_make_no_sense_are_refused(force, why):
    arm = Arm("sim:ur5e/table", flight=False)
    arm.zero()
    with pytest.raises(Refused, match=why):
        arm.press(force)


def test_gains_of_the_law_are_parameters_of_a_trial():
    careful = press_trial({"stiffness": 100.0, "law.contact_peak": 5.0}, 1, PRESS.robot)
    bold = press_trial({"stiffness": 100.0, "law.contact_peak": 16.0}, 1, PRESS.robot)
    assert bold["approach_mm_s"] > 2.0 * careful["approach_mm_s"]
    assert bold["peak_force_n"] > careful["peak_force_n"]
    PRESS.check({"law.damping": 800.0})
    with pytest.raises(UnknownNameError):
        PRESS.check({"law.nonsense": 1.0})


def test_a_trial_needs_a_surface():
    with pytest.raises(ConfigError, match="needs a surface"):
        press_trial({}, 0, "sim:ur5e/peg")
    with pytest.raises(ConfigError, match="only a table"):
        press_trial({"radius": 0.5}, 0, "sim:ur5e/wall")


@pytest.mark.parametrize("stiffness", [1.0, 100.0])
def test_a_retraction_lets_go_at_once(stiffness):
    figures = retract_trial({"force": 10.0, "stiffness": stiffness}, 1, "sim:ur5e/table")
    assert figures["free"]
    # nothing pushes harder on the way out; a soft surface follows over its 10 mm
    assert figures["peak_force_n"] < 10.6
    assert figures["freed_s"] < (0.6 if stiffness == 1.0 else 0.2)
    assert figures["distance_error_mm"] < 1.0
