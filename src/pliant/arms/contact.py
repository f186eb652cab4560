"""What is known of a contact before it is made: the servo's lag, and the surface expected."""

from pliant.params import NonNegative, Params, param


class ContactConfig(Params):
    """The figures from which the stability of a contact is computed; `pliant identify` finds them.

    They change nothing in the loop: they are what gains are judged by.
    """

    dead_time: NonNegative | None = param(
        None, "s", "Dead time of the arm's servo; null is the arm's usual one.", le=0.2
    )
    time_constant: NonNegative | None = param(
        None, "s", "Its first-order lag after that; null is the arm's usual one.", le=1.0
    )
    surface_stiffness: float | None = param(
        None, "N/m", "The stiffest surface expected; null is not known.", gt=0.0
    )
    surface_damping: NonNegative = param(0.0, "N·s/m", "Damping of that surface.")
    surface_mass: NonNegative = param(0.0, "kg", "Mass of it that moves with the tool.")
    refuse_unstable: bool = param(
        False, "", "Refuse gains with which contact with that surface would be unstable."
    )
