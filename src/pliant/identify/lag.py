"""Identifies dead time and lag of the arm's servo from sent set points and measured positions.

The set point of a tick is the position that the arm should have one period later; r(t) is their
linear interpolation. An arm with dead time L and time constant τ obeys τ·q̇ + q = r(t − L). The
integral of this equation,

    τ·(q(t) − q₀) + ∫q dt − ∫r(t − L) dt = const,

needs no differentiation and is linear in τ, so only L has to be searched.
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

_MAX_LAG = 0.15
_COARSE, _FINE = 60, 40
_MIN_SPLIT_ERROR = 0.1
_MIN_MOTION = 1e-3
"""Joints that moved less than this are ignored, rad."""

_DIRECTIONS = ((1.0, 0.4, 0.3), (-0.3, 1.0, 0.4), (0.4, -0.3, 1.0))
_PATTERN = (1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class LagFit:
    """Identified servo.

    Attributes:
        dead_time: s.
        time_constant: s.
        lag: Sum of both: the delay of the arm at a constant speed, s.
        residual: Root mean square difference between measured and modelled joint positions, rad.
    """

    dead_time: Estimate
    time_constant: Estimate
    lag: Estimate
    residual: float

    @property
    def servo(self) -> Servo:
        """The servo, for computing contact stability."""
        return Servo(dead_time=self.dead_time.value, time_constant=self.time_constant.value)


def identify_lag(arm: Arm, *, speed: float = 0.02) -> LagFit:
    """Move the tool back and forth by a few millimetres, and fit the response of the joints.

    The arm moves under position control and returns to its start. The tool must be free.

    Args:
        arm: The arm, at rest.
        speed: Speed of the motion, m/s; its rotation is ten times as many rad/s.

    Raises:
        Refused: The joints hardly moved.
    """
    start = np.array(arm.tick.X_WT)
    with position_control(arm):
        start_time = arm.time
        for direction in _DIRECTIONS:
            for i, sign in enumerate(_PATTERN):
                twist = sign * speed * np.array([*direction, *(10.0 * np.array(direction))])
                time = 0.06 + 0.02 * (i % 3)
                arm.jog(twist, timeout=time)
                arm.wait(time)
            arm.hold()
            come_to_rest(arm)
        watch(arm, 2.0 * _MAX_LAG)
        rows = arm.history.since(start_time)
        go_back(arm, start)
    return fit_lag(rows)


def fit_lag(rows: Rows) -> LagFit:
    """Fit dead time and lag to ticks in which the arm moved freely.

    Args:
        rows: Consecutive ticks, starting at rest.

    Raises:
        Refused: The joints hardly moved.
    """
    q, qd, sent = np.array(rows["q"]), np.array(rows["qd"]), np.array(rows["q_sent"])
    moving = np.ptp(sent, axis=0) > _MIN_MOTION
    if not moving.any():
        raise Refused("the joints hardly moved: use larger or faster motions")
    problem = _Problem(q[:, moving], qd[:, moving], sent[:, moving], float(rows["dt"][0]))
    dead = problem.best_dead_time()
    return problem.result(dead)


class _Problem:
    """The equation above for all joints that moved, at every tick after the largest lag."""

    def __init__(self, q: Array, qd: Array, sent: Array, dt: float) -> None:
        self._dt = dt
        self._time = np.arange(len(q)) * dt
        # a set point sent at tick k − 1 is to be reached at tick k
        self._line = np.vstack([sent[:1], sent[:-1]]) - q[0]
        self._q = q - q[0]
        self._area = self._integral(self._line)
        # Hermite integration: the error of the trapezoidal rule would be as large as a short lag
        correction = np.vstack([np.zeros_like(qd[:1]), np.cumsum(qd[:-1] - qd[1:], axis=0)])
        self._q_area = self._integral(self._q) + dt * dt / 12.0 * correction
        self._since = round(_MAX_LAG / dt)

    def _integral(self, values: Array) -> Array:
        steps = 0.5 * self._dt * (values[1:] + values[:-1])
        return np.vstack([np.zeros_like(values[:1]), np.cumsum(steps, axis=0)])

    def fit(self, dead: float) -> Fit:
        """Fit a non-negative time constant for a given dead time."""
        delayed = np.column_stack([self._delayed(j, dead) for j in range(self._q.shape[1])])
        right = (delayed - self._q_area)[self._since :]
        left = self._q[self._since :]
        # subtracting the mean eliminates the constant of each joint
        b = (right - right.mean(axis=0)).T.ravel()
        a = (left - left.mean(axis=0)).T.ravel()
        found = least_squares(a[:, None], b)
        if found.x[0] >= 0.0:
            return found
        return Fit(x=np.zeros(1), covariance=found.covariance, residual=float(np.std(b)))

    def _delayed(self, joint: int, dead: float) -> Array:
        """∫r(t − L) dt, exact for linearly interpolated set points."""
        t = self._time - dead
        k = np.clip(np.floor(t / self._dt + 1e-9).astype(int), 0, len(t) - 2)
        rest = np.maximum(t - k * self._dt, 0.0)
        before, after = self._line[k, joint], self._line[k + 1, joint]
        slope = (after - before) / self._dt
        return self._area[k, joint] + rest * (before + 0.5 * rest * slope)

    def best_dead_time(self) -> float:
        """The dead time with the smallest residual, by a grid search that is refined twice."""
        grid = np.linspace(0.0, _MAX_LAG, _COARSE)
        for _ in range(3):
            best = int(np.argmin([self.fit(dead).residual for dead in grid]))
            low, high = grid[max(0, best - 1)], grid[min(len(grid) - 1, best + 1)]
            grid = np.linspace(low, high, _FINE)
        return float(grid[len(grid) // 2])

    def result(self, dead: float) -> LagFit:
        """The estimates with their errors, from the derivatives of the equation by L and τ."""
        step = 0.1 * self._dt
        delayed = [self._stacked(dead + sign * step) for sign in (1.0, -1.0)]
        slope = (delayed[0] - delayed[1]) / (2.0 * step)
        a = (self._q[self._since :] - self._q[self._since :].mean(axis=0)).T.ravel()
        b = self._stacked(dead) - self._stacked_area()
        tau = self.fit(dead).x[0]
        found = least_squares(np.column_stack([-slope, a]), b - a * tau, _MAX_LAG / self._dt)
        total = float(np.sqrt(max(found.covariance.sum(), 0.0)))
        # the error of the split is at most the whole lag, and at least a fraction of a period
        split = min(float(np.sqrt(found.covariance[0, 0])), dead + float(tau))
        split = max(split, _MIN_SPLIT_ERROR * self._dt)
        return LagFit(
            dead_time=Estimate(value=dead, error=split),
            time_constant=Estimate(value=float(tau), error=split),
            lag=Estimate(value=dead + float(tau), error=total),
            residual=self._position_error(dead, float(tau)),
        )

    def _stacked(self, dead: float) -> Array:
        delayed = np.column_stack([self._delayed(j, dead) for j in range(self._q.shape[1])])
        delayed = delayed[self._since :]
        return (delayed - delayed.mean(axis=0)).T.ravel()

    def _stacked_area(self) -> Array:
        area = self._q_area[self._since :]
        return (area - area.mean(axis=0)).T.ravel()

    def _position_error(self, dead: float, tau: float) -> float:
        """RMS difference between the measured joint positions and those of the model."""
        t = self._time - dead
        delayed = np.column_stack(
            [np.interp(t, self._time, self._line[:, j]) for j in range(self._q.shape[1])]
        )
        decay = np.exp(-self._dt / tau) if tau > 0.0 else 0.0
        model = delayed.copy()
        for k in range(1, len(model)):
            behind = tau * (delayed[k] - delayed[k - 1]) / self._dt
            model[k] = delayed[k] - behind + (model[k - 1] - delayed[k - 1] + behind) * decay
        return float(np.sqrt(np.mean((model - self._q) ** 2)))
