"""Whether the gains suit the lag, and how stiff a surface they stand."""

from math import isfinite

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.doctor.finding import Check, Finding, Report
from pliant.identify import LagFit
from pliant.numerics.spatial import Array
from pliant.stability import AxisMargin, Contact, margins, servo_of
from pliant.stability.words import plain

ASSUMED_SURFACE = 1e4
"""Stiffness to judge by where no surface is expected, N/m: a plastic part in a holder."""

_LAG_SHARE, _LAG_LEAST = 0.15, 3e-3


def check_lag(found: LagFit, config: Config, arm: ArmDescription) -> Check:
    """Judge whether the lag that the margins are computed from is the arm's."""
    known = servo_of(config, arm)
    off = abs(found.lag.value - known.lag)
    findings = []
    if off > max(_LAG_LEAST, _LAG_SHARE * known.lag):
        findings.append(
            Finding(
                problem=f"the arm lags {1e3 * found.lag.value:.1f} ms behind its set points, not "
                f"{1e3 * known.lag:.1f} ms as configured",
                remedy=f"set contact.dead_time to {found.dead_time.value:.4f} and "
                f"contact.time_constant to {found.time_constant.value:.4f}, or run "
                "`pliant identify lag --write FILE`",
            )
        )
    return Check(
        name="lag",
        summary=f"{1e3 * found.dead_time.value:.1f} ms of dead time and "
        f"{1e3 * found.time_constant.value:.1f} ms of lag",
        findings=tuple(findings),
        figures={
            "dead_time": found.dead_time.value,
            "time_constant": found.time_constant.value,
            "error": found.lag.error,
            "configured": known.lag,
        },
    )


def with_surface(config: Config) -> Config:
    """The configuration with a surface to judge by."""
    if config.contact.surface_stiffness is not None:
        return config
    return config.replace("contact.surface_stiffness", ASSUMED_SURFACE)


def with_lag_of(config: Config, report: Report) -> Config:
    """The configuration with the lag that an examination found, if it looked."""
    for check in report.checks:
        if check.name == "lag":
            for name in ("dead_time", "time_constant"):
                config = config.replace(f"contact.{name}", check.figures[name])
    return config


def check_contact(config: Config, arm: ArmDescription, dt: float, q: Array) -> Check:
    """Judge the gains of every axis by the surface that is expected.

    Args:
        config: The configuration, its lag as identified.
        arm: The arm's figures.
        dt: Control period, s.
        q: Where the joints are.
    """
    judged = with_surface(config)
    assumed = config.contact.surface_stiffness is None
    axes = margins(judged, arm, dt, np.array(q))
    surface = judged.contact.surface_stiffness or ASSUMED_SURFACE
    what = f"{'a' if assumed else 'the expected'} surface of {plain(1e-3 * surface)} N/mm"
    lag = 1e3 * servo_of(judged, arm).lag
    findings = [
        _finding(kind, [axis for axis in axes if axis.expected is kind], what, lag, config)
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
    kind: Contact, axes: list[AxisMargin], what: str, lag: float, config: Config
) -> Finding:
    names = ", ".join(axis.axis for axis in axes)
    law = config.laws.hybrid_admittance
    index = "xyz".index(axes[0].axis)
    damping, inertia = law.total_damping[index], law.inertia[index]
    stable = min(axis.stable for axis in axes)
    problem = (
        f"contact along {names} with {what} "
        f"{'is unstable' if kind is Contact.UNSTABLE else 'rings'} through {plain(lag)} ms of lag, "
        f"with damping {plain(damping)} and inertia {plain(inertia)}; stable up to "
        f"{_stiffness(stable)}"
    )
    needed = [
        (axis.damping_needed, axis.inertia_needed)
        for axis in axes
        if axis.damping_needed and axis.inertia_needed
    ]
    if len(needed) < len(axes):
        remedy = (
            "no damping calms it within a second: take a posture in which the arm is stiffer along "
            "there, shorten the lag, or lower inertia / damping"
        )
        return Finding(problem=problem, remedy=remedy)
    damping, inertia = max(needed)
    remedy = (
        f"set laws.hybrid_admittance.damping there to {plain(damping)} and inertia to "
        f"{plain(inertia)}, or ask `pliant suggest`"
    )
    if config.contact.surface_stiffness is None:
        remedy += "; if you touch nothing as stiff, say so in contact.surface_stiffness"
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
