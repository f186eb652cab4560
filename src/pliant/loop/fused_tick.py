"""The fused tick: all stages in one kernel, for ticks without a command.

It needs a position arm, and no law or one of the compiled pose laws. After a sleep a call from
Python takes longer than most stages compute. These are the same kernels in the same order as stage
by stage, so every bit is the same.
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
from pliant.stages.supervisor.states import SupervisorParams, supervise
from pliant.stages.wrench.config import WrenchConfig
from pliant.stages.wrench.stage import ToolRow, wrench_kernel
from pliant.tick import Tick

FUSED_LAWS = 2
"""Laws with an index below this are compiled in: the hybrid law and position."""

_HYBRID, _POSITION = range(FUSED_LAWS)


class Parameters:
    """The parameters of all stages in one row."""

    chain: Row[Chain]
    wrench: Row[WrenchConfig]
    tool: Row[ToolRow]
    supervisor: Row[SupervisorParams]
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


def parameters_row(*rows: np.ndarray) -> np.ndarray:
    """One row of the parameters of all stages, in the order of `Parameters`."""
    parts = dict(zip(Parameters.__annotations__, rows, strict=True))
    fields = [(name, row.dtype, row.shape) for name, row in parts.items()]
    parameters = np.zeros(1, np.dtype((np.record, np.dtype(fields, align=True))))
    for name, row in parts.items():
        parameters[name] = row
    return parameters


@kernel
def fused_tick(
    needs_force: np.ndarray, parameters: Row[Parameters], prev: Row[Tick], tick: Row[Tick]
) -> bool:
    """All stages between reading a position arm and writing to it; True if the reason changed."""
    f = parameters[0]
    model_kernel(prev, tick, f.chain[:])
    wrench_kernel(prev, tick, f.wrench[:], f.tool[:])
    changed = supervise(prev, tick, f.supervisor[:], needs_force)
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
