"""Parameters of an expected contact: the servo's lag, and the surface."""

from pliant.params import NonNegative, Params, param


class ContactConfig(Params):
    """Parameters of the stability check of a contact; `pliant identify` measures them.

    They have no effect on the loop.
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
