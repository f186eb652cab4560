"""The minimum-jerk trajectory of the independent model, in closed form."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class MinimumJerk:
    """x = x0 + d·s + (10Δ − 6d)s³ − (15Δ − 8d)s⁴ + (6Δ − 3d)s⁵, s = t/duration, d = v0·duration."""

    x0: float
    v0: float
    xf: float
    duration: float  # s

    def at(self, t: float) -> tuple[float, float, float]:
        """Position, velocity and acceleration at t."""
        if t >= self.duration or self._is_none:
            return self.xf, 0.0, 0.0
        s, (a, b, c) = t / self.duration, self._coefficients()
        x = self.x0 + self.v0 * t + a * s**3 - b * s**4 + c * s**5
        v = self.v0 + (3 * a * s**2 - 4 * b * s**3 + 5 * c * s**4) / self.duration
        return x, v, (6 * a * s - 12 * b * s**2 + 20 * c * s**3) / self.duration**2

    def keeps(self, qd_max: float, qdd_max: float) -> bool:
        """Whether it stays within the limits; one that starts too fast must not get faster."""
        if self._is_none:
            return self.v0 == 0.0 or math.isinf(qdd_max)
        a, b, c = self._coefficients()
        # Besides s = 0 and 1, the acceleration vanishes where 3a = 10c·s; the jerk is a parabola.
        extremes = [0.0, 0.3 * a / c if c else 0.0, *_roots(10 * c, -4 * b, a)]
        states = [self.at(s * self.duration) for s in extremes if 0.0 <= s <= 1.0]
        fastest, hardest = (max(abs(state[i]) for state in states) for i in (1, 2))
        slack = 1.0 + 1e-9
        return fastest <= slack * max(qd_max, abs(self.v0)) and hardest <= slack * qdd_max

    @property
    def _is_none(self) -> bool:
        """Whether its duration is negligible; the square of a tiny duration is zero."""
        return self.duration**2 <= 0.0

    def _coefficients(self) -> tuple[float, float, float]:
        delta, d = self.xf - self.x0, self.v0 * self.duration
        return 10 * delta - 6 * d, 15 * delta - 8 * d, 6 * delta - 3 * d


def plan(
    x0: float,
    v0: float,
    xf: float,
    speed: float,
    qd_max: float = math.inf,
    qdd_max: float = math.inf,
) -> MinimumJerk:
    """The trajectory at this mean speed, or the fastest slower one within the limits."""

    def keeps(duration: float) -> bool:
        return MinimumJerk(x0, v0, xf, duration).keeps(qd_max, qdd_max)

    duration = too_short = abs(xf - x0) / speed
    while not keeps(duration):
        too_short, duration = duration, 1.02 * max(duration, 1e-6)
    for _ in range(50 if too_short < duration else 0):
        middle = 0.5 * (too_short + duration)
        too_short, duration = (too_short, middle) if keeps(middle) else (middle, duration)
    return MinimumJerk(x0, v0, xf, duration)


def _roots(a: float, b: float, c: float) -> list[float]:
    """The real roots of a·s² + b·s + c."""
    if a == 0.0:
        return [-c / b] if b else []
    discriminant = b * b - 4.0 * a * c
    if discriminant < 0.0:
        return []
    root = math.sqrt(discriminant)
    return [(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)]
