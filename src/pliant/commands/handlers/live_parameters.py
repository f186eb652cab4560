"""Which parameters can be set while the arm runs."""

from pliant.arms.description import ArmDescription
from pliant.errors import Refused

_SECTIONS = ("wrench", "reference", "laws", "contact", "resolve", "joints", "safety", "supervisor")
_WEIGHT = ("tool.mass", "tool.com_F")


def live_paths(arm: ArmDescription) -> tuple[str, ...]:
    """Sections and single parameters that can be set while an arm runs.

    On a position arm the tool's weight is only subtracted from the sensor's reading, so it can be
    set. On a torque arm it is part of the model that drives the arm.
    """
    return _SECTIONS if arm.takes_torque else (*_SECTIONS, *_WEIGHT)


def refuse_fixed(path: str, arm: ArmDescription) -> None:
    """Refuse a parameter that cannot be set while the arm runs."""
    live = live_paths(arm)
    if any(path == name or path.startswith(f"{name}.") for name in live):
        return
    why = ", as it is part of the model that drives a torque arm" if path in _WEIGHT else ""
    raise Refused(
        f"{path} cannot be changed while the arm is running{why}; these can: {', '.join(live)}"
    )
