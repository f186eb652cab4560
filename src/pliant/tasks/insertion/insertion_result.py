"""The result of an insertion."""

from dataclasses import asdict, dataclass

import numpy as np

from pliant.tick import Rows

CONTACT_FORCE = 0.5
"""Above this force on the fixture, N, there is contact."""


@dataclass(frozen=True, kw_only=True)
class InsertionResult:
    """The figures of one insertion.

    Forces are those of the physics engine on the fixture, unfiltered.

    Attributes:
        law: The law that was in charge.
        seated: Whether the peg reached the bottom of the hole.
        peak_force_n: Largest net contact force, N.
        side_force_n: Largest side force, N: what one edge takes in one direction. In the net
            force, the two sides of a wedged peg cancel.
        peak_torque_nm: Largest torque of the contact about the TCP, N·m.
        mean_force_n: Mean contact force while in contact, N.
        time_s: From the first motion to the end, s.
        depth_mm: How deep the tip ended below the surface, mm.
        note: Why it ended as it did.
    """

    law: str
    seated: bool
    peak_force_n: float
    side_force_n: float
    peak_torque_nm: float
    mean_force_n: float
    time_s: float
    depth_mm: float
    note: str

    @classmethod
    def measure(
        cls, rows: Rows, *, law: str, seated: bool, depth: float, note: str
    ) -> "InsertionResult":
        """The figures from the ticks of a run; depth in m."""
        force = np.linalg.norm(rows["true_f_fixture_W"], axis=1)
        touching = force > CONTACT_FORCE
        return cls(
            law=law,
            seated=seated,
            peak_force_n=round(float(rows["true_f_peak"].max()), 2),
            side_force_n=round(float(rows["true_side_peak"].max()), 2),
            peak_torque_nm=round(float(rows["true_torque_peak"].max()), 3),
            mean_force_n=round(float(force[touching].mean()) if touching.any() else 0.0, 2),
            time_s=round(float(rows["time"][-1] - rows["time"][0]), 2),
            depth_mm=round(1e3 * depth, 2),
            note=note,
        )

    def as_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return asdict(self)
