"""One period of one axis in contact, as the law, the servo, the arm and the surface make it.

Positions are along the axis into the surface, which is touched at x = 0; forces are what the
surface does to the tool, so they are negative in contact. With y the delayed and lagged set point,
and x = y + e where the tool is,

    m_a·ë + d_a·ė + k_a·e = F − L    the arm yields to the force at its tool
    L = low-pass of F                but for what its servo feels and makes up for, if it does
    F = −(k·x + c·ẋ + m·ẍ)           the surface
    w = mean of F − m_tool·ẍ         the sensor, over one period

A servo that Pliant makes can only push, and looks at e, ė and ÿ once a period: with it

    m_a·ẍ = m_a·ÿ − d_a·ė − k_a·e + F − L

and the push holds for a period, so that ÿ comes that late. What the sensor feels of the tool's
inertia can make an axis of small M unstable through that.

Then follow the low-pass and the law's semi-implicit step. Set points move in straight lines from
period to period; the dead time need not be whole periods. Everything is linear, so the same code
advances numbers, for a response, and rows of a matrix, for the eigenvalues.
"""

from dataclasses import dataclass, replace
from math import exp, expm1, floor, pi
from typing import Any

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import ArmEnd, Axis, Surface

NOTHING = Surface(stiffness=0.0)
"""The surface of free space."""

_STEP = 0.001
"""About how far apart the force is evaluated within a period, s."""

_BESIDES = 10
"""How many values a state has besides its set points."""

Value = Any
"""A number, or a row of coefficients on the state."""


@dataclass
class State:
    """What the axis remembers from period to period.

    Attributes:
        sent: Set points, the newest first.
        v: Velocity of the law.
        y: Where the servo is.
        y_speed: Its velocity.
        y_push: Its acceleration.
        e: How far the tool is from there.
        e_speed: Its velocity.
        load: What the servo makes up for.
        w: Filtered force.
        error: Sensed minus desired force.
        integral: Its integral.
    """

    sent: list[Value]
    v: Value = 0.0
    y: Value = 0.0
    y_speed: Value = 0.0
    y_push: Value = 0.0
    e: Value = 0.0
    e_speed: Value = 0.0
    load: Value = 0.0
    w: Value = 0.0
    error: Value = 0.0
    integral: Value = 0.0

    @property
    def x(self) -> Value:
        """Where the tool is."""
        return self.y + self.e

    def values(self) -> list[Value]:
        """All of it, in the order of `State.of`."""
        moving = (self.v, self.y, self.y_speed, self.y_push, self.e, self.e_speed)
        return [*self.sent, *moving, self.load, self.w, self.error, self.integral]

    @classmethod
    def of(cls, values: Any) -> "State":
        """The inverse of `values`."""
        return cls(list(values[:-_BESIDES]), *values[-_BESIDES:])


@dataclass(frozen=True)
class _Piece:
    """A stretch of time in which the delayed set point moves along one straight line.

    Attributes:
        duration: s.
        index: The line ends at this set point, and begins at the one before.
        start: Share of the line at which the piece begins.
        end: Share at which it ends.
    """

    duration: float
    index: int
    start: float
    end: float


class Plant:
    """Servo, arm and surface of an axis, with what can be computed beforehand."""

    def __init__(self, axis: Axis, surface: Surface) -> None:
        self.axis = axis
        self.surface = surface
        self.arm = axis.arm.touching(surface)
        self.steps = max(1, round(axis.dt / _STEP))
        self.pieces = _pieces(axis, self.steps)
        kept = exp(-2.0 * pi * self.arm.load_cutoff * axis.dt)
        self.feeling = (kept, 1.0 - kept) if self.arm.load_cutoff > 0.0 else (0.0, 0.0)
        # plain numbers, which are quicker than arrays for a response
        self.transition = _transition(self.arm, surface, axis.dt / self.steps).tolist()
        # what a change of the servo's speed leaves behind: the surface's mass, and an arm whose
        # servo can only push it
        behind = surface.mass / (self.arm.inertia + surface.mass)
        self.left_behind = 1.0 if self.arm.by_torque else behind

    @property
    def remembered(self) -> int:
        """How many set points a state has."""
        return 2 + max(piece.index for step in self.pieces for piece in step)

    def advance(self, s: State) -> tuple[State, Value, list[Value]]:
        """Let one period pass: the state, what the sensor read, and the forces on the way."""
        arm, ground, h = self.arm, self.surface, self.axis.dt / self.steps
        moved, sensed, forces = replace(s), 0.0, []
        pushed = s.load - self._servo_push(s)
        for pieces in self.pieces:
            x, x_speed = moved.x, moved.e_speed + moved.y_speed
            y = moved.y
            for piece in pieces:
                y = self._follow(y, s.sent, piece)
            y_speed = (y - moved.y) / h
            kick = self.left_behind * (y_speed - moved.y_speed)
            before = (moved.e, moved.e_speed - kick, moved.y, y_speed, pushed)
            moved.e, moved.e_speed = (
                sum(c * z for c, z in zip(row, before, strict=True)) for row in self.transition
            )
            moved.y, moved.y_speed = y, y_speed
            acceleration = (moved.e_speed + moved.y_speed - x_speed) / h
            spring = ground.stiffness * 0.5 * (x + moved.x) + ground.damping * (moved.x - x) / h
            force = -spring - ground.mass * acceleration
            forces.append(force)
            sensed = sensed + (force - arm.tool * acceleration) / self.steps
        moved.y_push = (moved.y_speed - s.y_speed) / self.axis.dt
        kept, taken = self.feeling
        moved.load = kept * s.load + (taken / self.steps) * sum(forces)
        return moved, sensed, forces

    def _servo_push(self, s: State) -> Value:
        """What a servo by torque does for a period, from what it saw at its beginning."""
        arm = self.arm
        if not arm.by_torque:
            return 0.0
        return arm.inertia * s.y_push - arm.damping * s.e_speed - arm.stiffness * s.e

    def _follow(self, y: Value, sent: list[Value], piece: _Piece) -> Value:
        """The first-order lag, solved exactly while the set point moves along a line."""
        before, after = sent[piece.index + 1], sent[piece.index]
        change = after - before
        start, end = before + piece.start * change, before + piece.end * change
        tau = self.axis.servo.time_constant
        if tau <= 0.0 or piece.duration <= 0.0:
            return end
        behind = (tau / self.axis.dt) * change
        return end - behind + (y - start + behind) * exp(-piece.duration / tau)


