"""The same task by position control alone, for comparison."""

from math import inf

from pliant.api.arm import Arm
from pliant.pose import PoseNumbers

APPROACH = 0.010
"""Speed of the approach, m/s."""

_HOVER = 0.005
_DEPTH = 0.010
"""How far below the surface the peg is driven, m."""
_RESISTANCE = 5.0
"""Force above which the peg is not in the hole, N."""
_SETTLE = 0.6


def insert_stiffly(arm: Arm, X_WH: PoseNumbers, hole_depth: float) -> tuple[bool, str]:
    """Move straight down; whether the peg is seated, and a note.

    The contact-force stop is off. The peg pushes 10 mm below the surface; if it meets no resistance
    there, it is in the hole and goes on to its bottom.
    """
    arm.set("safety.contact_force", inf)
    arm.set("safety.contact_torque", inf)
    arm.set_axes("")
    arm.activate("position")
    x, y, z, *_ = X_WH
    arm.move_to([x, y, z + _HOVER, *arm.tick.X_WT[3:]])
    _push_down(arm, _HOVER + _DEPTH)
    if abs(arm.tick.w_T[2]) > _RESISTANCE:
        return False, f"pushed {1e3 * _DEPTH:.0f} mm below the surface"
    _push_down(arm, hole_depth - _DEPTH)
    seated = z - float(arm.tick.X_WT[2]) > 0.95 * hole_depth
    return seated, "seated" if seated else "stuck"


def _push_down(arm: Arm, distance: float) -> None:
    arm.move_by([0.0, 0.0, -distance, 0.0, 0.0, 0.0], speed=APPROACH, wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1, timeout=60.0)
    arm.wait(_SETTLE)
