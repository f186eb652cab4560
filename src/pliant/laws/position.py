"""Plain position control: the commanded pose follows the reference, also in contact."""

from pliant.laws.law_base import PoseLaw, advance, integration_start, limit_twist, no_torque
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import pursue3
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import pose_error, unrotate_pair
from pliant.params import Pair, Params, param
from pliant.tick import Tick


class PositionConfig(Params):
    """Limits of the commanded pose; a pair is (translation, rotation)."""

    max_speed: Pair = param((0.25, 1.0), "m/s, rad/s", "Speed of the commanded pose.")
    max_acceleration: Pair = param((2.0, 10.0), "m/s², rad/s²", "Its acceleration.")


@kernel
def position_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[PositionConfig]) -> None:
    """Write all law columns of one tick."""
    t, c = tick[0], p[0]
    X_WC, v_C, wanted, v_ref_C = scratch(7), scratch(6), scratch(6), scratch(6)
    integration_start(prev, tick, X_WC, v_C)
    pose_error(X_WC, t.X_WR, t.e_T)
    unrotate_pair(X_WC[3:], t.v_WR_W, v_ref_C)
    pursue3(t.e_T[:3], v_ref_C[:3], c.max_acceleration[0], t.dt, wanted[:3])
    pursue3(t.e_T[3:], v_ref_C[3:], c.max_acceleration[1], t.dt, wanted[3:])
    t.law_limited = limit_twist(v_C, wanted, c.max_acceleration, c.max_speed, t.dt, t.v_cmd_T)
    advance(X_WC, t.v_cmd_T, t.dt, t.X_WT_cmd)
    t.w_desired_T[:] = 0.0
    t.reseed = 0
    t.X_WR_seed[:] = t.X_WR[:]
    no_torque(tick)
    t.law_state[:] = 0.0


class Position(PoseLaw):
    """X_cmd = X_ref, as fast as the limits allow.

    In free space this is exact. In contact the force is the stiffness of arm and surface times the
    penetration. Use it to hold, to move, and for comparison.
    """

    name = "position"
    Config = PositionConfig
    kernel = staticmethod(position_kernel)
