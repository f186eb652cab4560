"""No setting weakens a contact stop: the peak force stays within 5 %.

By default every setting is tried on one surface at one speed; PLIANT_FULL_GRID=1 tries all.
"""

import os
from typing import Any

import pytest
from pydantic import ValidationError

from pliant.stages.safety import SafetyConfig

from ...contact_stops import MODEL, SPEEDS, STIFFNESSES, TOLERANCE, Setting, Stop, grid, settings_of

FULL = bool(os.environ.get("PLIANT_FULL_GRID"))
CELLS = [(stiffness, speed) for stiffness in STIFFNESSES for speed in SPEEDS]
TORQUE_ARM_PATHS = (
    "safety.joint_acceleration_share",
    "wrench.sensor_range",
    "joints.acceleration_share",
    "ACCEL",
    "laws.cartesian_impedance.stiffness",
)
"""What is tried by default on a torque arm."""


def spread(robot: str, every: int = 1) -> list[Stop]:
    """Each setting in one cell of the grid, so that all cells have some."""
    if FULL:
        return list(grid(robot))
    settings = [
        (setting, drive)
        for setting in settings_of(robot)
        for drive in setting.drives
        if robot == "ur5e" or setting.path in TORQUE_ARM_PATHS
    ]
    return [
        Stop(robot=robot, stiffness=CELLS[i % 6][0], speed=CELLS[i % 6][1], drive=d, setting=s)
        for i, (s, d) in enumerate(settings[::every])
    ]


def name(stop: Stop) -> str:
    return f"{stop.drive}-{stop.stiffness / 1e3:g}N/mm-{stop.speed}m/s-{stop.setting}"


@pytest.mark.parametrize("stop", spread("ur5e"), ids=name)
def test_no_setting_weakens_a_stop_of_a_position_arm(stop: Stop) -> None:
    assert stop.ratio() <= TOLERANCE


def test_an_impact_at_the_limit_of_force_is_compared_with_its_neighbours() -> None:
    """79 N at 0.25 m/s, 123 to 129 N at 1 and 2 % less or more, under the setting 125 N."""
    setting = Setting(path="safety.joint_acceleration_share", value=0.05)
    stop = Stop(stiffness=1e4, speed=0.25, drive="joints", setting=setting)
    assert stop.ratio() <= 1.0


@pytest.mark.parametrize("stop", [*spread("panda", 2), *spread("fr3")], ids=name)
def test_no_setting_weakens_a_stop_of_a_torque_arm(stop: Stop) -> None:
    assert stop.ratio() <= TOLERANCE


class CatchingUp(Stop):
    """A stop under a law that catches up with a reference more agile than itself."""

    def _config(self) -> dict[str, Any]:
        config = super()._config()
        config["laws"]["position"]["max_acceleration"] = (2.0, 10.0)
        return config


@pytest.mark.parametrize("robot", ["panda", "fr3"])
def test_set_points_that_ran_ahead_do_not_press_on_after_a_stop(robot: str) -> None:
    """At a new joint limit one joint stops, and the set points of the others run 7 mm ahead.

    The stop that followed them went on from 60 N to 92 N.
    """
    setting = Setting(path="safety.joint_margin", value=1.0)
    stop = CatchingUp(robot=robot, stiffness=1e4, speed=0.25, setting=setting)
    assert 60.0 < stop.peak() < 70.0


@pytest.mark.parametrize("setting", MODEL, ids=str)
def test_a_wrong_model_of_a_torque_arm_changes_a_stop_little(setting: Setting) -> None:
    """Also before the contact, so the peak may differ more than by a setting of the stop."""
    for stiffness, speed in CELLS if FULL else CELLS[::2]:
        stop = Stop(robot="fr3", stiffness=stiffness, speed=speed, setting=setting)
        assert stop.ratio() <= 1.3


def test_a_share_too_small_to_move_with_is_refused() -> None:
    for share in ("joint_acceleration_share", "joint_speed_share", "tool_speed"):
        with pytest.raises(ValidationError, match="greater than or equal"):
            SafetyConfig.model_validate({share: 1e-4})


def test_a_torque_arm_stops_as_hard_under_a_torque_law() -> None:
    setting = Setting(path="safety.joint_acceleration_share", value=0.05)
    stop = Stop(robot="fr3", speed=0.1, drive="cartesian_impedance", setting=setting)
    assert stop.ratio() <= TOLERANCE
