"""An arm with its tool: parameters and rigid-body model, for the set-up of laws."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription, Array
from pliant.arms.pinocchio import TCP_FRAME

_SAMPLES = 300
# Smallest singular value of the Jacobian, m, below which a configuration is too near a singularity
# to be representative of the tool's inertia.
_SINGULAR = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmModel:
    """The parameters of an arm, and its rigid-body model.

    Attributes:
        description: The parameters.
        model: Pinocchio's model, with the tool.
    """

    description: ArmDescription
    model: pin.Model

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.description.n

    @cached_property
    def smallest_inertia(self) -> Array:
        """Smallest inertia of each joint over all configurations, the others held, kg·m²."""
        return np.min([np.diag(M) for _, M in self._sampled], axis=0)

    @cached_property
    def largest_inertia(self) -> Array:
        """Largest inertia of each joint over all configurations, the others held, kg·m²."""
        return np.max([np.diag(M) for _, M in self._sampled], axis=0)

    @cached_property
    def smallest_tool_inertia(self) -> Array:
        """Smallest apparent inertia of the tool along each of its axes, kg and kg·m²."""
        data, frame = self.model.createData(), self.model.getFrameId(TCP_FRAME)
        mobilities = []
        for q, M in self._sampled:
            J_T = pin.computeFrameJacobian(self.model, data, q, frame, pin.LOCAL)
            if np.linalg.svd(J_T, compute_uv=False)[-1] > _SINGULAR:
                mobilities.append(np.diag(J_T @ np.linalg.solve(M, J_T.T)))
        return 1.0 / np.max(mobilities, axis=0)

    def gentle_braking(self, torque_share: float) -> Array:
        """Accelerations with which all joints can brake at once, with a share of the torque."""
        arm = self.description
        need = np.max([np.abs(M) @ arm.qdd_max for _, M in self._sampled], axis=0)
        return arm.qdd_max * min(1.0, float((torque_share * arm.tau_max / need).min()))

    @cached_property
    def _sampled(self) -> list[tuple[Array, Array]]:
        """Random configurations within the joints' ranges, with their mass matrices."""
        rng = np.random.default_rng(0)
        arm, data = self.description, self.model.createData()
        sampled = []
        for q in rng.uniform(arm.q_min, arm.q_max, (_SAMPLES, arm.n)):
            upper = np.triu(pin.crba(self.model, data, q))
            sampled.append((q, upper + np.triu(upper, 1).T))
        return sampled
