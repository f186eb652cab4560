"""How a desired wrench moves from the one in force to the commanded one."""

from pliant.numerics.force_frame import TASK, from_frame, to_frame
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import approach3
from pliant.numerics.spatial import Array
from pliant.params import Vector
from pliant.tick import Tick


@kernel
def ramp_wrench(
    fresh: bool, prev: Row[Tick], tick: Row[Tick], rate: Vector, before: Array, now: Array
) -> None:
    """Approach the wrench target; one in the world keeps its direction while the tool turns.

    Writes `w_desired_T`. After activation, or a change of axes, the ramp starts at the measured
    wrench, so that the initial force error is zero.

    Args:
        fresh: Whether the law was just activated.
        prev: The previous tick.
        tick: This tick.
        rate: Rates of force and torque, N/s and N·m/s.
        before: The ramped wrench of the previous tick, in the axes of w_target.
        now: Out: that of this tick.
    """
    a, t = prev[0], tick[0]
    frame = t.w_target_frame
    if fresh or t.axes_seq != a.axes_seq:
        to_frame(frame, t.X_WF, t.X_WT, t.w_T, now)
    elif frame != a.w_target_frame or (frame == TASK and _task_moved(prev, tick)):
        to_frame(frame, t.X_WF, t.X_WT, a.w_desired_T, now)
    else:
        now[:] = before[:]
    approach3(now[:3], t.w_target[:3], rate[0] * t.dt, now[:3])
    approach3(now[3:], t.w_target[3:], rate[1] * t.dt, now[3:])
    from_frame(frame, t.X_WF, t.X_WT, now, t.w_desired_T)


@kernel
def _task_moved(prev: Row[Tick], tick: Row[Tick]) -> bool:
    for i in range(3, 7):
        if prev[0].X_WF[i] != tick[0].X_WF[i]:
            return True
    return False


@kernel
def target_along_axes(tick: Row[Tick], out: Array) -> None:
    """Write the wrench target itself, without its ramp, in the axes of Tr."""
    t = tick[0]
    from_frame(t.w_target_frame, t.X_WF, t.X_WT, t.w_target, out)
    to_frame(t.axes_frame, t.X_WF, t.X_WT, out, out)
