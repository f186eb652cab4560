"""One control period of one axis in contact: law, servo, arm and surface.

Positions point into the surface, which is at x = 0. Forces are those of the surface on the tool, so
they are negative in contact. With y the set point after dead time and lag, and x = y + e the
position of the tool,

    m_a·ë + d_a·ė + k_a·e = F − L    deflection of the arm under the force at its tool
    L = low-pass of F                load that the servo compensates, if it does
    F = −(k·x + c·ẋ + m·ẍ)           surface
    w = mean of F − m_tool·ẍ         sensor, over one period

Pliant's own joint servo acts by a torque, and samples e, ė and ÿ once per period. With it

    m_a·ẍ = m_a·ÿ − d_a·ė − k_a·e + F − L

where the right-hand side, except F, is held for a period, so ÿ takes effect that much later. This
delay, with the tool inertia in the sensor signal, can make an axis with a small M unstable.

The low-pass filter and the law's semi-implicit step follow. Set points are interpolated linearly
between periods, and the dead time need not be a whole number of periods. Everything is linear, so
the same code advances numbers, for a response, and matrix rows, for the eigenvalues.
"""

from dataclasses import dataclass, replace
from math import exp, expm1, floor, pi
from typing import Any

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Surface, TipImpedance

FREE_SPACE = Surface(stiffness=0.0)
"""A surface that exerts no force."""

_STEP = 0.001
"""Approximate step at which the force is evaluated within a period, s."""

_OTHER_VALUES = 10
"""Number of values in a state besides its set points."""

Value = Any
"""A number, or a linear function of the state as a row of coefficients."""


@dataclass
class State:
    """State of the axis at the end of a period.

    Attributes:
        sent: Set points, the newest first.
        v: Velocity of the law.
        y: Position of the servo.
        y_speed: Velocity of the servo.
        y_acceleration: Acceleration of the servo.
        e: Deflection of the tool from the servo position.
        e_speed: Its rate.
        load: Load that the servo compensates.
        w: Filtered force.
        error: Sensed minus desired force.
        integral: Its integral.
    """

    sent: list[Value]
    v: Value = 0.0
    y: Value = 0.0
    y_speed: Value = 0.0
    y_acceleration: Value = 0.0
    e: Value = 0.0
    e_speed: Value = 0.0
    load: Value = 0.0
    w: Value = 0.0
    error: Value = 0.0
    integral: Value = 0.0

    @property
    def x(self) -> Value:
        """Position of the tool."""
        return self.y + self.e

    def values(self) -> list[Value]:
        """All values, in the order of `State.of`."""
        moving = (self.v, self.y, self.y_speed, self.y_acceleration, self.e, self.e_speed)
        return [*self.sent, *moving, self.load, self.w, self.error, self.integral]

    @classmethod
    def of(cls, values: Any) -> "State":
        """The inverse of `values`."""
        return cls(list(values[:-_OTHER_VALUES]), *values[-_OTHER_VALUES:])


@dataclass(frozen=True)
class _Piece:
    """An interval in which the delayed set point moves along one line between two set points.

    Attributes:
        duration: s.
        index: The line ends at this set point and starts at the one before it.
        start: Fraction of the line at which the interval starts.
        end: Fraction at which it ends.
    """

    duration: float
    index: int
    start: float
    end: float


class Plant:
    """Servo, arm and surface of an axis, with precomputed transition matrices."""

    def __init__(self, axis: Axis, surface: Surface) -> None:
        self.axis = axis
        self.surface = surface
        self.arm = axis.arm.touching(surface)
        self.steps = max(1, round(axis.dt / _STEP))
        self.pieces = _pieces(axis, self.steps)
        kept = exp(-2.0 * pi * self.arm.load_cutoff * axis.dt)
        self.load_filter = (kept, 1.0 - kept) if self.arm.load_cutoff > 0.0 else (0.0, 0.0)
        # plain floats, which are faster than arrays for a single response
        self.transition = _transition(self.arm, surface, axis.dt / self.steps).tolist()
        # fraction of a change of servo speed that the tool does not follow at once: the surface's
        # mass resists it, and a torque servo can only accelerate the arm
        resisted = surface.mass / (self.arm.inertia + surface.mass)
        self.not_followed = 1.0 if self.arm.by_torque else resisted

    @property
    def set_points(self) -> int:
        """Number of set points in a state."""
        return 2 + max(piece.index for step in self.pieces for piece in step)

    def advance(self, s: State) -> tuple[State, Value, list[Value]]:
        """Advance by one period; return the state, the sensor reading and the forces in between."""
        arm, surface, h = self.arm, self.surface, self.axis.dt / self.steps
        moved, sensed, forces = replace(s), 0.0, []
        held_force = s.load - self._servo_force(s)
        for pieces in self.pieces:
            x, x_speed = moved.x, moved.e_speed + moved.y_speed
            y = moved.y
            for piece in pieces:
                y = self._follow(y, s.sent, piece)
            y_speed = (y - moved.y) / h
            jump = self.not_followed * (y_speed - moved.y_speed)
            before = (moved.e, moved.e_speed - jump, moved.y, y_speed, held_force)
            moved.e, moved.e_speed = (
                sum(c * z for c, z in zip(row, before, strict=True)) for row in self.transition
            )
            moved.y, moved.y_speed = y, y_speed
            acceleration = (moved.e_speed + moved.y_speed - x_speed) / h
            spring = surface.stiffness * 0.5 * (x + moved.x) + surface.damping * (moved.x - x) / h
            force = -spring - surface.mass * acceleration
            forces.append(force)
            sensed = sensed + (force - arm.tool * acceleration) / self.steps
        moved.y_acceleration = (moved.y_speed - s.y_speed) / self.axis.dt
        kept, added = self.load_filter
        moved.load = kept * s.load + (added / self.steps) * sum(forces)
        return moved, sensed, forces

    def _servo_force(self, s: State) -> Value:
        """Force of a torque servo during a period, from the state at its start."""
        arm = self.arm
        if not arm.by_torque:
            return 0.0
        return arm.inertia * s.y_acceleration - arm.damping * s.e_speed - arm.stiffness * s.e

    def _follow(self, y: Value, sent: list[Value], piece: _Piece) -> Value:
        """First-order lag, solved exactly while the set point moves along a line."""
        before, after = sent[piece.index + 1], sent[piece.index]
        change = after - before
        start, end = before + piece.start * change, before + piece.end * change
        tau = self.axis.servo.time_constant
        if tau <= 0.0 or piece.duration <= 0.0:
            return end
        behind = (tau / self.axis.dt) * change
        return end - behind + (y - start + behind) * exp(-piece.duration / tau)


