"""One force-controlled axis in contact: its gains, filter, servo, arm and surface."""

from dataclasses import dataclass, replace
from math import pi, sqrt

from pliant.arms.contact import STIFFEST
from pliant.laws.contact_adaptation import adaptive_damping, adaptive_inertia


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Gains of the law along one axis: M·a + D·v + K·x = e + pid, with e = sensed − desired force.

    Attributes:
        inertia: M, kg.
        damping: D, N·s/m.
        stiffness: K, N/m.
        p: Proportional gain on e, 1.
        i: Integral gain on e, 1/s.
        d: Derivative gain on e, s.
    """

    inertia: float
    damping: float
    stiffness: float = 0.0
    p: float = 0.0
    i: float = 0.0
    d: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Servo:
    """Response of the arm to its set points: a dead time and a first-order lag, s."""

    dead_time: float
    time_constant: float

    @property
    def lag(self) -> float:
        """Delay of the arm at a constant speed, s."""
        return self.dead_time + self.time_constant


@dataclass(frozen=True, kw_only=True)
class Surface:
    """The touched surface: a mass on a spring and a damper. Often only the spring is known.

    Attributes:
        stiffness: N/m.
        damping: N·s/m.
        mass: kg.
    """

    stiffness: float
    damping: float = 0.0
    mass: float = 0.0

    def scaled(self, stiffness: float) -> "Surface":
        """A surface of another stiffness, with the same mass and damping ratio."""
        ratio = sqrt(stiffness / self.stiffness)
        return Surface(stiffness=stiffness, damping=self.damping * ratio, mass=self.mass)


@dataclass(frozen=True, kw_only=True)
class TipImpedance:
    """Impedance of the arm at the tip of its tool: stiffness, damping and inertia.

    A tip that sticks to a stiff surface cannot deflect laterally, which makes it stiffer.

    Attributes:
        stiffness: N/m.
        damping: N·s/m.
        inertia: kg.
        tool: Mass between sensor and surface, whose inertia the sensor measures, kg.
        load_cutoff: Cutoff frequency with which the servo compensates the load, Hz; 0 if it does
            not.
        held: Impedance with the tip held laterally; None if that makes no difference.
        lateral_stiffness: Stiffness of the tip against lateral deflection, N/m.
    """

    stiffness: float
    damping: float
    inertia: float
    tool: float = 0.0
    load_cutoff: float = 0.0
    held: "TipImpedance | None" = None
    lateral_stiffness: float = 0.0

    @property
    def by_torque(self) -> bool:
        """Whether the servo is Pliant's own, which sets a torque once per period."""
        return self.load_cutoff > 0.0

    @property
    def stuck(self) -> "TipImpedance":
        """Impedance with the tip held laterally by a rigid surface."""
        if self.held is None:
            return self
        return replace(self.held, tool=self.tool, load_cutoff=self.load_cutoff)

    def touching(self, surface: Surface) -> "TipImpedance":
        """Impedance on a surface that holds the tip laterally with the same stiffness."""
        if self.held is None:
            return self
        fraction = surface.stiffness / (surface.stiffness + self.lateral_stiffness)
        compliance = (1.0 - fraction) / self.stiffness + fraction / self.held.stiffness
        return TipImpedance(
            stiffness=1.0 / compliance,
            damping=(1.0 - fraction) * self.damping + fraction * self.held.damping,
            inertia=(1.0 - fraction) * self.inertia + fraction * self.held.inertia,
            tool=self.tool,
            load_cutoff=self.load_cutoff,
        )


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One force-controlled axis of an arm.

    A rotational axis has N·m/rad instead of N/m, and kg·m² instead of kg.

    Attributes:
        gains: Gains of the law.
        cutoff: Cutoff frequency of the force filter, Hz.
        servo: Servo of the arm.
        arm: Impedance of the arm at the tip.
        dt: Control period, s.
        adaptive: Whether damping and inertia follow from lag and surface; then those of `gains` do
            not act.
    """

    gains: Gains
    cutoff: float
    servo: Servo
    arm: TipImpedance
    dt: float = 0.002
    adaptive: bool = False

    def on(self, surface: Surface) -> "Axis":
        """The axis with the gains that it has on a surface, once adaptation knows it."""
        if not self.adaptive:
            return self
        delay = self.servo.lag + 1.0 / (2.0 * pi * self.cutoff) + 2.0 * self.dt
        damping = adaptive_damping(min(surface.stiffness, STIFFEST), delay, True)
        inertia = adaptive_inertia(damping, self.dt)
        return replace(self, gains=replace(self.gains, damping=damping, inertia=inertia))
