"""The strategy: approach, search with a leaning peg, nestle, turn upright, insert.

It knows the nominal hole only. Commands and ticks are those of the public API. Damping is adaptive:
the law estimates lag and stiffness, and the speeds follow from its estimates.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from math import sqrt

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ArmStopped, ConfigError
from pliant.numerics.spatial import Array
from pliant.pose import PoseNumbers
from pliant.tasks.insertion.hole_frame import HoleFrame
from pliant.tasks.insertion.insertion_plan import InsertionPlan
from pliant.tasks.insertion.insertion_result import InsertionResult
from pliant.tasks.insertion.leaning_peg import across, direction
from pliant.tasks.insertion.leaning_search import LeaningSearch
from pliant.tasks.insertion.peg_compliance import LAW
from pliant.tasks.insertion.peg_laws import peg_compliance
from pliant.tasks.insertion.stiff_insertion import insert_stiffly
from pliant.tick import Rows

_PATIENCE = 8.0
"""Longest wait for the peg to nestle or to come out, s."""

_STEP = 5e-5
"""Way by which the peg must sink to count as moving, m."""

_LINE = 800.0
"""Force that brings the nestling peg back to its line, N/m."""

_STEER = 1.5
"""Most of that force, N: the hole may guide the peg elsewhere."""

_BESIDE = 3.0
"""Distance from a hole at which a circle on the face does not meet it, relative to the peg."""

_TURNED = 1e-3
"""Angle at which the peg is upright, rad."""

_BRAKING = 1.0
"""Deceleration towards it, rad/s², half of what the reference can do."""

_LEVER = 0.004, 0.008
"""Least and largest lever of a force on the rim about the tip, m: deeper, the torque counts."""

_DOWN = np.array([0.0, 0.0, -1.0])
_STILL = np.zeros(3)


class Phase(Enum):
    """Where an insertion stands."""

    APPROACH = "approach"
    SEARCH = "search"
    NESTLE = "nestle"
    TURN = "turn"
    INSERTION = "insertion"
    SEATED = "seated"


@dataclass
class Insertion:
    """One insertion on an arm in a scene with a hole.

    Attributes:
        arm: The arm; inactive, tool free.
        plan: The figures of the strategy.
        on_phase: Called when a phase begins, with the phase and the arm's time.
        phases: When each phase last began.
    """

    arm: Arm
    plan: InsertionPlan = field(default_factory=InsertionPlan)
    on_phase: Callable[[Phase, float], None] | None = None
    phases: dict[Phase, float] = field(default_factory=dict)

    def run(self, law: str = LAW) -> InsertionResult:
        """Insert the peg, compliantly or, for comparison, under position control.

        Position control is left as it ends: pressing, and with the contact-force stop off.

        Raises:
            ConfigError: The arm's scene has no hole, or its history is too short for the figures.
        """
        nominal = self._nominal_hole()
        self.arm.zero()
        started = self.arm.time
        try:
            if law == "position":
                self._enter(Phase.APPROACH)
                seated, note = insert_stiffly(self.arm, nominal, self.arm.scene.hole_depth)
            else:
                seated, note = self._compliantly(nominal, law)
        except ArmStopped as stopped:
            seated, note = False, stopped.reason
        depth = float(nominal[2] - self.arm.tick.X_WT[2])
        rows = self._past(started)
        return InsertionResult.measure(rows, law=law, seated=seated, depth=depth, note=note)

    def _compliantly(self, nominal: PoseNumbers, law: str) -> tuple[bool, str]:
        self._hole = HoleFrame(self.arm, nominal)
        self._search = LeaningSearch(self.arm, self._hole, self.plan)
        self._peg = peg_compliance(law, self.arm, self.plan)
        if not self._approach():
            return False, "no surface where it should be"
        found = False
        for _ in range(self.plan.attempts):
            self._enter(Phase.SEARCH)
            if not self._search.find(self._peg.speed):
                if not found:
                    return False, "no hole within reach"
                self._search.start_at(self._search.centre)
            else:
                found = True
                if self._nestle():
                    self._turn_upright()
                    if self._insert():
                        return True, "seated"
                    place = np.array([*self._hole.tip[:2], 0.0])
                    if not self._search.aligned and not self._feel_face_beside(place):
                        break
                    self._search.start_at(place)
            if not self._pull_out():
                break
            if not self._approach():
                return False, "no surface where it should be"
        return False, "stuck"

    def _approach(self) -> bool:
        """Lean, and go down as fast as a hard contact permits, until the face is felt."""
        arm, plan = self.arm, self.plan
        self._enter(Phase.APPROACH)
        self._peg.hold()
        self._hole.move_to(self._search.first_pose)
        self._peg.hold_sideways()
        self._hole.push(plan.press * _DOWN)
        deepest = 2.0 * arm.scene.hole_depth
        overdue = arm.time + 2.0 * (plan.hover + deepest) / self._peg.speed
        while self._hole.force[2] < plan.touch:
            if self._search.lowest[2] < -deepest or arm.time > overdue:
                return False
            arm.wait(plan.look)
        arm.wait(plan.settle)
        self._peg.learn_stiffness()
        self._peg.hold_sideways()
        return True

    def _feel_face_beside(self, hole: Array) -> bool:
        """Learn beside the hole how the peg stands on the face; whether that could be done."""
        search = self._search
        search.start_at(hole - _BESIDE * search.peg.radius * direction(search.angle))
        if not self._pull_out() or not self._approach():
            return False
        search.feel_face(self._peg.speed)
        return True

    def _nestle(self) -> bool:
        """Push the edge to the far side of the hole, to and fro across it, until it rests there.

        It is kept on its line, because damping may differ along the axes of the hole.
        The tip is in if it is nearly as deep as a leaning peg can go or, where the height of the
        face is not known, if the far side holds it.
        """
        arm, plan, search = self.arm, self.plan, self._search
        self._enter(Phase.NESTLE)
        self._peg.let_go()
        ahead, aside = direction(search.angle), across(search.angle)
        start, begun = self._hole.tip, arm.time
        lowest, rested = start[2], begun
        while arm.time - begun < _PATIENCE:
            side = 1.0 if int((arm.time - begun) / plan.dither_time) % 2 else -1.0
            astray = float((self._hole.tip - start)[:3] @ aside)
            sideways = side * plan.dither - float(np.clip(_LINE * astray, -_STEER, _STEER))
            self._hole.push(plan.nestle * ahead + sideways * aside + plan.down * _DOWN)
            arm.wait(3.0 * plan.look)
            tip, held = self._hole.tip, -float(self._hole.force @ ahead) > 0.8 * plan.nestle
            if tip[2] < lowest - _STEP or not held:
                lowest, rested = min(lowest, tip[2]), arm.time
            if (tip - start)[:3] @ ahead > 1.8 * search.peg.radius:
                return False
            if arm.time - rested > plan.settle and search.depth > 0.75 * search.full_depth:
                return True
        return search.depth > 0.6 * search.full_depth

    def _turn_upright(self) -> None:
        """Turn the peg upright about its tip, as deep as it is, free to follow the hole.

        If it sank meanwhile, a hole that is tilted would hold it between both edges before it is
        upright, and turning on would drive the wedge.
        """
        arm, plan = self.arm, self.plan
        self._enter(Phase.TURN)
        self._peg.keep_depth()
        self._hole.push(plan.nestle * direction(self._search.angle))
        goal = self._search.peg.upright()
        while (left := float(np.linalg.norm(turn := self._hole.turn_to(goal)))) > _TURNED:
            rate = min(plan.turning, sqrt(2.0 * _BRAKING * left))
            self._hole.jog(_STILL, rate / left * turn)
            arm.wait(min(plan.look, left / rate))
        arm.hold()

    def _insert(self) -> bool:
        """Push down, harder if it sticks, until something carries the peg; whether it is home."""
        arm, plan = self.arm, self.plan
        self._enter(Phase.INSERTION)
        self._peg.follow_hole()
        for force, step in ((plan.insert, 10.0 * _STEP), (plan.insert_most, _STEP)):
            self._sink(force, step)
            if self._is_home():
                break
        # unloaded, the depth no longer contains how far the fixture gave way
        self._hole.push(_STILL)
        self._peg.rest()
        arm.wait(plan.settle)
        if not self._is_home():
            return False
        self._enter(Phase.SEATED)
        arm.deactivate()
        arm.wait_until(lambda tick: tick.law < 0)
        return True

    def _sink(self, force: float, step: float) -> None:
        """Push down until the peg no longer sinks by steps of some size, m."""
        lowest, moved = self._hole.tip[2], self.arm.time
        while self.arm.time - moved < (1.0 if self._is_home() else 2.0) * self.plan.settle:
            self._hole.push(force * self._share * _DOWN)
            self.arm.wait(5.0 * self.plan.look)
            self._peg.damp_rotation(self._tip_depth)
            if self._hole.tip[2] < lowest - (_STEP if self._is_home() else step):
                lowest, moved = self._hole.tip[2], self.arm.time

    @property
    def _share(self) -> float:
        """Share of the push that keeps the side force small.

        What presses on the rim has the depth as its lever, where the tip is on the other side of
        the hole. The less friction there is, the more of it: half of the push, over the friction.
        """
        lever = float(np.clip(self._tip_depth, *_LEVER))
        return self.plan.side / max(self.plan.side, self._hole.torque / lever)

    def _pull_out(self) -> bool:
        """Pull the peg off the face and out of the hole; whether it is out."""
        self._hole.push(-self.plan.insert_most * _DOWN)
        end = self.arm.time + _PATIENCE
        while self._hole.tip[2] < self.plan.hover and self.arm.time < end:
            self.arm.wait(self.plan.look)
        return bool(self._hole.tip[2] >= self.plan.hover)

    @property
    def _tip_depth(self) -> float:
        """How deep the tip is below the nominal face, m."""
        return max(0.0, -float(self._hole.tip[2]))

    def _is_home(self) -> bool:
        """Whether the tip is as deep as the hole, as far as the height of the face is known."""
        hole, face = self.arm.scene.hole_depth, self._search.face
        if face is None:
            return self._tip_depth > 0.85 * hole
        return self._tip_depth + float(face.height(self._search.angle)) > 0.94 * hole

    def _nominal_hole(self) -> PoseNumbers:
        pose = self.arm.scene.X_WH
        if pose is None or self.arm.scene.hole_depth == 0.0:
            raise ConfigError("an insertion needs a scene with a hole, such as sim:ur5e/peg")
        return pose

    def _past(self, started: float) -> Rows:
        """The ticks of this run; were the first ones forgotten, a peak might be missing."""
        rows = self.arm.history.since(started)
        if rows["time"][0] > started:
            took, kept = self.arm.time - started, self.arm.time - rows["time"][0]
            raise ConfigError(
                f"the insertion took {took:.0f} s, but the arm's history holds only {kept:.0f} s: "
                "create it with Arm(…, history=…)"
            )
        return rows

    def _enter(self, phase: Phase) -> None:
        self.phases[phase] = self.arm.time
        if self.on_phase:
            self.on_phase(phase, self.arm.time)
