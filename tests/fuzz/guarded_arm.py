"""Controllers that get stuck or die on an arm that keeps moving, and one that does no wrong."""

import random
from pathlib import Path

from pliant.controller.exit_reason import ExitReason

from ..guardian_trials import MISDEEDS, TRIGGER, calm, trial
from .kind import Finding, Tally
from .own_folder import runtime_folder_at

LATEST = TRIGGER + 0.05
"""The stop is on the wire this long after the last set point, s, in every trial."""

_LOAD = 4
"""Processes that only compute, beside a controller that must not be stopped."""


class Stuck:
    """The guardian brings the arm to rest, whatever became of its controller."""

    def __init__(self, folder: Path) -> None:
        self._folder = runtime_folder_at(folder / "run")

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Let controllers get stuck, be killed or stopped, or run out of memory."""
        for _ in range(count):
            misdeed = dice.choice(MISDEEDS)
            outcome = trial(misdeed, self._folder)
            if not outcome.rests:
                raise Finding(f"an arm moves on after {misdeed!r}: {outcome}")
            if misdeed == "out of memory" and outcome.status == ExitReason.FAULT.status:
                continue  # the controller itself brought the arm to rest, so no stop was needed
            if not outcome.lapse <= LATEST:
                raise Finding(f"the stop after {misdeed!r} is late: {outcome}")
        return Tally(accepted=count)


class Calm:
    """No controller is stopped that does nothing wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = runtime_folder_at(folder / "run")

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Run a controller for some seconds on a busy machine."""
        outcome = calm(float(count), _LOAD, self._folder)
        if outcome.status != 0:
            raise Finding(f"a controller was stopped for nothing: {outcome}")
        return Tally(accepted=count)
