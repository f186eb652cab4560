"""Laws of a user's own that misbehave: the arm keeps its limits, and stops if it must."""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pliant.laws import PoseLaw, TorqueLaw
from pliant.reasons import State
from pliant.tick import Rows, columns

from .hostile import EXTREMES
from .kind import Finding, Tally
from .moving_arm import SPECS, MovingArm

_OTHERS = [name for name, declared, _ in columns() if declared.stage != "law"]
_OWN = [name for name, declared, _ in columns() if declared.stage == "law"]
_ERRORS: tuple[type[BaseException], ...] = (
    ValueError, ZeroDivisionError, MemoryError, StopIteration, RecursionError, AssertionError,
    SystemExit, OSError, UnicodeError, FloatingPointError, NotImplementedError, EOFError,
)  # fmt: skip

Mischief = Callable[[Rows, Rows], None]


class _Mischievous:
    """A law with a mischief that begins later."""

    name = "mischief"

    def __init__(self, mischief: Mischief) -> None:
        super().__init__()
        self.mischief: Mischief | None = None
        self.prepared = mischief


class OwnPose(_Mischievous, PoseLaw):
    """Follows the reference, until the mischief begins."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Follow the reference."""
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0
        if self.mischief:
            self.mischief(prev, tick)


class OwnTorque(_Mischievous, TorqueLaw):
    """Damps the joints, until the mischief begins."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Damp the joints."""
        tick["tau_law"] = -5.0 * tick["qd"]
        if self.mischief:
            self.mischief(prev, tick)


class OwnLaws:
    """One law after another, each with a mischief of its own."""

    def __init__(self, folder: Path) -> None:
        del folder

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Let laws misbehave on arms that move."""
        stopped = sum(self._one(dice) for _ in range(count))
        return Tally(count - stopped, stopped)

    def _one(self, dice: random.Random) -> bool:
        """One law; whether it was stopped."""
        spec = dice.choice(SPECS)
        torque = "ur5e" not in spec and dice.random() < 0.6
        mischief, must_stop, what = _mischief(dice)
        law: Any = (OwnTorque if torque else OwnPose)(mischief)
        arm = MovingArm(spec, dice, [law])
        arm.zero()
        arm.give("LAW mischief", "JOG 0.05 0.1 0.05 0 0 0.1 world 2.0")
        arm.run(0.3)
        if arm.rows[-1]["state"].item() != State.ACTIVE:
            raise Finding(f"the law is not active: {arm.rows[-1]['state'].item()}")
        law.mischief = law.prepared
        arm.run(0.3)
        faulted = arm.rows[-1]["state"].item() == State.FAULT
        law.mischief = None
        arm.give("OFF")
        arm.run(2.0)
        arm.check(broken_law=True)
        if must_stop and not faulted:
            raise Finding(f"a law that {what} is no fault")
        arm.robot.close()
        return faulted


def _mischief(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Something that a law should not do, whether it is a fault, and what it is."""
    makers = (_numbers, _raising, _scribbling, _shapes, _recursing, _slow, _jumping, _global_state)
    return dice.choice(makers)(dice)


def _numbers(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Writes numbers that are not finite, or huge."""
    huge = [size for size in EXTREMES if size > 1e5]
    wrong = dice.choice(
        (float("nan"), float("inf"), -float("inf"), *huge, *(-size for size in huge))
    )
    name = dice.choice(("X_WT_cmd", "X_WT_cmd", "tau_law", "v_cmd_T", *_OWN))
    element = dice.choice((None, 0, 3, 6))

    def act(_prev: Rows, tick: Rows) -> None:
        if tick[name].dtype.kind != "f":
            tick[name] = 2**62
        elif element is None or tick[name][0].ndim == 0:
            tick[name][0] = wrong
        else:
            tick[name][0].ravel()[element % tick[name][0].size] = wrong

    return act, False, f"writes {wrong} to {name}"


def _raising(dice: random.Random) -> tuple[Mischief, bool, str]:
    error = dice.choice(_ERRORS)

    def act(_prev: Rows, _tick: Rows) -> None:
        if error is SystemExit:
            sys.exit("enough")
        raise error()

    return act, True, f"raises {error.__name__}"


def _scribbling(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Writes where it must not: into the last tick, and into others' columns."""
    name, step = (
        dice.choice(("q_sent", "qd_limited", "tau_sent", *_OTHERS)),
        dice.choice((0.3, 1e9)),
    )

    def act(prev: Rows, tick: Rows) -> None:
        for row in (prev, tick):
            row[name] = (row[name] + step).astype(row[name].dtype)
        if name.startswith("w"):
            prev.view(np.uint8)[:] = 0x37

    return act, False, f"writes {name}"


def _shapes(dice: random.Random) -> tuple[Mischief, bool, str]:
    wrong: Any = dice.choice((np.zeros(5), np.zeros((2, 7)), "text", None, [1, 2], object(), 1j))

    def act(_prev: Rows, tick: Rows) -> None:
        tick["X_WT_cmd"] = wrong

    return act, True, f"writes {wrong!r}"


def _recursing(_dice: random.Random) -> tuple[Mischief, bool, str]:
    def act(prev: Rows, tick: Rows) -> None:
        act(prev, tick)

    return act, True, "calls itself"


def _slow(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Takes long; simulated time does not notice."""
    seconds = dice.choice((0.0, 0.001))

    def act(_prev: Rows, _tick: Rows) -> None:
        time.sleep(seconds)

    return act, False, "takes long"


def _jumping(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Commands another pose, and full torque the other way, in each tick."""
    rng = np.random.default_rng(dice.getrandbits(32))
    size = dice.choice((0.01, 1.0, 100.0))

    def act(_prev: Rows, tick: Rows) -> None:
        tick["X_WT_cmd"][0, :3] += size * rng.standard_normal(3)
        tick["X_WT_cmd"][0, 3:] = rng.standard_normal(4)
        tick["tau_law"] = 1e3 * rng.standard_normal(tick["tau_law"].shape)

    return act, False, "jumps"


def _global_state(dice: random.Random) -> tuple[Mischief, bool, str]:
    """Changes what the whole process shares, and keeps its rows."""
    kept: list[Rows] = []

    def act(prev: Rows, tick: Rows) -> None:
        np.random.seed(dice.getrandbits(16))
        kept[:] = [prev, tick]
        for row in kept:
            row["q"][:] = 9.0

    return act, False, "keeps its rows"
