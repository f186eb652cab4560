"""Identifies stiffness and damping of a surface from a slow press and small oscillations."""

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
"""The press is fitted above this fraction of its force, because the first touch is irregular."""

_FORCE_RATE = 4.0
"""Rate of the force while pressing, N/s."""

_SPEEDS = (5e-5, 5e-3)
_OSCILLATIONS = ((2.0, 4), (5.0, 8))
"""Frequency, Hz, and number of periods."""

_OSCILLATION_FORCE = 0.35
"""Force amplitude of the oscillations, as a fraction of the pressing force."""

_OSCILLATION_ACCELERATION = 0.6
"""Largest acceleration of the oscillations, as a fraction of the reference's limit."""

_MIN_FORCE, _MAX_FORCE = 4.0, 0.7
"""Range of the pressing force, in dead bands and as a fraction of the contact-force limit."""

_JOG_TIMEOUT = 0.1

_JOG_PERIOD = 0.01
"""Time between two jog commands, s; an arm in another process takes a few ticks to answer."""


@dataclass(frozen=True, kw_only=True)
class SurfaceFit:
    """Identified surface along the tool's z axis.

    Attributes:
        stiffness: Stiffness of the surface, N/m.
        damping: N·s/m.
        mass: Mass that moves with the tool, kg.
        arm_stiffness: Stiffness of the arm along that axis, N/m; None for a torque arm, whose servo
            compensates the load.
        residual: Root mean square residual of the force in the slow press, N.
    """

    stiffness: Estimate
    damping: Estimate
    mass: Estimate
    arm_stiffness: Estimate | None
    residual: float

    @property
    def surface(self) -> Surface:
        """The surface, for computing contact stability, without insignificant values."""
        return Surface(
            stiffness=self.stiffness.value,
            damping=max(0.0, self.damping.value) if self.damping.is_sure else 0.0,
            mass=max(0.0, self.mass.value) if self.mass.is_sure else 0.0,
        )


def identify_surface(
    arm: Arm, *, force: float = 10.0, reach: float = 0.1, speed: float = 2e-3
) -> SurfaceFit:
    """Press slowly on the surface in front of the tool, oscillate, and return.

    The arm moves along the tool's z axis under position control until contact, presses up to the
    force and releases, oscillates by a small amount, and returns to its start.

    Args:
        arm: The arm, at rest in front of the surface, with its sensor zeroed.
        force: Pressing force, N.
        reach: Search distance, m.
        speed: Approach speed, m/s.

    Raises:
        Refused: The sensor is not zeroed, an argument is out of range, or nothing is within reach.
    """
    _check(arm, force, reach, speed)
    start = np.array(arm.tick.X_WT)
    with position_control(arm):
        slope = _touch(arm, 0.5 * force, reach, speed)
        press_speed = float(np.clip(_FORCE_RATE / slope, *_SPEEDS))
        _move(arm, -press_speed, lambda tick: _contact_force(tick) < 0.1 * force)
        start_time = arm.time
        _move(arm, press_speed, lambda tick: _contact_force(tick) > force)
        _move(arm, -press_speed, lambda tick: _contact_force(tick) < 0.6 * force)
        pressing = arm.history.since(start_time)
        come_to_rest(arm, 0.2)
        oscillating = _oscillate(arm, _OSCILLATION_FORCE * force / slope)
        go_back(arm, start)
    fit = fit_surface(pressing, oscillating, arm.config.tool.mass)
    return replace(fit, arm_stiffness=None) if arm.description.takes_torque else fit


def _check(arm: Arm, force: float, reach: float, speed: float) -> None:
    if not arm.tick.zeroed:
        raise Refused("zero the force sensor first, with the tool free")
    if not (reach > 0.0 and speed > 0.0):
        raise Refused("reach and speed must be above 0")
    low = _MIN_FORCE * arm.config.wrench.dead_band[2]
    high = _MAX_FORCE * arm.config.safety.contact_force
    if not low <= force <= high:
        raise Refused(
            f"a force of {force:g} N is too small to measure, or would stop the arm: press with "
            f"{low:.3g} to {high:.3g} N"
        )


