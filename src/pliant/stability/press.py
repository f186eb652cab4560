"""The predicted contact: approach, touch, settle, with all that is not linear about it."""

from dataclasses import dataclass
from math import copysign, inf

import numpy as np

from pliant.numerics.filters import dead_band
from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Surface
from pliant.stability.contact_loop import NOTHING, Plant, State, law_on, smoothing

SETTLED = 0.1
"""A force has settled once it stays this close to its target, as a share of it."""


@dataclass(frozen=True, kw_only=True)
class Press:
    """A contact made from free space, as predicted or as measured.

    Attributes:
        time: From the touch on, s.
        force: On the surface, N.
        target: Force asked for, N.
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
        """How long after the touch the force comes to stay within a tenth of its target, s."""
        off = np.abs(self.force - self.target) > SETTLED * self.target
        if off[-1]:
            return inf
        return float(self.time[np.flatnonzero(off)[-1] + 1]) if off.any() else 0.0

    @property
    def rings(self) -> bool:
        """Whether, once past its target, the force swings back below it by more than a tenth."""
        past = np.flatnonzero(self.force > (1.0 + SETTLED) * self.target)
        if past.size == 0:
            return False
        return bool(self.force[past[0] :].min() < (1.0 - SETTLED) * self.target)


def press(
    axis: Axis,
    surface: Surface,
    force: float,
    *,
    max_speed: float = inf,
    dead: float = 0.0,
    seconds: float = 3.0,
) -> Press:
    """Predict a contact made under a force target, from a steady approach on.

    The knock of the surface's own mass is left out of the force: it takes a millisecond or two, and
    how high it goes is decided by how hard the two touch.

    Args:
        axis: The axis, K = 0.
        surface: What is touched.
        force: Force to press with, N.
        max_speed: Speed limit of the law, m/s.
        dead: Dead band of the force, N.
        seconds: How long to look, from shortly before the touch.
    """
    touching, free = Plant(axis, surface), Plant(axis, NOTHING)
    s = _approaching(axis, touching.remembered, min(force / axis.gains.damping, max_speed))
    alpha, on, touched = smoothing(axis), False, None
    forces: list[float] = []
    for k in range(round(seconds / axis.dt)):
        if not on and s.x >= 0.0:
            on = True
            touched = k if touched is None else touched
            share = surface.mass / (touching.arm.inertia + surface.mass)
            s.e_speed -= share * (s.e_speed + s.y_speed)
        s, sensed, felt = (touching if on else free).advance(s)
        # a surface does not pull
        on = on and felt[-1] <= 0.0
        s.w += alpha * (sensed - s.w)
        law_on(axis, s, dead_band(s.w, dead) + force)
        _keep_speed(axis, s, max_speed)
        forces.append(max(0.0, -sum(felt) / len(felt)) if on else 0.0)
    first = touched or 0
    time = np.arange(len(forces) - first, dtype=np.float64) * axis.dt
    return Press(time=time, force=np.array(forces[first:]), target=force)


def _approaching(axis: Axis, remembered: int, speed: float) -> State:
    """Moving at a steady speed, about to touch: the set points are ahead by the servo's lag."""
    ahead = speed * axis.servo.lag
    sent = [ahead - i * axis.dt * speed for i in range(remembered)]
    return State(sent, v=speed, y_speed=speed)


def _keep_speed(axis: Axis, s: State, max_speed: float) -> None:
    if abs(s.v) > max_speed:
        s.v = copysign(max_speed, s.v)
        s.sent[0] = s.sent[1] + axis.dt * s.v
