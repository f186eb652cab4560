"""End all forces and move away from a surface."""

from typing import TYPE_CHECKING

from pliant.api.move_result import Moved
from pliant.errors import Refused
from pliant.tasks.pressing import FORCE_LAWS, NO_WRENCH, Axis, axis_vector

if TYPE_CHECKING:
    from pliant.api.arm import Arm


def retract(
    arm: "Arm", distance: float = 0.02, axis: Axis = "z", *, speed: float | None = None
) -> Moved | None:
    """Retract; see `Arm.retract`."""
    if not distance > 0.0:
        raise Refused(f"retract by more than 0 m, not {distance:g} m")
    if arm.law in FORCE_LAWS:
        arm.set_wrench(NO_WRENCH)
        arm.set_axes("")
        # after these the reference is the current pose
        for _ in arm.ticks(3.0 * arm.dt):
            pass
    return arm.move_by(-distance * axis_vector(axis), "tool", speed=speed)
