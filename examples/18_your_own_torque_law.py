"""A torque law of your own in plain Python: springs in the joints, about where they were.

A torque law writes `tau_law`. The arm itself carries its weight, so a law without torque floats.
With `follow_measured` it also says that the tool's commanded pose and velocity are the measured
ones: a pose law that takes over starts from there.
"""

import numpy as np

import pliant
from pliant.laws.law_base import follow_measured


class SpringyConfig(pliant.Params):
    """Parameters of the law."""

    stiffness: float = pliant.param(30.0, "N·m/rad", "Stiffness of every joint.", ge=0, le=200)
    damping: float = pliant.param(5.0, "N·m·s/rad", "Damping of every joint.", ge=1, le=10)


class Springy(pliant.TorqueLaw):
    """Springs about the positions at which the law was activated."""

    name = "springy"
    takes = "joints"
    Config = SpringyConfig

    def update(self, prev, tick):
        now, c = tick[0], self.config
        now.tau_law[:] = c.stiffness * (now.q_ref - now.q) - c.damping * now.qd
        follow_measured(tick)


def main():
    with pliant.Arm("sim:panda", laws=[Springy()]) as arm:
        arm.zero()
        arm.activate("springy")
        for stiffness in (30.0, 90.0):
            arm.set("laws.springy.stiffness", stiffness)
            arm.wait(1.0)
            start = arm.tick.X_WT
            arm.hand.schedule([0, 10, 0, 0, 0, 0], duration=2.0)
            arm.wait(1.9)
            moved = 1e3 * np.linalg.norm(arm.tick.X_WT[:3] - start[:3])
            print(f"{stiffness:.0f} N·m/rad: 10 N move the tool by {moved:.0f} mm")
            arm.wait(2.0)


if __name__ == "__main__":
    main()
