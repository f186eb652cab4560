"""Every reason to stop names its figure, its limit and a remedy, and fits into its column."""

from typing import Any

import numpy as np
import pytest

from pliant.arms.description import load_arm
from pliant.reasons import Reason
from pliant.stages.joints import JointFault
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.explain import StopLimits, write_reason
from pliant.stages.wrench import WrenchConfig
from pliant.tick import TEXT_SIZE, new_rows

ARM = load_arm("fr3")
LIMITS = StopLimits(
    safety=SafetyConfig(workspace_min=(-1.2, -1.2, 0.123)), wrench=WrenchConfig(), arm=ARM
)


def joint(value: float) -> np.ndarray:
    """A value at joint 3, zero at the others."""
    return np.array([0, 0, 0, value, 0, 0, 0], dtype=float)


CASES: list[tuple[Reason, dict[str, Any], list[str]]] = [
    (
        Reason.CONTACT_FORCE,
        {"w_T_raw": (0, 0, 1234.5, 0, 0, 98.7)},
        ["1234 N of 60 N", "98.7 N·m of 8 N·m", "free the tool"],
    ),
    (Reason.TEMPERATURE, {"temperature": joint(71.2)}, ["joint 3", "71 °C of 60 °C", "cool"]),
    (Reason.TEMPERATURE, {"temperature": joint(np.nan)}, ["joint 3 at nan", "60 °C"]),
    (Reason.LATE, {"lateness": 0.0834}, ["83 ms of 50 ms", "safety.lateness"]),
    (
        Reason.WORKSPACE,
        {"X_WT_sent": (0, 0, 0.125, 1, 0, 0, 0), "v_WT_sent_W": (0, 0, -0.1, 0, 0, 0)},
        ["z = 0.125 m of 0.123 m", "move inwards"],
    ),
    (Reason.JOINT_POSITION, {"q": ARM.home + joint(3.0)}, ["joint 3 at 0.650 rad of -0.1518 rad"]),
    (Reason.JOINT_SPEED, {"qd": joint(-3.14)}, ["joint 3 at 3.14 of 2.62 rad/s", "torque"]),
    (Reason.TOOL_SPEED, {"v_WT_W": (0, 1.6, 0, 0, 0, 0)}, ["1.60 of 1.5 m/s", "soften the law"]),
    (Reason.NOT_FINITE, {"q_requested": joint(np.nan)}, ["set point of joint 3", "check"]),
    (Reason.NOT_FINITE, {}, ["check the law"]),
    (
        Reason.JOINT_FAULT,
        {"fault": JointFault.TRACKING * np.eye(7, dtype=int)[2]},
        ["joint 2 does not follow", "reset clears it"],
    ),
    (Reason.SENSOR_STALE, {"sensor_age": 0.0512}, ["51 of 50 ms", "connection"]),
    (Reason.SENSOR_SATURATED, {"w_S_raw": (0, -299.9, 0, 0, 0, 0)}, ["300 of 300 N", "unload"]),
    (Reason.ROBOT, {"robot_status": 7}, ["status 7", "pendant"]),
]


@pytest.mark.parametrize(("reason", "columns", "parts"), CASES)
def test_a_reason_has_figure_limit_and_remedy(
    reason: Reason, columns: dict[str, Any], parts: list[str]
) -> None:
    prev, tick = new_rows(7), new_rows(7)
    prev["q"] = ARM.home
    for name, value in columns.items():
        prev[name] = value
    prev["trip"], tick["reason"] = reason, reason
    write_reason(prev, tick, LIMITS)
    text = read_text(tick)
    assert text.startswith(reason.text)
    for part in parts:
        assert part in text
    assert len(text.encode()) < TEXT_SIZE, "it may have been cut"


def test_a_sensor_lost_without_a_trip_is_told_from_the_tick_itself() -> None:
    prev, tick = new_rows(7), new_rows(7)
    prev["sensor_age"], tick["sensor_age"] = 0.001, 0.0512
    tick["reason"] = Reason.SENSOR_STALE
    write_reason(prev, tick, LIMITS)
    assert "51 of 50 ms" in read_text(tick)
