"""The tool follows a circle, then with 4 % of the torque: the limits hold, the accuracy suffers."""

import numpy as np

import pliant

CONFIG = {"reference": {"circle": {"period": 2.0}}, "safety": {"tool_speed": 1.0}}


def error_mm(arm: pliant.Arm, seconds: float) -> float:
    """Largest distance of the tool from its reference over a time."""
    start = arm.time
    arm.wait(seconds)
    return 1e3 * np.linalg.norm(arm.history.since(start)["e_T"][:, :3], axis=1).max()


with pliant.Arm("sim:panda", config=CONFIG) as arm:
    arm.wait(0.1)
    arm.use_preset("cartesian")
    arm.wait(1.0)
    print(f"with full torque: error {error_mm(arm, 2.0):.2f} mm")
    arm.law.torque_share = 0.04
    print(f"with 4 % of it: error {error_mm(arm, 2.0):.0f} mm")
    arm.law.torque_share = 0.9
    arm.wait(1.5)
    print(f"with full torque again: error {error_mm(arm, 1.0):.2f} mm")
