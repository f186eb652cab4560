"""Teach a motion by hand, and play it back from another start at twice the speed."""

import tempfile
from pathlib import Path

import pliant
from pliant.tasks.playback import playback
from pliant.tasks.teach import teach

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "motion.csv"
    with pliant.Arm("sim:panda") as arm:
        arm.wait(0.1)
        arm.hand.schedule([0, 8, 0, 0, 0, 0], start=arm.time + 0.2, duration=0.8)
        arm.hand.schedule([0, -4, 6, 0, 0, 0], start=arm.time + 1.0, duration=0.8)
        count = teach(arm, file, until=lambda tick: tick.time > 2.1)
        print(f"recorded {count} samples")
    other_start = {"sim": {"q_start": [0.3, -0.3, 0.2, -2.2, 0.1, 2.0, 0.3]}}
    with pliant.Arm("sim:panda", config=other_start) as arm:
        arm.wait(0.1)
        arm.set("reference.playback.speed", 2.0)
        result = playback(arm, file)
        print(f"moved to the start in {result.joined_s:.1f} s, played in {result.played_s:.1f} s")
        print(f"tracking error {max(result.rms_mrad):.1f} mrad RMS")
