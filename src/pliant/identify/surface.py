"""Stiffness and damping of a surface, from a slow press and a few small swings."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import cos, pi

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import Refused
from pliant.identify.least_squares import Estimate, least_squares
from pliant.identify.probing import come_to_rest, go_back, position_control
from pliant.numerics.spatial import Array, quat_rotate
from pliant.stability import Surface
from pliant.tick import Rows, Tick

_LOADED = 0.3
"""The press counts from this share of its force on: the first touch is never clean."""

_RISE = 4.0
"""How fast the force is to rise while pressing, N/s."""

_SPEEDS = (5e-5, 5e-3)
_SWINGS = ((2.0, 4), (5.0, 8))
"""Frequency, Hz, and number of the swings."""

_SWING_FORCE = 0.35
"""Height of the swings, as a share of the force."""

_SWING_ACCELERATION = 0.6
"""Acceleration of the swings at most, as a share of what the reference may have."""

_LEAST_FORCE, _MOST_FORCE = 4.0, 0.7
"""To press with: in dead bands, and as a share of the force at which the arm stops."""

_JOG = 0.1

_SWING_STEP = 0.01
"""How often a swing's speed is set, s: an arm in another process takes a few ticks to answer."""


@dataclass(frozen=True, kw_only=True)
class SurfaceFit:
    """What was found of the surface along the tool's z axis.

    Attributes:
        stiffness: Of the surface, N/m.
        damping: N·s/m.
        mass: What of it moves with the tool, kg.
        arm_stiffness: Of the arm itself along that axis, N/m; None for a torque arm, whose servo
            makes up for the load that it feels.
        residual: Root mean square of the force left over in the slow press, N.
    """

    stiffness: Estimate
    damping: Estimate
    mass: Estimate
    arm_stiffness: Estimate | None
    residual: float

    @property
    def surface(self) -> Surface:
        """What was found, as the stability of a contact takes it; what is not sure is left out."""
        return Surface(
            stiffness=self.stiffness.value,
            damping=max(0.0, self.damping.value) if self.damping.is_sure else 0.0,
            mass=max(0.0, self.mass.value) if self.mass.is_sure else 0.0,
        )


def identify_surface(
    arm: Arm, *, force: float = 10.0, reach: float = 0.1, speed: float = 2e-3
) -> SurfaceFit:
    """Press on what is before the tool, slowly, and let go again.

    The arm goes along the tool's z axis under position control until it feels something, presses
    up to a force and back, swings a little, and returns to where it began.

    Args:
        arm: The arm, at rest before the surface, its sensor zeroed.
        force: To press with, N.
        reach: How far to look for the surface, m.
        speed: Of the approach, m/s.

    Raises:
        Refused: The sensor is not ready, a figure makes no sense, or nothing is within reach.
    """
    _check(arm, force, reach, speed)
    start = np.array(arm.tick.X_WT)
    with position_control(arm):
        slope = _touch(arm, 0.5 * force, reach, speed)
        pace = float(np.clip(_RISE / slope, *_SPEEDS))
        _go(arm, -pace, lambda tick: _felt(tick) < 0.1 * force)
        begin = arm.time
        _go(arm, pace, lambda tick: _felt(tick) > force)
        _go(arm, -pace, lambda tick: _felt(tick) < 0.6 * force)
        pressed = arm.history.since(begin)
        come_to_rest(arm, 0.2)
        swung = _swing(arm, _SWING_FORCE * force / slope)
        go_back(arm, start)
    fit = fit_surface(pressed, swung, arm.config.tool.mass)
    return replace(fit, arm_stiffness=None) if arm.description.takes_torque else fit


def _check(arm: Arm, force: float, reach: float, speed: float) -> None:
    if not arm.tick.zeroed:
        raise Refused("zero the force sensor first, with the tool free")
    if not (reach > 0.0 and speed > 0.0):
        raise Refused("reach and speed are above 0")
    least = _LEAST_FORCE * arm.config.wrench.dead_band[2]
    most = _MOST_FORCE * arm.config.safety.contact_force
    if not least <= force <= most:
        raise Refused(
            f"a force of {force:g} N tells nothing, or would stop the arm: press with {least:.3g} "
            f"to {most:.3g} N"
        )


