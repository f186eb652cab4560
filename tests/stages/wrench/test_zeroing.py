"""Zeroing never hides a load: it refuses, with the reason and the figures."""

import re
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm
from pliant.errors import Refused
from pliant.recording.recomputation import recompute
from pliant.stages.wrench import ZERO_LOADED, WrenchConfig

FAST = {"wrench": {"zero_time": 0.1}}


def pressing(force: float) -> Arm:
    """An arm whose tool rests on a table with about this force, under no force control."""
    arm = Arm("sim:ur5e/table", config=FAST, seed=3)
    arm.zero()
    arm.activate("position")
    stiffness = 1e4 * 1e5 / (1e4 + 1e5)
    arm.move_by([0, 0, -0.05 - force / stiffness, 0, 0, 0], frame="world")
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(0.5)
    assert np.linalg.norm(arm.tick.true_f_fixture_W) == pytest.approx(force, rel=0.2)
    return arm


def test_zeroing_on_a_table_is_refused_and_the_force_stays_visible() -> None:
    arm = pressing(15.0)
    before = arm.tick.w_bias_S.copy()
    with pytest.raises(Refused, match="cannot zero: the tool feels") as refused:
        arm.zero()
    felt = float(re.findall(r"feels ([\d.]+) N", str(refused.value))[0])
    assert felt == pytest.approx(np.linalg.norm(arm.tick.true_f_fixture_W), abs=1.0)
    assert "5 N" in str(refused.value) and "retract" in str(refused.value)
    arm.wait(0.2)
    np.testing.assert_array_equal(arm.tick.w_bias_S, before)
    assert np.linalg.norm(arm.tick.w_T_raw[:3]) == pytest.approx(felt, abs=1.0)


def test_after_retracting_the_tool_zeroing_succeeds() -> None:
    arm = pressing(15.0)
    arm.move_by([0, 0, 0.02, 0, 0, 0], frame="world")
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(0.3)
    arm.zero()
    assert np.linalg.norm(arm.tick.w_T[:3]) < 1.0


def test_a_sensor_that_drifted_a_few_newtons_is_zeroed() -> None:
    arm = Arm("sim:ur5e", config=FAST)
    arm.zero()
    arm.simulation._sensor["bias"][0] += [2.0, -2.0, 3.0, 0.1, 0.1, -0.2]
    arm.wait(0.1)
    assert np.linalg.norm(arm.tick.w_T_raw[:3]) > 4.0
    arm.zero()
    assert np.linalg.norm(arm.tick.w_T_raw[:3]) < 1.0


def test_the_first_zeroing_compares_with_the_weight_of_the_tool() -> None:
    arm = Arm("sim:ur5e", config=FAST)
    arm.hand.schedule([0, 0, 20, 0, 0, 0])
    arm.wait(0.05)
    with pytest.raises(Refused, match=r"reads \d+\.\d N .* beside the tool's weight.*wrench\.bias"):
        arm.zero()
    assert arm.tick.zeroed == 0
    arm.hand.release()
    arm.wait(0.05)
    arm.zero()


def test_a_tool_of_another_weight_is_found_by_the_first_zeroing() -> None:
    arm = Arm("sim:ur5e", config=FAST | {"sim": {"tool": {"mass": 2.5}}})
    arm.wait(0.02)
    with pytest.raises(Refused, match=r"check tool\.mass"):
        arm.zero()


def test_a_torque_is_a_load_too() -> None:
    """It is judged at the sensor, when all samples are there."""
    arm = Arm("sim:ur5e", config=FAST)
    arm.zero()
    before = arm.tick.w_bias_S.copy()
    arm.hand.schedule([0, 0, 0, 0, 0, 2.0])
    arm.wait(0.3)
    with pytest.raises(Refused, match=r"feels .* and 2\.\d\d N·m since"):
        arm.zero()
    assert arm.tick.zero_left == ZERO_LOADED
    np.testing.assert_array_equal(arm.tick.w_bias_S, before)


def test_what_zeroing_accepts_is_bounded() -> None:
    """Otherwise a setting could hide the force that the contact limit is for."""
    for name, value in {"drift": (11.0, 1.0), "bias": (101.0, 1.0)}.items():
        with pytest.raises(ValueError, match="less than or equal"):
            WrenchConfig.model_validate({name: value})


def test_a_refused_zeroing_is_recomputed_bit_for_bit(tmp_path: Path) -> None:
    arm = Arm("sim:ur5e", config={"wrench": {"zero_time": 0.05}})
    path = tmp_path / "zero.mcap"
    with pliant.record(arm, path):
        arm.zero()
        arm.hand.schedule([0, 0, 0, 0, 0, 2.0])
        arm.wait(0.3)
        with pytest.raises(Refused):
            arm.zero()
        arm.wait(0.1)
    recording = pliant.load(path)
    assert (recording["zero_left"] == ZERO_LOADED).any()
    assert recompute(recording).difference is None
