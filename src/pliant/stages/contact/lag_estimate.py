"""Lag of the arm behind its set points, from free motion.

    L = (Σ v·(x_sent − x) + w·L₀) / (Σ v² + w)

over the recent free motion of the tool, with the expected lag L₀ as a start. In contact the servo
also yields to the force, so contact does not count.
"""

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import norm3
from pliant.stages.contact.contact_params import ContactParams
from pliant.tick import Tick

# Weight of the expected lag, m²/s: a way of 0.1 mm at 2 mm/s.
_EXPECTED = 2e-7
# Most motion that is remembered, m²/s: a way of 10 mm at 50 mm/s.
_MOST = 5e-4
# Speed below which friction and resolution hide the lag, m/s.
_SLOWEST = 5e-4
# Largest difference of the velocities of tool and set points in steady motion, as a share.
_STEADY = 0.15
# Force up to which the tool is free, N; that of the tool's inertia is often more.
_FREE = 0.4
_LONGEST = 0.1


@kernel
def estimate_lag(prev: Row[Tick], tick: Row[Tick], p: Row[ContactParams]) -> None:
    """Write the lag, its sums, and the delay of a force loop."""
    a, t = prev[0], tick[0]
    t.lag_vv, t.lag_vx = a.lag_vv, a.lag_vx
    if _is_free_motion(prev, tick):
        for i in range(3):
            v = t.v_WT_sent_W[i]
            t.lag_vv += t.dt * v * v
            t.lag_vx += t.dt * v * (t.X_WT_sent[i] - t.X_WT[i])
        if t.lag_vv > _MOST:
            t.lag_vx *= _MOST / t.lag_vv
            t.lag_vv = _MOST
    lag = (t.lag_vx + _EXPECTED * p[0].lag) / (t.lag_vv + _EXPECTED)
    t.lag = max(0.0, min(_LONGEST, lag))
    t.loop_delay = t.lag + p[0].filter_time + 2.0 * t.dt


@kernel
def _is_free_motion(prev: Row[Tick], tick: Row[Tick]) -> bool:
    """Whether position servos move the tool steadily, and nothing touches it."""
    a, t = prev[0], tick[0]
    speed = norm3(t.v_WT_sent_W[:3])
    if speed < _SLOWEST or norm3(t.w_T_filtered[:3]) > _FREE:
        return False
    for i in range(3):
        if abs(t.v_WT_W[i] - t.v_WT_sent_W[i]) > _STEADY * speed:
            return False
    for j in range(a.by_torque.shape[0]):
        if a.by_torque[j] != 0:
            return False
    return True
