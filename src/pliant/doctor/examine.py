"""Runs all checks of the doctor, in order."""

from collections.abc import Callable
from math import radians

import numpy as np

from pliant.api.arm import Arm
from pliant.doctor.contact_check import check_contact, check_lag, with_lag_of
from pliant.doctor.finding import Check, Finding, Report
from pliant.doctor.lateness import RealTime, measure_lateness
from pliant.doctor.machine_check import check_machine
from pliant.doctor.sensor_check import check_sensor
from pliant.doctor.tool_check import check_tool
from pliant.errors import ArmStopped
from pliant.identify import PosesTooSimilar, identify_lag
from pliant.identify.probing import watch
from pliant.identify.tool_weight import rotate_tool
from pliant.reasons import Verdict

_TILT = radians(50.0)
_POSES = 5
_POSE_TIME = 0.5
_SENSOR_TIME = 6.0
_LATENESS_TIME = 2.0
_UNREADABLE = (Verdict.STALE, Verdict.NOT_FINITE, Verdict.SATURATED)


def examine(
    arm: Arm,
    *,
    move: bool = True,
    lateness: Callable[[float, float], RealTime] = measure_lateness,
    report: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check machine, sensor, tool, lag and gains.

    If it may move, the arm rotates its tool about the TCP by up to 50 degrees and moves it back and
    forth by a few millimetres, under position control, and returns to its start. The tool must be
    free.

    Args:
        arm: The arm, at rest and without an active law.
        move: Whether it may move; if not, tool and lag are taken from the configuration.
        lateness: Measures the lateness of the machine, given a period and a duration.
        report: Called with the progress.
    """
    config = arm.config
    report("machine: measuring its timing for 2 s")
    machine = lateness(arm.dt, _LATENESS_TIME)
    limit = config.safety.lateness_of(simulated=False)
    checks = [check_machine(machine, arm.dt, limit)]
    try:
        checks.append(_sensor(arm, report))
        if move:
            checks += _moving(arm, report)
    except ArmStopped as error:
        checks.append(_stopped(error))
    report("contact: computing the margins")
    q = np.array(arm.tick.q)
    with_lag = with_lag_of(config, Report(checks=tuple(checks)))
    checks.append(check_contact(with_lag, arm.description, arm.dt, q))
    return Report(checks=tuple(checks))


def _stopped(error: ArmStopped) -> Check:
    remedy = "remove the cause, then reset: arm.reset(), or RESET on a running arm"
    finding = Finding(problem=str(error), remedy=remedy)
    return Check(name="arm", summary="in fault, not checked further", findings=(finding,))


def _sensor(arm: Arm, report: Callable[[str], None]) -> Check:
    report(f"sensor: observing it for {_SENSOR_TIME:.0f} s")
    return check_sensor(watch(arm, _SENSOR_TIME), arm.config)


def _moving(arm: Arm, report: Callable[[str], None]) -> list[Check]:
    """Checks that need motion; if the arm stops, that is a finding, and it stays stopped."""
    checks = []
    try:
        report("tool: rotating it")
        checks.append(_tool(arm))
        report("lag: moving back and forth")
        checks.append(check_lag(identify_lag(arm), arm.config, arm.description))
    except ArmStopped as error:
        finding = Finding(
            problem=f"during the check, {error}",
            remedy="free the tool and make room for it; if its mass is far from tool.mass, run "
            "`pliant identify tool` before zeroing the sensor",
        )
        checks.append(Check(name="motion", summary="interrupted", findings=(finding,)))
    return checks


def _tool(arm: Arm) -> Check:
    """Rotate the tool and check its compensation."""
    if Verdict(int(arm.tick.verdict)) in _UNREADABLE:
        return Check(name="tool", summary="not checked, because the sensor cannot be read")
    try:
        return check_tool(rotate_tool(arm, _TILT, _POSE_TIME, _POSES), arm.config)
    except PosesTooSimilar as error:
        finding = Finding(problem=str(error), remedy="free the tool and check the sensor")
        return Check(name="tool", summary="could not be weighed", findings=(finding,))