def fit_surface(pressing: Rows, oscillating: Rows, tool_mass: float) -> SurfaceFit:
    """Fit a surface to the ticks of a slow press and of oscillations around a constant force.

    Both fit −w = f₀ + k·x + c·ẋ + (m + m_tool)·ẍ. The slow press gives the stiffness of surface and
    arm, the oscillations give damping and mass.

    Args:
        pressing: Ticks of a press up to the force and its release.
        oscillating: Ticks of the oscillations, in contact throughout.
        tool_mass: Mass of the tool, whose inertia the sensor measures, kg.

    Raises:
        Refused: The tool did not press on anything.
    """
    motion, load = _motion(pressing), _load(pressing)
    loaded = _smooth(load) > _LOADED * _smooth(load).max()
    if loaded.sum() < 20 or np.ptp(motion[loaded, 0]) <= 0.0:
        raise Refused("the tool did not press on anything")
    fit = least_squares(motion[loaded], load[loaded])
    # the tool is behind its set points because of the force, and also because of the lag
    behind = np.column_stack([_deflection(pressing), motion[:, 1], np.ones(len(load))])
    arm = least_squares(behind[loaded], load[loaded])
    dynamic = least_squares(_motion(oscillating), _load(oscillating))
    damping, mass = dynamic.estimate(1), dynamic.estimate(2)
    return SurfaceFit(
        stiffness=fit.estimate(0),
        damping=damping,
        mass=Estimate(value=mass.value - tool_mass, error=mass.error),
        arm_stiffness=arm.estimate(0),
        residual=fit.residual,
    )


def _motion(rows: Rows) -> Array:
    """Depth, speed and acceleration of the tool along its z axis, and 1, for each tick but one.

    A reading is an average over a period and slightly late, so depth and speed are taken at a
    quarter of the period.
    """
    depth, speed = _depth(rows), rows["v_WT_W"][:, :3] @ _axis(rows)
    acceleration = np.diff(speed) / float(rows["dt"][0])
    early = [0.75 * values[:-1] + 0.25 * values[1:] for values in (depth, speed)]
    return np.column_stack([*early, acceleration, np.ones(len(acceleration))])


def _load(rows: Rows) -> Array:
    """Pressing force of the tool, for the same ticks."""
    return -rows["w_T_raw"][1:, 2]


def _touch(arm: Arm, force: float, reach: float, speed: float) -> float:
    """Move until contact; return the slope of the force over the set points, N/m."""
    start, samples = np.array(arm.tick.X_WT[:3]), []

    def touched(tick: Tick) -> bool:
        distance = float(np.linalg.norm(tick.X_WT[:3] - start))
        if distance > reach:
            raise Refused(f"there is nothing within {1e3 * reach:.0f} mm along the tool's z axis")
        samples.append((tick.time, _contact_force(tick)))
        return _contact_force(tick) > force

    _move(arm, speed, touched)
    time, forces = np.array(samples).T
    rising = forces > 0.3 * forces.max()
    rising[: -round(2.0 / arm.dt)] = False
    rate = (
        np.polyfit(time[rising], forces[rising], 1)[0]
        if rising.sum() > 2
        else forces.max() / arm.dt
    )
    return float(max(rate / speed, 100.0))


def _move(arm: Arm, speed: float, until: Callable[[Tick], bool]) -> None:
    """Move along the tool's z axis until a condition holds, then stop the reference."""
    for tick in arm.ticks(180.0):
        if until(tick):
            break
        if round(tick.time / arm.dt) % round(0.4 * _JOG_TIMEOUT / arm.dt) == 0:
            arm.jog([0.0, 0.0, speed, 0.0, 0.0, 0.0], frame="tool", timeout=_JOG_TIMEOUT)
    arm.hold()
    arm.wait(arm.dt)


def _oscillate(arm: Arm, amplitude: float) -> Rows:
    """Oscillate around the current position, and return the ticks."""
    start_time = arm.time
    max_acceleration = _OSCILLATION_ACCELERATION * arm.config.reference.max_acceleration[0]
    for frequency, count in _OSCILLATIONS:
        since, rate = arm.time, 2.0 * pi * frequency
        # starts and ends in the middle, at full speed
        max_speed = rate * min(amplitude, max_acceleration / rate**2)
        for i, tick in enumerate(arm.ticks(count / frequency)):
            if i % round(_JOG_PERIOD / arm.dt) == 0:
                speed = max_speed * cos(rate * (tick.time - since))
                arm.jog([0.0, 0.0, speed, 0.0, 0.0, 0.0], frame="tool", timeout=_JOG_TIMEOUT)
    arm.hold()
    return arm.history.since(start_time + 0.25)


def _contact_force(tick: Tick) -> float:
    return -float(tick.w_T_filtered[2])


def _axis(rows: Rows) -> Array:
    """The tool's z axis in the world frame."""
    out = np.empty(3)
    quat_rotate(np.array(rows["X_WT"][0, 3:]), np.array([0.0, 0.0, 1.0]), out)
    return out


def _depth(rows: Rows) -> Array:
    """Displacement of the tool along its z axis."""
    return (rows["X_WT"][:, :3] - rows["X_WT"][0, :3]) @ _axis(rows)


def _deflection(rows: Rows) -> Array:
    """Distance of the tool from its set points, for the ticks of `_motion`."""
    return (rows["X_WT_sent"][1:, :3] - rows["X_WT"][1:, :3]) @ _axis(rows)


def _smooth(values: Array) -> Array:
    """Moving average over eleven values."""
    return np.convolve(np.pad(values, 5, mode="edge"), np.ones(11) / 11.0, mode="valid")
