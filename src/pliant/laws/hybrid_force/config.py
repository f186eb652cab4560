"""Parameters of the hybrid force law."""

from pliant.laws.cartesian_impedance import CartesianImpedanceConfig
from pliant.params import NonNegative, Pair, Positive, param


class HybridForceConfig(CartesianImpedanceConfig):
    """Springs and dampers along rigid axes, force regulation along force-controlled ones.

    The springs are in the axes of Tr: those of the tool unless chosen otherwise. Damping along
    force-controlled axes follows from the estimated stiffness and the arm's inertia.
    """

    force_p: NonNegative = param(1.0, "1", "Proportional gain on the force error.", le=5.0)
    force_i: NonNegative = param(
        40.0, "1/s", "Integral gain on the force error; less on a soft surface.", le=100.0
    )
    force_i_limit: tuple[Positive, Positive] = param(
        (20.0, 3.0), "N, N·m", "Bound of the integral part: friction that it can overcome."
    )
    contact_peak: Positive = param(
        8.0,
        "N",
        "Peak that a first contact may have; 1.4 times the force target if that is more.",
        le=200.0,
    )
    max_speed: tuple[Positive, Positive] = param(
        (1.0, 4.0),
        "m/s, rad/s",
        "Speed along force-controlled axes, in free motion and in contact, that is braked.",
    )
    friction_share: float = param(
        0.0,
        "1",
        "Share of the joints' friction, as observed with the wrist sensor, that is compensated.",
        ge=0.0,
        le=1.0,
    )
    friction_time: Positive = param(0.02, "s", "Time constant of the friction observer.", le=1.0)
    wrench_rate: Pair = param(
        (50.0, 5.0), "N/s, N·m/s", "Rate at which a new wrench target is approached."
    )
