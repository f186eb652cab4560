"""Dead time and lag of the arm's servo, from set points sent and joint positions measured.

The set point of one tick is where the arm is to be one period later, and r(t) the line through
them. An arm that follows with dead time L and time constant τ obeys τ·q̇ + q = r(t − L). Integrated
from the beginning,

    τ·(q(t) − q₀) + ∫q dt − ∫r(t − L) dt = const,

there is nothing to differentiate; it is linear in τ, and the one search is over L.
"""

from dataclasses import dataclass

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import Refused
from pliant.identify.least_squares import Estimate, Fit, least_squares
from pliant.identify.probing import come_to_rest, go_back, position_control, watch
from pliant.numerics.spatial import Array
from pliant.stability import Servo
from pliant.tick import Rows

_LONGEST = 0.15
_COARSE, _FINE = 60, 40
_GRAIN = 0.1
_LEAST_MOTION = 1e-3
"""Joints that moved less than this, rad, tell nothing."""

_DIRECTIONS = ((1.0, 0.4, 0.3), (-0.3, 1.0, 0.4), (0.4, -0.3, 1.0))
_PATTERN = (1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class LagFit:
    """What was found of the servo.

    Attributes:
        dead_time: s.
        time_constant: s.
        lag: Both together: how late the arm is at a steady speed, s.
        residual: Root mean square of how far the joints were from where this puts them, rad.
    """

    dead_time: Estimate
    time_constant: Estimate
    lag: Estimate
    residual: float

    @property
    def servo(self) -> Servo:
        """What was found, as the stability of a contact takes it."""
        return Servo(dead_time=self.dead_time.value, time_constant=self.time_constant.value)


def identify_lag(arm: Arm, *, speed: float = 0.02) -> LagFit:
    """Move the tool to and fro by a few millimetres and see how the joints follow.

    The arm moves under position control and ends where it began; the tool must be free.

    Args:
        arm: The arm, at rest.
        speed: Of the motion, m/s; ten times as many rad/s about the same directions.

    Raises:
        Refused: The joints hardly moved.
    """
    start = np.array(arm.tick.X_WT)
    with position_control(arm):
        begin = arm.time
        for direction in _DIRECTIONS:
            for i, sign in enumerate(_PATTERN):
                twist = sign * speed * np.array([*direction, *(10.0 * np.array(direction))])
                time = 0.06 + 0.02 * (i % 3)
                arm.jog(twist, timeout=time)
                arm.wait(time)
            arm.hold()
            come_to_rest(arm)
        watch(arm, 2.0 * _LONGEST)
        rows = arm.history.since(begin)
        go_back(arm, start)
    return fit_lag(rows)


def fit_lag(rows: Rows) -> LagFit:
    """Fit dead time and lag to ticks in which the arm moved freely.

    Args:
        rows: Consecutive ticks, from rest on.

    Raises:
        Refused: The joints hardly moved.
    """
    q, qd, sent = np.array(rows["q"]), np.array(rows["qd"]), np.array(rows["q_sent"])
    moving = np.ptp(sent, axis=0) > _LEAST_MOTION
    if not moving.any():
        raise Refused("the joints hardly moved: give larger or faster motions")
    problem = _Problem(q[:, moving], qd[:, moving], sent[:, moving], float(rows["dt"][0]))
    dead = problem.best_dead_time()
    return problem.result(dead)


class _Problem:
    """The equation above for all joints that moved, at every tick from the longest lag on."""

    def __init__(self, q: Array, qd: Array, sent: Array, dt: float) -> None:
        self._dt = dt
        self._time = np.arange(len(q)) * dt
        # measured at tick k, sent at tick k − 1: the line is at `sent` one period later
        self._line = np.vstack([sent[:1], sent[:-1]]) - q[0]
        self._q = q - q[0]
        self._area = self._integral(self._line)
        # Hermite's: a trapezium would be off by as much as a short lag is long
        bend = np.vstack([np.zeros_like(qd[:1]), np.cumsum(qd[:-1] - qd[1:], axis=0)])
        self._q_area = self._integral(self._q) + dt * dt / 12.0 * bend
        self._since = round(_LONGEST / dt)

    def _integral(self, values: Array) -> Array:
        steps = 0.5 * self._dt * (values[1:] + values[:-1])
        return np.vstack([np.zeros_like(values[:1]), np.cumsum(steps, axis=0)])

    def fit(self, dead: float) -> Fit:
        """The best time constant, kept from being negative, and what is left over."""
        late = np.column_stack([self._late(j, dead) for j in range(self._q.shape[1])])
        right = (late - self._q_area)[self._since :]
        left = self._q[self._since :]
        # the constant of each joint is its mean
        b = (right - right.mean(axis=0)).T.ravel()
        a = (left - left.mean(axis=0)).T.ravel()
        found = least_squares(a[:, None], b)
        if found.x[0] >= 0.0:
            return found
        return Fit(x=np.zeros(1), covariance=found.covariance, residual=float(np.std(b)))

    def _late(self, joint: int, dead: float) -> Array:
        """∫r(t − L) dt, exactly for a line through the set points."""
        t = self._time - dead
        k = np.clip(np.floor(t / self._dt + 1e-9).astype(int), 0, len(t) - 2)
        share = np.maximum(t - k * self._dt, 0.0)
        before, after = self._line[k, joint], self._line[k + 1, joint]
        slope = (after - before) / self._dt
        return self._area[k, joint] + share * (before + 0.5 * share * slope)

    def best_dead_time(self) -> float:
        """Where the least is left over: looked for in steps, then between them."""
        grid = np.linspace(0.0, _LONGEST, _COARSE)
        for _ in range(3):
            best = int(np.argmin([self.fit(dead).residual for dead in grid]))
            low, high = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
            grid = np.linspace(low, high, _FINE)
        return float(grid[len(grid) // 2])

    def result(self, dead: float) -> LagFit:
        """The figures with their errors, from how the equation changes with L and τ."""
        step = 0.1 * self._dt
        late = [self._stacked(dead + sign * step) for sign in (1.0, -1.0)]
        slope = (late[0] - late[1]) / (2.0 * step)
        a = (self._q[self._since :] - self._q[self._since :].mean(axis=0)).T.ravel()
        b = self._stacked(dead) - self._stacked_area()
        tau = self.fit(dead).x[0]
        found = least_squares(np.column_stack([-slope, a]), b - a * tau, _LONGEST / self._dt)
        both = float(np.sqrt(max(found.covariance.sum(), 0.0)))
        # the split cannot be worse than all or nothing, nor finer than where in a period it bends
        split = min(float(np.sqrt(found.covariance[0, 0])), dead + float(tau))
        split = max(split, _GRAIN * self._dt)
        return LagFit(
            dead_time=Estimate(value=dead, error=split),
            time_constant=Estimate(value=float(tau), error=split),
            lag=Estimate(value=dead + float(tau), error=both),
            residual=self._position_error(dead, float(tau)),
        )

    def _stacked(self, dead: float) -> Array:
        late = np.column_stack([self._late(j, dead) for j in range(self._q.shape[1])])
        late = late[self._since :]
        return (late - late.mean(axis=0)).T.ravel()

    def _stacked_area(self) -> Array:
        area = self._q_area[self._since :]
        return (area - area.mean(axis=0)).T.ravel()

    def _position_error(self, dead: float, tau: float) -> float:
        """How far the joints were from the model's, stepped through the ticks."""
        t = self._time - dead
        late = np.column_stack(
            [np.interp(t, self._time, self._line[:, j]) for j in range(self._q.shape[1])]
        )
        decay = np.exp(-self._dt / tau) if tau > 0.0 else 0.0
        model = late.copy()
        for k in range(1, len(model)):
            behind = tau * (late[k] - late[k - 1]) / self._dt
            model[k] = late[k] - behind + (model[k - 1] - late[k - 1] + behind) * decay
        return float(np.sqrt(np.mean((model - self._q) ** 2)))
