"""A robot of your own: `read` and `write`, and it has zeroing, safety, laws, recording, console.

`pliant console --robot examples/19_your_own_robot.py:MyRobot --start` operates it in the browser.
Put your arm's interface where this one keeps its joints, which follow at once.
"""

import numpy as np

import pliant


class MyRobot(pliant.Robot):
    """Six joints that follow at once, and a wrist sensor that feels nothing but noise."""

    description = pliant.load_arm("ur5e")
    simulated = True  # so it may run in simulated time; leave this out for a real arm

    def __init__(self):
        self.q = np.array(self.description.home)
        self.qd = np.zeros(6)
        self.readings = 0
        self.random = np.random.default_rng(0)

    def read(self, tick):
        self.readings += 1
        tick["q"], tick["qd"], tick["temperature"] = self.q, self.qd, 30.0
        tick["w_S_raw"] = self.random.normal(0.0, [0.3] * 3 + [0.01] * 3)
        tick["sensor_seq"] = self.readings
        tick["tau_ext"] = tick["w_ext_T"] = np.nan
        tick["true_f_peak"] = tick["true_side_peak"] = tick["true_torque_peak"] = np.nan

    def write(self, tick):
        self.qd = (tick["q_limited"][0] - self.q) / self.dt
        self.q = tick["q_limited"][0].copy()
        tick["q_sent"], tick["tau_sent"] = self.q, 0.0

    def stop(self):
        self.qd = np.zeros(6)


def main():
    with pliant.Arm(f"{__file__}:MyRobot") as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        start = arm.tick.X_WT
        arm.move_by([0.05, 0, 0, 0, 0, 0], frame="world")
        print(f"moved by {1e3 * (arm.tick.X_WT[0] - start[0]):.1f} mm in x")


if __name__ == "__main__":
    main()
