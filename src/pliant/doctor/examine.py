"""The examination: everything the doctor looks at, in order."""

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
from pliant.identify import PosesTooAlike, identify_lag
from pliant.identify.probing import watch
from pliant.identify.tool_weight import turn_about
from pliant.reasons import Verdict

_TILT = radians(50.0)
_POSES = 5
_POSE_TIME = 0.5
_WATCH = 6.0
_LATENESS_TIME = 2.0
_UNREADABLE = (Verdict.STALE, Verdict.NOT_FINITE, Verdict.SATURATED)


def examine(
    arm: Arm,
    *,
    move: bool = True,
    lateness: Callable[[float, float], RealTime] = measure_lateness,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Look at machine, sensor, tool, lag and gains.

    Moving, the arm turns its tool about the TCP by up to 50 degrees, and to and fro by a few
    millimetres, under position control; it ends where it began. The tool must be free.

    Args:
        arm: The arm, at rest, no law active.
        move: Whether it may move; if not, tool and lag are taken as configured.
        lateness: What measures the machine's lateness, given a period and a time.
        say: Told what is being looked at.
    """
    config = arm.config
    say("machine: keeping deadlines for 2 s")
    machine = lateness(arm.dt, _LATENESS_TIME)
    checks = [check_machine(machine, arm.dt, config.safety.lateness)]
    try:
        checks.append(_sensor(arm, say))
        if move:
            checks += _moving(arm, say)
    except ArmStopped as error:
        checks.append(_stopped(error))
    say("contact: computing the margins")
    q = np.array(arm.tick.q)
    known = with_lag_of(config, Report(checks=tuple(checks)))
    checks.append(check_contact(known, arm.description, arm.dt, q))
    return Report(checks=tuple(checks))


def _stopped(error: ArmStopped) -> Check:
    remedy = "once its cause is gone, reset it: arm.reset(), or RESET on a running arm"
    finding = Finding(problem=str(error), remedy=remedy)
    return Check(name="arm", summary="in fault, so not looked at further", findings=(finding,))


def _sensor(arm: Arm, say: Callable[[str], None]) -> Check:
    say(f"sensor: watching it for {_WATCH:.0f} s")
    return check_sensor(watch(arm, _WATCH), arm.config)


def _moving(arm: Arm, say: Callable[[str], None]) -> list[Check]:
    """What takes motion; if the arm stops meanwhile, that is the finding, and it stays stopped."""
    checks = []
    try:
        say("tool: turning it about")
        checks.append(_tool(arm))
        say("lag: moving to and fro")
        checks.append(check_lag(identify_lag(arm), arm.config, arm.description))
    except ArmStopped as error:
        finding = Finding(
            problem=f"while it was being examined, {error}",
            remedy="free the tool and give it room; if its weight is far from tool.mass, weigh it "
            "with `pliant identify tool` before zeroing the sensor",
        )
        checks.append(Check(name="motion", summary="broken off", findings=(finding,)))
    return checks


def _tool(arm: Arm) -> Check:
    """Turn the tool about and judge."""
    if Verdict(int(arm.tick.verdict)) in _UNREADABLE:
        return Check(name="tool", summary="not looked at, as the sensor cannot be read")
    try:
        return check_tool(turn_about(arm, _TILT, _POSE_TIME, _POSES), arm.config)
    except PosesTooAlike as error:
        finding = Finding(problem=str(error), remedy="free the tool, and check the sensor")
        return Check(name="tool", summary="could not be weighed", findings=(finding,))
