"""The usual tick in one go: no command came, and a pose law of Pliant's own is active, or none.

After a sleep a call from Python takes longer than most stages compute, so here they are compiled
together. They are the same kernels in the same order, so every bit is as if called one by one.
"""

import numpy as np

from pliant.arms.chain import Chain
from pliant.laws import HybridConfig, PositionConfig
from pliant.laws.hybrid_admittance.kernel import hybrid_kernel
from pliant.laws.law_base import rest
from pliant.laws.position import position_kernel
from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints.config import JointsConfig
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.servo import ServoParams
from pliant.stages.joints.stage import joints_kernel
from pliant.stages.model import model_kernel
from pliant.stages.reference.circle import CircleParams
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.tool_reference import tool_kernel
from pliant.stages.resolve import ResolveConfig, resolve_kernel
from pliant.stages.safety.config import SafetyConfig
from pliant.stages.safety.safety_limits import Limits
from pliant.stages.safety.stage import safety_kernel
from pliant.stages.supervisor.states import supervise
from pliant.stages.wrench.config import WrenchConfig
from pliant.stages.wrench.stage import ToolRow, wrench_kernel
from pliant.tick import Tick

SWEPT_LAWS = 2
"""The laws with an index in the tick below this are compiled in: the hybrid law and position."""

_HYBRID, _POSITION = range(SWEPT_LAWS)


class Figures:
    """What the stages take beside the ticks, side by side in one row."""

    chain: Row[Chain]
    wrench: Row[WrenchConfig]
    tool: Row[ToolRow]
    reference: Row[ReferenceConfig]
    circle: Row[CircleParams]
    hybrid: Row[HybridConfig]
    position: Row[PositionConfig]
    resolve: Row[ResolveConfig]
    joints: Row[JointsConfig]
    joint_limits: Row[JointLimits]
    servo: Row[ServoParams]
    safety: Row[SafetyConfig]
    limits: Row[Limits]
    stop_time: Row[float]


def figures_row(*rows: np.ndarray) -> np.ndarray:
    """One row of them all, in the order in which `Figures` declares them."""
    parts = dict(zip(Figures.__annotations__, rows, strict=True))
    fields = [(name, row.dtype, row.shape) for name, row in parts.items()]
    figures = np.zeros(1, np.dtype((np.record, np.dtype(fields, align=True))))
    for name, row in parts.items():
        figures[name] = row
    return figures


@kernel
def sweep(needs_force: np.ndarray, figures: Row[Figures], prev: Row[Tick], tick: Row[Tick]) -> bool:
    """All stages between reading a position arm and writing to it; True if the reason changed."""
    f = figures[0]
    model_kernel(prev, tick, f.chain[:])
    wrench_kernel(prev, tick, f.wrench[:], f.tool[:])
    changed = supervise(prev, tick, needs_force, f.stop_time[0])
    tool_kernel(prev, tick, f.reference[:], f.circle[:])
    if tick[0].law == _HYBRID:
        hybrid_kernel(prev, tick, f.hybrid[:])
    elif tick[0].law == _POSITION:
        position_kernel(prev, tick, f.position[:])
    else:
        rest(tick)
    resolve_kernel(prev, tick, f.resolve[:])
    joints_kernel(prev, tick, f.joints[:], f.joint_limits[:], f.servo[:])
    safety_kernel(prev, tick, f.safety[:], f.limits[:])
    return changed