def law_step(axis: Axis, s: State, sensed: Value, target: Value) -> State:
    """Filter the sensed force and make the law's semi-implicit step, in place."""
    s.w = s.w + smoothing(axis) * (sensed - s.w)
    return law_on(axis, s, s.w - target)


def law_on(axis: Axis, s: State, error: Value) -> State:
    """The law's step for a force error, in place; the newest set point is what it asks for."""
    g, dt = axis.gains, axis.dt
    s.integral = s.integral + dt * error
    push = (1.0 + g.p) * error + g.i * s.integral + (g.d / dt) * (error - s.error)
    s.error = error
    s.v = s.v + (dt / g.inertia) * (push - g.damping * s.v - g.stiffness * s.sent[0])
    s.sent = [s.sent[0] + dt * s.v, *s.sent[:-1]]
    return s


def smoothing(axis: Axis) -> float:
    """The share of the way to its input that the force filter makes in one period."""
    return -expm1(-2.0 * pi * axis.cutoff * axis.dt)


def closed_loop(axis: Axis, surface: Surface) -> tuple[Array, Array, Array]:
    """The axis in lasting contact: s⁺ = A·s + b·target; c·s is the surface's force until then."""
    plant = Plant(axis, surface)
    size = plant.remembered + _BESIDES
    rows = np.eye(size + 1)
    moved, sensed, forces = plant.advance(State.of(rows[:-1]))
    c = np.mean(forces, axis=0)
    stepped = np.array(law_step(axis, moved, sensed, rows[-1]).values())
    kept = slice(0, size if axis.gains.i else size - 1)
    return stepped[kept, kept], stepped[kept, -1], c[kept]


def _pieces(axis: Axis, steps: int) -> tuple[tuple[_Piece, ...], ...]:
    """Of which lines the delayed set point consists in each step of a period."""
    dt, late = axis.dt, axis.servo.dead_time / axis.dt
    result = []
    for j in range(steps):
        start, end = j / steps - late, (j + 1) / steps - late
        segment = floor(start + 1e-9)
        corner = min(segment + 1.0, end)
        cuts = [(start, corner, segment)]
        if corner < end - 1e-9:
            cuts.append((corner, end, segment + 1))
        result.append(tuple(_Piece((b - a) * dt, -n, a - n, b - n) for a, b, n in cuts))
    return tuple(result)


def _transition(arm: ArmEnd, surface: Surface, h: float) -> Array:
    """From e, ė, y, ẏ, L to e, ė a time later, while y moves along a line."""
    inertia = arm.inertia + surface.mass
    k, c = surface.stiffness, surface.damping
    rate = np.zeros((5, 5))
    rate[0, 1] = rate[2, 3] = 1.0
    k_arm, d_arm = (0.0, 0.0) if arm.by_torque else (arm.stiffness, arm.damping)
    rate[1] = np.array([-(k_arm + k), -(d_arm + c), -k, -c, -1.0]) / inertia
    return _exponential(rate * h)[:2]


def _exponential(matrix: Array) -> Array:
    """The exponential of a small matrix, by halving and its series."""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(matrix).sum(axis=1).max(), 1e-9)))) + 3)
    term = result = np.eye(len(matrix))
    for n in range(1, 13):
        term = term @ matrix / (n * 2.0**halvings)
        result = result + term
    for _ in range(halvings):
        result = result @ result
    return result
