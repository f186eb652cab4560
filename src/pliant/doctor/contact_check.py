"""Checks the configured lag, and the contact stability of the gains."""

from math import isfinite

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.doctor.finding import Check, Finding, Report
from pliant.identify import LagFit
from pliant.numerics.spatial import Array
from pliant.stability import AxisMargin, Contact, margins, servo_of
from pliant.stability.number_format import plain

ASSUMED_SURFACE = 1e4
"""Surface stiffness to assume if none is configured, N/m: a plastic part in a holder."""

_LAG_TOLERANCE, _MIN_LAG_TOLERANCE = 0.15, 3e-3
"""Tolerated error of the configured lag, as a fraction of it, but at least this much, s."""


def check_lag(found: LagFit, config: Config, arm: ArmDescription) -> Check:
    """Check whether the configured lag, used for the margins, agrees with the measured one."""
    configured = servo_of(config, arm)
    error = abs(found.lag.value - configured.lag)
    findings = []
    if error > max(_MIN_LAG_TOLERANCE, _LAG_TOLERANCE * configured.lag):
        findings.append(
            Finding(
                problem=f"the arm lags {1e3 * found.lag.value:.1f} ms behind its set points, not "
                f"{1e3 * configured.lag:.1f} ms as configured",
                remedy=f"set contact.dead_time to {found.dead_time.value:.4f} and "
                f"contact.time_constant to {found.time_constant.value:.4f}, or run "
                "`pliant identify lag --write FILE`",
            )
        )
    return Check(
        name="lag",
        summary=f"{1e3 * found.dead_time.value:.1f} ms of dead time and "
        f"{1e3 * found.time_constant.value:.1f} ms of first-order lag",
        findings=tuple(findings),
        figures={
            "dead_time": found.dead_time.value,
            "time_constant": found.time_constant.value,
            "error": found.lag.error,
            "configured": configured.lag,
        },
    )


def with_surface(config: Config) -> Config:
    """The configuration, with an assumed surface if it names none."""
    if config.contact.surface_stiffness is not None:
        return config
    return config.replace("contact.surface_stiffness", ASSUMED_SURFACE)


def with_lag_of(config: Config, report: Report) -> Config:
    """The configuration with the measured lag of a report, if it has one."""
    for check in report.checks:
        if check.name == "lag":
            for name in ("dead_time", "time_constant"):
                config = config.replace(f"contact.{name}", check.figures[name])
    return config


def check_contact(config: Config, arm: ArmDescription, dt: float, q: Array) -> Check:
    """Check the gains of every axis on the expected surface.

    Args:
        config: The configuration, with the identified lag.
        arm: The arm's parameters.
        dt: Control period, s.
        q: Joint positions.
    """
    checked = with_surface(config)
    assumed = config.contact.surface_stiffness is None
    axes = margins(checked, arm, dt, np.array(q))
    surface = checked.contact.surface_stiffness or ASSUMED_SURFACE
    name = f"{'a' if assumed else 'the expected'} surface of {plain(1e-3 * surface)} N/mm"
    lag = 1e3 * servo_of(checked, arm).lag
    findings = [
        _finding(kind, [axis for axis in axes if axis.expected is kind], name, lag, config)
        for kind in (Contact.UNSTABLE, Contact.RINGS)
        if any(axis.expected is kind for axis in axes)
    ]
    return Check(
        name="contact",
        summary=_summary(axes[:3]),
        findings=tuple(findings),
        figures={
            "axes": [axis.as_dict() for axis in axes],
            "surface": surface,
            "assumed": assumed,
            "lag": 1e-3 * lag,
        },
    )


def _finding(
    kind: Contact, axes: list[AxisMargin], surface: str, lag: float, config: Config
) -> Finding:
    names = ", ".join(axis.axis for axis in axes)
    law = config.laws.hybrid_admittance
    index = "xyz".index(axes[0].axis)
    gains = f"damping {plain(law.total_damping[index])} and inertia {plain(law.inertia[index])}"
    if law.is_adaptive:
        gains = "adaptive damping"
    stable = min(axis.stable for axis in axes)
    problem = (
        f"contact along {names} with {surface} "
        f"{'is unstable' if kind is Contact.UNSTABLE else 'rings'} with {plain(lag)} ms of lag, "
        f"{gains}; stable up to {_stiffness(stable)}"
    )
    needed = [
        (axis.damping_needed, axis.inertia_needed)
        for axis in axes
        if axis.damping_needed and axis.inertia_needed
    ]
    if len(needed) < len(axes):
        remedy = (
            "no damping makes it settle within a second: choose a posture in which the arm is "
            "stiffer along these axes, shorten the lag, or lower inertia / damping"
        )
        return Finding(problem=problem, remedy=remedy)
    damping, inertia = max(needed)
    remedy = (
        f"set laws.hybrid_admittance.damping along these axes to {plain(damping)} and inertia to "
        f"{plain(inertia)}, run `pliant suggest`, or set damping_mode to adaptive"
    )
    if config.contact.surface_stiffness is None:
        remedy += "; if your surfaces are softer, set contact.surface_stiffness"
    return Finding(problem=problem, remedy=remedy)


def _summary(axes: list[AxisMargin]) -> str:
    weakest = min(axes, key=lambda axis: (axis.well_damped, axis.stable))
    stable = min(axis.stable for axis in axes)
    return (
        f"well damped up to {_stiffness(weakest.well_damped)} (along {weakest.axis}), "
        f"stable up to {_stiffness(stable)}"
    )


def _stiffness(value: float) -> str:
    return f"{plain(1e-3 * value)} N/mm" if isfinite(value) else "any stiffness"
