"""Brings all joints to rest, from inside a tick."""

from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints import JointMode
from pliant.tick import Tick

_POSITION = JointMode.POSITION.value
_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value


@kernel
def hold_joints(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Bring all joints to rest; what was asked of them in this tick is dropped.

    Joints driven by torque hold a position.
    """
    a, t = prev[0], tick[0]
    for j in range(t.mode_wanted.shape[0]):
        t.stop_seq[j] = a.stop_seq[j] + 1
        t.q_goal_seq[j] = a.q_goal_seq[j]
        t.stream_seq[j] = a.stream_seq[j]
        if t.mode_wanted[j] == _TORQUE or t.mode_wanted[j] == _OPEN_LOOP:
            t.mode_wanted[j] = _POSITION
