"""Press on a table with 5 N: the force settles at its target although the arm lags by 34 ms."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e/table") as arm:
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])

    # in free space, a force error of 5 N and a damping of 800 N·s/m give 6 mm/s
    contact = arm.wait_until(lambda tick: tick.w_T[2] < -1.0)
    print(f"contact after {contact.time:.2f} s")

    arm.wait(3.0)
    force = np.linalg.norm(arm.history.since(arm.time - 1.0)["true_f_fixture_W"], axis=1)
    print(f"true contact force {force.mean():.2f} N, {np.ptp(force):.2f} N peak to peak")
