"""Which parameters can be set while the arm runs."""

from pliant.arms.description import ArmDescription
from pliant.errors import Refused

_SECTIONS = ("wrench", "reference", "laws", "contact", "resolve", "joints", "safety", "supervisor")
_WEIGHT = ("tool.mass", "tool.com_F")


def live_paths(arm: ArmDescription) -> tuple[str, ...]:
    """Sections and single parameters that can be set while an arm runs.

    The tool's weight is only subtracted from what the sensor says where the arm takes positions. A
    torque arm is driven by a model of which it is a part.
    """
    return _SECTIONS if arm.takes_torque else (*_SECTIONS, *_WEIGHT)


def refuse_fixed(path: str, arm: ArmDescription) -> None:
    """What is not live is refused, and why if that is the arm's doing."""
    live = live_paths(arm)
    if any(path == name or path.startswith(f"{name}.") for name in live):
        return
    why = ", as it is part of the model that drives a torque arm" if path in _WEIGHT else ""
    raise Refused(f"{path} is fixed while the arm runs{why}; live: {', '.join(live)}")
