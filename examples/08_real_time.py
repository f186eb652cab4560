"""The same arm in real time, in a separate controller process that a second client watches."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e", clock="real") as arm:
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0.05, 0, 0, 0, 0], wait=False)

    # any number of clients may watch, but only one commands
    with pliant.Arm("attach") as watcher:
        watcher.wait_until(lambda tick: tick.v_WT_W[1] > 0.02)
        try:
            watcher.hold()
        except pliant.Refused as refused:
            print(f"the second client is refused: {refused}")

    arm.wait_until(lambda tick: tick.ref_done == 1)
    late = 1e6 * arm.history["lateness"]
    print(f"arrived; median lateness of a tick: {np.median(late):.0f} µs")
