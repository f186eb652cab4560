"""Which joints are driven by torque, and the commanded torque of those that stream it."""

from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.joint_modes import Interaction, JointMode
from pliant.tick import Tick

_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value
_COMPLIANT = Interaction.COMPLIANT.value


@kernel
def drive_by_torque(
    prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int, entering: bool
) -> None:
    """Write `tau_board` and `streaming`: the commanded torque of a joint.

    Until the first command after a switch of mode it is the torque last sent, in open loop zero.
    """
    a, t = prev[0], tick[0]
    t.tau_board[j], t.streaming[j] = a.tau_board[j], a.streaming[j]
    if entering or t.stop_seq[j] != a.stop_seq[j]:
        t.tau_board[j] = a.tau_sent[j] if t.mode[j] == _TORQUE else 0.0
        t.streaming[j] = 0
    if t.stream_seq[j] != a.stream_seq[j]:
        output = t.output_goal[j] * limits[0].tau_max[j]
        t.tau_board[j] = t.tau_goal[j] if t.mode[j] == _TORQUE else output
        t.streaming[j] = 1


@kernel
def is_compliant(tick: Row[Tick], j: int) -> bool:
    """Whether a joint is compliant about its position reference."""
    return tick[0].interaction[j] == _COMPLIANT and tick[0].law < 0
