"""Contact stability margins of a configuration, for each axis of the tool."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from pliant.arms.contact import STIFFEST
from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.laws.contact_adaptation import adaptive_damping, adaptive_inertia
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Gains, Servo, Surface, TipImpedance
from pliant.stability.margin import Contact, gains_for, growth, judge, margin
from pliant.stability.number_format import plain
from pliant.stability.tip_impedance import tip_impedances

TRANSLATIONS = AXES[:3]


@dataclass(frozen=True, kw_only=True)
class AxisMargin:
    """Stiffness limits of one axis, and its behaviour on the expected surface.

    Attributes:
        axis: Its name.
        stable: Largest surface stiffness with which contact is stable, N/m or N·m/rad.
        well_damped: Largest surface stiffness with which contact settles without ringing.
        expected: Behaviour on the expected surface; None if none is configured.
        damping_needed: Smallest damping that is well damped on the expected surface; None if the
            present one is, if none is, or if it adapts.
        inertia_needed: The inertia that goes with it.
        adaptive: Whether the damping adapts: the limits are those of what it becomes on a surface.
    """

    axis: str
    stable: float
    well_damped: float
    expected: Contact | None
    damping_needed: float | None
    inertia_needed: float | None
    adaptive: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; an infinite limit is null."""
        values = asdict(self) | {"expected": self.expected.value if self.expected else None}
        return {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in values.items()
        }


def servo_of(config: Config, arm: ArmDescription) -> Servo:
    """The identified servo, or else the one in the arm's parameters."""
    contact = config.contact
    dead, lag = contact.dead_time, contact.time_constant
    return Servo(
        dead_time=arm.dead_time if dead is None else dead,
        time_constant=arm.time_constant if lag is None else lag,
    )


def expected_surface(config: Config) -> Surface | None:
    """The surface that the configuration expects; None if it names none."""
    contact = config.contact
    if contact.surface_stiffness is None:
        return None
    return Surface(
        stiffness=contact.surface_stiffness,
        damping=contact.surface_damping,
        mass=contact.surface_mass,
    )


def axes_of(
    config: Config, servo: Servo, tips: tuple[TipImpedance, ...], dt: float
) -> dict[str, Axis]:
    """All six axes of the tool, each as if only that one were force-controlled."""
    law = config.laws.hybrid_admittance
    rows = zip(
        law.inertia, law.total_damping, law.stiffness, law.pid_p, law.pid_i, law.pid_d, strict=True
    )
    return {
        name: Axis(
            gains=Gains(inertia=m, damping=d, stiffness=k, p=p, i=i, d=pid_d),
            cutoff=config.wrench.cutoff,
            servo=servo,
            arm=tip,
            dt=dt,
            adaptive=law.is_adaptive and name in TRANSLATIONS,
        )
        for name, tip, (m, d, k, p, i, pid_d) in zip(AXES, tips, rows, strict=True)
    }


def margins(
    config: Config, arm: ArmDescription, dt: float, q: Array | None = None
) -> list[AxisMargin]:
    """Compute the margins of all six axes.

    This takes some tenths of a second: too long for the control loop.

    Args:
        config: The configuration.
        arm: The arm's parameters.
        dt: Control period, s.
        q: Joint positions; the arm's home if None.
    """
    tips = tip_impedances(arm, config.tool, q)
    surface = expected_surface(config)
    return [
        _margin_of(name, axis, surface if name in TRANSLATIONS else None)
        for name, axis in axes_of(config, servo_of(config, arm), tips, dt).items()
    ]


def _margin_of(name: str, axis: Axis, surface: Surface | None) -> AxisMargin:
    limits = margin(axis, surface)
    verdict = judge(axis, surface) if surface else None
    needed = None
    if surface and verdict is not Contact.WELL_DAMPED and not axis.adaptive:
        needed = gains_for(axis, surface)
    return AxisMargin(
        axis=name,
        stable=limits.stable,
        well_damped=limits.well_damped,
        expected=verdict,
        damping_needed=needed.damping if needed else None,
        inertia_needed=needed.inertia if needed else None,
        adaptive=axis.adaptive,
    )


