"""R, the unit of time: one Pinocchio forward kinematics and frame Jacobian called from Python."""

import numpy as np
import pinocchio as pin

from pliant.arms.description import load_arm
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.bench.timing import Batch


def yardstick() -> Batch:
    """A batch of calls that each take R."""
    arm = load_arm("ur5e")
    model = build_pinocchio(arm, Tool())
    data = model.createData()
    frame = model.getFrameId(TCP_FRAME)
    q = np.array(arm.home)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def batch(count: int) -> None:
        for _ in range(count):
            pin.forwardKinematics(model, data, q)
            pin.updateFramePlacement(model, data, frame)
            pin.computeFrameJacobian(model, data, q, frame, axes)

    return batch
