"""Whether the force sensor is zeroed, quiet and steady."""

from math import ceil, log10

import numpy as np

from pliant.config import Config
from pliant.doctor.finding import Check, Finding
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.numerics.spatial import Array
from pliant.reasons import Verdict
from pliant.tick import Rows

_LEAST_BAND, _ADVISED_BAND = 4.0, 6.0
"""The dead band that will do, and the one to advise, in standard deviations of the noise.

It leaves four about twice a minute at 500 Hz, and six not once in a week.
"""

_CHANCE = 4.0
"""Standard errors that are put down to noise."""

_DRIFT_SHARE = 0.5
"""How far the mean may move while one watches, as a share of the dead band."""


def check_sensor(rows: Rows, config: Config) -> Check:
    """Judge the sensor by ticks in which the arm was at rest and the tool free."""
    band = np.array(config.wrench.dead_band)
    w = np.array(rows["w_T_filtered"])
    verdict = Verdict(int(rows["verdict"][-1]))
    drift, drifting = _drift(rows, band)
    noise = (w - _trend(w)).std(axis=0)
    findings = [*_readiness(verdict), *_noise(noise, band, config), *drifting]
    if verdict is Verdict.READY and not findings:
        findings += _offset(w.mean(axis=0), band)
    return Check(
        name="sensor",
        summary=f"noise {noise[:3].max():.2g} N and {noise[3:].max():.2g} N·m after the filter",
        findings=tuple(findings),
        figures={
            "verdict": verdict.name,
            "noise": noise.tolist(),
            "mean": w.mean(axis=0).tolist(),
            "drift": drift.tolist(),
            "dead_band": band.tolist(),
        },
    )


def _readiness(verdict: Verdict) -> list[Finding]:
    if verdict is Verdict.READY:
        return []
    if verdict is Verdict.NEVER_ZEROED:
        remedy = "with the tool free and at rest, zero it: arm.zero(), or ZERO on a running arm"
        return [Finding(problem="the force sensor was never zeroed", remedy=remedy)]
    problem, _, remedy = verdict.text.partition(": ")
    return [Finding(problem=problem, remedy=remedy or "check the sensor and its connection")]


def _noise(noise: Array, band: Array, config: Config) -> list[Finding]:
    bad = [i for i in range(6) if _LEAST_BAND * noise[i] > band[i]]
    if not bad:
        return []
    seen, advised = [], []
    for half, unit in ((range(3), "N"), (range(3, 6), "N·m")):
        if worst := [i for i in half if i in bad]:
            most = float(noise[worst].max())
            seen.append(f"{most:.2g} {unit} against {band[worst].min():g} {unit}")
            advised.append(f"{_rounded_up(_ADVISED_BAND * most):g} {unit}")
    remedy = f"raise wrench.dead_band there to {' and '.join(advised)}"
    # the power of white noise goes with the corner of the filter
    share = float((band[bad] / (_ADVISED_BAND * noise[bad])).min())
    cutoff = config.wrench.cutoff * min(1.0, share) ** 2
    if cutoff >= 1.0:
        remedy += f", or lower wrench.cutoff to {cutoff:.2g} Hz and count the lag that it adds"
    problem = (
        f"the sensor's noise leaves the dead band along {', '.join(AXES[i] for i in bad)}: "
        f"{' and '.join(seen)}, one sigma after the filter; a free tool would drift"
    )
    return [Finding(problem=problem, remedy=remedy)]


def _drift(rows: Rows, band: Array) -> tuple[Array, list[Finding]]:
    """How far the mean moved, and what is wrong with that, as far as it is not chance."""
    w = np.array(rows["w_T_raw"])
    fifth = max(1, len(w) // 5)
    drift = w[-fifth:].mean(axis=0) - w[:fifth].mean(axis=0)
    chance = _CHANCE * (w - _trend(w)).std(axis=0) * np.sqrt(2.0 / fifth)
    moved = (np.abs(drift) - chance) / np.maximum(band, 1e-12)
    worst = int(moved.argmax())
    if moved[worst] <= _DRIFT_SHARE:
        return drift, []
    unit = "N" if worst < 3 else "N·m"
    seconds = float(rows["time"][-1] - rows["time"][0])
    problem = (
        f"the sensor drifts: {abs(drift[worst]):.2g} {unit} along {AXES[worst]} in {seconds:.0f} s"
        f", and the dead band is {band[worst]:g} {unit}"
    )
    return drift, [Finding(problem=problem, remedy="let the sensor warm up, then zero it again")]


def _offset(mean: Array, band: Array) -> list[Finding]:
    off = np.abs(mean) / np.maximum(band, 1e-12)
    worst = int(off.argmax())
    if off[worst] <= 1.0:
        return []
    unit = "N" if worst < 3 else "N·m"
    problem = f"a free tool at rest reads {mean[worst]:.2g} {unit} along {AXES[worst]}"
    remedy = "see that nothing touches the tool, and zero the sensor again"
    return [Finding(problem=problem, remedy=remedy)]


def _trend(w: Array) -> Array:
    """The straight line through each column."""
    t = np.linspace(-1.0, 1.0, len(w))
    A = np.column_stack([np.ones_like(t), t])
    fit, *_ = np.linalg.lstsq(A, w, rcond=None)
    return A @ fit


def _rounded_up(value: float) -> float:
    """To two digits."""
    step = 10.0 ** (ceil(log10(value)) - 2)
    return ceil(value / step) * step
