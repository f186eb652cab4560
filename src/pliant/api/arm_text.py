"""An arm in one line, for a shell or a notebook."""

from typing import TYPE_CHECKING

from pliant.params import AXES
from pliant.reasons import State

if TYPE_CHECKING:
    from pliant.api.arm import Arm


def describe_arm(arm: "Arm") -> str:
    """Which arm it is, what it does, and where its tool is."""
    spec = arm.session.metadata["spec"]
    doing = arm.state.name
    if arm.law is not None:
        doing += f" {arm.law}{_compliant(arm)}"
    if arm.state == State.FAULT:
        doing += f" ({arm.reason})"
    x, y, z = (f"{value:.4f}" for value in arm.pose.position)
    return f"<Arm {spec} at {arm.time:.3f} s: {doing}, tool at {x} {y} {z} m>"


def _compliant(arm: "Arm") -> str:
    """The force-controlled axes of the hybrid law, by name where they are the tool's own."""
    tick = arm.tick
    n_af = int(tick.n_af)
    if arm.law not in ("hybrid_admittance", "hybrid_force"):
        return ""
    rows = abs(tick.Tr[:n_af])
    if not n_af:
        return ", every axis rigid"
    if (rows.max(axis=1) < 1.0).any():
        return f", {n_af} of 6 axes compliant"
    where = ("", " of the world", " of the task frame")[int(tick.axes_frame)]
    return f", compliant along {' '.join(AXES[row.argmax()] for row in rows)}{where}"
