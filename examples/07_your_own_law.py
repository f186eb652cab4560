"""A user-defined law in plain Python: the tool holds its pose, but retreats from any force."""

import numpy as np

import pliant
from pliant.numerics.spatial import pose_step
from pliant.params import Params, param


class ShyConfig(Params):
    """Parameters of the law."""

    retreat: float = param(0.002, "m/s/N", "Retreat speed per force.", gt=0)


class Shy(pliant.PoseLaw):
    """Holds its pose, and retreats along the force on the tool."""

    name = "shy"
    needs_force = True
    config = ShyConfig()

    def update(self, prev, tick):
        before, now = prev[0], tick[0]
        start = now.X_WT_sent if before.law < 0 else before.X_WT_cmd
        now.v_cmd_T[:] = 0.0
        now.v_cmd_T[:3] = self.config.retreat * now.w_T[:3]
        pose_step(start, now.v_cmd_T * now.dt, now.X_WT_cmd)


with pliant.Arm("sim:ur5e", laws=[Shy()]) as arm:
    arm.zero()
    arm.activate("shy")
    start = arm.tick.X_WT
    arm.hand.schedule([0, -10, 0, 0, 0, 0], start=arm.time + 0.5, duration=1.0)
    arm.wait(2.0)
    print(f"retreated by {1e3 * np.linalg.norm(arm.tick.X_WT[:3] - start[:3]):.0f} mm")
