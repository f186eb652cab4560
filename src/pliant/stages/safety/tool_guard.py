"""Keeps the tool of a torque arm below its speed limit, whatever drives or pushes it.

What accelerates the arm cannot be gone at once. The torques n = M·q̈ that do are taken back
together, so that the acceleration keeps its direction, in the time T in which the arm's torque
rates r allow it; until then the tool becomes faster. So it is not the velocity v but the one at the
end,

    v_end = v + a·T/2,    T = maxᵢ |nᵢ|/rᵢ,

that must stay within the limit. A change of the torques by Δτ makes of n and of the tool's
acceleration a n + Δτ and a + J_W·M⁻¹·Δτ. The acceleration is the measured one, which contains every
push. Taking n back leaves v_end as it is, so that a tool whose v_end is within the limit can be
kept within it. Joints that a servo drives do not take part, because their set points keep to
the limit already; nor do joints that are held at limits of their own, whose torques are not the
tool's to choose.

If the requested torques make v_end too fast, a force against it is added, which only brakes, as
large as the torque rates allow. Where that is not enough, the torques go straight to those of a
braking force alone, unless the requested ones brake as hard: the guard never weakens a brake.
"""

from math import sqrt

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, norm3
from pliant.stages.safety.safety_limits import TOOL_SPEED, Limits
from pliant.stages.safety.speed_guard import highest_speed
from pliant.tick import MOST_JOINTS, Tick

# Share of the torque rates that the guard counts on: the model may be wrong, and other guards need
# the torque rates as well.
_RATE_SHARE = 0.7
# Share of the limit that the guard keeps to.
_SPEED_SHARE = 0.98
# A tool that does not come to this share of its limit needs no guard.
_NEAR = 0.5
# Share of its own speed limit at which a joint is held.
_HELD = 0.9
# Time in which a braking force takes the excess speed, s.
_BRAKE_TIME = 0.01
# Halvings with which the share of a change is found.
_HALVINGS = 20
# Requests within this many ticks of the torque rate are changed by a force's levers alone. Of a law
# that asks for more, only what the arm can do in a tick counts: the rest says nothing of its aim.
_REACH = 8.0
# Below any lever, torque or mobility of an arm.
_REGULAR = 1e-12


@kernel
def _write_held(tick: Row[Tick], limits: Row[Limits], tau: Array, held: Array) -> None:
    """Write 1 for each joint whose torque is its servo's, or needed for a limit of its own."""
    t = tick[0]
    for j in range(tau.shape[0]):
        fast = abs(t.qd[j]) > _HELD * highest_speed(tick, limits, j)
        free = t.by_torque[j] != 0 and not fast and tau[j] == t.tau_requested[j]
        held[j] = 0.0 if free else 1.0


@kernel
def _write_net(prev: Row[Tick], tick: Row[Tick], held: Array, net: Array) -> None:
    """Write the torques that have accelerated the joints that are not held."""
    a, t = prev[0], tick[0]
    for i in range(net.shape[0]):
        net[i] = 0.0
        for j in range(net.shape[0]):
            if held[i] == 0.0 and held[j] == 0.0:
                net[i] += t.M[i, j] * (t.qd[j] - a.qd[j]) / t.dt


@kernel
def _time(limits: Row[Limits], net: Array, change: Array) -> float:
    """The time in which the torques after a change are taken back."""
    time = 0.0
    for j in range(net.shape[0]):
        rate = _RATE_SHARE * limits[0].tau_rate_max[j]
        time = max(time, abs(net[j] + change[j]) / rate)
    return time


@kernel
def _is_near(prev: Row[Tick], tick: Row[Tick], most: float, time: float) -> bool:
    """Whether the tool could come near a speed in a time."""
    v, a = 0.0, 0.0
    for i in range(3):
        v += tick[0].v_WT_W[i] ** 2
        a += ((tick[0].v_WT_W[i] - prev[0].v_WT_W[i]) / tick[0].dt) ** 2
    return sqrt(v) + 0.5 * time * sqrt(a) > _NEAR * most


@kernel
def _map_torques(tick: Row[Tick], held: Array, A: Array) -> None:
    """Write J_W·M⁻¹ of the joints that are not held: the tool's acceleration by torques."""
    n = held.shape[0]
    L, row = tick[0].M.copy(), scratch(MOST_JOINTS)[:n]
    for j in range(n):
        if held[j] != 0.0:
            L[j, :] = 0.0
            L[:, j] = 0.0
            L[j, j] = 1.0
    cholesky(L)
    for i in range(3):
        for j in range(n):
            row[j] = 0.0 if held[j] != 0.0 else tick[0].J_W[i, j]
        cholesky_solve(L, row)
        for j in range(n):
            A[i, j] = row[j]


@kernel
def _write_end(
    prev: Row[Tick],
    tick: Row[Tick],
    limits: Row[Limits],
    A: Array,
    net: Array,
    change: Array,
    end: Array,
) -> float:
    """Write the velocity at which the torques after a change are taken back; returns its size."""
    time = _time(limits, net, change)
    for i in range(3):
        v = tick[0].v_WT_W[i]
        acceleration = (v - prev[0].v_WT_W[i]) / tick[0].dt
        for j in range(net.shape[0]):
            acceleration += A[i, j] * change[j]
        end[i] = v + 0.5 * time * acceleration
    return norm3(end)


@kernel
def _clip(prev: Row[Tick], tick: Row[Tick], limits: Row[Limits], change: Array) -> None:
    """Limit changes of torque to those that the arm can make in this tick."""
    for j in range(change.shape[0]):
        step, sent = limits[0].tau_rate_max[j] * tick[0].dt, prev[0].tau_sent[j]
        most = limits[0].tau_max[j]
        change[j] = max(-most - sent, min(most - sent, change[j]))
        change[j] = max(-step, min(step, change[j]))


