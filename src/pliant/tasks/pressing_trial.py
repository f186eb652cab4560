"""One pressing as a trial, from above a surface whose stiffness is hidden."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ArmStopped, WaitTimeout
from pliant.numerics.spatial import Array
from pliant.tasks.surface_trial import CONTACT_FORCE, SURFACE, arm_above, is_gain, normal_force
from pliant.tasks.trial_task import TrialParameter, TrialTask, with_defaults
from pliant.tick import Rows

_LAST = 1.0
"""Time at the end over which ripple and mean are taken, s."""

_OVERSHOOT, _MORE = 1.4, 3.0
"""How large a peak may be: relative to the force, or by so many N more."""

PARAMETERS = {
    "force": TrialParameter(default=5.0, low=1.0, high=20.0, unit="N", doc="The force."),
    "to": TrialParameter(
        default=0.0, low=0.0, high=20.0, unit="N",
        doc="Force to which it then changes along a straight line; 0: it stays.",
    ),
    "ramp": TrialParameter(
        default=2.0, low=0.1, high=30.0, unit="s", doc="How long that change takes.",
    ),
    "hold": TrialParameter(
        default=3.0, low=1.0, high=30.0, unit="s", doc="For how long the last force is held.",
    ),
    **SURFACE,
}  # fmt: skip


def press_trial(
    params: Mapping[str, float],
    seed: int,
    robot: str,
    *,
    record: Path | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Press from 10 mm above the nominal surface, and hold."""
    given = with_defaults(PARAMETERS, params)
    force = given["force"]
    times, forces = np.zeros(1), np.array([force])
    if given["to"]:
        times, forces = np.array([0.0, given["ramp"]]), np.array([force, given["to"]])
    with arm_above(given, seed, robot, record) as arm:
        start, note, reached, followed = arm.time, "held", False, arm.time
        try:
            reached = _pressed(arm, force)
            followed = arm.time
            if len(times) > 1:
                arm.press(list(zip(times.tolist(), forces.tolist(), strict=True)))
                followed = arm.time - given["ramp"]
            arm.wait(given["hold"])
        except (ArmStopped, WaitTimeout) as error:
            note = str(error)
        rows = arm.history.since(start)
        true = normal_force(arm, rows)
        target = np.interp(rows["time"] - followed, times, forces)
        figures = _figures(rows, true, target, reached)
        if plot:
            from pliant.tasks.force_plot import plot_force

            plot_force(rows["time"] - start, true, target, plot, "press")
    return {**figures, "note": note}


def _pressed(arm: Arm, force: float) -> bool:
    pressed = arm.press(force)
    return pressed is not None and pressed.reached


def _figures(rows: Rows, true: Array, target: Array, reached: bool) -> dict[str, Any]:
    time = rows["time"]
    touched = np.flatnonzero(true > CONTACT_FORCE)
    touch = int(touched[0]) if len(touched) else len(rows) - 1
    off = np.flatnonzero(np.abs(true - target)[touch:] > 0.1 * target[touch:])
    settled = touch + (int(off[-1]) + 1 if len(off) else 0)
    last = time > time[-1] - _LAST
    peak, most = float(rows["true_f_peak"].max()), float(target.max())
    away = np.linalg.norm(rows["X_WT"][touch, :3] - rows["X_WT"][0, :3])
    calm = float(rows["swing_gain"].max()) == 1.0
    return {
        "held": bool(reached and calm and peak <= max(_OVERSHOOT * most, most + _MORE)),
        "peak_force_n": round(peak, 2),
        "settling_s": round(float(time[min(settled, len(time) - 1)] - time[touch]), 3),
        "ripple_n": round(float(np.ptp(true[last])), 3),
        "mean_error_n": round(float((true - target)[last].mean()), 3),
        "rms_error_n": round(float(np.sqrt(np.mean((true - target)[settled:] ** 2))), 3)
        if settled < len(true)
        else float(most),
        "approach_mm_s": round(1e3 * float(away / max(1e-9, time[touch] - time[0])), 2),
        "swing_gain": float(rows["swing_gain"].max()),
        "time_s": round(float(time[-1] - time[0]), 2),
    }


PRESS = TrialTask(
    name="press",
    doc="Press on a surface with a force, or with one that changes over time.",
    robot="sim:ur5e/table",
    parameters=PARAMETERS,
    run=press_trial,
    success="held",
    figures=(
        "peak_force_n",
        "settling_s",
        "ripple_n",
        "mean_error_n",
        "rms_error_n",
        "approach_mm_s",
        "swing_gain",
        "time_s",
    ),
    further=is_gain,
)
