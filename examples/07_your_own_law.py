"""A law of your own in plain Python: the tool holds its pose, but retreats from any force.

`pliant control --law examples/07_your_own_law.py:Shy` runs it in real time, and
`SET laws.shy.retreat 0.005` changes its parameter meanwhile.
"""

import numpy as np

import pliant
from pliant.numerics.spatial import pose_step


class ShyConfig(pliant.Params):
    """Parameters of the law."""

    retreat: float = pliant.param(0.002, "m/s/N", "Retreat speed per force.", gt=0)


class Shy(pliant.PoseLaw):
    """Holds its pose, and retreats along the force on the tool."""

    name = "shy"
    needs_force = True
    Config = ShyConfig

    def update(self, prev, tick):
        before, now = prev[0], tick[0]
        start = now.X_WT_sent if before.law < 0 else before.X_WT_cmd
        now.v_cmd_T[:] = 0.0
        now.v_cmd_T[:3] = self.config.retreat * now.w_T[:3]
        pose_step(start, now.v_cmd_T * now.dt, now.X_WT_cmd)


def main():
    with pliant.Arm("sim:ur5e", laws=[Shy()]) as arm:
        arm.zero()
        arm.activate("shy")
        for retreat in (0.002, 0.005):
            arm.set("laws.shy.retreat", retreat)
            start = arm.tick.X_WT
            arm.hand.schedule([0, -10, 0, 0, 0, 0], start=arm.time + 0.5, duration=1.0)
            arm.wait(2.0)
            moved = 1e3 * np.linalg.norm(arm.tick.X_WT[:3] - start[:3])
            print(f"retreat {retreat} m/s/N: the tool retreated by {moved:.0f} mm")


if __name__ == "__main__":
    main()
