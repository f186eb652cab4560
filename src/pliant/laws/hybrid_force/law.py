"""The hybrid force law."""

import numpy as np

from pliant.laws.cartesian_impedance import CartesianImpedance
from pliant.laws.hybrid_force.config import HybridForceConfig
from pliant.laws.hybrid_force.kernel import HybridForceParams, State, hybrid_force_kernel

MOST_FRICTION = 2.0
"""Bound of the observed friction, relative to the typical one."""


class HybridForce(CartesianImpedance):
    """τ = Jᵀ·(P·(K·e + D·ė + Λ·(a_r − J̇·q̇)) + S·f) + c + N·τ_posture − κ·τ_f; f regulates force.

    S are the force-controlled rows of Tr, P the others. Along a force-controlled row in contact,
    with e_f = w − w_d the sensed minus the desired force,

        f = −w_d + k_p·e_f + ∫k_i·(e_f − D·v/(1 + k_p)) − D·v,    D = 2·√(k·(1 + k_p)·Λ)

    with k the estimated stiffness of the environment. In free motion f = D·(v_free − v): the tool
    approaches in the direction of its force error, with the speed whose knock on a stiff surface is
    within `contact_peak`. What is faster than `max_speed` is braked.

    Closed loop in contact: Λ·ẍ + D·ẋ + (1 + k_p)·k·x = (1 + k_p)·w_d + ∫…: critically damped on
    every surface; the integral removes what friction takes of the force. Along the other rows:
    `cartesian_impedance`. τ_f is the observed friction of the joints (see `laws.joint_friction`);
    with κ = 1 there is none left for the integral.

    Follows a tool reference; needs a trusted wrench. Preconditions as `cartesian_impedance`.

    After O. Khatib, "A unified approach for motion and force control of robot manipulators", 1987.
    """

    name = "hybrid_force"
    needs_force = True
    State = State
    Config = HybridForceConfig
    kernel = staticmethod(hybrid_force_kernel)

    def parameters(self, config: HybridForceConfig) -> np.ndarray:
        """The row of the kernel for these parameters; gains and posture ramp to them.

        Raises:
            ConfigError: The posture does not have one value per joint, or exceeds a joint limit.
        """
        return HybridForceParams(
            **self._impedance(config),
            force_p=config.force_p,
            force_i=config.force_i,
            force_i_limit=config.force_i_limit,
            contact_peak=config.contact_peak,
            wrench_rate=config.wrench_rate,
            max_speed=config.max_speed,
            friction_share=config.friction_share,
            friction_time=config.friction_time,
            friction_most=MOST_FRICTION * self._arm.description.friction,
        ).row()
