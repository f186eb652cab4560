"""Parameters of the arms."""

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms import Tool, arm_names, load_arm
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio, reach
from pliant.errors import ConfigError, UnknownNameError


def test_unknown_arm_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownNameError, match="ur5e"):
        load_arm("ur99")


@pytest.mark.parametrize("name", arm_names())
def test_limits_agree_with_the_urdf(name: str) -> None:
    arm = load_arm(name)
    model = pin.buildModelFromUrdf(str(arm.urdf))
    assert tuple(model.names)[1:] == arm.joint_names
    np.testing.assert_allclose(model.lowerPositionLimit, arm.q_min)
    np.testing.assert_allclose(model.upperPositionLimit, arm.q_max)
    np.testing.assert_allclose(model.upperVelocityLimit, arm.qd_max)
    np.testing.assert_allclose(model.upperEffortLimit, arm.tau_max)


@pytest.mark.parametrize("name", arm_names())
def test_home_points_down_over_the_workspace_and_is_well_conditioned(name: str) -> None:
    arm = load_arm(name)
    model = build_pinocchio(arm, Tool())
    data = model.createData()
    frame = model.getFrameId(TCP_FRAME)
    J = pin.computeFrameJacobian(model, data, arm.home, frame, pin.LOCAL)
    pin.framesForwardKinematics(model, data, arm.home)
    X_WT = data.oMf[frame]
    np.testing.assert_allclose(X_WT.rotation[:, 2], [0.0, 0.0, -1.0], atol=1e-12)
    assert 0.4 < X_WT.translation[0] < 0.5
    assert np.linalg.svd(J, compute_uv=False)[-1] > 0.15


def test_parameters_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        load_arm("ur5e").home[0] = 1.0


def test_acceleration_limits_are_within_the_torque_limits() -> None:
    arm = load_arm("ur5e")
    model = build_pinocchio(arm, Tool())
    data = model.createData()
    stretched = np.zeros(arm.n)
    gravity = pin.computeGeneralizedGravity(model, data, stretched)
    inertia = np.diag(pin.crba(model, data, stretched))
    assert (inertia * arm.qdd_max + np.abs(gravity) <= arm.tau_max * 1.1).all()


def test_reach_refuses_an_unreachable_pose() -> None:
    model = build_pinocchio(load_arm("ur5e"), Tool())
    with pytest.raises(ConfigError, match="does not reach"):
        reach(model, (2.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0), load_arm("ur5e").home)


def test_a_tool_needs_a_unit_quaternion() -> None:
    with pytest.raises(ValueError, match="norm"):
        Tool(X_FT=(0.0, 0.0, 0.1, 1.0, 1.0, 0.0, 0.0))
