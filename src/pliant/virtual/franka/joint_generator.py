"""Joint positions and velocities that a client commands, checked as by the real controller."""

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array
from pliant.virtual.franka.desired_motion import PERIOD, DesiredMotion
from pliant.virtual.franka.fci_errors import JOINT_COMMAND_POSITION, JOINT_START_POSE, NO_ERROR
from pliant.virtual.franka.fr3_limits import Fr3Limits, too_fast

START_TOLERANCE = 0.02
"""Most distance of the first command from where a joint should be, rad."""

JOIN_RATE = 5.0
"""How fast the difference between desired and commanded motion decays, 1/s."""

_POSITION, _VELOCITY, _ACCELERATION, _JERK = 0, 1, 2, 3
"""What of a command is beyond its limit; the errors of joint commands are in this order."""


@kernel
def begin_joints(motion: Row[DesiredMotion], q_c: Array) -> int:
    """Take the first joint positions of a motion; the error that they are, or none."""
    m = motion[0]
    for j in range(7):
        if not abs(q_c[j] - m.q[j]) < START_TOLERANCE:
            return JOINT_START_POSE
    m.q_c[:] = q_c
    m.dq_c[:] = 0.0
    m.ddq_c[:] = 0.0
    return NO_ERROR


@kernel
def follow_positions(motion: Row[DesiredMotion], limits: Row[Fr3Limits], q_c: Array) -> int:
    """Follow joint positions by one period; the error that they are, or none."""
    m, dq_c = motion[0], scratch(7)
    for j in range(7):
        dq_c[j] = (q_c[j] - m.q_c[j]) / PERIOD
    return follow_velocities(motion, limits, dq_c)


@kernel
def follow_velocities(motion: Row[DesiredMotion], limits: Row[Fr3Limits], dq_c: Array) -> int:
    """Follow joint velocities by one period; the error that they are, or none."""
    error = check_joints(motion, limits, dq_c)
    if error >= 0:
        return JOINT_COMMAND_POSITION + error
    m = motion[0]
    for j in range(7):
        m.ddq_c[j] = (dq_c[j] - m.dq_c[j]) / PERIOD
        m.dq_c[j] = dq_c[j]
        m.q_c[j] += PERIOD * dq_c[j]
    join(motion)
    return NO_ERROR


@kernel
def extrapolate_joints(motion: Row[DesiredMotion]) -> None:
    """Go on with the last acceleration, because a command is lost."""
    m = motion[0]
    for j in range(7):
        m.dq_c[j] += PERIOD * m.ddq_c[j]
        m.q_c[j] += PERIOD * m.dq_c[j]
    join(motion)


@kernel
def join(motion: Row[DesiredMotion]) -> None:
    """Let the desired motion follow the commanded one, and come nearer to it."""
    m = motion[0]
    for j in range(7):
        m.ddq[j] = m.ddq_c[j]
        m.dq[j] = m.dq_c[j] + JOIN_RATE * (m.q_c[j] - PERIOD * m.dq_c[j] - m.q[j])
        m.q[j] += PERIOD * m.dq[j]


@kernel
def check_joints(motion: Row[DesiredMotion], limits: Row[Fr3Limits], dq_c: Array) -> int:
    """Check a commanded velocity: 0 to 3 for position, velocity, acceleration and jerk, or -1.

    NaN is beyond every limit.
    """
    m, limit = motion[0], limits[0]
    for j in range(7):
        q = m.q_c[j] + PERIOD * dq_c[j]
        if not limit.q_min[j] <= q <= limit.q_max[j]:
            return _POSITION
        if too_fast(limits, j, q, dq_c[j]):
            return _VELOCITY
        ddq = (dq_c[j] - m.dq_c[j]) / PERIOD
        if abs(ddq) > limit.ddq_max[j]:
            return _ACCELERATION
        if abs(ddq - m.ddq_c[j]) > limit.jerk_max * PERIOD:
            return _JERK
    return -1


@kernel
def approach_target(
    motion: Row[DesiredMotion], limits: Row[Fr3Limits], target: Array, speeds: Array
) -> None:
    """Approach joint positions that come at any rate, with a speed limit of the client's."""
    m = motion[0]
    for j in range(7):
        left = target[j] - m.q[j]
        # so that it can still brake, one period ahead
        a = 0.5 * limits[0].ddq_max[j]
        ahead = abs(left) / PERIOD
        fastest = (abs(2.0 * a * abs(left)) ** 0.5) if ahead > a * PERIOD else ahead
        goal = min(speeds[j], fastest) * (1.0 if left > 0.0 else -1.0)
        change = min(max(goal - m.dq[j], -a * PERIOD), a * PERIOD)
        m.ddq[j] = change / PERIOD
        m.dq[j] += change
        m.q[j] += PERIOD * m.dq[j]
        m.q_c[j], m.dq_c[j], m.ddq_c[j] = target[j], 0.0, 0.0