TOLD_STIFFNESS = 1e4
"""Stiffness of the surface on which gains are judged if none is expected, N/m."""


class ContactGuard:
    """Warns about gains that are unstable on a surface, or refuses them.

    `contact.refuse_unstable` refuses those that are unstable on the expected surface.
    """

    def __init__(self, arm: ArmDescription, tool: Tool, dt: float) -> None:
        self._arm = arm
        self._dt = dt
        self._tips = tip_impedances(arm, tool)
        # loads their kernels, so that no command waits for them
        adaptive_inertia(adaptive_damping(STIFFEST, dt, True), dt)

    def __call__(self, config: Config) -> str:
        """Check a configuration; takes a millisecond, and tens if a surface is expected.

        Returns:
            A warning; empty if there is none. Without an expected surface, `TOLD_STIFFNESS` is
            assumed, and nothing refused.

        Raises:
            ConfigError: An axis would be unstable, and `contact.refuse_unstable` is set.
        """
        surface = expected_surface(config)
        if surface is None:
            return self._told(config)
        unstable = self._unstable(config, surface)
        if not unstable:
            return ""
        warning = _warning_text(surface, unstable, "on the expected surface", _remedy)
        if config.contact.refuse_unstable:
            raise ConfigError(warning)
        return warning

    def _told(self, config: Config) -> str:
        """A warning about gains that are unstable on a surface as it is often met."""
        if _is_calm(config, self._arm):
            return ""
        surface = Surface(stiffness=TOLD_STIFFNESS)
        unstable = self._unstable(config, surface)
        if not unstable:
            return ""
        text = _warning_text(surface, unstable, "on a surface", _rule_of_thumb)
        return f"{text}; contact.surface_stiffness says how stiff yours is"

    def _unstable(self, config: Config, surface: Surface) -> dict[str, Axis]:
        axes = axes_of(config, servo_of(config, self._arm), self._tips, self._dt)
        return {name: axes[name] for name in TRANSLATIONS if growth(axes[name], surface) >= 0.0}


def contact_warning(config: Config, arm: ArmDescription, dt: float) -> str:
    """What `ContactGuard` says of a configuration, for one who asks once.

    Raises:
        ConfigError: An axis would be unstable, and `contact.refuse_unstable` is set.
    """
    if expected_surface(config) is None and _is_calm(config, arm):
        return ""
    return ContactGuard(arm, config.tool, dt)(config)


def _is_calm(config: Config, arm: ArmDescription) -> bool:
    """Whether there is so much damping, or one that adapts, that there is nothing to compute."""
    law = config.laws.hybrid_admittance
    calm = 2.0 * TOLD_STIFFNESS * servo_of(config, arm).lag
    return (law.is_adaptive or min(law.total_damping[:3]) >= calm) and not law.has_pid


def _remedy(axis: Axis, surface: Surface) -> str:
    if axis.adaptive:
        return "adaptive damping does not help: shorten the lag, or raise wrench.cutoff"
    needed = gains_for(axis, surface)
    if needed is None:
        return "no damping makes it well damped: shorten the lag, or raise wrench.cutoff"
    return f"use damping {plain(needed.damping)} and inertia {plain(needed.inertia)}"


def _rule_of_thumb(axis: Axis, surface: Surface) -> str:
    """Twice stiffness times lag is well damped; computing the least takes too long for a tick."""
    return f"damping {plain(2.0 * surface.stiffness * axis.servo.lag)} is enough"


def _warning_text(
    surface: Surface,
    unstable: dict[str, Axis],
    where: str,
    remedy: Callable[[Axis, Surface], str],
) -> str:
    axis = next(iter(unstable.values())).on(surface)
    gains = f"damping {plain(axis.gains.damping)} and inertia {plain(axis.gains.inertia)}"
    return (
        f"contact along {', '.join(unstable)} would be unstable {where} of "
        f"{plain(1e-3 * surface.stiffness)} N/mm with {plain(1e3 * axis.servo.lag)} ms of lag, "
        f"{gains}; {remedy(axis, surface)}"
    )
