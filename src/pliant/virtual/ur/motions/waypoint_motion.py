"""movej, movel and paths of them: straight segments, blended at their corners.

A corner with the radius r is a parabola from r before it to r after it. The speed along the path
obeys the speed of each segment, its acceleration, and rest at corners without a radius.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pinocchio as pin

from pliant.robots.ur.ur_frames import Array
from pliant.virtual.ur.motions.motion import Motion, Target
from pliant.virtual.ur.ur_kinematics import UrKinematics

_NEGLIGIBLE = 1e-9


class Space(ABC):
    """Where a path is straight: the joints, or the tool."""

    @abstractmethod
    def way(self, start: Any, end: Any) -> Array:
        """Six numbers that lead from one point to another."""

    @abstractmethod
    def moved(self, start: Any, way: Array) -> Any:
        """The point to which a way leads."""

    @abstractmethod
    def length(self, way: Array) -> float:
        """The length to which speeds refer."""


class JointSpace(Space):
    """movej: the speed is that of the leading joint."""

    def way(self, start: Array, end: Array) -> Array:
        """The difference."""
        return end - start

    def moved(self, start: Array, way: Array) -> Array:
        """The sum."""
        return start + way

    def length(self, way: Array) -> float:
        """Of the joint that moves most, rad."""
        return float(np.abs(way).max())


class ToolSpace(Space):
    """movel: the speed is that of the TCP; of a pure rotation it is in rad/s."""

    def way(self, start: pin.SE3, end: pin.SE3) -> Array:
        """Translation and rotation vector, in axes of the base."""
        turn = pin.log3(end.rotation @ start.rotation.T)
        return np.concatenate([end.translation - start.translation, turn])

    def moved(self, start: pin.SE3, way: Array) -> pin.SE3:
        """Translated and turned."""
        return pin.SE3(pin.exp3(way[3:]) @ start.rotation, start.translation + way[:3])

    def length(self, way: Array) -> float:
        """Of the translation, m, or of the rotation, rad, if there is no translation."""
        distance = float(np.linalg.norm(way[:3]))
        return distance if distance > 1e-6 else float(np.linalg.norm(way[3:]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Waypoint:
    """The end of a segment.

    Attributes:
        point: Joint positions, or a pose of the TCP.
        speed: Speed on the segment that ends here.
        acceleration: Acceleration on it.
        blend: Radius of the corner here, m or rad; 0 stops.
    """

    point: Any
    speed: float
    acceleration: float
    blend: float = 0.0


class PathMotion(Motion):
    """Follows waypoints."""

    def __init__(self, space: Space, start: Any, waypoints: list[Waypoint]) -> None:
        self._space = space
        points = [start, *(waypoint.point for waypoint in waypoints)]
        ways = [space.way(a, b) for a, b in pairwise(points)]
        lengths = [space.length(way) for way in ways]
        self._points, self._ways, self._lengths = points, ways, lengths
        self._waypoints = waypoints
        self._ends = np.cumsum(lengths).tolist()
        self._blends = [self._blend(i) for i in range(len(waypoints))]
        self._s, self._u = 0.0, 0.0

    def _blend(self, i: int) -> float:
        """The radius of a corner, at most half of the segments that meet there."""
        if i + 1 >= len(self._waypoints):
            return 0.0
        return min(self._waypoints[i].blend, 0.5 * self._lengths[i], 0.5 * self._lengths[i + 1])

    @property
    def segment(self) -> int:
        """Number of the segment on which the arm is."""
        return self._segment(self._s)

    @property
    def last(self) -> Any:
        """The last waypoint, as it was given."""
        return self._points[-1]

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Advance along the path."""
        self._advance(dt)
        point = self._at(self._s)
        q = point if isinstance(point, np.ndarray) else kinematics.inverse(point, now.q)
        qd = (q - now.q) / dt if dt > 0.0 else np.zeros_like(q)
        if self._s >= self._ends[-1] - _NEGLIGIBLE:
            self.done = True
            qd = np.zeros_like(q)
        return Target(q=q, qd=qd)

    def _advance(self, dt: float) -> None:
        """Move on by a period: as fast as the segment allows, and all that comes can be met."""
        i = self._segment(self._s)
        limit = self._waypoints[i].speed
        reach = self._u + self._waypoints[i].acceleration * dt
        for k in range(i, len(self._ends)):
            slower = 0.0 if self._blends[k] <= 0.0 else self._waypoints[k + 1].speed
            left = max(0.0, self._ends[k] - self._s)
            a = self._waypoints[k].acceleration
            # after this period the brakes must still suffice
            braked = -a * dt / 2 + sqrt((a * dt / 2) ** 2 + slower**2 + 2.0 * a * left)
            limit = min(limit, max(braked, 0.0))
        u = min(reach, limit)
        self._s += 0.5 * (self._u + u) * dt
        self._u = u
        if self._ends[-1] - self._s < 1e-7 and u < 1e-3:
            self._s = self._ends[-1]

    def _segment(self, s: float) -> int:
        for i, end in enumerate(self._ends):
            if s < end:
                return i
        return len(self._ends) - 1

    def _at(self, s: float) -> Any:
        """The point at a length along the path."""
        i = self._segment(s)
        for k in (i - 1, i):
            if k >= 0 and self._blends[k] > 0.0 and abs(s - self._ends[k]) < self._blends[k]:
                return self._corner(k, s)
        length = self._lengths[i]
        done = 1.0 if length <= 0.0 else 1.0 - (self._ends[i] - s) / length
        if done >= 1.0:
            return self._points[i + 1]
        return self._space.moved(self._points[i], self._ways[i] * max(0.0, done))

    def _corner(self, k: int, s: float) -> Any:
        """A point of the parabola around waypoint k."""
        r = self._blends[k]
        t = 0.5 * (s - self._ends[k] + r) / r
        entry = -self._ways[k] * (r / self._lengths[k])
        leave = self._ways[k + 1] * (r / self._lengths[k + 1])
        return self._space.moved(self._points[k + 1], (1.0 - t) ** 2 * entry + t**2 * leave)


def move_joints(start: Array, q: Array, speed: float, acceleration: float) -> PathMotion:
    """A movej."""
    waypoint = Waypoint(point=np.array(q), speed=speed, acceleration=acceleration)
    return PathMotion(JointSpace(), np.array(start), [waypoint])


def move_tool(start: pin.SE3, X_BT: pin.SE3, speed: float, acceleration: float) -> PathMotion:
    """A movel."""
    waypoint = Waypoint(point=X_BT, speed=speed, acceleration=acceleration)
    return PathMotion(ToolSpace(), start, [waypoint])
