"""Where the set points of a torque arm begin: at a stop, and when torque no longer drives a joint.

Under torque the set points are what was measured. A torque or a push may have left a joint faster
than a set point may be, or too fast to stop before its position limit, and likewise the tool. Set
points change no faster than the arm can accelerate, so they could not come back within the limits
at once: they begin within them, and the servo brakes the joint to them.
"""

from math import sqrt

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.numerics.spatial import Array
from pliant.stages.safety.safety_limits import Limits
from pliant.tick import Tick


@kernel
def start_at_arm(tick: Row[Tick], limits: Row[Limits], q: Array, before: Array) -> None:
    """Write the measured positions and velocities, within the arm's own limits.

    A joint that a fault has disabled keeps its own: its encoder may be what failed.
    """
    t, most = tick[0], limits[0]
    for j in range(q.shape[0]):
        if t.fault[j] == 0:
            q[j] = max(most.q_lowest[j], min(most.q_highest[j], t.q[j]))
            before[j] = max(-most.qd_hardest[j], min(most.qd_hardest[j], t.qd[j]))


@kernel
def _leaves(prev: Row[Tick], tick: Row[Tick], j: int) -> bool:
    """Whether torque drove a joint until this tick."""
    return prev[0].by_torque[j] != 0 and tick[0].by_torque[j] == 0


@kernel
def leave_torque(
    prev: Row[Tick],
    tick: Row[Tick],
    tool_speed: float,
    limits: Row[Limits],
    q: Array,
    before: Array,
) -> None:
    """Bring what joints that leave torque go on from within the limits.

    Args:
        prev: The last row.
        tick: The row of this tick.
        tool_speed: Speed limit of the tool, m/s.
        limits: The limits of the joints, of which the arm's own count.
        q: In and out: positions from which the joints go on.
        before: In and out: velocities from which they go on.
    """
    most, left = limits[0], False
    for j in range(q.shape[0]):
        if _leaves(prev, tick, j):
            left = True
            q[j] = max(most.q_lowest[j], min(most.q_highest[j], q[j]))
            up = brake_speed(most.q_highest[j] - q[j], most.qdd_hardest[j], tick[0].dt)
            down = brake_speed(q[j] - most.q_lowest[j], most.qdd_hardest[j], tick[0].dt)
            up, down = min(up, most.qd_hardest[j]), min(down, most.qd_hardest[j])
            before[j] = max(-down, min(up, before[j]))
    if left:
        _slow_tool(prev, tick, tool_speed, before)


@kernel
def _slow_tool(prev: Row[Tick], tick: Row[Tick], tool_speed: float, before: Array) -> None:
    """Scale the velocities of joints that leave torque to the speed limit of the tool."""
    speed = 0.0
    for i in range(3):
        s = 0.0
        for j in range(before.shape[0]):
            s += tick[0].J_sent_W[i, j] * before[j]
        speed += s * s
    speed = sqrt(speed)
    if speed <= tool_speed:
        return
    for j in range(before.shape[0]):
        if _leaves(prev, tick, j):
            before[j] *= tool_speed / speed
