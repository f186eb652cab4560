"""The Cartesian impedance law."""

from typing import Any

import numpy as np

from pliant.errors import ConfigError
from pliant.laws.cartesian_impedance.config import CartesianImpedanceConfig
from pliant.laws.cartesian_impedance.kernel import ImpedanceParams, State, impedance_kernel
from pliant.laws.law_base import TorqueLaw
from pliant.laws.posture import posture_row
from pliant.params import AXES, Params

_USUAL_DAMPING = (40.0, 2.0)
"""Damping that lets an axis without a spring be guided by hand, N·s/m and N·m·s/rad."""


class CartesianImpedance(TorqueLaw):
    """τ = Jᵀ·(K·e + D·(v_r − v) + Λ·(a_r − J̇·q̇)) + c + N·τ_posture.

    e is the error from the tool to its reference in the tool's axes, clipped; Λ = (J·M⁻¹·Jᵀ)⁻¹ is
    the apparent inertia of the tool; N projects the posture torque τ_posture = k·(q_p − q) − 2·√k·q̇
    into the null space of the tool.

    Closed loop: Λ(q)·ë + D·ė + K·e = −w_ext. A wrench w deflects the tool by w/K, and every mode
    returns with the configured damping ratio. Friction that the arm does not compensate adds to w.

    Follows a tool reference; needs no force sensor. Preconditions: no axis without damping;
    K·dt² and D·dt below the smallest inertia of the axis.

    After O. Khatib, "A unified approach for motion and force control of robot manipulators", 1987,
    and A. Albu-Schäffer et al., "Cartesian impedance control of redundant robots", 2003.
    """

    name = "cartesian_impedance"
    State = State
    Config = CartesianImpedanceConfig
    kernel = staticmethod(impedance_kernel)

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot work at this period."""
        assert isinstance(config, CartesianImpedanceConfig)
        posture_row(config.posture, self._arm.description, f"laws.{self.name}.posture")
        rows = zip(
            AXES, config.stiffness, config.damping, self._arm.smallest_tool_inertia, strict=True
        )
        for axis, k, d, m in rows:
            if d == 0.0 and (k == 0.0 or config.damping_ratio == 0.0):
                usual = _USUAL_DAMPING[len(axis) > 1]
                raise ConfigError(
                    f"axis {axis} has no damping (explicit damping 0, and a damping ratio adds "
                    "nothing where stiffness or ratio is 0): it would never come to rest; give it "
                    f"an explicit damping, such as {min(usual, 0.5 * m / dt):.3g}"
                )
            _refuse_fast(axis, "D·dt/Λ", d * dt / m, f"damping <= {m / dt:.3g}", dt)
            _refuse_fast(axis, "K·dt²/Λ", k * dt * dt / m, f"stiffness <= {m / dt**2:.3g}", dt)
            ratio = config.damping_ratio * 2.0 * np.sqrt(k / m) * dt
            _refuse_fast(axis, "2ζ·√(K/Λ)·dt", ratio, "a smaller damping_ratio", dt)

    def parameters(self, config: CartesianImpedanceConfig) -> np.ndarray:
        """The row of the kernel for these parameters; gains and posture ramp to them.

        Raises:
            ConfigError: The posture does not have one value per joint, or exceeds a joint limit.
        """
        return ImpedanceParams(**self._impedance(config)).row()

    def _impedance(self, config: CartesianImpedanceConfig) -> dict[str, Any]:
        """The fields of `ImpedanceParams`."""
        posture, has_posture = posture_row(
            config.posture, self._arm.description, f"laws.{self.name}.posture"
        )
        return {
            "stiffness": config.stiffness,
            "damping": config.damping,
            "damping_ratio": config.damping_ratio,
            "error_clip": config.error_clip,
            "posture": posture,
            "has_posture": has_posture,
            "posture_stiffness": config.posture_stiffness,
            "posture_ramp": config.posture_ramp,
            "is_dynamic": config.projector == "dynamic",
            "gain_ramp": config.gain_ramp,
            "tau_rate_max": self._arm.description.tau_rate_max,
        }


def _refuse_fast(axis: str, what: str, value: float, instead: str, dt: float) -> None:
    if value > 1.0:
        raise ConfigError(
            f"axis {axis}: {what} = {value:.3g} exceeds 1 at {1 / dt:g} Hz where the effective "
            f"mass of the tool is smallest, so the tool would chatter; use {instead}"
        )
