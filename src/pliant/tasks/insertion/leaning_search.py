"""The search for a hole with a leaning peg: out from the centre, then around.

The lowest point of the peg moves on a circle while the peg precesses, so that its tip itself moves
little: a scan of 80 mm takes seconds, and meets the hole softly.
"""

from dataclasses import replace
from math import atan2, ceil, pi, sin

import numpy as np

from pliant.api.arm import Arm
from pliant.numerics.spatial import Array, pose_error, quat_rotate
from pliant.tasks.insertion.hole_frame import HoleFrame
from pliant.tasks.insertion.insertion_plan import InsertionPlan
from pliant.tasks.insertion.leaning_peg import LeaningPeg, across, direction
from pliant.tasks.insertion.rim_scan import Plane, Scan

_CATCH_UP = 0.1
"""Time in which a deviation from the path is made good, s."""
_THERE = 0.005
"""Angle at which the reference is at the end of its path, rad."""
_ALONG = 2.0
"""Speed of the edge around a circle, relative to that at which it may meet an edge head-on."""
_ALIGNING = 0.1
"""Rate at which the peg is tilted as the face is, rad/s."""
_FIRST = 1.25
"""Radius of the first circle, relative to that of the peg."""
_DEEP = 0.4
"""Depth at which the edge is in the hole, relative to the largest that a leaning peg can have."""
_BEYOND = 0.7
"""How far beyond a dip the scan goes that looks at it once more, rad."""

_LONGEST = 2.0
"""Most time of a look for which the path goes on, relative to that of the plan."""


