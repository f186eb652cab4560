"""Parameters of the hybrid admittance law, and the check of their stability."""

from math import inf, sqrt
from typing import Any, Literal

from pydantic import computed_field, model_validator

from pliant.errors import ConfigError
from pliant.params import (
    AXES,
    Limit,
    LimitPair,
    NonNegative,
    Params,
    Positive,
    SixNonNegative,
    SixPositive,
    param,
)


class HybridConfig(Params):
    """Gains in the axes of the tool, x y z rx ry rz; a pair is (translation, rotation).

    If the force-controlled axes are given in another frame, so are the gains. The default is well
    damped: pressing with K = 0 on a surface of up to about 10 N/mm through 34 ms of servo lag
    settles without ringing. docs/tuning.md explains the choice for others.
    """

    stiffness: SixNonNegative = param(
        (0.0, 0.0), "N/m, N·m/rad", "K: spring to the reference on compliant axes."
    )
    damping: SixNonNegative = param(
        (800.0, 20.0), "N·s/m, N·m·s/rad", "Explicit part of the damping D."
    )
    damping_mode: Literal["fixed", "adaptive"] = param(
        "fixed",
        "",
        "adaptive: damping, inertia and speed of force-controlled translations follow from the "
        "estimated lag and stiffness; rotations keep theirs. `damping: adaptive` is the same.",
    )
    contact_peak: Positive = param(
        8.0,
        "N",
        "Peak that a first contact may have under adaptive damping; 1.4 times the force target if "
        "that is more.",
        le=200.0,
    )
    damping_ratio: SixNonNegative = param(
        (0.0, 0.0), "1", "ζ: adds 2ζ√(MK) to the explicit damping; nothing where K = 0."
    )
    inertia: SixPositive = param((10.0, 0.25), "kg, kg·m²", "M: virtual inertia.")
    stiction: SixNonNegative = param(
        (0.0, 0.0), "N, N·m", "Dead band on the force error, per row of Tr."
    )
    max_spring_force: Limit = param(50.0, "N", "Cap on the length of the spring force.")
    max_spring_torque: Limit = param(4.0, "N·m", "Cap on the length of the spring torque.")
    pid_p: SixNonNegative = param((0.0, 0.0), "1", "Proportional gain on the force error.")
    pid_i: SixNonNegative = param((0.0, 0.0), "1/s", "Integral gain on the force error.")
    pid_d: SixNonNegative = param((0.0, 0.0), "s", "Derivative gain on the force error.")
    pid_i_limit: SixNonNegative = param(
        (0.0, 0.0), "N·s, N·m·s", "Bound of the integral of the force error."
    )
    rigid_axes: Literal["track", "spring"] = param(
        "track",
        "",
        "Axes without force control track the reference exactly, or through M, D and K.",
    )
    wrench_rate: LimitPair = param(
        (50.0, 5.0), "N/s, N·m/s", "Rate at which a new wrench target is approached."
    )
    gain_ramp: NonNegative = param(0.2, "s", "How long a change of gains takes.")
    max_speed: LimitPair = param((0.25, 1.0), "m/s, rad/s", "Speed of the commanded pose.")
    max_acceleration: LimitPair = param((2.0, 10.0), "m/s², rad/s²", "Its acceleration.")
    drift_reset: tuple[NonNegative, NonNegative] = param(
        (0.0, 0.0),
        "m/s, rad/s",
        "Below this speed, and without load, the velocity of compliant axes is zeroed; 0 is off.",
    )
    integration: Literal["exact", "first_order"] = param(
        "exact", "", "Integration of rotations; first_order is that of force_control_demo."
    )

    @model_validator(mode="before")
    @classmethod
    def _adaptive_by_name(cls, values: Any) -> Any:
        """Read `damping: adaptive` or `damping: fixed` as the mode."""
        if not isinstance(values, dict) or not isinstance(values.get("damping"), str):
            return values
        mode = values["damping"]
        return {k: v for k, v in values.items() if k != "damping"} | {"damping_mode": mode}

    @computed_field
    @property
    def is_adaptive(self) -> bool:
        """Whether damping follows from lag and stiffness."""
        return self.damping_mode == "adaptive"

    @computed_field
    @property
    def total_damping(self) -> tuple[float, ...]:
        """D: the explicit damping plus that of the damping ratio."""
        rows = zip(self.damping, self.damping_ratio, self.inertia, self.stiffness, strict=True)
        return tuple(d + 2.0 * ratio * sqrt(m * k) for d, ratio, m, k in rows)

    @computed_field
    @property
    def feed_forward(self) -> tuple[float, ...]:
        """1 where a spring connects the axis to the reference: damping then acts relative to it."""
        return tuple(1.0 if k > 0.0 else 0.0 for k in self.stiffness)

    @computed_field
    @property
    def rigid_by_spring(self) -> bool:
        """Whether axes without force control are driven by M, D and K."""
        return self.rigid_axes == "spring"

    @computed_field
    @property
    def is_first_order(self) -> bool:
        """Whether rotations are integrated to first order."""
        return self.integration == "first_order"

    @computed_field
    @property
    def has_pid(self) -> bool:
        """Whether any PID gain is above zero."""
        return any((*self.pid_p, *self.pid_i, *self.pid_d))

    @model_validator(mode="after")
    def _integral_has_room(self) -> "HybridConfig":
        for axis, gain, limit in zip(AXES, self.pid_i, self.pid_i_limit, strict=True):
            if gain > 0.0 and limit == 0.0:
                raise ValueError(f"axis {axis}: pid_i does nothing while pid_i_limit is 0")
        return self

    @model_validator(mode="after")
    def _no_stiction_with_pid(self) -> "HybridConfig":
        if any(self.stiction) and self.has_pid:
            raise ValueError(
                "stiction and PID gains together chatter: the PID sees the error that stiction "
                "hides; set one of them to zero"
            )
        return self

    def check(self, dt: float) -> None:
        """Refuse gains that cannot be stable at this period.

        Raises:
            ConfigError: An axis has no damping at all, or D·dt/M or K·dt²/M exceeds 1.
        """
        rows = zip(AXES, self.total_damping, self.inertia, self.stiffness, strict=True)
        for axis, d, m, k in rows:
            if d == 0.0:
                usual = _USUAL_DAMPING[len(axis) > 1]
                raise ConfigError(
                    f"axis {axis} has no damping (explicit damping 0, and a damping ratio adds "
                    "nothing where stiffness or ratio is 0): it would never come to rest; give it "
                    f"an explicit damping, such as {min(usual, 0.5 * m / dt):g}"
                )
            if d * dt / m > 1.0:
                raise ConfigError(
                    f"axis {axis}: D·dt/M = {d * dt / m:.3g} exceeds 1 at {1 / dt:g} Hz, the "
                    f"velocity would alternate from tick to tick; use M >= {d * dt:.4g} or "
                    f"D <= {m / dt:.4g}"
                )
            if k * dt * dt / m > 1.0:
                raise ConfigError(
                    f"axis {axis}: K·dt²/M = {k * dt * dt / m:.3g} exceeds 1 at {1 / dt:g} Hz, the "
                    f"spring swings faster than the law can follow; use M >= {k * dt * dt:.4g} or "
                    f"K <= {m / (dt * dt):.4g}"
                )


UNLIMITED = (inf, inf)

_USUAL_DAMPING = (HybridConfig().damping[0], HybridConfig().damping[3])
"""The default damping of a translation and of a rotation."""
