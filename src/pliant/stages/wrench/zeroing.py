"""Waiting for the force sensor to be zeroed, in the arm's own time; why it is not."""

from dataclasses import dataclass

import numpy as np

from pliant.errors import Refused
from pliant.reasons import Verdict
from pliant.stages.wrench.config import WrenchConfig
from pliant.stages.wrench.stage import AT_REST, ZERO_LOADED
from pliant.tick import Rows

_PATIENCE = 1.0
"""How much longer than its samples a zeroing may take, s."""


def refuse_load(row: Rows, config: WrenchConfig) -> None:
    """Refuse zeroing under a force that zeroing would hide from every limit.

    The torque is not judged here: the stage does that, at the sensor.

    Raises:
        Refused: The force is larger than the sensor's bias or drift can be.
    """
    limit = config.drift if row["zeroed"].item() else config.bias
    if np.linalg.norm(row["w_T_raw"][0, :3]) > limit[0]:
        raise Refused(_loaded(row, config))


def _loaded(row: Rows, config: WrenchConfig) -> str:
    """Why zeroing is refused, with the figures of the row."""
    force, torque = np.linalg.norm(row["w_T_raw"][0].reshape(2, 3), axis=1)
    if row["zeroed"].item():
        most, torque_most = config.drift
        return (
            f"cannot zero: the tool feels {force:.1f} N and {torque:.2f} N·m since the last "
            f"zeroing; more than {most:g} N or {torque_most:g} N·m is a load, not drift: retract "
            "the tool until it is free, and correct tool.mass if it holds a part"
        )
    most, torque_most = config.bias
    return (
        f"cannot zero: the sensor reads {force:.1f} N and {torque:.2f} N·m beside the tool's "
        f"weight; more than {most:g} N or {torque_most:g} N·m is a load, not a bias: free the "
        "tool, check tool.mass and tool.com_F, or set wrench.bias if the sensor has that much"
    )


def _aborted(row: Rows) -> str:
    """Why a zeroing ended before its time, with the figures of the row."""
    verdict = Verdict(row["verdict"].item())
    if verdict is Verdict.STALE:
        age = f"sensor_seq has stood at {row['sensor_seq'].item()} for too long"
        return f"zeroing was interrupted: {verdict.text}; {age}: a backend counts it up"
    if verdict is Verdict.NOT_FINITE:
        return f"zeroing was interrupted: {verdict.text}: w_S_raw is {_six(row['w_S_raw'][0])}"
    if verdict is Verdict.SATURATED:
        return (
            f"zeroing was interrupted: {verdict.text}, or set wrench.sensor_range: w_S_raw is "
            f"{_six(row['w_S_raw'][0])} N and N·m"
        )
    v_W = row["v_WT_W"][0]
    if np.abs(v_W).max() <= AT_REST:
        return "zeroing was interrupted: for a moment the tool moved, or the sensor failed"
    return (
        f"zeroing was interrupted: the tool moved, at {1e3 * np.linalg.norm(v_W[:3]):.2g} mm/s and "
        f"{1e3 * np.linalg.norm(v_W[3:]):.2g} mrad/s by the joints' qd; at rest it is within "
        f"{1e3 * AT_REST:g} of both"
    )


def _six(values: np.ndarray) -> str:
    return " ".join(f"{value:.3g}" for value in values)


@dataclass(frozen=True, kw_only=True)
class Zeroing:
    """A zeroing that is asked for right after it was made.

    Attributes:
        request: The number of the request, as `zero_seen` will say it.
        overdue: The arm's time at which it should have ended, s.
        config: What decides on it.
    """

    request: int
    overdue: float
    config: WrenchConfig

    @classmethod
    def after(cls, row: Rows, config: WrenchConfig) -> "Zeroing":
        """The zeroing that a `ZERO` given after this row begins."""
        return cls(
            request=row["zero_seq"].item() + 1,
            overdue=row["time"].item() + config.zero_time + _PATIENCE,
            config=config,
        )

    def is_done(self, row: Rows) -> bool:
        """Whether the sensor is zeroed.

        Raises:
            Refused: The tool is loaded, or the zeroing was interrupted, or is overdue.
        """
        left = row["zero_left"].item()
        if row["zero_seen"].item() == self.request and left <= 0:
            if left == ZERO_LOADED:
                raise Refused(_loaded(row, self.config))
            if left < 0:
                raise Refused(_aborted(row))
            return True
        if row["time"].item() >= self.overdue:
            raise Refused("the sensor was not zeroed in time")
        return False
