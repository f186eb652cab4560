"""Slide along a surface of unknown shape with a force at right angles to it.

The force-controlled axis is the normal of the surface, which is estimated on the way: in the plane
of the motion from where the tool was, across it from the direction of the force. The tool is moved
along the tangent where the arm has been sent, ahead of where it is. So the law has to correct
what the estimate does not know; without it, a slope of 5° at 50 mm/s on a stiff surface would be
20 N.
"""

from collections.abc import Sequence
from math import asin, copysign, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from pliant.api.move_result import Moved
from pliant.errors import MoveEnded, WaitTimeout, warn_user
from pliant.numerics.spatial import Array, quat_exp, quat_multiply, quat_rotate
from pliant.params import Frame
from pliant.reasons import State
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.conditions import Condition
from pliant.stages.supervisor.reaction import Reaction
from pliant.tasks.pressing import Axis, axis_vector, is_force_axis, press, refuse_pull
from pliant.tasks.surface_estimate import SurfaceEstimate
from pliant.tick import Tick

if TYPE_CHECKING:
    from pliant.api.arm import Arm

Values = Sequence[float] | Array

_STEP = 0.004
"""Time between two directions, s."""
_INERTIA_TIME = 0.004
"""Time in which the velocity of a force-controlled axis follows, s: inertia over damping."""
_UNKNOWN_SLOPE, _ERROR = 0.3, 0.5
"""Slope that may lie ahead at the start, and force error, N, that it may cause."""
_SLOWEST = 5e-4
_FORCE_RATE = 10.0
"""Rate at which a spring may draw a tool that sticks, N/s."""
_LEARNING = 4.0
"""Delays of the force loop in which the speed may grow by its own size."""
_BRAKING = 0.7
"""Share of the reference's acceleration with which it comes to rest."""
_ARRIVED = 1e-4
_JOG_TIME = 0.1
_CATCH_UP, _GATHERED = 0.05, 3e-4
"""Time in which the reference gets to the height of the tool, s, and how near, m, to begin."""


def slide(
    arm: "Arm",
    path: Values | Sequence[Values],
    force: float,
    axis: Axis = "z",
    *,
    frame: Frame = "world",
    speed: float | None = None,
    until: Condition | str | None = None,
    timeout: float = inf,
) -> Moved | None:
    """Press, then slide; see `Arm.slide`."""
    legs = legs_of(path)
    if axis == "z":
        refuse_pull(np.array([force], float))
    arm.set_task_frame([0.0, 0.0, 0.0, *arm.tick.X_WT[3:]])
    if is_force_axis(arm.tick, axis_vector(axis), "tool"):
        # the same axis by another name; it acts at the next tick
        arm.set_axes(axis, frame="task", turn=True)
        arm.wait(arm.dt)
    press(arm, force, axis, frame="task")
    end = arm.time + timeout
    armed = None if until is None else arm.on(until, Reaction.hold())
    motion = Sliding(arm, force, axis)
    try:
        for leg in legs:
            # refuses what cannot be reached; the first direction replaces it before it acts
            arm.move_by(leg, frame, speed=speed, wait=False)
            if not motion.begin(np.array(leg, float), frame, speed):
                warn_user(f"this slide does nothing along {axis}: there the surface decides")
                arm.wait_done()
                continue
            for tick in arm.ticks():
                if armed is not None and armed.fired:
                    return Moved(False, stopped_by=armed.condition, distance=motion.to_go(tick))
                if tick.time > end:
                    raise WaitTimeout(f"the slide was not done within {timeout:g} s; the arm holds")
                if tick.state != State.ACTIVE:
                    raise MoveEnded(f"the law ended: {read_text(arm.session.row)}")
                if motion.step(tick):
                    break
        return arm.wait_done()
    except (WaitTimeout, KeyboardInterrupt):
        arm.hold()
        raise
    finally:
        arm.release(armed)


def legs_of(path: Values | Sequence[Values]) -> list[Values]:
    """The straight legs of a path that may be a single one."""
    if not len(path) or np.isscalar(path[0]):
        return [path]  # pyright: ignore[reportReturnType]
    return list(path)  # pyright: ignore[reportReturnType]


