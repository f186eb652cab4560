"""One slide as a trial, along a surface whose shape and stiffness are hidden."""

from collections.abc import Mapping
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ArmStopped, MoveEnded, WaitTimeout
from pliant.numerics.spatial import Array
from pliant.tasks.surface_trial import SURFACE, arm_above, is_gain, normal_force
from pliant.tasks.trial_task import TrialParameter, TrialTask, with_defaults
from pliant.tick import Rows

FLAT_ERROR, CURVED_ERROR = 0.3, 1.0
"""RMS error of the force up to which a slide has kept it, N."""

PARAMETERS = {
    "force": TrialParameter(
        default=5.0, low=1.0, high=20.0, unit="N", doc="Force at right angles to the surface.",
    ),
    "speed": TrialParameter(
        default=50.0, low=1.0, high=100.0, unit="mm/s", doc="Speed along the surface.",
    ),
    "length": TrialParameter(
        default=80.0, low=5.0, high=150.0, unit="mm", doc="How far.",
    ),
    "direction": TrialParameter(
        default=0.0, low=-360.0, high=360.0, unit="degrees",
        doc="Direction in the plane of the nominal surface; 0: on a table away from the base.",
    ),
    **SURFACE,
}  # fmt: skip


def slide_trial(
    params: Mapping[str, float],
    seed: int,
    robot: str,
    *,
    record: Path | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Press from 10 mm above the nominal surface, and slide."""
    given = with_defaults(PARAMETERS, params)
    way = 1e-3 * given["length"] * _direction(robot, radians(given["direction"]))
    with arm_above(given, seed, robot, record) as arm:
        reached, note = False, "kept"
        start = begun = arm.time
        try:
            arm.press(given["force"])
            begun = arm.time
            moved = arm.slide([*way, 0.0, 0.0, 0.0], given["force"], speed=1e-3 * given["speed"])
            reached = moved is not None and moved.distance < 0.2 * float(np.linalg.norm(way))
        except (ArmStopped, MoveEnded, WaitTimeout) as error:
            note = str(error)
        figures = _figures(arm, given, begun, reached, way)
        if plot:
            from pliant.tasks.force_plot import plot_force

            rows = arm.history.since(start)
            target = np.full(len(rows), given["force"])
            plot_force(rows["time"] - start, normal_force(arm, rows), target, plot, "slide")
    return {**figures, "note": note}


def _direction(robot: str, angle: float) -> Array:
    """A unit vector in the plane of the nominal surface, in W."""
    if robot.endswith("/wall"):
        return np.array([0.0, cos(angle), sin(angle)])
    return np.array([cos(angle), sin(angle), 0.0])


def moving_rows(rows: Rows, way: Array) -> Rows:
    """The ticks from the first to the last in which the reference moves along the way."""
    along = rows["v_WR_W"][:, :3] @ way
    moving = np.flatnonzero(np.abs(along) > 0.0)
    return rows[moving[0] : moving[-1] + 1] if len(moving) else rows[-1:]


def _figures(
    arm: Arm, given: Mapping[str, float], begun: float, reached: bool, way: Array
) -> dict[str, Any]:
    rows = moving_rows(arm.history.since(begun), way)
    force = normal_force(arm, rows)
    error = force - given["force"]
    rms = float(np.sqrt(np.mean(error**2)))
    lost = int(np.count_nonzero(force <= 0.0))
    took = max(1e-9, float(rows["time"][-1] - rows["time"][0]))
    return {
        "kept": bool(reached and lost == 0 and rms <= bound(given)),
        "rms_error_n": round(rms, 3),
        "largest_error_n": round(float(np.abs(error).max()), 2),
        "least_force_n": round(float(force.min()), 2),
        "ticks_lost": float(lost),
        "peak_force_n": round(float(rows["true_f_peak"].max()), 2),
        "speed_mm_s": round(1e3 * float(np.linalg.norm(way)) / took, 1),
        "swing_gain": float(rows["swing_gain"].max()),
        "time_s": round(took, 2),
    }


def bound(given: Mapping[str, float]) -> float:
    """The RMS error that is allowed, N."""
    return CURVED_ERROR if given["radius"] else FLAT_ERROR


SLIDE = TrialTask(
    name="slide",
    doc="Slide along a flat or curved surface with a force at right angles to it.",
    robot="sim:ur5e/table",
    parameters=PARAMETERS,
    run=slide_trial,
    success="kept",
    figures=(
        "rms_error_n",
        "largest_error_n",
        "least_force_n",
        "ticks_lost",
        "peak_force_n",
        "speed_mm_s",
        "swing_gain",
        "time_s",
    ),
    further=is_gain,
)
