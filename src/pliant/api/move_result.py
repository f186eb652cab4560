"""How a move ended, and how to tell that it has."""

from dataclasses import dataclass
from math import hypot, inf

import numpy as np

from pliant.laws.law_base import SPEED_LIMITED
from pliant.numerics.force_frame import to_frame
from pliant.numerics.spatial import pose_error
from pliant.stages.supervisor.conditions import Condition
from pliant.tick import Tick

# Distance, m, and angle, rad, from its reference at which a tool has arrived.
_NEAR, _NEAR_ANGLE = 2e-3, 1e-2
# Speeds, m/s and rad/s, below which a tool is at rest, and for how long, s.
_STILL, _STILL_ANGLE = 2e-3, 1e-2
_STILL_FOR = 0.2
# After this long beside a reference that is done without coming nearer, s, nothing more is expected
# of a tool.
_LONGEST = 3.0


@dataclass(frozen=True)
class Moved:
    """How a move ended.

    Attributes:
        reached: Whether the tool came within 2 mm and 10 mrad of the target and to rest, or the
            joints within 2 mrad. Along force-controlled axes only the reference has to. Friction or
            contact keeps an arm with a soft law further away.
        stopped_by: The condition that stopped it; None if none did.
        distance: Distance of the tool from the target, m; along force-controlled axes it does not
            count. Of a move of the joints the largest angle, rad.
        angle: Angle of the tool from the target, rad, if it came to rest without reaching it.
    """

    reached: bool
    stopped_by: Condition | None = None
    distance: float = 0.0
    angle: float = 0.0

    def __repr__(self) -> str:
        by = f", stopped_by={self.stopped_by}" if self.stopped_by is not None else ""
        angle = f", angle={self.angle:.3g}" if self.angle else ""
        return f"Moved(reached={self.reached}{by}, distance={self.distance:.3g}{angle})"


class Settling:
    """Tells when a tool has settled beside a reference that is done.

    It has arrived, or is at rest without: a soft arm in contact never arrives. One that its law
    allows little speed is on its way for as long as it comes nearer.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._nearest = inf
        self._still_since: float | None = None

    def result(self, tick: Tick) -> Moved | None:
        """How the move ended, given a tick in which the reference is done; None if it goes on."""
        distance, angle = error_along_rigid_axes(tick)
        slow = _norm(tick.v_WT_W[:3]) < _STILL and _norm(tick.v_WT_W[3:]) < _STILL_ANGLE
        if distance < _NEAR and angle < _NEAR_ANGLE and slow:
            return Moved(True, distance=distance)
        limited = bool(tick.law_limited & SPEED_LIMITED)
        # in units of how near is near enough
        away = distance / _NEAR + angle / _NEAR_ANGLE
        if away < self._nearest - (0.0 if limited else 1.0):
            self._nearest, self._since = away, tick.time
        rests = slow and not limited
        self._still_since = (self._still_since or tick.time) if rests else None
        rests = self._still_since is not None and tick.time - self._still_since > _STILL_FOR
        if rests or tick.time - self._since > _LONGEST:
            return Moved(False, distance=distance, angle=angle)
        return None


def error_along_rigid_axes(tick: Tick) -> tuple[float, float]:
    """Distance and angle from the tool to its reference, without force-controlled axes."""
    e = np.empty(6)
    pose_error(tick.X_WT, tick.X_WR, e)
    to_frame(int(tick.axes_frame), tick.X_WF, tick.X_WT, e, e)
    rigid = tick.Tr[int(tick.n_af) :]
    e = rigid.T @ (rigid @ e)
    return _norm(e[:3]), _norm(e[3:])


def _norm(vector: np.ndarray) -> float:
    return hypot(*vector)
