"""Let a hand guide the tool."""

import warnings
from math import inf
from typing import TYPE_CHECKING

from pliant.errors import PliantWarning, Refused
from pliant.stages.supervisor.conditions import Condition
from pliant.stages.supervisor.reaction import Reaction
from pliant.tasks.pressing import NO_WRENCH

if TYPE_CHECKING:
    from pliant.api.arm import Arm

_HYBRID, _POSITION, _GRAVITY = "hybrid_admittance", "position", "gravity"


def guide(
    arm: "Arm", seconds: float = inf, *, preset: str = "hand_guiding",
    until: Condition | str | None = None,
) -> None:  # fmt: skip
    """Guide; see `Arm.guide`."""
    if arm.session.metadata["clock"] == "fast" and seconds == inf and until is None:
        raise Refused("in simulated time say for how long to guide, or until when")
    gains = arm.config.laws.hybrid_admittance
    armed = None
    try:
        _float(arm, preset)
        armed = None if until is None else arm.on(until, Reaction.law(_POSITION))
        for _ in arm.ticks(seconds):
            if armed is not None and armed.fired:
                break
    finally:
        arm.release(armed)
        if arm.law not in (None, _POSITION):
            arm.activate(_POSITION)
        if arm.config.laws.hybrid_admittance != gains:
            own = set(type(gains).model_fields)
            arm.set(f"laws.{_HYBRID}", gains.model_dump(include=own))


def _float(arm: "Arm", preset: str) -> None:
    """Let the arm yield to a hand."""
    if arm.description.takes_torque:
        arm.activate(_GRAVITY)
        return
    with warnings.catch_warnings():
        # of gains that would ring on a surface; the documentation says so
        warnings.simplefilter("ignore", PliantWarning)
        arm.use_preset(preset)
        if arm.law != _HYBRID:
            arm.activate(_HYBRID)
        arm.set_axes("x y z rx ry rz")
        arm.set_wrench(NO_WRENCH)
