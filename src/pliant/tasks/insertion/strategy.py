"""The strategy: approach, search with a leaning peg, nestle, turn upright, insert.

It knows the nominal hole only. Commands and ticks are those of the public API. Damping is adaptive:
the law estimates lag and stiffness, and the speeds follow from its estimates.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ArmStopped, ConfigError
from pliant.pose import PoseNumbers
from pliant.tasks.insertion.hole_frame import HoleFrame
from pliant.tasks.insertion.insertion_plan import InsertionPlan
from pliant.tasks.insertion.insertion_result import InsertionResult
from pliant.tasks.insertion.leaning_peg import across, direction
from pliant.tasks.insertion.leaning_search import LeaningSearch
from pliant.tasks.insertion.peg_compliance import LAW, PegCompliance
from pliant.tasks.insertion.stiff_insertion import insert_stiffly
from pliant.tick import Rows

_PATIENCE = 8.0
"""Longest wait for the peg to nestle or to come out, s."""

_STEP = 5e-5
"""Way by which the peg must sink to count as moving, m."""

_TURNED = 1e-3
"""Angle at which the peg is upright, rad."""

_GUIDED = 0.7
"""Share of the hole's depth from which the hole itself keeps the peg upright."""

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
                seated, note = self._compliantly(nominal)
        except ArmStopped as stopped:
            seated, note = False, stopped.reason
        depth = float(nominal[2] - self.arm.tick.X_WT[2])
        rows = self._past(started)
        return InsertionResult.measure(rows, law=law, seated=seated, depth=depth, note=note)

    def _compliantly(self, nominal: PoseNumbers) -> tuple[bool, str]:
        self._hole = HoleFrame(self.arm, nominal)
        self._search = LeaningSearch(self.arm, self._hole, self.plan)
        self._peg = PegCompliance(self.arm, self.plan)
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
                    self._search.start_at(np.array([*self._hole.tip[:2], 0.0]))
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

    def _nestle(self) -> bool:
        """Push the edge to the far side of the hole, to and fro across it, until it rests there.

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
            self._hole.push(plan.nestle * ahead + side * plan.dither * aside + plan.down * _DOWN)
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
        """Turn the peg upright about its edge, free to follow the hole on the way."""
        arm, plan, angle = self.arm, self.plan, self._search.angle
        self._enter(Phase.TURN)
        self._peg.follow_hole()
        self._hole.push(plan.nestle * direction(angle) + plan.down * _DOWN)
        doubt = plan.aligned if self._search.aligned else plan.tilted
        goal = self._search.peg.upright()
        while self._tip_depth < _GUIDED * arm.scene.hole_depth:
            turn = self._hole.turn_to(goal)
            if (left := float(np.linalg.norm(turn))) < _TURNED:
                break
            rate = plan.turning if left > doubt else min(plan.turning, self._peg.turning)
            self._hole.jog(_STILL, rate / left * turn)
            arm.wait(min(2.0 * plan.look, left / rate))
            self._peg.damp_rotation(self._tip_depth)
        arm.hold()

    def _insert(self) -> bool:
        """Push down, harder if it sticks, until something carries the peg; whether it is home."""
        arm, plan = self.arm, self.plan
        self._enter(Phase.INSERTION)
        for force, step in ((plan.insert, 10.0 * _STEP), (plan.insert_most, _STEP)):
            self._hole.push(force * _DOWN)
            self._wait_sunk(step)
            if self._is_home():
                break
        # unloaded, the depth no longer contains how far the fixture gave way
        self._hole.push(_STILL)
        arm.wait(plan.settle)
        if not self._is_home():
            return False
        self._enter(Phase.SEATED)
        arm.deactivate()
        arm.wait_until(lambda tick: tick.law < 0)
        return True

    def _wait_sunk(self, step: float) -> None:
        """Wait until the peg no longer sinks by steps of some size, m."""
        lowest, moved = self._hole.tip[2], self.arm.time
        while self.arm.time - moved < 2.0 * self.plan.settle:
            self.arm.wait(5.0 * self.plan.look)
            self._peg.damp_rotation(self._tip_depth)
            if self._hole.tip[2] < lowest - step:
                lowest, moved = self._hole.tip[2], self.arm.time

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
