"""The same arm in real time: a controller process of its own, and a second program that watches."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e", clock="real") as arm:
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0.05, 0, 0, 0, 0])

    # anyone may watch; only one commands
    with pliant.Arm("attach") as watcher:
        watcher.wait_until(lambda tick: tick.v_WT_W[1] > 0.02)
        try:
            watcher.hold()
        except pliant.Refused as refused:
            print(f"a second program is told: {refused}")

    arm.wait_until(lambda tick: tick.ref_done == 1)
    late = 1e6 * arm.history["lateness"]
    print(f"arrived; ticks began {np.median(late):.0f} µs late at the median")
