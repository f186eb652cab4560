"""What one force-controlled axis in contact is made of: gains, filter, servo, arm, surface."""

from dataclasses import dataclass, replace
from math import sqrt


@dataclass(frozen=True, kw_only=True)
class Gains:
    """The law along one axis: M·a + D·v + K·x = e + pid, with e the sensed minus desired force.

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
    """How the arm follows its set points: a dead time, then a first-order lag, s."""

    dead_time: float
    time_constant: float

    @property
    def lag(self) -> float:
        """How late the arm is at a steady speed, s."""
        return self.dead_time + self.time_constant


@dataclass(frozen=True, kw_only=True)
class Surface:
    """What is touched: a mass on a spring and a damper; usually only the spring is known.

    Attributes:
        stiffness: N/m.
        damping: N·s/m.
        mass: kg.
    """

    stiffness: float
    damping: float = 0.0
    mass: float = 0.0

    def scaled(self, stiffness: float) -> "Surface":
        """A surface of another stiffness, of the same mass and damping ratio."""
        ratio = sqrt(stiffness / self.stiffness)
        return Surface(stiffness=stiffness, damping=self.damping * ratio, mass=self.mass)


@dataclass(frozen=True, kw_only=True)
class ArmEnd:
    """The arm as a force at the tool finds it: its servos' stiffness, damping, inertia.

    A tip that sticks to a stiff surface cannot give way sideways, and is stiffer for it.

    Attributes:
        stiffness: N/m.
        damping: N·s/m.
        inertia: kg.
        tool: Mass between the sensor and the surface, whose inertia the sensor feels, kg.
        load_cutoff: How fast a servo that feels the load makes up for it, Hz; 0 if it does not.
        held: What it is like with the tip held sideways; None if that makes no difference.
        sideways: Stiffness with which the tip would give way sideways, N/m.
    """

    stiffness: float
    damping: float
    inertia: float
    tool: float = 0.0
    load_cutoff: float = 0.0
    held: "ArmEnd | None" = None
    sideways: float = 0.0

    @property
    def by_torque(self) -> bool:
        """Whether its servo is one that Pliant makes, which sets a torque once a period."""
        return self.load_cutoff > 0.0

    @property
    def stuck(self) -> "ArmEnd":
        """What it is like with the tip held sideways entirely."""
        if self.held is None:
            return self
        return replace(self.held, tool=self.tool, load_cutoff=self.load_cutoff)

    def touching(self, surface: Surface) -> "ArmEnd":
        """What it is like with the tip on a surface, which holds it as stiffly as it presses."""
        if self.held is None:
            return self
        share = surface.stiffness / (surface.stiffness + self.sideways)
        gives = (1.0 - share) / self.stiffness + share / self.held.stiffness
        return ArmEnd(
            stiffness=1.0 / gives,
            damping=(1.0 - share) * self.damping + share * self.held.damping,
            inertia=(1.0 - share) * self.inertia + share * self.held.inertia,
            tool=self.tool,
            load_cutoff=self.load_cutoff,
        )


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One force-controlled axis of an arm.

    Rotations are the same with N·m/rad for N/m, and kg·m² for kg.

    Attributes:
        gains: Of the law.
        cutoff: Corner of the force filter, Hz.
        servo: How the arm follows.
        arm: What it is like behind the tool.
        dt: Control period, s.
    """

    gains: Gains
    cutoff: float
    servo: Servo
    arm: ArmEnd
    dt: float = 0.002
