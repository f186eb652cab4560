"""The reference stage: desired motion of the tool or of the joints, whichever the law follows.

Without a law the reference rests at the set points last sent, so that an activated law starts where
the arm is. A tool reference waits for an arm that a limit holds back. When the law changes, the new
reference continues from the old one if both are of the same kind, else from the set points last
sent, and comes to rest. A joint reference also gives the pose of the tool; only torque arms have
laws that follow one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.params import KernelParams, params_row
from pliant.stages.reference.circle import CircleParams, circle_params
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.joint_reference import (
    JointReference,
    joint_kernel,
    measured_reference,
    tool_of_joints,
)
from pliant.stages.reference.kinds import Takes
from pliant.stages.reference.path_spline import ToolPath
from pliant.stages.reference.tool_reference import tool_kernel
from pliant.tick import IntArray, Tick

_TOOL = Takes.TOOL.value
_NOTHING = Takes.NOTHING.value


@dataclass(frozen=True, kw_only=True, eq=False)
class ReferenceParams(KernelParams):
    """Parameters of the stage.

    Attributes:
        config: The configuration.
        circle: The circle.
        takes: What each law follows, by its index.
    """

    config: Row[ReferenceConfig]
    circle: Row[CircleParams]
    takes: IntArray


def reference_params(config: ReferenceConfig, takes: Sequence[str], most_laws: int) -> np.ndarray:
    """The parameters of the stage, as a row.

    Args:
        config: The configuration.
        takes: What each law follows, by its index: tool, joints or nothing.
        most_laws: How many laws the row has room for.
    """
    by_law = np.zeros(most_laws, np.int64)
    by_law[: len(takes)] = [Takes[name.upper()] for name in takes]
    return ReferenceParams(
        config=params_row(config), circle=circle_params(config), takes=by_law
    ).row()


@kernel
def reference_kernel(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[ReferenceParams],
    joints: JointReference | None,
    path: ToolPath,
) -> None:
    """Write all reference columns of one tick.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The parameters.
        joints: Those of the joint references; None on a position arm, which has none.
        path: The timed path of the tool.
    """
    before, now = prev[0].law, tick[0].law
    takes = p[0].takes[now] if now >= 0 else _TOOL
    if takes == _TOOL:
        tool_kernel(prev, tick, p[0].config[:], p[0].circle[:], path)
    elif takes == _NOTHING:
        measured_reference(prev, tick)
    elif joints is not None:
        followed = p[0].takes[before] if before >= 0 else _TOOL
        joint_kernel(prev, tick, joints, followed)
        tool_of_joints(prev, tick, joints.chain)
