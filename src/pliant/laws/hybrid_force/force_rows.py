"""Force regulation along one force-controlled row, by a force on the tool."""

from math import exp, sqrt

from pliant.arms.contact import STIFFEST, STIFFEST_ROTATION
from pliant.laws.contact_adaptation import LEAST_DAMPING, allowed_peak
from pliant.numerics.filters import beyond
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.tick import Tick

# Speeds of the approach that are never exceeded, m/s and rad/s.
_FASTEST, _FASTEST_TURN = 0.025, 0.25
# Stiffest surface for which the speed of the approach is chosen, N/m.
_STIFFEST = 1e5
# Share of that speed with which the tool approaches.
_CAREFUL = 0.92
# Largest D·dt/Λ: more would chatter.
_MOST_DAMPING = 0.4
# Damping against which a force moves the tool in free motion up to its speed limit, N·m·s/rad.
_LEAST_TURN_DAMPING = 1.0
# Time in which force regulation takes over at a touch, and gives way after it, s.
_TAKE_OVER, _GIVE_WAY = 0.003, 0.05
# Force and torque of contact from which the error is integrated, N and N·m.
_PRESSED, _PRESSED_TORQUE = 1.0, 0.05


@kernel
def effective_mass(L: Array, row: Array) -> float:
    """Inertia that a force along a row feels; L is the Cholesky factor of Λ⁻¹."""
    mobility = 0.0
    for k in range(6):
        x = 0.0
        for j in range(k, 6):
            x += L[j, k] * row[j]
        mobility += x * x
    return 1.0 / mobility


@kernel
def row_damping(mass: float, k: float, p: float, linear: bool, beta: float, dt: float) -> float:
    """D = 2·√(k·(1 + p)·Λ): critical damping of the tool on what it presses against."""
    least = LEAST_DAMPING if linear else _LEAST_TURN_DAMPING
    damping = beta * max(least, 2.0 * sqrt(k * (1.0 + p) * mass))
    return min(damping, _MOST_DAMPING * mass / dt)


@kernel
def approach_speed(mass: float, linear: bool, force: float, peak: float) -> float:
    """Speed in free motion: the knock of a mass on a surface is v·√(k·Λ)."""
    if not linear:
        return _FASTEST_TURN
    return _CAREFUL * min(_FASTEST, allowed_peak(force, peak) / sqrt(_STIFFEST * mass))


@kernel
def braking(
    mass: float, linear: bool, p: float, beta: float, speed: float, most: float, dt: float
) -> float:
    """Force that brakes what is faster than its largest speed: what comes next may be stiff."""
    stiffest = STIFFEST if linear else STIFFEST_ROTATION
    D = row_damping(mass, stiffest, p, linear, beta, dt)
    return D * beyond(speed, most)


@kernel
def contact_share(before: float, touching: bool, dt: float) -> float:
    """Share of force regulation, against regulation of the speed of the approach."""
    if touching:
        return 1.0 + (before - 1.0) * exp(-dt / _TAKE_OVER)
    return before * exp(-dt / _GIVE_WAY)


@kernel
def integrate_error(
    tick: Row[Tick],
    i: int,
    linear: bool,
    error: float,
    gain: float,
    limit: float,
    held: bool,
    before: float,
) -> float:
    """The integral part, N, of this tick.

    It decays where nothing is touched, and grows no further while a limit of safety acts.
    """
    t = tick[0]
    if abs(t.f_row[i]) < (_PRESSED if linear else _PRESSED_TORQUE):
        return before * exp(-t.dt / _GIVE_WAY)
    after = max(-limit, min(limit, before + gain * error * t.dt))
    return before if held and abs(after) > abs(before) else after


@kernel
def free_speed(push: float, linear: bool, most: float) -> float:
    """Speed with which a force moves the tool where nothing holds it."""
    speed = push / (LEAST_DAMPING if linear else _LEAST_TURN_DAMPING)
    return max(-most, min(most, speed))
