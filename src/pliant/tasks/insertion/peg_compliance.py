"""The gains of an insertion: adaptive along the axes of the hole, gentle about them."""

from pliant.api.arm import Arm
from pliant.arms.contact import STIFFEST
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.tasks.insertion.contact_speed import contact_speed
from pliant.tasks.insertion.insertion_plan import InsertionPlan

LAW = "hybrid_admittance"

_TRANSLATION = (800.0, 10.0)
"""Damping and inertia that translations would have without adaptation."""
_DAMPING = 3.0
"""Least damping of rotations, N·m·s/rad."""
_INERTIA_TIME = 0.008
_DOUBT = 0.002
"""How much deeper the peg may be than the nominal face says, m."""
_WALL = 1e6
"""Stiffness of the wall of a hole under 10 N, N/m."""
_ANY_PEAK = 200.0
"""Contact peak of the law where the speed is limited already, N."""
_USUAL_SPEED = HybridConfig().max_speed
_AT_REST = 0.002
"""Speed along the hole below which the peg rests on the face, m/s."""
_FASTEST = 0.012
"""Largest speed, m/s: a leaning edge that drops into the hole knocks on both its sides."""
_GENTLY = 0.7
"""Share of the speed where the peg may meet two edges at once."""


class PegCompliance:
    """How the peg yields, in each phase of an insertion.

    Attributes:
        stiffness: Stiffness of the fixture as far as it was felt, N/m.
    """

    def __init__(self, arm: Arm, plan: InsertionPlan) -> None:
        self._arm = arm
        self._plan = plan
        self._damping = _DAMPING
        self.stiffness = STIFFEST

    @property
    def speed(self) -> float:
        """Speed at which a contact with the fixture has the planned peak, m/s."""
        return min(_FASTEST, contact_speed(self._arm, self.stiffness, self._plan.peak))

    def learn_stiffness(self) -> None:
        """Take the stiffness that the law has felt; in doubt, the fixture is stiffer.

        An edge that sinks into the hole gives way without a force, however stiff the fixture is.
        """
        if abs(float(self._arm.tick.v_WT_W[2])) > _AT_REST:
            return
        felt = float(self._arm.tick.k_contact[2])
        self.stiffness = min(STIFFEST, max(2e4, 1.5 * felt))

    def hold_sideways(self) -> None:
        """Be stiff across the hole and free along it, to meet the face and to search."""
        self._activate("x y z", hold=(self._plan.hold, 0.0), speed=self.speed)

    def hold(self) -> None:
        """Be rigid, and as quick as usual."""
        self._arm.set_axes("")
        self._arm.activate(LAW, max_speed=_USUAL_SPEED)

    def let_go(self) -> None:
        """Yield in all directions, and lean as the hole does: held rigidly, the peg would wedge."""
        self._damping = self._rotational_damping(0.0)
        follow, speed = self._plan.lean_hold, _GENTLY * self.speed
        self._activate("x y z rx ry", follow=follow, speed=speed)

    def follow_hole(self) -> None:
        """The same, with less resistance to the hole's direction.

        What lies ahead is the fixture that was felt, so its stiffness limits the speed, rather than
        that of the stiffest surface.
        """
        follow, speed = self._plan.follow, self.speed
        self._activate("x y z rx ry", follow=follow, speed=speed, peak=_ANY_PEAK)

    def keep_depth(self) -> None:
        """The same, on a spring that keeps the peg as deep as it is."""
        # while an axis is rigid, its reference is where the peg is
        self._arm.set_axes("x y rx ry", frame="task")
        self._arm.wait(self._plan.look)
        self._activate(
            "x y z rx ry",
            hold=(0.0, self._plan.keep),
            follow=self._plan.follow,
            speed=self.speed,
            peak=_ANY_PEAK,
        )

    def rest(self) -> None:
        """Stay as the hole holds the peg: no spring turns it any more."""
        self._arm.activate(LAW, stiffness=(0.0, 0.0))

    def damp_rotation(self, depth: float) -> None:
        """Damp rotations as a hole requires that holds the peg at this depth."""
        damping = self._rotational_damping(depth)
        if damping > 1.2 * self._damping:
            self._damping = damping
            self._arm.activate(LAW, **self._rotational_gains())

    def _rotational_damping(self, depth: float) -> float:
        """Damping that a hole requires at the depth d, N·m·s/rad.

        Rim and wall, of stiffness k, are a rotational spring of k·d². The fixture's own springs do
        not soften it; the delay of the loop makes it swing.
        """
        spring = _WALL * (depth + _DOUBT) ** 2
        return max(_DAMPING, 2.0 * spring * float(self._arm.tick.loop_delay))

    def _activate(
        self,
        axes: str,
        *,
        hold: tuple[float, float] = (0.0, 0.0),
        follow: float = 0.0,
        speed: float,
        peak: float | None = None,
    ) -> None:
        self._arm.activate(
            LAW,
            damping_mode="adaptive",
            contact_peak=peak or self._plan.peak,
            stiffness=(hold[0], hold[0], hold[1], follow, follow, 0.0),
            max_speed=(speed, _USUAL_SPEED[1]),
            rigid_axes="track",
            **self._rotational_gains(),
        )
        self._arm.set_axes(axes, frame="task")

    def _rotational_gains(self) -> dict[str, tuple[float, ...]]:
        (d, m), damping = _TRANSLATION, self._damping
        inertia = _INERTIA_TIME * damping
        return {"damping": (d, d, d, *(damping,) * 3), "inertia": (m, m, m, *(inertia,) * 3)}
