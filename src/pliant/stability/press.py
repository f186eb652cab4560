"""Predicts a contact from approach to settled force, including its nonlinear parts."""

from dataclasses import dataclass
from math import copysign, inf

import numpy as np

from pliant.numerics.filters import dead_band
from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Surface
from pliant.stability.contact_loop import FREE_SPACE, Plant, State, filter_gain, law_update

SETTLED = 0.1
"""A force has settled once it stays within this fraction of its target."""


@dataclass(frozen=True, kw_only=True)
class Press:
    """A contact made from free space, predicted or measured.

    Attributes:
        time: Time since first contact, s.
        force: Force on the surface, N.
        target: Force target, N.
    """

    time: Array
    force: Array
    target: float

    @property
    def peak(self) -> float:
        """The largest force, N."""
        return float(self.force.max())

    @property
    def settling(self) -> float:
        """Time after first contact from which the force stays within 10 % of its target, s."""
        outside = np.abs(self.force - self.target) > SETTLED * self.target
        if outside[-1]:
            return inf
        return float(self.time[np.flatnonzero(outside)[-1] + 1]) if outside.any() else 0.0

    @property
    def rings(self) -> bool:
        """Whether the force overshoots its target and then falls more than 10 % below it."""
        above = np.flatnonzero(self.force > (1.0 + SETTLED) * self.target)
        if above.size == 0:
            return False
        return bool(self.force[above[0] :].min() < (1.0 - SETTLED) * self.target)


def press(
    axis: Axis,
    surface: Surface,
    force: float,
    *,
    max_speed: float = inf,
    dead: float = 0.0,
    seconds: float = 3.0,
) -> Press:
    """Predict the contact that a force target makes, starting from a steady approach.

    The force does not include the impact of the surface's own mass, which lasts one or two
    milliseconds: its height depends on local properties of the two bodies.

    Args:
        axis: The axis, with K = 0.
        surface: The touched surface.
        force: Pressing force, N.
        max_speed: Speed limit of the law, m/s.
        dead: Dead band of the force, N.
        seconds: Duration of the prediction, from shortly before first contact.
    """
    touching, free = Plant(axis, surface), Plant(axis, FREE_SPACE)
    s = _approaching(axis, touching.set_points, min(force / axis.gains.damping, max_speed))
    alpha, in_contact, first_contact = filter_gain(axis), False, None
    forces: list[float] = []
    for k in range(round(seconds / axis.dt)):
        if not in_contact and s.x >= 0.0:
            in_contact = True
            first_contact = k if first_contact is None else first_contact
            fraction = surface.mass / (touching.arm.inertia + surface.mass)
            s.e_speed -= fraction * (s.e_speed + s.y_speed)
        s, sensed, surface_forces = (touching if in_contact else free).advance(s)
        # a surface cannot pull
        in_contact = in_contact and surface_forces[-1] <= 0.0
        s.w += alpha * (sensed - s.w)
        law_update(axis, s, dead_band(s.w, dead) + force)
        _limit_speed(axis, s, max_speed)
        forces.append(max(0.0, -sum(surface_forces) / len(surface_forces)) if in_contact else 0.0)
    first = first_contact or 0
    time = np.arange(len(forces) - first, dtype=np.float64) * axis.dt
    return Press(time=time, force=np.array(forces[first:]), target=force)


def _approaching(axis: Axis, set_points: int, speed: float) -> State:
    """Moving at a constant speed, just before contact: the set points lead by the servo's lag."""
    lead = speed * axis.servo.lag
    sent = [lead - i * axis.dt * speed for i in range(set_points)]
    return State(sent, v=speed, y_speed=speed)


def _limit_speed(axis: Axis, s: State, max_speed: float) -> None:
    if abs(s.v) > max_speed:
        s.v = copysign(max_speed, s.v)
        s.sent[0] = s.sent[1] + axis.dt * s.v
