"""The kinematics kernel agrees with Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms import Tool, arm_names, load_arm
from pliant.arms.chain import chain_row, tool_kinematics
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio

TOOLS = [Tool(), Tool(X_FT=(0.1, -0.05, 0.2, 0.5, 0.5, -0.5, 0.5))]


@pytest.mark.parametrize("arm", arm_names())
@pytest.mark.parametrize("tool", TOOLS)
def test_pose_and_jacobian_agree_with_pinocchio(arm: str, tool: Tool) -> None:
    model = build_pinocchio(load_arm(arm), tool)
    data, frame = model.createData(), model.getFrameId(TCP_FRAME)
    chain = chain_row(model)
    R, p, J = np.empty((3, 3)), np.empty(3), np.empty((6, model.nv))
    for q in np.random.default_rng(3).uniform(-6.0, 6.0, (200, model.nv)):
        tool_kinematics(chain, q, R, p, J)
        expected = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(R, data.oMf[frame].rotation, rtol=0, atol=1e-13)
        np.testing.assert_allclose(p, data.oMf[frame].translation, rtol=0, atol=1e-13)
        np.testing.assert_allclose(J, expected, rtol=0, atol=1e-13)
