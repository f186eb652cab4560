"""Let a torque-controlled arm float: a scripted hand pushes it, and it stays where it is left."""

import numpy as np

import pliant

with pliant.Arm("sim:panda") as arm:
    arm.wait(0.1)
    arm.use_preset("gravity")
    start = arm.tick.X_WT
    arm.hand.schedule([0, 10, 0, 0, 0, 0], start=arm.time, duration=0.5)
    arm.wait(0.5)
    print(f"pushed with 10 N, it moves at {np.linalg.norm(arm.tick.v_WT_W[:3]):.2f} m/s")
    arm.wait(3.0)
    distance = np.linalg.norm(arm.tick.X_WT[:3] - start[:3])
    print(f"3 s later, it is at rest {1e3 * distance:.0f} mm away")
