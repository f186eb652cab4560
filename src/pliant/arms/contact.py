"""Parameters of an expected contact: the servo's lag, the surface, and the oscillation observer."""

from pliant.params import NonNegative, Params, param

STIFFEST = 1.2e5
"""Stiffness of the stiffest surface that adaptive gains reckon with before they know it, N/m."""

STIFFEST_ROTATION = 50.0
"""The same about an axis, where it is not estimated, N·m/rad."""

TIP_STIFFNESS = 1e5
"""Stiffness of a typical arm at its tool, in series with that of the surface, N/m."""


class ContactConfig(Params):
    """What is known of contacts; `pliant identify` measures it.

    The lag is the one that an arm is assumed to have until it has moved; the rest is for the
    stability check, and has no effect on the loop.
    """

    dead_time: NonNegative | None = param(
        None, "s", "Dead time of the arm's servo; null: the arm's typical one.", le=0.2
    )
    time_constant: NonNegative | None = param(
        None,
        "s",
        "First-order lag of the servo after the dead time; null: the arm's typical one.",
        le=1.0,
    )
    surface_stiffness: float | None = param(
        None, "N/m", "Stiffness of the stiffest expected surface; null: unknown.", gt=0.0, le=1e9
    )
    surface_damping: NonNegative = param(0.0, "N·s/m", "Damping of that surface.")
    surface_mass: NonNegative = param(0.0, "kg", "Mass of the surface that moves with the tool.")
    refuse_unstable: bool = param(
        False, "", "Refuse gains that are unstable in contact with that surface."
    )
    observe_oscillation: bool = param(
        True, "", "Raise damping and inertia of a law while it swings against what it touches."
    )
