"""The quadratic program of task-space inverse dynamics, and the torque from its solution."""

from dataclasses import dataclass

import numpy as np

from pliant.laws.gain_ramp import gain_share
from pliant.laws.law_base import bumpless, follow_measured, is_fresh, restart_offset
from pliant.laws.posture import approach
from pliant.laws.task_space import tool_error, tool_jacobian, tool_motion
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, Vector
from pliant.tick import MOST_JOINTS, Tick, column, table_dtype

BOUND = 4
"""Bit of `law_limited`: a joint limit is active."""
RELAXED = 8
"""Bit of `law_limited`: the program was infeasible; velocity and position limits were relaxed."""

# Distance, relative to the limit, below which a limit counts as active.
_ACTIVE = 1e-6


class State:
    """State of the law."""

    kp: Array = column("law", (2,), "1/s²", "Gain on the position error and on the rotation error.")
    kd: Array = column("law", (2,), "1/s", "Gain on their velocities.")
    q_posture: Array = column("law", (MOST_JOINTS,), "rad", "Posture now, ramped.")
    qd_posture: Array = column("law", (MOST_JOINTS,), "rad/s", "Velocity of the posture.")
    turned: float = column("law", (), "1", "1 if the rotation error reversed.")
    active: Array = column(
        "law",
        (2 * MOST_JOINTS,),
        "1",
        "Active bounds, of torques and then accelerations: 1 upper, -1 lower, 0 none.",
    )


_STATE = table_dtype(State, 0)
_STATE_SIZE = _STATE.itemsize // 8


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskSpaceParams(KernelParams):
    """Parameters of the law for an arm; what is not per joint is (translation, rotation).

    Attributes:
        kp: Gain on the error of the tool, 1/s².
        kd: Gain on its velocity, 1/s.
        error_clip: Bounds of the position error, m, and of the rotation error, rad.
        posture: Configured posture, rad; zero without one.
        has_posture: Whether a posture is configured.
        posture_bandwidth: Bandwidth of the posture task, rad/s.
        posture_weight: Weight of the posture task; that of the tool is 1.
        posture_ramp: How long a change of posture takes, s.
        gain_ramp: How long a change of gains takes, s.
        tau_max: Torque limits of the law, N·m.
        tau_rate: Torque rate limits of the law, N·m/s.
        tau_rate_max: The arm's torque rate limits, N·m/s.
        qd_max: Speed limits of the law, rad/s.
        q_min: Lower position limits of the law, rad.
        q_max: Upper position limits of the law, rad.
        velocity_rate: How fast the velocity may approach its limit, 1/s.
        qdd_max: Largest acceleration, rad/s².
        braking: Acceleration with which a joint can brake, rad/s².
        approach_rate: How fast a joint may approach its position limit, 1/s.
    """

    kp: Array
    kd: Array
    error_clip: Vector
    posture: Array
    has_posture: bool
    posture_bandwidth: float
    posture_weight: float
    posture_ramp: float
    gain_ramp: float
    tau_max: Array
    tau_rate: Array
    tau_rate_max: Array
    qd_max: Array
    q_min: Array
    q_max: Array
    velocity_rate: Array
    qdd_max: Array
    braking: Array
    approach_rate: Array


