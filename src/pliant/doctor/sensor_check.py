"""Checks whether the force sensor is zeroed, quiet and free of drift."""

from math import ceil, log10

import numpy as np

from pliant.config import Config
from pliant.doctor.finding import Check, Finding
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.numerics.spatial import Array
from pliant.reasons import Verdict
from pliant.tick import Rows

_MIN_BAND, _ADVISED_BAND = 4.0, 6.0
"""The smallest acceptable dead band and the advised one, in standard deviations of the noise.

At 500 Hz the noise exceeds four about twice a minute, and six less than once a week.
"""

_SIGNIFICANCE = 4.0
"""Drift below this many standard errors is attributed to noise."""

_MAX_DRIFT = 0.5
"""Largest acceptable drift during the observation, as a fraction of the dead band."""


def check_sensor(rows: Rows, config: Config) -> Check:
    """Check the sensor by ticks in which the arm was at rest and the tool free."""
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
        remedy = "zero it with the tool free and at rest: arm.zero(), or ZERO on a running arm"
        return [Finding(problem="the force sensor was never zeroed", remedy=remedy)]
    problem, _, remedy = verdict.text.partition(": ")
    return [Finding(problem=problem, remedy=remedy or "check the sensor and its connection")]


def _noise(noise: Array, band: Array, config: Config) -> list[Finding]:
    noisy = [i for i in range(6) if _MIN_BAND * noise[i] > band[i]]
    if not noisy:
        return []
    measured, advised = [], []
    for half, unit in ((range(3), "N"), (range(3, 6), "N·m")):
        if axes := [i for i in half if i in noisy]:
            largest = float(noise[axes].max())
            measured.append(f"{largest:.2g} {unit} with a band of {band[axes].min():g} {unit}")
            advised.append(f"{_rounded_up(_ADVISED_BAND * largest):g} {unit}")
    remedy = f"raise wrench.dead_band along these axes to {' and '.join(advised)}"
    # the power of filtered white noise is proportional to the cutoff frequency
    ratio = float((band[noisy] / (_ADVISED_BAND * noise[noisy])).min())
    cutoff = config.wrench.cutoff * min(1.0, ratio) ** 2
    if cutoff >= 1.0:
        remedy += f", or lower wrench.cutoff to {cutoff:.2g} Hz, which adds lag"
    problem = (
        f"the sensor noise exceeds the dead band along {', '.join(AXES[i] for i in noisy)}: "
        f"{' and '.join(measured)}, one sigma after the filter; a free tool would drift"
    )
    return [Finding(problem=problem, remedy=remedy)]


def _drift(rows: Rows, band: Array) -> tuple[Array, list[Finding]]:
    """Drift of the mean, and a finding if it is large and significant."""
    w = np.array(rows["w_T_raw"])
    fifth = max(1, len(w) // 5)
    drift = w[-fifth:].mean(axis=0) - w[:fifth].mean(axis=0)
    uncertainty = _SIGNIFICANCE * (w - _trend(w)).std(axis=0) * np.sqrt(2.0 / fifth)
    excess = (np.abs(drift) - uncertainty) / np.maximum(band, 1e-12)
    worst = int(excess.argmax())
    if excess[worst] <= _MAX_DRIFT:
        return drift, []
    unit = "N" if worst < 3 else "N·m"
    seconds = float(rows["time"][-1] - rows["time"][0])
    problem = (
        f"the sensor drifts: {abs(drift[worst]):.2g} {unit} along {AXES[worst]} in {seconds:.0f} s"
        f", with a dead band of {band[worst]:g} {unit}"
    )
    return drift, [Finding(problem=problem, remedy="let the sensor warm up, then zero it again")]


def _offset(mean: Array, band: Array) -> list[Finding]:
    offset = np.abs(mean) / np.maximum(band, 1e-12)
    worst = int(offset.argmax())
    if offset[worst] <= 1.0:
        return []
    unit = "N" if worst < 3 else "N·m"
    problem = f"a free tool at rest reads {mean[worst]:.2g} {unit} along {AXES[worst]}"
    remedy = "make sure that nothing touches the tool, and zero the sensor again"
    return [Finding(problem=problem, remedy=remedy)]


def _trend(w: Array) -> Array:
    """Linear regression of each column over time."""
    t = np.linspace(-1.0, 1.0, len(w))
    A = np.column_stack([np.ones_like(t), t])
    fit, *_ = np.linalg.lstsq(A, w, rcond=None)
    return A @ fit


def _rounded_up(value: float) -> float:
    """Round up to two significant digits."""
    step = 10.0 ** (ceil(log10(value)) - 2)
    return ceil(value / step) * step
