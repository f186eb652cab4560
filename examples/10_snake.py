"""Three laws follow the same sinusoidal reference in all joints; compare their tracking errors."""

import numpy as np

import pliant

CONFIG = {"reference": {"sinus": {"amplitude": 0.15, "frequency": 0.25, "ramp": 1.0}}}

with pliant.Arm("sim:panda", config=CONFIG) as arm:
    arm.wait(0.1)
    for preset in ("snake", "snake_simplified", "snake_pd"):
        arm.use_preset(preset)
        arm.wait(1.0)
        start = arm.time
        arm.wait(1.5)
        rows = arm.history.since(start)
        error = np.sqrt(((rows["q"] - rows["q_ref"]) ** 2).mean(axis=0)).max()
        print(f"{arm.law}: {1e3 * error:.1f} mrad RMS")
    arm.home()
    print(f"home, error {1e3 * np.abs(arm.tick.q - arm.tick.q_target).max():.1f} mrad")