@kernel
def pose_problem(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[TaskSpaceParams],
    H: Array,
    g: Array,
    C: Array,
    low: Array,
    high: Array,
    active: Array,
) -> None:
    """Write the program: ½·xᵀ·H·x + gᵀ·x over accelerations x, low ≤ C·x ≤ high.

    The cost is ‖J·x + J̇·q̇ − a_tool‖² + weight·‖x − a_posture‖². The first rows of C give the
    torques M·x + c, the others the accelerations. `active` gets the bounds that were active in the
    previous tick. Also writes all columns of the law except its torque.
    """
    a, t, c = prev[0], tick[0], p[0]
    n = t.q.shape[0]
    fresh = is_fresh(prev, tick)
    s0 = a.law_state[:_STATE_SIZE].view(_STATE)
    s = t.law_state[:_STATE_SIZE].view(_STATE)
    t.law_state[:] = 0.0
    now = s[0]
    share = gain_share(c.gain_ramp, fresh, t.dt)
    for i in range(2):
        now.kp[i] = s0[0].kp[i] + share * (c.kp[i] - s0[0].kp[i])
        now.kd[i] = s0[0].kd[i] + share * (c.kd[i] - s0[0].kd[i])
    for i in range(2 * n):
        active[i] = 0.0 if fresh else s0[0].active[i]
    follow_measured(tick)
    now.turned = 1.0 if tool_error(prev, tick, fresh) else 0.0

    J, e, ed, acc = np.empty((6, n)), scratch(6), scratch(6), scratch(6)
    tool_jacobian(tick, J)
    tool_motion(tick, c.error_clip, e, ed, acc)
    for i in range(6):
        acc[i] += now.kp[i // 3] * e[i] + now.kd[i // 3] * ed[i]
    w, b = c.posture_weight, c.posture_bandwidth
    for j in range(n):
        q, qd = (t.q[j], 0.0) if fresh else (s0[0].q_posture[j], s0[0].qd_posture[j])
        goal = c.posture[j] if c.has_posture else q
        now.q_posture[j], now.qd_posture[j] = approach(q, qd, goal, c.posture_ramp, t.dt)
        eq, eqd = now.q_posture[j] - t.q[j], now.qd_posture[j] - t.qd[j]
        g[j] = -w * (b * b * eq + 2.0 * b * eqd)
        for i in range(6):
            g[j] -= J[i, j] * acc[i]
        for k in range(n):
            H[j, k] = w if j == k else 0.0
            for i in range(6):
                H[j, k] += J[i, j] * J[i, k]
            C[j, k] = t.M[j, k]
        _bound(prev, tick, p, j, low, high)


@kernel
def _bound(
    prev: Row[Tick], tick: Row[Tick], p: Row[TaskSpaceParams], j: int, low: Array, high: Array
) -> None:
    """Write the bounds of the torque, less c, and of the acceleration of joint j."""
    t, c = tick[0], p[0]
    near = c.tau_rate[j] * t.dt
    # the torque last sent may exceed a limit that was lowered since
    last = max(-c.tau_max[j], min(c.tau_max[j], prev[0].tau_sent[j]))
    low[j] = max(-c.tau_max[j], last - near) - t.c[j]
    high[j] = min(c.tau_max[j], last + near) - t.c[j]
    n = t.q.shape[0]
    low[n + j], high[n + j] = room(
        t.q[j] - c.q_min[j],
        c.q_max[j] - t.q[j],
        t.qd[j],
        c.qd_max[j],
        c.velocity_rate[j],
        c.qdd_max[j],
        c.braking[j],
        c.approach_rate[j],
        t.dt,
    )


@kernel
def room(
    below: float,
    above: float,
    v: float,
    v_max: float,
    velocity_rate: float,
    a_max: float,
    braking: float,
    rate: float,
    dt: float,
) -> tuple[float, float]:
    """Bounds of the acceleration that keep a joint within its limits now and later.

    The next step, q⁺ = q + dt·v⁺ with v⁺ = v + dt·a, may neither exceed a limit of position or
    velocity, nor lead to a state from which braking would come too late. Well before that the joint
    slows down by a ≤ rate²·distance − 2·rate·v, so that braking sets in gently.

    Args:
        below: Distance to the lower limit, rad.
        above: Distance to the upper limit, rad.
        v: Velocity, rad/s.
        v_max: Its limit.
        velocity_rate: How fast the velocity may approach it, 1/s.
        a_max: Largest commanded acceleration, rad/s².
        braking: Acceleration with which the joint can brake, rad/s².
        rate: How fast it may approach a limit, 1/s.
        dt: The period, s.
    """
    up = min(v_max, brake_speed(max(0.0, above), braking, dt), above / dt)
    down = min(v_max, brake_speed(max(0.0, below), braking, dt), below / dt)
    high = min((up - v) / dt, velocity_rate * (v_max - v), rate * (rate * above - 2.0 * v))
    low = max((-down - v) / dt, -velocity_rate * (v_max + v), -rate * (rate * below + 2.0 * v))
    high, low = min(high, a_max), max(low, -a_max)
    if low > high:
        middle = 0.5 * (low + high)
        return middle, middle
    return low, high


@kernel
def drop_rate_limits(tick: Row[Tick], p: Row[TaskSpaceParams], low: Array, high: Array) -> None:
    """Drop the torque rate limits, for braking that would come too late within them."""
    t, c = tick[0], p[0]
    for j in range(t.q.shape[0]):
        low[j], high[j] = -c.tau_max[j] - t.c[j], c.tau_max[j] - t.c[j]


@kernel
def take_solution(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[TaskSpaceParams],
    x: Array,
    low: Array,
    high: Array,
    active: Array,
    relaxed: bool,
) -> None:
    """Write the torque of the accelerations x, the active limits, and the state of the law."""
    t = tick[0]
    n = t.q.shape[0]
    s = t.law_state[:_STATE_SIZE].view(_STATE)
    tau = np.empty(n)
    t.law_limited = RELAXED if relaxed else 0
    for i in range(2 * n):
        s[0].active[i] = active[i]
    for i in range(n):
        torque = 0.0
        for j in range(n):
            torque += t.M[i, j] * x[j]
        tau[i] = torque + t.c[i]
        if _at_bound(torque, low, high, i) or _at_bound(x[i], low, high, n + i):
            t.law_limited |= BOUND
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    if s[0].turned != 0.0:
        restart_offset(prev, tick, tau)


@kernel
def _at_bound(value: float, low: Array, high: Array, i: int) -> bool:
    near = _ACTIVE * (1.0 + abs(value))
    return value - low[i] < near or high[i] - value < near