def fit_surface(pressed: Rows, swung: Rows, tool_mass: float) -> SurfaceFit:
    """Fit a surface to ticks of a slow press and of swings about a steady force.

    Both fit −w = f₀ + k·x + c·ẋ + (m + m_tool)·ẍ; the slow press gives the stiffness of surface and
    arm, the swings damping and mass.

    Args:
        pressed: Ticks of a press and a release, up to the force and back.
        swung: Ticks of swings, in contact throughout.
        tool_mass: Mass of the tool, whose inertia the sensor feels, kg.

    Raises:
        Refused: The tool did not press on anything.
    """
    motion, load = _motion(pressed), _load(pressed)
    heavy = _smooth(load) > _LOADED * _smooth(load).max()
    if heavy.sum() < 20 or np.ptp(motion[heavy, 0]) <= 0.0:
        raise Refused("the tool did not press on anything")
    fit = least_squares(motion[heavy], load[heavy])
    # behind its set points the tool is by the force, and by the lag too
    behind = np.column_stack([_sag(pressed), motion[:, 1], np.ones(len(load))])
    arm = least_squares(behind[heavy], load[heavy])
    moving = least_squares(_motion(swung), _load(swung))
    damping, mass = moving.estimate(1), moving.estimate(2)
    return SurfaceFit(
        stiffness=fit.estimate(0),
        damping=damping,
        mass=Estimate(value=mass.value - tool_mass, error=mass.error),
        arm_stiffness=arm.estimate(0),
        residual=fit.residual,
    )


def _motion(rows: Rows) -> Array:
    """Depth, speed and acceleration of the tool along its z axis, and 1, for each tick but one.

    A reading averages over a period and comes a little late, so depth and speed are those of its
    first half.
    """
    depth, speed = _depth(rows), rows["v_WT_W"][:, :3] @ _axis(rows)
    acceleration = np.diff(speed) / float(rows["dt"][0])
    then = [0.75 * values[:-1] + 0.25 * values[1:] for values in (depth, speed)]
    return np.column_stack([*then, acceleration, np.ones(len(acceleration))])


def _load(rows: Rows) -> Array:
    """With what the tool presses, for the same ticks."""
    return -rows["w_T_raw"][1:, 2]


def _touch(arm: Arm, force: float, reach: float, speed: float) -> float:
    """Go on until a force is felt; how fast it rose per metre of the set points, N/m."""
    start, seen = np.array(arm.tick.X_WT[:3]), []

    def touched(tick: Tick) -> bool:
        gone = float(np.linalg.norm(tick.X_WT[:3] - start))
        if gone > reach:
            raise Refused(f"there is nothing within {1e3 * reach:.0f} mm along the tool's z axis")
        seen.append((tick.time, _felt(tick)))
        return _felt(tick) > force

    _go(arm, speed, touched)
    time, felt = np.array(seen).T
    rising = felt > 0.3 * felt.max()
    rising[: -round(2.0 / arm.dt)] = False
    rise = np.polyfit(time[rising], felt[rising], 1)[0] if rising.sum() > 2 else felt.max() / arm.dt
    return float(max(rise / speed, 100.0))


def _go(arm: Arm, speed: float, until: Callable[[Tick], bool]) -> None:
    """Move along the tool's z axis until a condition holds, then stop the reference."""
    for tick in arm.ticks(180.0):
        if until(tick):
            break
        if round(tick.time / arm.dt) % round(0.4 * _JOG / arm.dt) == 0:
            arm.jog([0.0, 0.0, speed, 0.0, 0.0, 0.0], frame="tool", timeout=_JOG)
    arm.hold()
    arm.wait(arm.dt)


def _swing(arm: Arm, height: float) -> Rows:
    """Swing about where the tool is, and return the ticks of it."""
    begin = arm.time
    most = _SWING_ACCELERATION * arm.config.reference.max_acceleration[0]
    for frequency, count in _SWINGS:
        since, rate = arm.time, 2.0 * pi * frequency
        # begins and ends in the middle, at its greatest speed
        fastest = rate * min(height, most / rate**2)
        for i, tick in enumerate(arm.ticks(count / frequency)):
            if i % round(_SWING_STEP / arm.dt) == 0:
                speed = fastest * cos(rate * (tick.time - since))
                arm.jog([0.0, 0.0, speed, 0.0, 0.0, 0.0], frame="tool", timeout=_JOG)
    arm.hold()
    return arm.history.since(begin + 0.25)


def _felt(tick: Tick) -> float:
    return -float(tick.w_T_filtered[2])


def _axis(rows: Rows) -> Array:
    """The tool's z axis in the world."""
    out = np.empty(3)
    quat_rotate(np.array(rows["X_WT"][0, 3:]), np.array([0.0, 0.0, 1.0]), out)
    return out


def _depth(rows: Rows) -> Array:
    """How far the tool is along its z axis."""
    return (rows["X_WT"][:, :3] - rows["X_WT"][0, :3]) @ _axis(rows)


def _sag(rows: Rows) -> Array:
    """How far the tool is behind its set points, for the ticks of `_motion`."""
    return (rows["X_WT_sent"][1:, :3] - rows["X_WT"][1:, :3]) @ _axis(rows)


def _smooth(values: Array) -> Array:
    """A mean over ten neighbours."""
    return np.convolve(np.pad(values, 5, mode="edge"), np.ones(11) / 11.0, mode="valid")
