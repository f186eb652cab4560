"""Move down until the tool touches; the loop itself reacts, in the tick in which it feels it."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e/table") as arm:
    arm.zero()
    arm.activate("position")

    moved = arm.move_by([0, 0, -0.1, 0, 0, 0], speed=0.02, until=pliant.force("z") > 5)
    print(f"stopped by {moved.stopped_by}, at z = {1e3 * arm.tick.X_WT[2]:.1f} mm")
    arm.wait(0.2)
    print(f"largest contact force: {np.nanmax(arm.history['true_f_peak']):.0f} N")

    # a reaction can do more than hold, and guards whatever the arm does next
    arm.move_by([0, 0, 0.01, 0, 0, 0])
    armed = arm.on(pliant.force("z") > 5, pliant.Reaction.retract(0.005))
    arm.jog([0, 0, -0.02, 0, 0, 0], timeout=2.0)
    arm.wait(2.0)
    print(f"{armed}; the force is {abs(arm.tick.w_T[2]):.1f} N again")