class Sliding:
    """Moves a pressing tool along a surface, leg by leg."""

    def __init__(self, arm: "Arm", force: float, axis: Axis) -> None:
        self._arm = arm
        # the task frame is that of the tool; what turns away from this direction is the surface
        self._orientation = arm.tick.X_WF[3:].copy()
        self._up = -np.sign(force) * _rotated(arm.tick.X_WF, np.eye(3)["xyz".index(axis)])
        self._every = max(1, round(_STEP / arm.dt))
        self._while_sticking = _FORCE_RATE / _spring(arm)
        self._lead = 0.5 * self._every * arm.dt + 2.0 * arm.dt + _INERTIA_TIME
        self._count = 0
        self._surface: SurfaceEstimate | None = None

    def begin(self, leg: Array, frame: Frame, speed: float | None) -> bool:
        """Begin a leg; whether it leads along the surface at all."""
        tick = self._arm.tick
        way, turn = leg[:3], leg[3:]
        if frame == "tool":
            way, turn = _rotated(tick.X_WT, way), _rotated(tick.X_WT, turn)
        way = way - (way @ self._up) * self._up
        self._length = float(np.linalg.norm(way))
        if self._length < _ARRIVED:
            return False
        limits = self._arm.config.reference
        self._speed = limits.max_speed[0] if speed is None else speed
        self._braking = _BRAKING * limits.max_acceleration[0]
        self._turn = turn / self._length
        before, stiffness = self._surface, max(1.0, float(tick.k_contact[0]))
        self._surface = SurfaceEstimate(self._up, way / self._length, stiffness)
        self._start = tick.X_WR[:3].copy()
        if before is not None:
            self._surface.take_over(before)
        self._count, self._first, self._gathered = 0, self._first_speed(tick), False
        self.step(tick)
        return True

    def to_go(self, tick: Tick) -> float:
        """How far the tool is from the end of the leg, m."""
        assert self._surface is not None
        off = tick.X_WT[:3] - self._start - self._length * self._surface.along
        return float(np.linalg.norm(off - (off @ self._up) * self._up))

    def step(self, tick: Tick) -> bool:
        """Learn from a tick, and give the next direction; whether the leg is done."""
        assert self._surface is not None
        surface = self._surface
        if self._gathered:
            surface.add(tick.X_WT[:3], _rotated(tick.X_WT, tick.w_T_filtered[:3]))
        if self._count % self._every == 0:
            left = self._length - float((tick.X_WR[:3] - self._start) @ surface.along)
            if left < _ARRIVED:
                self._arm.hold()
                return True
            self._direct(tick, left)
        self._count += 1
        return False

    def _direct(self, tick: Tick, left: float) -> None:
        """Turn the force-controlled axis to the normal, and move along the tangent."""
        assert self._surface is not None
        arm, surface = self._arm, self._surface
        # where the arm has been sent is ahead of where it is, and the law follows a little later
        ahead = surface.way + float((tick.X_WT_sent - tick.X_WT)[:3] @ surface.along)
        ahead += self._lead * float(tick.v_WR_W[:3] @ surface.along)
        normal, tangent = surface.normal(ahead), surface.tangent(ahead)
        # the height of the reference does not act, but where the surface turns it would
        off = float((tick.X_WT_sent[:3] - tick.X_WR[:3]) @ normal)
        self._gathered = self._gathered or abs(off) < _GATHERED
        speed = 0.0
        if self._gathered:
            speed = self._speed_now(tick, left)
            self._turn_to(normal)
        rise = copysign(min(abs(off) / _CATCH_UP, self._stopping(abs(off))), off)
        velocity = speed * tangent + rise * normal
        arm.jog([*velocity, *(speed * self._turn)], timeout=_JOG_TIME)

    def _turn_to(self, normal: Array) -> None:
        """Turn the task frame, and with it the axis of force, as the normal is turned from up."""
        axis = np.cross(self._up, normal)
        sine = float(np.linalg.norm(axis))
        turned = np.empty(4)
        quat_exp(axis * (asin(min(1.0, sine)) / sine if sine > 0.0 else 0.0), turned)
        quat_multiply(turned, self._orientation, turned)
        self._arm.set_task_frame([0.0, 0.0, 0.0, *turned], turn=True)

    def _first_speed(self, tick: Tick) -> float:
        """Speed at which a slope that is not known yet does little harm."""
        damping = max(1.0, float(tick.D_row[0]))
        return max(_SLOWEST, _ERROR / (damping * _UNKNOWN_SLOPE))

    def _speed_now(self, tick: Tick, left: float) -> float:
        assert self._surface is not None
        way = self._surface.way
        begin = self._first if way > 0.0 else max(self._first, self._while_sticking)
        known = way / (_LEARNING * float(tick.loop_delay))
        return min(self._speed, begin + known, self._stopping(left), left / _STEP)

    def _stopping(self, left: float) -> float:
        """Speed from which the reference comes to rest on a way, m/s."""
        return sqrt(2.0 * self._braking * left)


def _spring(arm: "Arm") -> float:
    """Stiffness with which a tool is drawn along the surface, N/m."""
    law = arm.law
    return float(max(law.stiffness[:3])) if law == "hybrid_force" else inf


def _rotated(X_WT: Array, vector: Array) -> Array:
    out = np.empty(3)
    quat_rotate(np.ascontiguousarray(X_WT[3:]), np.ascontiguousarray(vector, float), out)
    return out
