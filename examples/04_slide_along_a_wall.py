"""Slide along a wall: press against it with a force in world axes, and jog along it."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e/wall") as arm:
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.set_axes("z")
    # the wall pushes back along -x of the world, whatever the orientation of the tool
    arm.set_wrench([-6, 0, 0, 0, 0, 0], frame="world")
    arm.wait_until(lambda tick: np.linalg.norm(tick.w_T[:3]) > 2.0)
    arm.wait(2.0)

    start = arm.time
    for _ in range(40):
        arm.jog([0, 0.02, 0, 0, 0, 0])
        arm.wait(0.05)
    arm.hold()

    rows = arm.history.since(start)
    normal = -rows["true_f_fixture_W"][:, 0]
    distance = rows["X_WT"][-1, 1] - rows["X_WT"][0, 1]
    print(f"{1e3 * distance:.0f} mm along the wall, pressing with {abs(normal).mean():.1f} N")
