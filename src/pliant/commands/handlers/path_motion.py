"""What the supervisor writes to follow a timed path of the tool, and why it may refuse."""

from typing import Any

import numpy as np

from pliant.commands.handlers import refusals
from pliant.config import Config
from pliant.errors import Refused
from pliant.numerics.spatial import Array
from pliant.params import params_row
from pliant.stages.reference import ReferenceParameters
from pliant.stages.reference.path_reference import run_up_time
from pliant.stages.reference.path_spline import path_peaks
from pliant.tick import Rows

# Most points of a path at which the reach of the arm is looked at.
_LOOKED_AT = 12
_PARTS = (("m/s", "m/s²"), ("rad/s", "rad/s²"))


def begin_path(
    row: Rows, X_WR: Array, reference: ReferenceParameters, config: Config
) -> dict[str, Any]:
    """The supervisor's columns that start to follow the path of the configuration.

    Raises:
        Refused: It is too fast, out of reach, or there is none.
    """
    points = np.array(config.reference.path.points)
    if len(points) < 2:
        raise Refused("there is no path: give its points with PATH new [[0, x, y, z, …], …]")
    reference.take_path(config.reference)
    _refuse_fast(reference, config)
    every = max(1, -(-len(points) // _LOOKED_AT))
    for point in [*points[::every], points[-1]]:
        refusals.refuse_out_of_reach(point[1:], reference.closest_pose(row, point[1:]))
    v_W, a_W = row["v_WR_W"][0].copy(), row["a_WR_W"][0].copy()
    time = run_up_time(reference.path, X_WR, v_W, a_W, params_row(config.reference))
    if time < 0.0:
        raise Refused(
            "no run-up to the path stays within reference.max_speed and max_acceleration: begin "
            "it slower, or nearer to where the arm is"
        )
    return {"ref_time": time, "X_WR_target": points[-1, 1:]}


def _refuse_fast(reference: ReferenceParameters, config: Config) -> None:
    """Refuse a path that is faster than a reference may be."""
    peaks, limit = path_peaks(reference.path), config.reference
    for i, (speed_unit, acceleration_unit) in enumerate(_PARTS):
        if peaks.speed[i] > limit.max_speed[i]:
            raise Refused(
                f"at {peaks.speed_at[i]:.3g} s the path moves at {peaks.speed[i]:.3g} of "
                f"{limit.max_speed[i]:g} {speed_unit}: give it more time, or raise "
                "reference.max_speed"
            )
        if peaks.acceleration[i] > limit.max_acceleration[i]:
            raise Refused(
                f"at {peaks.acceleration_at[i]:.3g} s the path has {peaks.acceleration[i]:.3g} of "
                f"{limit.max_acceleration[i]:g} {acceleration_unit}: give it more time, or raise "
                "reference.max_acceleration"
            )
