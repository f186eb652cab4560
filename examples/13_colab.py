"""Guide the tool by hand along x and y only; it stops when released."""

import numpy as np

import pliant

CONFIG = {"reference": {"follow_hand": {"scale": [0.01, 0.01, 0, 0, 0, 0]}}}

with pliant.Arm("sim:panda", config=CONFIG) as arm:
    arm.wait(0.1)
    arm.use_preset("colab")
    arm.wait(0.2)
    start = arm.tick.X_WT
    arm.hand.schedule([0, 15, 10, 0, 0, 0], start=arm.time, duration=1.0)
    arm.wait(1.0)
    moved = 1e3 * (arm.tick.X_WT - start)
    print(f"pushed along y and z, it moves by {moved[1]:.0f} mm along y, {moved[2]:.0f} along z")
    released = arm.time
    arm.wait_until(lambda tick: np.linalg.norm(tick.v_WT_W[:3]) < 2e-3, timeout=1.0)
    print(f"after release, it is below 2 mm/s within {arm.time - released:.2f} s")
