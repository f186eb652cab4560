"""One guiding as a trial: a hand with the impedance of a human arm leads the tool, then tugs it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import ArmStopped
from pliant.numerics.spatial import Array
from pliant.tasks.surface_trial import SURFACE, arm_above
from pliant.tasks.trial_task import TrialParameter, TrialTask, with_defaults
from pliant.tick import Rows

_TUG, _TUG_TIME = 8.0, 0.15
"""Force of the tug, N, and how long it lasts, s."""
_WATCHED = 3.0
"""Time after the tug in which oscillations must die away, s."""
_LAST = 1.0
_CALM, _SHARE = 0.5, 0.2
"""Peak to peak of what may swing in the last second: so much, N, or this share of the tug's."""

PRESETS = ("default", "hand_guiding", "adaptive")

PARAMETERS = {
    "mass": TrialParameter(
        default=2.0, low=0.5, high=5.0, unit="kg", doc="Mass of the hand and its arm.",
    ),
    "hand_stiffness": TrialParameter(
        default=500.0, low=50.0, high=3000.0, unit="N/m", doc="Stiffness of the arm behind it.",
    ),
    "hand_damping": TrialParameter(
        default=30.0, low=0.0, high=200.0, unit="N·s/m", doc="Damping of the arm behind it.",
    ),
    "distance": TrialParameter(
        default=100.0, low=0.0, high=200.0, unit="mm",
        doc="How far it leads the tool; the seed gives the direction.",
    ),
    "time": TrialParameter(default=2.0, low=0.5, high=10.0, unit="s", doc="How long that takes."),
    "preset": TrialParameter(
        default=1.0, low=0.0, high=2.0, unit="",
        doc="Gains of a position arm: 0 default, 1 hand_guiding, 2 adaptive.",
    ),
    "lag": SURFACE["lag"],
}  # fmt: skip


def guide_trial(
    params: Mapping[str, float],
    seed: int,
    robot: str,
    *,
    record: Path | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Lead the tool, tug at it, and hold still."""
    given = with_defaults(PARAMETERS, params)
    towards = np.random.default_rng(seed).normal(size=3)
    towards /= np.linalg.norm(towards)
    with arm_above(given, seed, robot, record) as arm:
        start, begun, note = arm.time, arm.pose.position, "calm"
        tugged = start + given["time"] + 0.5
        arm.hand.hold(
            _path(1e-3 * given["distance"] * towards, start, given["time"]),
            mass=given["mass"], stiffness=given["hand_stiffness"], damping=given["hand_damping"],
        )  # fmt: skip
        tug = [*(_TUG * towards), 0.0, 0.0, 0.0]
        arm.hand.schedule(tug, start=tugged, duration=_TUG_TIME)
        try:
            preset = PRESETS[round(given["preset"])]
            arm.guide(tugged - start + _TUG_TIME + _WATCHED, preset=preset)
        except ArmStopped as error:
            note = str(error)
        rows = arm.history.since(start)
        led = float((rows["X_WT"][-1, :3] - begun) @ towards)
        if plot:
            from pliant.tasks.force_plot import plot_force

            plot_force(rows["time"] - start, _force(rows), None, plot, "guide")
    return {**_figures(rows, tugged), "led_mm": round(1e3 * led, 1), "note": note}


def _path(way: Array, start: float, time: float) -> Callable[[float], Array]:
    """A motion with minimum jerk."""

    def place(now: float) -> Array:
        s = min(1.0, max(0.0, (now - start) / time))
        return way * (s**3 * (10.0 - 15.0 * s + 6.0 * s * s))

    return place


def _force(rows: Rows) -> Array:
    return np.linalg.norm(rows["w_T_filtered"][:, :3], axis=1)


def _swing(time: Array, force: Array) -> float:
    """Peak to peak of what swings in a force, N.

    A tool that still follows the hand, slowly, does not swing: a parabola is taken out.
    """
    fit = np.polynomial.polynomial.polyfit(time - time[0], force, 2)
    trend = np.polynomial.polynomial.polyval(time - time[0], fit).T
    return float(np.ptp(force - trend, axis=0).max())


def _figures(rows: Rows, tugged: float) -> dict[str, Any]:
    time = rows["time"]
    led, tug = time < tugged, (time >= tugged) & (time < tugged + 2.0 * _TUG_TIME)
    last = time > time[-1] - _LAST
    left = _swing(time[last], rows["w_T_filtered"][last, :3])
    felt = float(np.ptp(rows["w_T_filtered"][tug, :3], axis=0).max()) if tug.any() else 0.0
    return {
        "calm": bool(tug.any() and left <= max(_CALM, _SHARE * felt)),
        "peak_force_n": round(float(_force(rows)[led].max()), 2),
        "effort_n": round(float(np.sqrt(np.mean(_force(rows)[led] ** 2))), 2),
        "swing_n": round(left, 3),
        "tug_n": round(felt, 2),
        "swing_gain": float(rows["swing_gain"].max()),
        "time_s": round(float(time[-1] - time[0]), 2),
    }


GUIDE = TrialTask(
    name="guide",
    doc="Let a hand with the impedance of a human arm guide the tool.",
    robot="sim:ur5e",
    parameters=PARAMETERS,
    run=guide_trial,
    success="calm",
    figures=(
        "peak_force_n",
        "effort_n",
        "swing_n",
        "tug_n",
        "swing_gain",
        "time_s",
        "led_mm",
    ),
)
