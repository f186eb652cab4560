"""Parameters of the Cartesian impedance law."""

from typing import Literal

from pliant.params import JointVector, NonNegative, Params, Positive, SixNonNegative, param


class CartesianImpedanceConfig(Params):
    """Springs and dampers between tool and reference, in the axes of the tool.

    A pair is (translation, rotation).
    """

    stiffness: SixNonNegative = param((600.0, 40.0), "N/m, N·m/rad", "K.")
    damping: SixNonNegative = param(
        (0.0, 0.0), "N·s/m, N·m·s/rad", "Explicit part of the damping D."
    )
    damping_ratio: NonNegative = param(
        0.8, "1", "ζ of every mode of K and the arm's inertia; adds nothing where K = 0.", le=5.0
    )
    error_clip: tuple[Positive, Positive] = param(
        (0.1, 0.6), "m, rad", "Bound of the error that acts on the springs."
    )
    posture: JointVector | None = param(
        None,
        "rad",
        "Configuration that the joints approach in the null space; null: where the law starts.",
    )
    posture_stiffness: NonNegative = param(
        10.0, "N·m/rad", "Stiffness of the posture; its damping is 2·√ of it.", le=200.0
    )
    posture_ramp: Positive = param(2.0, "s", "How long a change of posture takes.")
    projector: Literal["dynamic", "kinematic"] = param(
        "dynamic", "", "Null-space projector: consistent in motion as well, or at rest only."
    )
    gain_ramp: NonNegative = param(0.2, "s", "How long a change of gains takes.")
