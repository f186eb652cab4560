"""Warnings about commands that are accepted, but can do nothing as things are."""

import numpy as np

from pliant.commands.handlers.context import HandlerContext
from pliant.commands.reply import warned
from pliant.laws import LAWS, HybridAdmittance, HybridForce
from pliant.numerics.force_frame import TOOL
from pliant.numerics.spatial import Array, pose_error
from pliant.params import AXES
from pliant.tick import Rows

_LAW = HybridAdmittance.name
_FORCE_LAWS = (HybridAdmittance.name, HybridForce.name)

_PART = 0.1
"""A move of which less than this can act is warned about, as a fraction of the whole."""

_NOTHING = 1e-9


def of_wrench(context: HandlerContext, wrench: Array, frame: str, row: Rows) -> str:
    """What keeps a wrench target from acting, as the end of a reply; empty if nothing does."""
    if not np.any(wrench):
        return ""
    if ignored := _ignoring(context, row, _FORCE_LAWS):
        return warned(
            f"{ignored} regulates no force: activate {_regulating(context)} for this target to act"
        )
    n_af = int(context.wishes.now(row, "n_af"))
    if not n_af:
        return warned(
            "no axis is force-controlled, so this target does nothing until some are: SET_AXES, "
            "in Python set_axes"
        )
    rows = context.wishes.now(row, "Tr")[:n_af]
    same = context.wishes.now(row, "axes_frame") == TOOL
    if frame == "tool" and same and np.abs(rows @ wrench).max() < _NOTHING:
        return warned(
            "none of the force-controlled axes has a part in this target: it does nothing"
        )
    return ""


def of_axes(context: HandlerContext, n_af: int, row: Rows) -> str:
    """Which active law ignores force-controlled axes, as the end of a reply."""
    ignored = _ignoring(context, row, _FORCE_LAWS) if n_af else ""
    return (
        warned(f"{ignored} has no force-controlled axes: they act under {_regulating(context)}")
        if ignored
        else ""
    )


def of_gains(context: HandlerContext, row: Rows) -> str:
    """Which other law is active while gains of the hybrid admittance law change."""
    other = _ignoring(context, row, (_LAW,))
    return warned(f"{other} is active: these gains are those of {_LAW}") if other else ""


def of_move(context: HandlerContext, start: Array, goal: Array, row: Rows) -> str:
    """The axes along which a move of the reference does not move the tool, if it needs them."""
    law = context.laws[context.wishes.law(row)]
    n_af = int(context.wishes.now(row, "n_af"))
    if law.name not in _FORCE_LAWS or not n_af or context.wishes.now(row, "axes_frame") != TOOL:
        return ""
    step = np.empty(6)
    pose_error(start, goal, step)
    Tr, K = context.wishes.now(row, "Tr"), np.zeros(6)
    if law.name == _LAW:
        K = np.array(context.config.laws.hybrid_admittance.stiffness)
    free = [i for i in range(n_af) if float(Tr[i] * K @ Tr[i]) <= 0.0]
    lost = Tr[free].T @ (Tr[free] @ step) if free else np.zeros(6)
    for part in (slice(0, 3), slice(3, 6)):
        whole = np.linalg.norm(step[part])
        if whole > _NOTHING and np.linalg.norm(step[part] - lost[part]) < _PART * whole:
            return warned(f"this move does nothing along {_names(lost, part)}{_REMEDY}")
    return ""


_REMEDY = (
    ": force alone moves the tool along a force-controlled axis of stiffness 0; make it rigid with "
    "SET_AXES (in Python set_axes), or give it a stiffness, which pulls the tool to this target"
)


def _regulating(context: HandlerContext) -> str:
    """The law that regulates force on this arm, by its torques if it takes them."""
    by_torque = HybridForce.name
    return by_torque if by_torque in context.law_names else _LAW


def _ignoring(context: HandlerContext, row: Rows, taking: tuple[str, ...]) -> str:
    """The active law if it is one of Pliant's own, but not one of those that take part."""
    index = context.wishes.law(row)
    law = context.laws[index] if index >= 0 else None
    return law.name if type(law) in LAWS and law is not None and law.name not in taking else ""


def _names(lost: Array, part: slice) -> str:
    largest = np.abs(lost[part]).max()
    each = zip(AXES[part], lost[part], strict=True)
    return " ".join(axis for axis, value in each if abs(value) > _PART * largest)
