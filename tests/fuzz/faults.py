"""Faults on a moving arm in contact: whatever fails, the arm comes to rest within its limits."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pliant.reasons import State
from pliant.sim.sensor import SensorFault
from pliant.tick import Rows

from .hostile import EXTREMES
from .kind import Finding, Tally
from .moving_arm import SPECS, MovingArm

_LAWS = ("hybrid_admittance", "position", "cartesian_impedance", "inverse_dynamics")
_BRAKING = 1.5
"""Time in which a stopped arm must come to rest, s."""

_ERRORS = (
    (OSError, "the cable is out"),
    (ValueError, "a bug"),
    (MemoryError, ""),
    (ZeroDivisionError, ""),
)


class Faults:
    """One fault a case."""

    def __init__(self, folder: Path) -> None:
        self._kinds: list[Callable[[MovingArm, random.Random], None]] = [
            _sensor, _sensor, _measurement, _read_raises, _write_raises, _dynamics_raise,
            _hot, _late, _joint_fault, _several,
        ]  # fmt: skip

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Press on a table, slide on it, and let something fail."""
        for _ in range(count):
            arm = MovingArm(dice.choice(SPECS), dice)
            arm.press(dice.choice(_LAWS), dice.uniform(2.0, 15.0))
            arm.run(dice.uniform(0.0, 0.2))
            dice.choice(self._kinds)(arm, dice)
            arm.robot.close()
        return Tally(accepted=count)


def _error(dice: random.Random) -> Exception:
    """A new exception: one raised again keeps all frames that it ever went through."""
    kind, text = dice.choice(_ERRORS)
    return kind(text)


def _stopped(arm: MovingArm, why: str) -> None:
    """The arm must be in fault, and come to rest."""
    arm.run(_BRAKING)
    if arm.rows[-1]["state"].item() != State.FAULT:
        raise Finding(f"{why} is no fault")
    arm.check(broken_sensor=True)


def _sensor(arm: MovingArm, dice: random.Random) -> None:
    """The force sensor says nothing new, nothing at all, or the same too much."""
    fault = dice.choice([fault for fault in SensorFault if fault != SensorFault.NONE])
    needs_force = arm.rows[-1]["law"].item() >= 0
    arm.robot.set_sensor_fault(fault)  # type: ignore[attr-defined]
    arm.run(_BRAKING)
    if needs_force and arm.rows[-1]["state"].item() != State.FAULT:
        raise Finding(f"a sensor that is {fault.name} is no fault")
    arm.check(broken_sensor=True)


def _measurement(arm: MovingArm, dice: random.Random) -> None:
    """A column that the arm measures is not finite, or absurd, from now on."""
    name = dice.choice(("q", "qd", "tau", "temperature", "w_S_raw"))
    values = (float("nan"), float("inf"), -float("inf"), *(x for x in EXTREMES if x > 1e6))
    wrong = dice.choice(values)
    read, element = arm.robot.read, dice.randrange(6)

    def broken(tick: Rows) -> None:
        read(tick)
        tick[name][0, element] = wrong

    vars(arm.robot)["read"] = broken
    arm.run(0.2)
    vars(arm.robot)["read"] = read
    arm.run(_BRAKING)
    sent = np.concatenate(arm.rows)
    for column in ("q_sent", "tau_sent", "qd_limited"):
        if not np.isfinite(sent[column]).all():
            raise Finding(f"{column} is not finite after {name} {wrong}")


def _raises(arm: MovingArm, method: str, dice: random.Random) -> None:
    """The backend raises: the loop gives up, and the arm stops by its own means."""
    error = _error(dice)
    real = getattr(arm.robot, method)

    def broken(_tick: Rows) -> None:
        raise error

    vars(arm.robot)[method] = broken
    try:
        arm.run(0.1)
    except type(error):
        vars(arm.robot)[method] = real
        _rests_by_itself(arm)
        return
    raise Finding(f"{method} raised {error!r}, and the loop went on")


def _rests_by_itself(arm: MovingArm) -> None:
    tick = arm.rows[-1].copy()
    for _ in range(round(_BRAKING / arm.robot.dt)):
        arm.robot.read(tick)
    speed = float(np.abs(tick["qd"]).max())
    if not speed < 0.05:
        raise Finding(f"an abandoned arm still moves with {speed:.3g} rad/s")
    if arm.loop.row["state"].item() != State.FAULT:
        raise Finding("an abandoned arm is not in fault")


def _read_raises(arm: MovingArm, dice: random.Random) -> None:
    _raises(arm, "read", dice)


def _write_raises(arm: MovingArm, dice: random.Random) -> None:
    _raises(arm, "write", dice)


def _dynamics_raise(arm: MovingArm, dice: random.Random) -> None:
    """Something that is computed before the law raises, in one tick or in all."""
    pipeline: Any = arm.loop.pipeline
    error, real = _error(dice), pipeline._before
    once = dice.random() < 0.5

    def broken(*_rows: Any) -> None:
        if once:
            pipeline._before = real
        raise error

    pipeline._before = broken
    arm.run(0.1)
    pipeline._before = real
    _stopped(arm, f"{error!r} in a stage")


def _hot(arm: MovingArm, dice: random.Random) -> None:
    """A joint is too hot for a while."""
    read, joint = arm.robot.read, dice.randrange(6)
    hot = dice.choice((100.0, 1e6, float("nan")))

    def broken(tick: Rows) -> None:
        read(tick)
        tick["temperature"][0, joint] = hot

    vars(arm.robot)["read"] = broken
    _stopped(arm, f"a joint of {hot} °C")


def _late(arm: MovingArm, dice: random.Random) -> None:
    """A tick comes late."""
    clock: Any = arm.loop.clock
    wait, late = clock.wait, dice.choice((10.0, 1e9, 1e308))

    def broken(prev: Rows, tick: Rows) -> None:
        wait(prev, tick)
        tick["lateness"] = late

    vars(clock)["wait"] = broken
    arm.run(0.01)
    vars(clock)["wait"] = wait
    _stopped(arm, f"a tick that is {late:g} s late")


def _joint_fault(arm: MovingArm, dice: random.Random) -> None:
    """A joint reports a fault: it is disabled, and with it the law, if one is active."""
    fault = dice.choice(("over_torque", "over_temperature", "tracking", "encoder", "hard_limit"))
    joint, driven = dice.randrange(6), arm.rows[-1]["law"].item() >= 0
    arm.give(f"INJECT {joint} {fault}")
    arm.run(_BRAKING)
    last = arm.rows[-1][0]
    if last["fault"][joint] == 0 or (driven and last["state"] != State.FAULT):
        raise Finding(f"{fault} of a joint is no fault")
    arm.check(broken_sensor=True)


def _several(arm: MovingArm, dice: random.Random) -> None:
    """Several faults, one upon the other."""
    arm.robot.set_sensor_fault(SensorFault.NAN)  # type: ignore[attr-defined]
    arm.run(dice.uniform(0.0, 0.05))
    arm.give("INJECT 2 encoder")
    arm.run(dice.uniform(0.0, 0.05))
    _dynamics_raise(arm, dice)
