"""Slide along a wall: pressed against it by a force in world axes, moved along it by jogging."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e/wall") as arm:
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.set_axes("z")
    # the wall pushes back along -x of the world, however the tool is turned
    arm.set_wrench([-6, 0, 0, 0, 0, 0], frame="world")
    arm.wait_until(lambda tick: np.linalg.norm(tick.w_T[:3]) > 2.0)
    arm.wait(2.0)

    began = arm.time
    for _ in range(40):
        arm.jog([0, 0.02, 0, 0, 0, 0])
        arm.wait(0.05)
    arm.hold()

    past = arm.history.since(began)
    normal = -past["true_f_fixture_W"][:, 0]
    way = past["X_WT"][-1, 1] - past["X_WT"][0, 1]
    print(f"{1e3 * way:.0f} mm along the wall, pressed with {abs(normal).mean():.1f} N")
