"""One retraction as a trial: press, let go, move away."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import ArmStopped, MoveEnded, WaitTimeout
from pliant.tasks.surface_trial import CONTACT_FORCE, SURFACE, arm_above, is_gain, normal_force
from pliant.tasks.trial_task import TrialParameter, TrialTask, with_defaults

PARAMETERS = {
    "force": TrialParameter(
        default=5.0, low=1.0, high=20.0, unit="N", doc="Force with which it presses before.",
    ),
    "distance": TrialParameter(
        default=20.0, low=1.0, high=100.0, unit="mm", doc="How far it moves away.",
    ),
    "speed": TrialParameter(
        default=50.0, low=1.0, high=100.0, unit="mm/s", doc="How fast.",
    ),
    **SURFACE,
}  # fmt: skip


def retract_trial(
    params: Mapping[str, float],
    seed: int,
    robot: str,
    *,
    record: Path | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Press, then retract."""
    given = with_defaults(PARAMETERS, params)
    with arm_above(given, seed, robot, record) as arm:
        reached, note, start = False, "free", arm.time
        begun, distance = start, 1e-3 * given["distance"]
        try:
            arm.press(given["force"])
            begun, touching = arm.time, arm.pose.position
            moved = arm.retract(distance, speed=1e-3 * given["speed"])
            way = float(np.linalg.norm(arm.pose.position - touching))
            reached = moved is not None and moved.reached
        except (ArmStopped, MoveEnded, WaitTimeout) as error:
            note, way = str(error), 0.0
        rows = arm.history.since(begun)
        force = normal_force(arm, rows)
        touched = np.flatnonzero(force > CONTACT_FORCE)
        last = int(touched[-1]) if len(touched) else 0
        if plot:
            from pliant.tasks.force_plot import plot_force

            rows = arm.history.since(start)
            target = np.where(rows["time"] < begun, given["force"], 0.0)
            plot_force(rows["time"] - start, normal_force(arm, rows), target, plot, "retract")
    return {
        "free": bool(reached and last < len(force) - 1),
        "peak_force_n": round(float(force.max()), 2),
        "freed_s": round(last * arm.dt, 3),
        "distance_error_mm": round(1e3 * abs(way - distance), 2),
        "time_s": round(len(force) * arm.dt, 2),
        "note": note,
    }


RETRACT = TrialTask(
    name="retract",
    doc="Press on a surface, end the force and move away.",
    robot="sim:ur5e/table",
    parameters=PARAMETERS,
    run=retract_trial,
    success="free",
    figures=(
        "peak_force_n",
        "freed_s",
        "distance_error_mm",
        "time_s",
    ),
    further=is_gain,
)
