"""Guide the arm by hand: a scripted hand pulls the tool sideways, then lets go."""

import pliant

with pliant.Arm("sim:ur5e") as arm:
    arm.zero()
    arm.use_preset("hand_guiding")
    arm.activate("hybrid_admittance")
    arm.set_axes("x y z rx ry rz")

    start = arm.tick.X_WT
    arm.hand.schedule([0, 8, 0, 0, 0, 0], start=arm.time, duration=1.5)
    arm.wait(1.5)
    print(f"pulled with 8 N, the tool moves at {1e3 * arm.tick.v_WT_W[1]:.0f} mm/s")

    arm.wait(1.0)
    moved = arm.tick.X_WT[:3] - start[:3]
    print(f"after release, it holds where the hand left it, {1e3 * moved[1]:.0f} mm away")
