"""The points of a timed path, as a program gives them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from pliant.errors import Refused
from pliant.pose import Pose

_FORM = "a path is [(time, pose), …], two points or more, times in s from 0"


def timed_points(path: Iterable[Any]) -> list[list[float]]:
    """Rows of a time and a pose.

    Raises:
        Refused: There are fewer than two, or they have no times.
    """
    try:
        given = list(path)
        points = [[float(t), *np.ravel(np.asarray(pose, float)).tolist()] for t, *pose in given]
    except (TypeError, ValueError):
        raise Refused(_FORM) from None
    if len(points) < 2:
        raise Refused(_FORM)
    # seven numbers of a pose could be a time and a pose with a rotation vector
    if any(isinstance(point, Pose) or np.ndim(point[0]) or len(point) == 7 for point in given):
        raise Refused(f"{_FORM}, as in [(0, pose), (2, pose2)], not {str(given[0])[:60]} first")
    return points
