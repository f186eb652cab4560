"""Parameters of task-space inverse dynamics."""

from pliant.params import JointVector, NonNegative, Pair, Params, Positive, param


class TaskSpaceConfig(Params):
    """Tasks and limits; a pair is (translation, rotation)."""

    bandwidth: Pair = param((40.0, 40.0), "rad/s", "Bandwidth of the error dynamics of the tool.")
    damping_ratio: Positive = param(1.0, "1", "Damping ratio ζ of the error dynamics.", le=5.0)
    error_clip: Pair = param((0.05, 0.3), "m, rad", "Bound of the error that acts.")
    posture: JointVector | None = param(
        None,
        "rad",
        "Configuration that the joints approach in the null space; null: where the law starts.",
    )
    posture_bandwidth: Positive = param(
        5.0, "rad/s", "Bandwidth of the posture task; critically damped.", le=100.0
    )
    posture_weight: Positive = param(
        1e-4, "1", "Weight of the posture task; that of the tool is 1.", ge=1e-8, le=1.0
    )
    posture_ramp: Positive = param(2.0, "s", "How long a change of posture takes.")
    torque_share: Positive = param(
        0.9, "1", "Share of the arm's torque limits that may be used.", ge=0.01, le=1.0
    )
    speed_share: Positive = param(
        0.75, "1", "Share of the arm's joint speed limits that may be used.", ge=0.01, le=1.0
    )
    joint_margin: NonNegative = param(0.05, "rad", "Kept free before each joint limit.", le=1.0)
    gain_ramp: NonNegative = param(0.2, "s", "How long a change of gains takes.")
