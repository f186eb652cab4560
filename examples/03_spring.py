"""A virtual spring: a push F displaces the tool by F/K, and it returns when the push ends."""

import pliant

with pliant.Arm("sim:ur5e") as arm:
    arm.zero()
    gains = {"stiffness": (1000, 30), "damping": (0, 0), "damping_ratio": (1, 1)}
    arm.activate("hybrid_admittance", **gains, inertia=(10, 0.3))
    arm.set_axes("x y z rx ry rz")

    start = arm.tick.X_WT
    arm.hand.schedule([12, 0, 0, 0, 0, 0], start=arm.time, duration=2.0)
    arm.wait(2.0)
    print(f"12 N on 1 N/mm: {1e3 * (arm.tick.X_WT[0] - start[0]):.2f} mm")
    arm.wait(2.0)
    print(f"after release: {1e3 * (arm.tick.X_WT[0] - start[0]):.2f} mm")
