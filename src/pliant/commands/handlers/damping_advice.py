"""A warning about a damping ratio that adds nothing."""

from pliant.commands.reply import numbers
from pliant.config import Config
from pliant.params import AXES


def idle_damping_ratio(before: Config, after: Config) -> str:
    """Where a damping ratio that was just chosen adds nothing, because there is no spring."""
    law = after.laws.hybrid_admittance
    if law == before.laws.hybrid_admittance:
        return ""
    rows = zip(AXES, law.damping_ratio, law.stiffness, strict=True)
    axes = [axis for axis, ratio, k in rows if ratio > 0.0 and k == 0.0]
    if not axes:
        return ""
    return (
        f"damping_ratio adds nothing along {' '.join(axes)}, where the stiffness is 0: the damping "
        f"there is the explicit one, {numbers(law.damping)}"
    )