@kernel
def _approach(
    prev: Row[Tick],
    tick: Row[Tick],
    limits: Row[Limits],
    A: Array,
    net: Array,
    most: float,
    target: Array,
    change: Array,
) -> bool:
    """Move a change as far towards a target as needed; False if the target is not enough."""
    n = change.shape[0]
    begin, mixed, end = scratch(MOST_JOINTS)[:n], scratch(MOST_JOINTS)[:n], scratch(3)
    begin[:] = change
    change[:] = target
    _clip(prev, tick, limits, change)
    if _write_end(prev, tick, limits, A, net, change, end) > most:
        return False
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        for j in range(n):
            mixed[j] = begin[j] + middle * (target[j] - begin[j])
        _clip(prev, tick, limits, mixed)
        if _write_end(prev, tick, limits, A, net, mixed, end) > most:
            low = middle
        else:
            high = middle
            change[:] = mixed
    return True


@kernel
def _write_force(tick: Row[Tick], held: Array, velocity: Array, force: Array) -> None:
    """Write the torques of a unit force against a velocity."""
    size = norm3(velocity)
    for j in range(force.shape[0]):
        force[j] = 0.0
        if held[j] == 0.0:
            for i in range(3):
                force[j] -= tick[0].J_W[i, j] * velocity[i] / size


@kernel
def _add_force(
    tick: Row[Tick], limits: Row[Limits], force: Array, change: Array, target: Array
) -> None:
    """Write a change with a force that the joint with the longest lever cannot have in a tick."""
    lever, most = _REGULAR, 0.0
    for j in range(force.shape[0]):
        lever = max(lever, abs(force[j]))
        most = max(most, abs(change[j]) + limits[0].tau_rate_max[j] * tick[0].dt)
    for j in range(force.shape[0]):
        target[j] = change[j] + force[j] * most / lever


@kernel
def _go_to_force(
    tick: Row[Tick], limits: Row[Limits], held: Array, net: Array, force: Array, change: Array
) -> None:
    """Write the change that goes straight to a force; joints that are held keep theirs."""
    share = 1.0
    for j in range(force.shape[0]):
        most = limits[0].tau_rate_max[j] * tick[0].dt
        share = min(share, most / max(abs(force[j] - net[j]), _REGULAR))
    for j in range(force.shape[0]):
        if held[j] == 0.0:
            change[j] = share * (force[j] - net[j])


@kernel
def _mobility(A: Array, velocity: Array, force: Array) -> float:
    """The acceleration against a velocity by the torques of a unit force against it."""
    mobility, size = _REGULAR, norm3(velocity)
    for j in range(force.shape[0]):
        for i in range(3):
            mobility -= A[i, j] * force[j] * velocity[i] / size
    return mobility


@kernel
def _along(prev: Row[Tick], tick: Row[Tick], A: Array, velocity: Array, change: Array) -> float:
    """The tool's acceleration along a velocity after a change of torques, times its size."""
    along = 0.0
    for i in range(3):
        along += velocity[i] * (tick[0].v_WT_W[i] - prev[0].v_WT_W[i]) / tick[0].dt
        for j in range(change.shape[0]):
            along += velocity[i] * A[i, j] * change[j]
    return along


@kernel
def guard_tool(
    prev: Row[Tick], tick: Row[Tick], limits: Row[Limits], tool_speed: float, tau: Array
) -> int:
    """Bound the torques so that the tool keeps to its speed limit; returns the bits that acted.

    Args:
        prev: The last row.
        tick: The row of this tick.
        limits: The limits of the joints.
        tool_speed: The limit, m/s.
        tau: In and out: the requested torques, as far as the limits of position have left them.
    """
    n, most = tau.shape[0], _SPEED_SHARE * tool_speed
    held, net, change = (
        scratch(MOST_JOINTS)[:n],
        scratch(MOST_JOINTS)[:n],
        scratch(MOST_JOINTS)[:n],
    )
    _write_held(tick, limits, tau, held)
    _write_net(prev, tick, held, net)
    far = False
    for j in range(n):
        change[j] = tau[j] - prev[0].tau_sent[j]
        far = far or abs(change[j]) > _REACH * limits[0].tau_rate_max[j] * tick[0].dt
    if far:
        _clip(prev, tick, limits, change)
    possible = scratch(MOST_JOINTS)[:n]
    possible[:] = change
    _clip(prev, tick, limits, possible)
    if not _is_near(prev, tick, most, _time(limits, net, possible)):
        return 0
    A, end = scratch_matrix(3, MOST_JOINTS)[:, :n], scratch(3)
    _map_torques(tick, held, A)
    size = _write_end(prev, tick, limits, A, net, possible, end)
    if size <= most:
        return 0
    force, target = scratch(MOST_JOINTS)[:n], scratch(MOST_JOINTS)[:n]
    _write_force(tick, held, end, force)
    _add_force(tick, limits, force, change, target)
    if not _approach(prev, tick, limits, A, net, most, target, change):
        needed = (size - most) / (_mobility(A, end, force) * _BRAKE_TIME)
        for j in range(n):
            force[j] *= needed
            target[j] = change[j]
        _go_to_force(tick, limits, held, net, force, target)
        _approach(prev, tick, limits, A, net, most, target, change)
        requested = _along(prev, tick, A, end, possible)
        if requested <= min(0.0, _along(prev, tick, A, end, change)):
            # what was requested brakes, and at least as hard
            return 0
    for j in range(n):
        tau[j] = prev[0].tau_sent[j] + change[j]
    return TOOL_SPEED
