"""Follow a timed path of the tool; its velocity and acceleration are fed forward."""

import numpy as np

import pliant

with pliant.Arm("sim:ur5e") as arm:
    arm.activate("position")
    start = arm.tick.X_WT

    def place(time):
        """A figure of eight, 10 cm wide, in 5 s."""
        angle = 2 * np.pi * time / 5.0
        return start + np.array([0.02 * np.sin(2 * angle), 0.05 * np.sin(angle), 0, 0, 0, 0, 0])

    arm.follow([(time, place(time)) for time in np.arange(0.0, 5.05, 0.1)])

    rows = arm.history.since(0.0)
    rows = rows[(rows["ref_phase"] > 0.0) & (rows["ref_phase"] < 5.0)]
    goal = np.array([place(phase) for phase in rows["ref_phase"]])
    for column, name in (("X_WT_cmd", "commanded"), ("X_WT", "measured")):
        error = np.linalg.norm(rows[column][:, :3] - goal[:, :3], axis=1)
        print(f"{name} pose: {1e3 * np.sqrt((error**2).mean()):.4f} mm RMS from the path")
