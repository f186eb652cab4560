"""Gains for a lag, a range of surfaces, and a wanted contact."""

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from pliant.errors import Refused
from pliant.stability.axis import ArmEnd, Axis, Gains, Servo, Surface
from pliant.stability.margin import SWING, swing
from pliant.stability.press import Press, press
from pliant.stability.words import plain

_RATIOS = (0.008, 0.012, 0.02)
"""M/D to choose from, s: the shorter, the calmer; at 500 Hz the first makes D·dt/M a quarter."""

_SURFACES = 4
"""How many surfaces of a range are looked at, its ends among them."""

_KNOCK = 500.0
"""Force per speed of the knock of a surface that weighs a kilogram, N·s/m; seen in simulation."""

_LEAST_HEAD = 1.02
_STEP = 1.08
_MOST_DAMPING = 1e6
_LOOK = 4.0
"""For how many time constants D/k a contact is looked at; it has settled after 2.3."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a contact is to be like.

    Attributes:
        softest: Of the surfaces, N/m.
        stiffest: Of the surfaces, N/m.
        force: To press with, N.
        peak: The largest force allowed, N.
        settling: How long the force may take to settle on any of the surfaces, s.
        speed: Of the approach at most, m/s; less is used where the knock of the first touch would
            exceed the force.
    """

    softest: float
    stiffest: float
    force: float = 5.0
    peak: float = 6.0
    settling: float = inf
    speed: float = 0.01

    def check(self) -> None:
        """Refuse what makes no sense.

        Raises:
            Refused: A figure is not as it should be.
        """
        if not 0.0 < self.softest <= self.stiffest < inf:
            raise Refused("surfaces go from a stiffness above 0 to one as large or larger")
        if not (self.force > 0.0 and self.speed > 0.0 and self.settling > 0.0):
            raise Refused("force, approach speed and settling time are above 0")
        if self.peak < _LEAST_HEAD * self.force:
            raise Refused(
                f"a peak of {self.peak:g} N leaves no room above the force of {self.force:g} N: "
                f"ask for {plain(_LEAST_HEAD * self.force)} N or more"
            )


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Gains, and what they are predicted to do.

    Attributes:
        gains: For the axis that presses.
        speed: Speed limit of the law while approaching, m/s.
        contacts: The predicted contact for some surfaces of the range, by their stiffness, N/m.
    """

    gains: Gains
    speed: float
    contacts: dict[float, Press]

    @property
    def peak(self) -> float:
        """The largest force on any of the surfaces, N."""
        return max(contact.peak for contact in self.contacts.values())

    @property
    def settling(self) -> float:
        """The longest settling on any of the surfaces, s."""
        return max(contact.settling for contact in self.contacts.values())


def suggest(
    wish: Wish, servo: Servo, arm: ArmEnd, *, cutoff: float = 30.0, dead: float = 0.5, dt: float
) -> Suggestion:
    """The gains that settle fastest among those that are well damped and keep the peak.

    Args:
        wish: What is wanted.
        servo: How the arm follows its set points.
        arm: The arm behind the tool, along the axis.
        cutoff: Corner of the force filter, Hz.
        dead: Dead band of the force, N.
        dt: Control period, s.

    Raises:
        Refused: No gains fulfil it; the message says what comes closest.
    """
    wish.check()
    wish = replace(wish, speed=min(wish.speed, wish.force / _KNOCK))
    # gains are to hold on any surface of the kind, so the tip is taken to stick to it
    arm = arm.stuck
    axis = Axis(gains=Gains(inertia=1.0, damping=1.0), cutoff=cutoff, servo=servo, arm=arm, dt=dt)
    found = [s for ratio in _RATIOS if (s := _least(wish, axis, max(ratio, 4.0 * dt), dead))]
    if not found:
        raise Refused(
            f"no damping keeps the peak below {wish.peak:g} N at {1e3 * wish.speed:g} mm/s through "
            f"{1e3 * servo.lag:.3g} ms: approach slower, allow a higher peak, or shorten the lag"
        )
    best = min(found, key=lambda s: s.settling)
    if best.settling > wish.settling:
        raise Refused(
            f"within a peak of {wish.peak:g} N the force settles in {best.settling:.2g} s at best "
            f"(damping {plain(best.gains.damping)}), not {wish.settling:g} s: the softest surface "
            "decides, as it takes about 2.3·D/k; narrow the range of surfaces, allow a higher "
            "peak, or shorten the lag"
        )
    return best


def _least(wish: Wish, axis: Axis, ratio: float, dead: float) -> Suggestion | None:
    """The least damping with a given M/D that is well damped and keeps the peak."""
    surfaces = np.geomspace(wish.softest, wish.stiffest, _SURFACES).tolist()
    contact = 1.0 / (1.0 / wish.stiffest + 1.0 / axis.arm.stiffness)
    damping = 0.3 * contact * (axis.servo.lag + axis.dt)
    while damping < _MOST_DAMPING:
        # lighter than twice the tool, the axis would be ruled by the tool's own inertia
        inertia = max(ratio * damping, 2.0 * axis.arm.tool)
        axis = replace(axis, gains=Gains(inertia=inertia, damping=damping))
        if swing(axis, Surface(stiffness=wish.stiffest)) <= SWING:
            contacts = _contacts(wish, axis, surfaces, dead)
            if contacts is not None:
                return Suggestion(gains=axis.gains, speed=wish.speed, contacts=contacts)
        damping *= _STEP
    return None


def _contacts(
    wish: Wish, axis: Axis, surfaces: list[float], dead: float
) -> dict[float, Press] | None:
    """The contacts with the surfaces, the stiffest first; None once one exceeds the peak."""
    contacts = {}
    for stiffness in reversed(surfaces):
        give = 1.0 / stiffness + 1.0 / axis.arm.stiffness
        seconds = 0.5 + give * (wish.force / wish.speed + _LOOK * axis.gains.damping)
        surface = Surface(stiffness=stiffness)
        made = press(axis, surface, wish.force, max_speed=wish.speed, dead=dead, seconds=seconds)
        if made.peak > wish.peak or made.rings or made.settling == inf:
            return None
        contacts[stiffness] = made
    return dict(sorted(contacts.items()))