def law_step(axis: Axis, s: State, sensed: Value, target: Value) -> State:
    """Filter the sensed force and perform the law's semi-implicit step, in place."""
    s.w = s.w + filter_gain(axis) * (sensed - s.w)
    return law_update(axis, s, s.w - target)


def law_update(axis: Axis, s: State, error: Value) -> State:
    """Perform the law's step for a force error, in place; it adds the newest set point."""
    g, dt = axis.gains, axis.dt
    s.integral = s.integral + dt * error
    force = (1.0 + g.p) * error + g.i * s.integral + (g.d / dt) * (error - s.error)
    s.error = error
    s.v = s.v + (dt / g.inertia) * (force - g.damping * s.v - g.stiffness * s.sent[0])
    s.sent = [s.sent[0] + dt * s.v, *s.sent[:-1]]
    return s


def filter_gain(axis: Axis) -> float:
    """Gain of the discrete low-pass filter of the force."""
    return -expm1(-2.0 * pi * axis.cutoff * axis.dt)


def closed_loop(axis: Axis, surface: Surface) -> tuple[Array, Array, Array]:
    """The axis in permanent contact: s⁺ = A·s + b·target; c·s is the mean force in the period."""
    axis = axis.on(surface)
    plant = Plant(axis, surface)
    size = plant.set_points + _OTHER_VALUES
    rows = np.eye(size + 1)
    moved, sensed, forces = plant.advance(State.of(rows[:-1]))
    c = np.mean(forces, axis=0)
    stepped = np.array(law_step(axis, moved, sensed, rows[-1]).values())
    kept = slice(0, size if axis.gains.i else size - 1)
    return stepped[kept, kept], stepped[kept, -1], c[kept]


def _pieces(axis: Axis, steps: int) -> tuple[tuple[_Piece, ...], ...]:
    """The linear pieces of the delayed set point in each step of a period."""
    dt, delay = axis.dt, axis.servo.dead_time / axis.dt
    result = []
    for j in range(steps):
        start, end = j / steps - delay, (j + 1) / steps - delay
        segment = floor(start + 1e-9)
        corner = min(segment + 1.0, end)
        cuts = [(start, corner, segment)]
        if corner < end - 1e-9:
            cuts.append((corner, end, segment + 1))
        result.append(tuple(_Piece((b - a) * dt, -n, a - n, b - n) for a, b, n in cuts))
    return tuple(result)


def _transition(arm: TipImpedance, surface: Surface, h: float) -> Array:
    """Transition matrix from e, ė, y, ẏ, L to e, ė after a time h, while y moves along a line."""
    inertia = arm.inertia + surface.mass
    k, c = surface.stiffness, surface.damping
    rate = np.zeros((5, 5))
    rate[0, 1] = rate[2, 3] = 1.0
    k_arm, d_arm = (0.0, 0.0) if arm.by_torque else (arm.stiffness, arm.damping)
    rate[1] = np.array([-(k_arm + k), -(d_arm + c), -k, -c, -1.0]) / inertia
    return _exponential(rate * h)[:2]


def _exponential(matrix: Array) -> Array:
    """Exponential of a small matrix, by scaling and squaring of its series."""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(matrix).sum(axis=1).max(), 1e-9)))) + 3)
    term = result = np.eye(len(matrix))
    for n in range(1, 13):
        term = term @ matrix / (n * 2.0**halvings)
        result = result + term
    for _ in range(halvings):
        result = result @ result
    return result
