"""Parameters of the joint board."""

from pliant.params import NonNegative, Params, Positive, param


class JointsConfig(Params):
    """Motion of single joints, and fault thresholds."""

    speed: NonNegative = param(0.2, "rad/s", "Initial mean speed of trajectories.", le=10.0)
    acceleration: Positive = param(
        2.0, "rad/s²", "Initial acceleration of velocity ramps.", le=100.0
    )
    acceleration_share: Positive = param(
        0.5,
        "1",
        "Share of the acceleration that safety allows, for braking and trajectories.",
        le=1.0,
    )
    velocity_timeout: Positive = param(
        0.2, "s", "Timeout of a streamed velocity, which then ramps to zero.", le=2.0
    )
    torque_timeout: Positive = param(
        0.2, "s", "Timeout of a streamed torque or output; exceeding it is a fault.", le=2.0
    )
    stiffness_share: Positive = param(
        10.0, "1/rad", "Largest compliant stiffness, per N·m of a joint's torque limit.", le=100.0
    )
    damping_share: Positive = param(
        1.0, "s/rad", "Largest compliant damping, per N·m of a joint's torque limit.", le=10.0
    )
    over_torque: Positive = param(
        1.0,
        "1",
        "A measured torque above this share of a joint's limit is a fault; of a servo also one at "
        "it.",
        le=10.0,
    )
    tracking: Positive = param(
        0.25, "rad", "A position this far from its set point for `fault_time` is a fault.", le=3.0
    )
    fault_time: NonNegative = param(
        0.05, "s", "How long over-torque or lost tracking must last to be a fault.", le=1.0
    )
    hard_limit: NonNegative = param(
        0.02, "rad", "A position this far beyond a joint's limit is a fault.", le=1.0
    )
    calibration_time: Positive = param(1.0, "s", "How long a calibration takes.", le=60.0)
    calibrated: bool = param(
        True, "", "Whether joints are calibrated at start; otherwise they need a calibration."
    )
