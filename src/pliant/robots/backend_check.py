"""The first read and the first write of a backend: what it must write, and did not."""

import numpy as np

from pliant.errors import PliantError
from pliant.robots.base import Robot
from pliant.tick import Rows

_READ = {"q": "rad", "qd": "rad/s", "temperature": "°C"}
_ESTIMATES = (
    *("tau_ext", "w_ext_T", "true_f_fixture_W"),
    *("true_f_peak", "true_side_peak", "true_torque_peak"),
    *("gripper_width", "gripper_max_width"),
)
_REMEDY = "docs/extending.md has what a backend writes, examples/19_your_own_robot.py one that does"


def unknown_estimates(tick: Rows) -> None:
    """Make the estimates of a row that nobody has written yet unknown, rather than no force."""
    for name in _ESTIMATES:
        tick[name] = np.nan


def first_read(robot: Robot, tick: Rows) -> None:
    """Read the arm for the first time.

    Raises:
        PliantError: A column that safety depends on was not written, or is not finite.
    """
    if robot.checked:
        for name in _READ:
            tick[name] = np.nan
    robot.read(tick)
    missing = [f"{name} ({unit})" for name, unit in _READ.items() if not _finite(tick, name)]
    if missing and robot.checked:
        raise PliantError(
            f"{type(robot).__name__}.read wrote no numbers to {', '.join(missing)} of the tick, "
            f"one for each of {robot.n} joints; {_REMEDY}"
        )


def first_write(robot: Robot, tick: Rows) -> None:
    """Send set points for the first time.

    Raises:
        PliantError: The backend does not say what it sent: every limit builds on that.
    """
    names = ["q_sent", "tau_sent"] if robot.description.takes_torque else ["q_sent"]
    names = names if robot.checked else []
    for name in names:
        tick[name] = np.nan
    robot.write(tick)
    for name in names:
        if not _finite(tick, name):
            raise PliantError(
                f"{type(robot).__name__}.write did not write {name}: it has to say what it sent, "
                f'tick["{name}"][:] = tick["{name.replace("sent", "limited")}"] if that was sent '
                f"unchanged; {_REMEDY}"
            )


def _finite(tick: Rows, name: str) -> bool:
    return bool(np.isfinite(tick[name]).all())
