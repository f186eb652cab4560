"""The hybrid admittance law, in the loop and standalone."""

from collections.abc import Sequence
from math import inf
from typing import Self

import numpy as np

from pliant.arms.arm_model import ArmModel
from pliant.errors import ConfigError
from pliant.laws.hybrid_admittance.axes import Mask, axes_from_mask, mask_from_names
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.hybrid_state import State
from pliant.laws.hybrid_admittance.kernel import hybrid_kernel
from pliant.laws.hybrid_admittance.presets import preset
from pliant.laws.law_base import PoseLaw
from pliant.numerics.spatial import Array
from pliant.params import Params
from pliant.pose import Pose, pose_numbers
from pliant.tick import Rows, new_rows


class HybridAdmittance(PoseLaw):
    """M·a + D·v + K·x = w_sensed − w_desired along force-controlled axes, tracking along the rest.

    Closed loop: on a compliant axis the tool behaves as a mass M, connected to its reference by a
    spring K and a damper D, and driven by the force error. With K = 0 it moves until the sensed
    wrench is w_desired. Axes that are not force-controlled track the reference
    (`rigid_axes = "track"`) or approach it through M, D and K, without force (`"spring"`).

    The state is integrated on the last commanded pose, so the lag of the arm's servo does not slow
    the law down. Wrenches are in T at the TCP, newton and newton metre; positive is what the
    environment does to the tool.

    Preconditions: M > 0, D·dt/M <= 1, no axis without damping; see `HybridConfig.check`.

    After Y. Hou and M. T. Mason, "Robust execution of contact-rich motion plans by hybrid
    force-velocity control", ICRA 2019.
    """

    name = "hybrid_admittance"
    needs_force = True
    State = State
    Config = HybridConfig
    kernel = staticmethod(hybrid_kernel)

    def __init__(self, config: HybridConfig | str | None = None, *, dt: float = 0.002) -> None:
        """Make the law; standalone it runs with period dt through `step`.

        Args:
            config: Parameters, the name of a preset, or None for the default.
            dt: The period of the loop, s.

        Raises:
            ConfigError: The gains cannot be stable at this period.
            UnknownNameError: There is no such preset.
        """
        if not 0.0 < dt < inf:
            raise ConfigError(f"the period of a law must be above zero and finite, not {dt}")
        self._dt = dt
        self._bare: tuple[Rows, Rows] | None = None
        self.configure(preset(config) if isinstance(config, str) else config or HybridConfig())

    @classmethod
    def build(cls, config: HybridConfig, _arm: ArmModel, dt: float) -> Self:
        """Make the law for an arm and a control period."""
        return cls(config, dt=dt)

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot be stable at this period."""
        assert isinstance(config, HybridConfig)
        config.check(dt)

    def configure(self, config: HybridConfig) -> None:
        """Take new parameters; the gains ramp to them over `gain_ramp`.

        Raises:
            ConfigError: The gains cannot be stable at the law's period.
        """
        config.check(self._dt)
        super().configure(config)

    def step(
        self,
        pose: Sequence[float] | Array | Pose,
        wrench: Sequence[float] | Array,
        *,
        reference: Sequence[float] | Array | Pose | None = None,
        desired: Sequence[float] | Array | None = None,
        axes: str | Mask = (1, 1, 1, 1, 1, 1),
    ) -> Array:
        """One period of the standalone law, for a user's own loop.

        Args:
            pose: The pose to integrate from, x y z qw qx qy qz: usually the last step's result.
            wrench: The wrench on the tool in its own axes at the TCP.
            reference: The pose of the springs; if None the last one given, or else the first pose.
            desired: The desired sensed wrench; zero if None.
            axes: The force-controlled axes, as a mask or as names like "x y z"; a change of axes
                resets the velocity.

        Returns:
            The pose to command.

        Raises:
            ConfigError: An argument is invalid; the state of the law does not change.
        """
        if isinstance(self.config, HybridConfig) and self.config.is_adaptive:
            raise ConfigError(
                "adaptive damping needs the estimates of the control loop: use fixed damping here"
            )
        pose, w_T = _pose(pose, "pose"), _numbers(wrench, 6, "wrench")
        X_WR = None if reference is None else _pose(reference, "reference")
        w_target = np.zeros(6) if desired is None else _numbers(desired, 6, "desired")
        Tr, n_af = axes_from_mask(mask_from_names(axes) if isinstance(axes, str) else axes)
        if self._bare is None:
            self._bare = self._first_rows(pose)
        prev, tick = self._bare
        tick["X_WR"] = prev["X_WR"] if X_WR is None else X_WR
        tick["w_target"] = w_target
        tick["w_T"] = w_T
        tick["X_WT"] = tick["X_WT_sent"] = prev["X_WT_cmd"] = pose
        self._select(prev, tick, Tr, n_af)
        self.update(prev, tick)
        self._bare = (tick, prev)
        return tick["X_WT_cmd"][0].copy()

    def _first_rows(self, pose: Array) -> tuple[Rows, Rows]:
        rows = new_rows(0, 2)
        rows["dt"] = self._dt
        rows["law"] = 0
        rows["X_WR"] = pose
        prev, tick = rows[:1], rows[1:]
        start = self.state_of(prev)
        for gain, value in zip("KDM", ("stiffness", "total_damping", "inertia"), strict=True):
            start[gain] = getattr(self.config, value)
        return prev, tick

    def _select(self, prev: Rows, tick: Rows, Tr: Array, n_af: int) -> None:
        if not (np.array_equal(Tr, prev["Tr"][0]) and n_af == prev["n_af"][0]):
            self.state_of(prev)["V_W"] = 0.0
        # there is no reference stage to continue from a new pose, so the caller's reference stays
        prev["Tr"] = tick["Tr"] = Tr
        prev["n_af"] = tick["n_af"] = n_af


def _pose(values: Sequence[float] | Array | Pose, name: str) -> Array:
    try:
        return np.array(pose_numbers(values))
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None


def _numbers(values: Sequence[float] | Array, count: int, name: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise ConfigError(f"{name} must be {count} finite numbers, not {values!r}")
    return array
