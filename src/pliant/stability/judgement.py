"""The margins of a configuration: what each axis of an arm with these gains can touch."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.numerics.spatial import Array
from pliant.stability.arm_end import arm_ends
from pliant.stability.axis import ArmEnd, Axis, Gains, Servo, Surface
from pliant.stability.margin import Contact, gains_for, growth, judge, margin
from pliant.stability.words import plain

TRANSLATIONS = AXES[:3]


@dataclass(frozen=True, kw_only=True)
class AxisMargin:
    """What one axis can touch, and what becomes of the surface that is expected.

    Attributes:
        axis: Its name.
        stable: Up to this stiffness of a surface contact is stable, N/m or N·m/rad.
        well_damped: Up to this one it settles without ringing.
        expected: What becomes of contact with the expected surface; None where none is given.
        damping_needed: The damping from which that is well damped; None where it is so already, or
            where none does it.
        inertia_needed: The inertia to go with it.
    """

    axis: str
    stable: float
    well_damped: float
    expected: Contact | None
    damping_needed: float | None
    inertia_needed: float | None

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; what is not limited is null."""
        values = asdict(self) | {"expected": self.expected.value if self.expected else None}
        return {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in values.items()
        }


def servo_of(config: Config, arm: ArmDescription) -> Servo:
    """The servo as identified, or else as the arm's figures have it."""
    known = config.contact
    dead, lag = known.dead_time, known.time_constant
    return Servo(
        dead_time=arm.dead_time if dead is None else dead,
        time_constant=arm.time_constant if lag is None else lag,
    )


def expected_surface(config: Config) -> Surface | None:
    """The surface that the configuration expects; None if it does not say."""
    known = config.contact
    if known.surface_stiffness is None:
        return None
    return Surface(
        stiffness=known.surface_stiffness,
        damping=known.surface_damping,
        mass=known.surface_mass,
    )


def axes_of(config: Config, servo: Servo, ends: tuple[ArmEnd, ...], dt: float) -> dict[str, Axis]:
    """All six axes of the tool, as if each were force-controlled by itself."""
    law = config.laws.hybrid_admittance
    rows = zip(
        law.inertia, law.total_damping, law.stiffness, law.pid_p, law.pid_i, law.pid_d, strict=True
    )
    return {
        name: Axis(
            gains=Gains(inertia=m, damping=d, stiffness=k, p=p, i=i, d=slope),
            cutoff=config.wrench.cutoff,
            servo=servo,
            arm=end,
            dt=dt,
        )
        for name, end, (m, d, k, p, i, slope) in zip(AXES, ends, rows, strict=True)
    }


def margins(
    config: Config, arm: ArmDescription, dt: float, q: Array | None = None
) -> list[AxisMargin]:
    """The margins of all six axes.

    A pure function that takes some tenths of a second: for a console, a doctor, a program, and not
    for the control loop.

    Args:
        config: The configuration.
        arm: The arm's figures.
        dt: Control period, s.
        q: Where the joints are; the arm's home if None.
    """
    ends = arm_ends(arm, config.tool, q)
    surface = expected_surface(config)
    return [
        _margin_of(name, axis, surface if name in TRANSLATIONS else None)
        for name, axis in axes_of(config, servo_of(config, arm), ends, dt).items()
    ]


def _margin_of(name: str, axis: Axis, surface: Surface | None) -> AxisMargin:
    limits = margin(axis, surface)
    verdict = judge(axis, surface) if surface else None
    needed = None
    if surface and verdict is not Contact.WELL_DAMPED:
        needed = gains_for(axis, surface)
    return AxisMargin(
        axis=name,
        stable=limits.stable,
        well_damped=limits.well_damped,
        expected=verdict,
        damping_needed=needed.damping if needed else None,
        inertia_needed=needed.inertia if needed else None,
    )


class ContactGuard:
    """Warns of gains that are unstable on the expected surface, or refuses them if asked to."""

    def __init__(self, arm: ArmDescription, tool: Tool, dt: float) -> None:
        self._arm = arm
        self._dt = dt
        self._ends = arm_ends(arm, tool)

    def __call__(self, config: Config) -> str:
        """What to beware of in a configuration; some milliseconds where a surface is expected.

        Raises:
            ConfigError: An axis would be unstable, and that is to be refused.
        """
        complaint = self.complaint(config)
        if complaint and config.contact.refuse_unstable:
            raise ConfigError(complaint)
        return complaint

    def complaint(self, config: Config) -> str:
        """What is wrong with the gains for the expected surface; empty if nothing is."""
        surface = expected_surface(config)
        if surface is None:
            return ""
        servo = servo_of(config, self._arm)
        axes = axes_of(config, servo, self._ends, self._dt)
        bad = [name for name in TRANSLATIONS if growth(axes[name], surface) >= 0.0]
        if not bad:
            return ""
        return _in_words(bad, axes[bad[0]], surface)


def _in_words(bad: list[str], axis: Axis, surface: Surface) -> str:
    needed = gains_for(axis, surface)
    remedy = "no damping would do: shorten the lag, or raise wrench.cutoff"
    if needed is not None:
        remedy = f"damping {plain(needed.damping)} with inertia {plain(needed.inertia)} would do"
    gains = f"damping {plain(axis.gains.damping)} and inertia {plain(axis.gains.inertia)}"
    return (
        f"contact along {', '.join(bad)} would be unstable on the expected surface of "
        f"{plain(1e-3 * surface.stiffness)} N/mm through {plain(1e3 * axis.servo.lag)} ms of lag, "
        f"with {gains}; {remedy}"
    )
