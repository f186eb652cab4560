"""The strategy: approach, contact, search, insertion, seated.

It knows the nominal hole only. Commands and ticks are those of the public API.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from math import cos, hypot, inf, pi, sin
from typing import Any

from pliant.api.arm import Arm
from pliant.errors import ArmStopped, ConfigError
from pliant.params import spread
from pliant.pose import PoseNumbers
from pliant.tasks.insertion.insertion_result import InsertionResult
from pliant.tick import Rows

_LAW = "hybrid_admittance"
_LOOK = 0.01
"""How often the strategy looks at the arm, s."""

_CATCH_UP = 0.1
"""Time in which a deviation from the spiral is made good, s."""

_PATIENCE = 6.0
"""Longest wait for a contact to come to rest, s."""

_PROBE = 0.6
"""Share of the pressing force at which a contact is first measured."""

_CALMER = 4
"""How often a contact is given twice the damping before it is left as it is."""


class Phase(Enum):
    """Where an insertion stands."""

    APPROACH = "approach"
    CONTACT = "contact"
    SEARCH = "search"
    INSERTION = "insertion"
    SEATED = "seated"


@dataclass(frozen=True, kw_only=True)
class InsertionPlan:
    """The strategy's own figures; they fit surfaces of about 1 to 30 N/mm through 34 ms.

    Attributes:
        hover: Height above the nominal surface from which the approach starts, m.
        approach: Speed of the approach, m/s.
        press: Force while searching and inserting, N.
        touch: Force that counts as contact, N.
        settle: Shortest time for a contact to come to rest, s.
        rest: Speed below which a contact is at rest, m/s.
        sunk: Unloaded distance from the nominal surface beyond which a contact is not the surface,
            m.
        softest: Stiffness of the softest fixture, N/m.
        pitch: Distance between the turns of the spiral, m.
        sweep: Speed along the spiral, m/s.
        reach: Radius at which the search gives up, m.
        drop: Depth below the settled surface that means the hole was found, m.
        hold: Lateral stiffness while searching, N/m.
        attempts: How often to search again after getting stuck.
        stiff_depth: How far below the surface position control drives the peg, m.
    """

    hover: float = 0.005
    approach: float = 0.010
    press: float = 5.0
    touch: float = 2.0
    settle: float = 0.6
    rest: float = 2e-4
    sunk: float = 0.0015
    softest: float = 1000.0
    pitch: float = 0.00025
    sweep: float = 0.004
    reach: float = 0.0025
    drop: float = 0.0004
    hold: float = 5000.0
    attempts: int = 3
    stiff_depth: float = 0.010


_GAINS = {
    "inertia": spread(10.0, 0.05),
    "damping": spread(800.0, 2.0),
    "rigid_axes": "track",
}
"""Gains along the hole, and about it: the peg must lean easily to follow a tilted hole."""

_UPRIGHT = 1.0
"""Rotational stiffness, N·m/rad: brings the peg upright when nothing leans on it."""


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

    def run(self, law: str = "hybrid_admittance") -> InsertionResult:
        """Insert the peg, compliantly or, for comparison, under position control.

        Position control is left as it ends: pressing, and with the contact-force stop off.

        Raises:
            ConfigError: The arm's scene has no hole, or its history is too short for the figures.
        """
        self._nominal = self._nominal_hole()
        self.arm.zero()
        started = self.arm.time
        try:
            if law == "position":
                seated, note = self._stiffly()
            else:
                seated, note = self._compliantly(law)
        except ArmStopped as stopped:
            seated, note = False, stopped.reason
        return InsertionResult.measure(
            self._past(started),
            law=law,
            seated=seated,
            depth=self._depth(),
            approach=self.plan.approach,
            note=note,
        )

    def _compliantly(self, law: str) -> tuple[bool, str]:
        self._hover(law)
        if not self._approach():
            return False, "no surface where it should be"
        for _ in range(self.plan.attempts):
            surface, found = self._contact()
            if not found and not self._search(surface):
                return False, "no hole within reach"
            if self._insert():
                return True, "seated"
            self._hold_sideways()
        return False, "stuck"

    def _hover(self, law: str) -> None:
        """Move to just above the nominal hole, every axis rigid."""
        self._enter(Phase.APPROACH)
        self.arm.set_axes("")
        self.arm.activate(law)
        x, y, z, *_ = self._nominal
        self.arm.move_to([x, y, z + self.plan.hover, *self.arm.tick.X_WT[3:]], wait=False)
        self.arm.wait_until(lambda tick: tick.ref_done == 1, timeout=30.0)
        self.arm.wait(0.2)

    def _approach(self) -> bool:
        """Go down with constant speed, a force against the damping alone, until it is felt."""
        arm, plan = self.arm, self.plan
        self._hold_sideways(**_GAINS)
        damping = arm.config.laws.hybrid_admittance.total_damping[2]
        arm.set_wrench([0.0, 0.0, -plan.approach * damping, 0.0, 0.0, 0.0])
        deepest = 2.0 * arm.scene.hole_depth
        overdue = arm.time + 2.0 * (plan.hover + deepest) / plan.approach
        while arm.tick.w_T[2] > -plan.touch:
            if self._depth() > deepest or arm.time > overdue:
                return False
            arm.wait(_LOOK)
        return True

    def _contact(self) -> tuple[float, bool]:
        """Press at two forces; return the depth at the larger and whether the peg is in the hole.

        The two depths tell how far the fixture gives way, and so how deep the tip would be without
        load. The peg is in the hole if that is far below the nominal surface. If it is far above,
        the peg dropped in between the two presses. If the peg dropped in both, the unloaded depth
        means nothing, but the tip is deeper than the softest fixture would let it.
        """
        self._enter(Phase.CONTACT)
        plan = self.plan
        first = self._press(_PROBE * plan.press)
        second = self._press(plan.press)
        unloaded = second - (second - first) / (1.0 - _PROBE)
        deepest_surface = plan.sunk + plan.press / plan.softest
        return second, abs(unloaded) > plan.sunk or second > deepest_surface

    def _press(self, force: float) -> float:
        """Press until the contact rests, with more damping if it does not; return the depth."""
        self.arm.set_wrench([0.0, 0.0, -force, 0.0, 0.0, 0.0])
        for _ in range(_CALMER):
            if self._settle():
                break
            law = self.arm.config.laws.hybrid_admittance
            self.arm.activate(
                _LAW,
                damping=[2.0 * value for value in law.damping],
                inertia=[2.0 * value for value in law.inertia],
            )
        return self._depth()

    def _search(self, surface: float) -> bool:
        """Spiral outwards until the peg drops below the surface; False if it never does."""
        arm, plan = self.arm, self.plan
        self._enter(Phase.SEARCH)
        x0, y0 = arm.tick.X_WR[:2]
        angle = radius = 0.0
        while radius < plan.reach:
            if self._depth() > surface + plan.drop:
                arm.hold()
                return True
            x, y = arm.tick.X_WR[:2]
            # ahead along the turn, and back to the spiral
            vx = -plan.sweep * sin(angle) + (x0 + radius * cos(angle) - x) / _CATCH_UP
            vy = plan.sweep * cos(angle) + (y0 + radius * sin(angle) - y) / _CATCH_UP
            arm.jog([vx, vy, 0.0, 0.0, 0.0, 0.0])
            arm.wait(_LOOK)
            angle += plan.sweep * _LOOK / hypot(radius, plan.pitch)
            radius = plan.pitch * angle / (2 * pi)
        arm.hold()
        return False

    def _insert(self) -> bool:
        """Let go sideways, push on until something carries the peg, and see whether it is home.

        Unloaded, the depth no longer contains how far the fixture gave way.
        """
        arm = self.arm
        self._enter(Phase.INSERTION)
        arm.activate(_LAW, stiffness=(0.0, 0.0, 0.0, *(_UPRIGHT,) * 3))
        arm.set_axes("x y z rx ry")
        damping = arm.config.laws.hybrid_admittance.total_damping[2]
        self._settle(_PATIENCE + 2.0 * arm.scene.hole_depth * damping / self.plan.press)
        arm.set_wrench([0.0] * 6)
        self._settle()
        if self._depth() < 0.95 * arm.scene.hole_depth:
            return False
        self._enter(Phase.SEATED)
        arm.deactivate()
        arm.wait_until(lambda tick: tick.law < 0)
        return True

    def _hold_sideways(self, **gains: Any) -> None:
        """Be stiff across the hole and free along it, to meet the surface and to search."""
        hold = self.plan.hold
        self.arm.activate(_LAW, **gains, stiffness=(hold, hold, 0.0, *(_UPRIGHT,) * 3))
        self.arm.set_axes("x y z")

    def _settle(self, patience: float = _PATIENCE) -> bool:
        """Wait until the tool has been at rest for a while; False if it does not come to rest."""
        arm, plan = self.arm, self.plan
        rested = waited = 0.0
        while rested < 0.5 * plan.settle and waited < patience:
            arm.wait(_LOOK)
            waited += _LOOK
            moving = abs(arm.tick.v_cmd_T[2]) > plan.rest
            rested = 0.0 if moving or waited < 0.5 * plan.settle else rested + _LOOK
        return waited < patience

    def _stiffly(self) -> tuple[bool, str]:
        """The same approach, at the same speed, by position alone, contact-force stop off.

        It pushes 10 mm below the surface; if it meets no resistance there, it is in the hole and
        goes on to its bottom.
        """
        arm, plan = self.arm, self.plan
        arm.set("safety.contact_force", inf)
        arm.set("safety.contact_torque", inf)
        self._hover("position")
        _, rotation = arm.config.reference.max_speed
        arm.set("reference.max_speed", (plan.approach, rotation))
        self._push_down(plan.hover + plan.stiff_depth)
        if abs(arm.tick.w_T[2]) > plan.press:
            return False, f"pushed {1e3 * plan.stiff_depth:.0f} mm below the surface"
        self._push_down(arm.scene.hole_depth - plan.stiff_depth)
        seated = self._depth() > 0.95 * arm.scene.hole_depth
        return seated, "seated" if seated else "stuck"

    def _push_down(self, distance: float) -> None:
        self.arm.move_by([0.0, 0.0, -distance, 0.0, 0.0, 0.0], wait=False)
        self.arm.wait_until(lambda tick: tick.ref_done == 1, timeout=60.0)
        self.arm.wait(self.plan.settle)

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

    def _depth(self) -> float:
        """How far the tip is below the nominal surface, m."""
        return float(self._nominal[2] - self.arm.tick.X_WT[2])

    def _enter(self, phase: Phase) -> None:
        self.phases[phase] = self.arm.time
        if self.on_phase:
            self.on_phase(phase, self.arm.time)
