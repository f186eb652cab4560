"""The gains of an insertion by joint torques: springs about the axes of the hole, force along them.

The arm yields by its torques, so no servo delays what the peg feels: a contact knocks with the
arm's inertia, and rotations need no damping against the loop.
"""

from pliant.api.arm import Arm
from pliant.arms.contact import STIFFEST
from pliant.laws.hybrid_force import HybridForceConfig
from pliant.tasks.insertion.contact_speed import contact_speed
from pliant.tasks.insertion.insertion_plan import InsertionPlan

TORQUE_LAW = "hybrid_force"

_FORCE_P = 0.2
"""Proportional gain of force: with 1, a peg between two walls rings."""
_RIGID = (3000.0, 80.0)
"""Stiffness where the peg does not yield, N/m and N·m/rad."""
_DAMPING = (80.0, 1.0)
"""Damping beside that of the springs, N·s/m and N·m·s/rad."""
_GENTLY = 0.5
"""Share of the speed in the hole: its bottom is met under the force that pushes the peg in."""
_USUAL_SPEED = HybridForceConfig().max_speed


class TorquePegCompliance:
    """How the peg yields, in each phase of an insertion, by joint torques."""

    def __init__(self, arm: Arm, plan: InsertionPlan) -> None:
        self._arm = arm
        self._plan = plan

    @property
    def speed(self) -> float:
        """Speed at which a contact with the stiffest fixture has the planned peak, m/s."""
        return contact_speed(self._arm, STIFFEST, self._plan.peak)

    def learn_stiffness(self) -> None:
        """Do nothing: a press at rest does not tell how stiff the bottom of the hole is."""

    def hold(self) -> None:
        """Be rigid, and as quick as usual."""
        self._activate("", sideways=_RIGID[0], turns=_RIGID[1], speed=_USUAL_SPEED[0])

    def hold_sideways(self) -> None:
        """Be stiff across the hole and free along it, to meet the face and to search."""
        self._activate("z", sideways=self._plan.hold, turns=_RIGID[1], speed=self.speed)

    def let_go(self) -> None:
        """Yield in all directions, and lean as the hole does: held rigidly, the peg would wedge."""
        self._activate("x y z", turns=self._plan.lean_hold, speed=self.speed)

    def follow_hole(self) -> None:
        """The same, with less resistance to the hole's direction."""
        self._activate("x y z", turns=self._plan.follow, speed=_GENTLY * self.speed)

    def keep_depth(self) -> None:
        """The same, on a spring that keeps the peg as deep as it is."""
        self._activate("x y", turns=self._plan.follow, speed=self.speed)

    def rest(self) -> None:
        """Stay as the hole holds the peg: no spring turns it any more."""
        self._activate("x y z", turns=0.0, speed=self.speed)

    def damp_rotation(self, depth: float) -> None:
        """Do nothing: what the hole does to the peg reaches the joints without delay."""

    def _activate(
        self, axes: str, *, sideways: float = _RIGID[0], turns: float, speed: float
    ) -> None:
        """Force along these axes, springs along and about the others.

        An integral of force would push a peg that sinks ever faster; the observer of friction does
        what it is for.
        """
        (k, k_turn), (d, d_turn) = _RIGID, _DAMPING
        self._arm.activate(
            TORQUE_LAW,
            stiffness=(sideways, sideways, k, turns, turns, k_turn),
            damping=(d, d, d, d_turn, d_turn, d_turn),
            force_p=_FORCE_P,
            force_i=0.0,
            friction_share=1.0,
            contact_peak=self._plan.peak,
            max_speed=(speed, _USUAL_SPEED[1]),
        )
        self._arm.set_axes(axes, frame="task")
