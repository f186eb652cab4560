"""Limits of joint commands: those of the arm, reduced by safety and by the board."""

from dataclasses import dataclass

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.spatial import Array
from pliant.params import KernelParams
from pliant.stages.joints.config import JointsConfig


@dataclass(frozen=True, kw_only=True, eq=False)
class JointLimits(KernelParams):
    """Limits per joint.

    Attributes:
        q_min: Lowest commanded position, rad.
        q_max: Highest commanded position, rad.
        qd_max: Largest speed, rad/s.
        qdd_max: Largest acceleration of motion, rad/s².
        qdd_stop: Deceleration of a stop: the arm's own limit, whatever is configured, rad/s².
        tau_max: Largest torque, N·m.
        K_max: Largest compliant stiffness, N·m/rad; the smallest is zero.
        D_max: Largest compliant damping, N·m·s/rad; the smallest is zero.
        q_least: The arm's own lower position limit, rad.
        q_most: The arm's own upper position limit, rad.
        temperature_max: Temperature at which a joint must stop, °C.
    """

    q_min: Array
    q_max: Array
    qd_max: Array
    qdd_max: Array
    qdd_stop: Array
    tau_max: Array
    K_max: Array
    D_max: Array
    q_least: Array
    q_most: Array
    temperature_max: float


def joint_limits(
    arm: ArmDescription,
    config: JointsConfig,
    *,
    margin: float,
    speed_share: float,
    acceleration_share: float,
) -> JointLimits:
    """The limits of an arm's joints.

    Args:
        arm: The arm's parameters.
        config: The board's parameters.
        margin: Distance kept from each joint limit, rad.
        speed_share: Share of the arm's joint speeds that may be used.
        acceleration_share: Share of its joint accelerations that may be used.
    """
    return JointLimits(
        q_min=arm.q_min + margin,
        q_max=arm.q_max - margin,
        qd_max=arm.qd_max * speed_share,
        qdd_max=arm.qdd_max * acceleration_share * config.acceleration_share,
        qdd_stop=np.array(arm.qdd_max),
        tau_max=np.array(arm.tau_max),
        K_max=arm.tau_max * config.stiffness_share,
        D_max=arm.tau_max * config.damping_share,
        q_least=np.array(arm.q_min),
        q_most=np.array(arm.q_max),
        temperature_max=float(arm.temperature_max),
    )
