"""Suggests gains for a servo lag, a range of surfaces and a desired contact."""

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from pliant.errors import Refused
from pliant.stability.axis import Axis, Gains, Servo, Surface, TipImpedance
from pliant.stability.margin import MAX_OVERSHOOT, total_overshoot
from pliant.stability.number_format import plain
from pliant.stability.press import Press, press

_RATIOS = (0.008, 0.012, 0.02)
"""Candidates for M/D, s: shorter is better damped; at 500 Hz the first gives D·dt/M = 1/4."""

_SURFACES = 4
"""Number of surfaces examined in a range, including its ends."""

_IMPACT = 500.0
"""Impact force per approach speed for a surface of 1 kg, N·s/m; measured in simulation."""

_MIN_PEAK_RATIO = 1.02
_STEP = 1.08
_MAX_DAMPING = 1e6
_DURATION = 4.0
"""Duration of a prediction in time constants D/k; the force settles after 2.3."""


@dataclass(frozen=True, kw_only=True)
class ContactTarget:
    """Requirements on a contact.

    Attributes:
        softest: Stiffness of the softest surface, N/m.
        stiffest: Stiffness of the stiffest surface, N/m.
        force: Pressing force, N.
        peak: The largest allowed force, N.
        settling: The longest allowed settling time on any of the surfaces, s.
        speed: The largest approach speed, m/s; a lower one is used if the impact of the first touch
            would exceed the pressing force.
    """

    softest: float
    stiffest: float
    force: float = 5.0
    peak: float = 6.0
    settling: float = inf
    speed: float = 0.01

    def check(self) -> None:
        """Check that the values are consistent.

        Raises:
            Refused: A value is out of its range.
        """
        if not 0.0 < self.softest <= self.stiffest < inf:
            raise Refused("the softest surface must be above 0 and no stiffer than the stiffest")
        if not (self.force > 0.0 and self.speed > 0.0 and self.settling > 0.0):
            raise Refused("force, approach speed and settling time must be above 0")
        if self.peak < _MIN_PEAK_RATIO * self.force:
            raise Refused(
                f"a peak of {self.peak:g} N leaves no room above the force of {self.force:g} N: "
                f"allow at least {plain(_MIN_PEAK_RATIO * self.force)} N"
            )


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Gains and the contacts predicted for them.

    Attributes:
        gains: Gains of the pressing axis.
        speed: Speed limit of the law during the approach, m/s.
        contacts: Predicted contacts by surface stiffness, N/m, for some surfaces of the range.
    """

    gains: Gains
    speed: float
    contacts: dict[float, Press]

    @property
    def peak(self) -> float:
        """The largest peak force on any of the surfaces, N."""
        return max(contact.peak for contact in self.contacts.values())

    @property
    def settling(self) -> float:
        """The longest settling time on any of the surfaces, s."""
        return max(contact.settling for contact in self.contacts.values())


def suggest(
    target: ContactTarget,
    servo: Servo,
    arm: TipImpedance,
    *,
    cutoff: float = 30.0,
    dead: float = 0.5,
    dt: float,
) -> Suggestion:
    """Find the gains that settle fastest among those that are well damped and respect the peak.

    Args:
        target: The requirements.
        servo: The servo of the arm.
        arm: Impedance of the arm along the pressing axis.
        cutoff: Cutoff frequency of the force filter, Hz.
        dead: Dead band of the force, N.
        dt: Control period, s.

    Raises:
        Refused: No gains meet the requirements; the message gives the closest ones.
    """
    target.check()
    target = replace(target, speed=min(target.speed, target.force / _IMPACT))
    # assume that the tip sticks: the stiffest case, so the gains hold on every surface
    arm = arm.stuck
    axis = Axis(gains=Gains(inertia=1.0, damping=1.0), cutoff=cutoff, servo=servo, arm=arm, dt=dt)
    candidates = [
        s for ratio in _RATIOS if (s := _least_damped(target, axis, max(ratio, 4.0 * dt), dead))
    ]
    if not candidates:
        raise Refused(
            f"no damping keeps the peak below {target.peak:g} N at {1e3 * target.speed:g} mm/s "
            f"with {1e3 * servo.lag:.3g} ms of lag: approach slower, allow a higher peak, or "
            "shorten the lag"
        )
    best = min(candidates, key=lambda s: s.settling)
    if best.settling > target.settling:
        raise Refused(
            f"with a peak of {target.peak:g} N the force settles in {best.settling:.2g} s at best "
            f"(damping {plain(best.gains.damping)}), not in {target.settling:g} s: the softest "
            "surface takes longest, about 2.3·D/k; narrow the range of surfaces, allow a higher "
            "peak, or shorten the lag"
        )
    return best


def _least_damped(
    target: ContactTarget, axis: Axis, ratio: float, dead: float
) -> Suggestion | None:
    """The smallest damping with a given M/D that is well damped and respects the peak."""
    surfaces = np.geomspace(target.softest, target.stiffest, _SURFACES).tolist()
    contact = 1.0 / (1.0 / target.stiffest + 1.0 / axis.arm.stiffness)
    damping = 0.3 * contact * (axis.servo.lag + axis.dt)
    while damping < _MAX_DAMPING:
        # below twice the tool's mass, the inertia of the tool itself would dominate the axis
        inertia = max(ratio * damping, 2.0 * axis.arm.tool)
        axis = replace(axis, gains=Gains(inertia=inertia, damping=damping))
        if total_overshoot(axis, Surface(stiffness=target.stiffest)) <= MAX_OVERSHOOT:
            contacts = _contacts(target, axis, surfaces, dead)
            if contacts is not None:
                return Suggestion(gains=axis.gains, speed=target.speed, contacts=contacts)
        damping *= _STEP
    return None


def _contacts(
    target: ContactTarget, axis: Axis, surfaces: list[float], dead: float
) -> dict[float, Press] | None:
    """Predicted contacts with the surfaces, the stiffest first; None if one exceeds the peak."""
    contacts = {}
    for stiffness in reversed(surfaces):
        compliance = 1.0 / stiffness + 1.0 / axis.arm.stiffness
        seconds = 0.5 + compliance * (target.force / target.speed + _DURATION * axis.gains.damping)
        surface = Surface(stiffness=stiffness)
        contact = press(
            axis, surface, target.force, max_speed=target.speed, dead=dead, seconds=seconds
        )
        if contact.peak > target.peak or contact.rings or contact.settling == inf:
            return None
        contacts[stiffness] = contact
    return dict(sorted(contacts.items()))