class LeaningSearch:
    """A search around a place, which goes on where it was left.

    Attributes:
        peg: The leaning peg.
        angle: Where the peg leans to, about the axis of the hole, rad.
        centre: Around which place of the face it searches, in H.
        face: The face as the last scan felt it; None before the first.
        aligned: Whether a scan has felt how the peg stands on the face.
    """

    def __init__(self, arm: Arm, hole: HoleFrame, plan: InsertionPlan) -> None:
        self._arm, self._hole, self._plan = arm, hole, plan
        self.peg = LeaningPeg(radius=arm.scene.peg_radius, lean=plan.lean)
        self.angle = 0.0
        self.face: Plane | None = None
        self.aligned = False
        self._took = plan.look
        self.start_at(np.zeros(3))

    def start_at(self, centre: Array) -> None:
        """Begin anew around a place."""
        self.centre = centre
        self.face = None
        self._radius = 0.5 * self.peg.radius
        self._circles = self._radii()

    @property
    def first_pose(self) -> Array:
        """Pose of the tool from which the peg goes down to the face."""
        above = self._place()
        above[2] = self._plan.hover
        return self.peg.pose(above, self.angle)

    @property
    def lowest(self) -> Array:
        """The lowest point of the leaning peg, as measured."""
        return self.peg.lowest(self._hole.tip)

    @property
    def full_depth(self) -> float:
        """How deep a leaning peg goes until its upper edge meets the face, m."""
        return 2.0 * self.peg.radius * sin(self.peg.lean)

    @property
    def depth(self) -> float:
        """How deep the lowest point is below the face; if that is unknown, deep enough."""
        if self.face is None:
            return self.full_depth
        return float(self.face.height(self.angle)) - float(self.lowest[2])

    def feel_face(self, speed: float) -> None:
        """Go around once, to feel how the peg stands on the face; nothing may be caught there."""
        self._drag_out(self._circles[0], speed)
        scan, _ = self._scan(self.angle + 2.0 * pi, self._rate(speed))
        self._align(scan.plane().slope / self._radius)

    def find(self, speed: float) -> bool:
        """Search on; True when the edge is caught, or over a dip.

        Args:
            speed: At which the tip may meet an edge, m/s.
        """
        while self._circles:
            if self._drag_out(self._circles[0], speed):
                self.face = None
                return True
            self._circles.pop(0)
            rate = self._rate(speed)
            scan, caught = self._scan(self.angle + 2.0 * pi + 0.2, rate)
            if caught:
                self.face = None
                return True
            self.face = scan.plane()
            if not self.aligned:
                self._align(self.face.slope / self._radius)
            angle, depth = scan.dip(self.face)
            # what a circle only grazes, the next one finds better
            if depth > self._plan.dip * (2.0 if self._circles else 1.0):
                self._return_to(angle, self.face, rate)
                return True
        return False

    def _rate(self, speed: float) -> float:
        """Rate at which the lean goes around, rad/s."""
        return min(_ALONG * speed / self._radius, self._plan.precession)

    def _align(self, slope: Array) -> None:
        """Lean from now on as the face, or the peg in the gripper, is tilted."""
        self.aligned = True
        steps = ceil(float(np.linalg.norm(slope)) / (_ALIGNING * self._plan.look))
        for i in range(steps):
            self.peg = replace(self.peg, slope=(i + 1) / steps * slope)
            self._go_along(0.0, 0.0)
        self._come_to_rest()

    def _radii(self) -> list[float]:
        """Radii of the lowest point that cover all places of the hole, from the inside out.

        Leaning outwards, a peg of radius r dips into holes from r within its circle to 0.65 r
        beyond it. The first circle is hardly larger than the peg, which nearly turns on the spot:
        what its edge rises and falls is how the peg stands on the face, be it the face or the grasp
        that is tilted. A hole around its centre stops the edge on the way to it.
        """
        r = self.peg.radius
        outermost = max(_FIRST * r, self._plan.reach - 0.45 * r)
        return [_FIRST * r, *map(float, np.arange(outermost, _FIRST * r, -1.5 * r)[::-1])]

    def _drag_out(self, radius: float, speed: float) -> bool:
        """Move the edge outwards to a radius; whether it is caught on the way, or drops in."""
        start = float(self.lowest[2])
        while self._radius < radius:
            self._radius += speed * self._took
            self._go_along(speed, 0.0)
            dropped = start - float(self.lowest[2]) > _DEEP * self.full_depth
            if dropped or self._is_blocked(direction(self.angle)):
                self._arm.hold()
                return True
        self._radius = radius
        return False

    def _scan(self, stop: float, rate: float) -> tuple[Scan, bool]:
        """Precess to an angle; the heights on the way, and whether the edge was caught.

        Where the face is known, an edge that is deep below it is caught too.
        """
        sign = 1.0 if stop > self.angle else -1.0
        angles: list[float] = []
        heights: list[float] = []
        caught = False
        while sign * (stop - self.angle) > 0.0 and not caught:
            self.angle += sign * rate * self._took
            self._go_along(0.0, sign * rate)
            x, y, _ = self.lowest - self._hole.tip[:3]
            angles.append(_nearest(atan2(y, x), self.angle))
            heights.append(float(self.lowest[2]))
            caught = self._is_blocked(sign * across(self.angle)) or self._is_deep()
        self._come_to_rest()
        return Scan(angles=np.array(angles), heights=np.array(heights)), caught

    def _return_to(self, angle: float, face: Plane, rate: float) -> None:
        """Scan the dip backwards too, and stop in the middle of what both found.

        The peg follows the face with a delay, so each scan finds the dip too far along.
        """
        angle = _nearest(angle, self.angle)
        _, caught = self._scan(angle + _BEYOND, rate)
        if not caught:
            scan, caught = self._scan(angle - _BEYOND, rate)
        if not caught:
            back, _ = scan.dip(face)
            self._scan(0.5 * (angle + _nearest(back, angle)), rate)

    def _go_along(self, outwards: float, rate: float) -> None:
        """Move the reference along the path for one look, and back onto it where it deviates.

        In real time a look takes longer than planned, by the way of the command to the controller.
        """
        begun = self._arm.tick.k
        goal, reference = self.peg.pose(self._place(), self.angle), self._hole.reference
        goal[2] = reference[2]
        error, turn = np.empty(6), np.empty(3)
        pose_error(reference, goal, error)
        quat_rotate(reference[3:], error[3:], turn)
        lever = self._radius - float(self.peg.edge(0.0)[0])
        velocity = outwards * direction(self.angle) + rate * lever * across(self.angle)
        velocity = velocity + (goal - reference)[:3] / _CATCH_UP
        self._hole.jog(velocity, self.peg.turning(self.angle, rate) + turn / _CATCH_UP)
        self._arm.wait(self._plan.look)
        passed = float((self._arm.tick.k - begun) * self._arm.dt)
        self._took = min(passed, _LONGEST * self._plan.look)

    def _come_to_rest(self) -> None:
        """Wait until the reference is where the path ends."""
        goal = self.peg.orientation(self.angle)
        while np.linalg.norm(self._hole.turn_to(goal)) > _THERE:
            self._go_along(0.0, 0.0)
        self._arm.hold()

    def _place(self) -> Array:
        """Where the lowest point should be."""
        return self.centre + self._radius * direction(self.angle)

    def _is_deep(self) -> bool:
        return self.face is not None and self.depth > _DEEP * self.full_depth

    def _is_blocked(self, ahead: Array) -> bool:
        force, outwards = self._hole.force, direction(self.angle)
        return max(-float(force @ ahead), -float(force @ outwards)) > self._plan.blocked


def _nearest(angle: float, to: float) -> float:
    """The same angle, by whole turns as near to another one as can be."""
    return to + (angle - to + pi) % (2.0 * pi) - pi
