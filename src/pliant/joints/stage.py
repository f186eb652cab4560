"""The joint board: one control mode per joint."""

from enum import IntEnum

from pliant.kernels import Row, kernel
from pliant.tick import Rows, Tick


class JointMode(IntEnum):
    """What a joint does with its set point."""

    IDLE = 0
    """Stays where it was last sent, whatever is asked."""
    POSITION_DIRECT = 1
    """Goes where the law says, tick by tick."""


_POSITION_DIRECT = JointMode.POSITION_DIRECT.value


class JointsStage:
    """Turns set points into requests, each joint according to its mode."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the joint columns of this tick."""
        joints_kernel(prev, tick)


@kernel
def joints_kernel(prev: Row[Tick], tick: Row[Tick]) -> None:
    """All joint columns of one tick."""
    a, t = prev[0], tick[0]
    for j in range(t.mode.shape[0]):
        t.mode[j] = t.mode_wanted[j]
        t.q_requested[j] = t.q_set[j] if t.mode[j] == _POSITION_DIRECT else a.q_sent[j]
