"""The arm behind the tool is what its joints' servos make of it."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.description import ArmDescription
from pliant.arms.panda import DESCRIPTION as PANDA
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.stability import arm_ends, stiff_end

TOOL = Tool(mass=0.8)
OFF_HOME = np.array([0.4, -0.2, 0.3, 0.2, -0.4, 0.6, 0.2])


def impedance(
    arm: ArmDescription, q: np.ndarray, frequency: float
) -> tuple[np.ndarray, np.ndarray]:
    """Of the tip along each axis, alone and with the others held, at a frequency in rad/s."""
    model = build_pinocchio(arm, TOOL)
    data = model.createData()
    J = pin.computeFrameJacobian(model, data, q, model.getFrameId(TCP_FRAME), pin.LOCAL)[:3]
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    k, w, s = arm.servo_stiffness, arm.servo_bandwidth, 1j * frequency
    if arm.takes_torque:
        joints = M @ np.diag((s + w) ** 2)
    else:
        joints = M * s * s + np.diag(2.0 * np.sqrt(k * np.diag(M)) * s + k)
    C = J @ np.linalg.solve(joints, J.T)
    return 1.0 / np.diag(C), np.diag(np.linalg.inv(C))


@pytest.mark.parametrize("arm", [UR5E, PANDA], ids=lambda arm: arm.name)
@pytest.mark.parametrize(("frequency", "tolerance"), [(0.0, 1e-9), (30.0, 0.01), (100.0, 0.06)])
def test_a_mass_a_damper_and_a_spring_stand_for_all_joints(arm, frequency, tolerance):
    q = arm.home + OFF_HOME[: arm.n]
    alone, held = impedance(arm, q, frequency)
    s = 1j * frequency
    for i, end in enumerate(arm_ends(arm, TOOL, q)[:3]):
        assert end.held
        for found, expected in ((end, alone[i]), (end.held, held[i])):
            Z = found.inertia * s * s + found.damping * s + found.stiffness
            assert abs(Z - expected) < tolerance * abs(expected)


@pytest.mark.parametrize("arm", [UR5E, PANDA], ids=lambda arm: arm.name)
def test_a_stiff_posture_is_stiffer_than_home_and_like_any_other(arm):
    stiff, home = stiff_end(arm, TOOL), arm_ends(arm, TOOL)[2]
    assert stiff.held
    assert home.held
    assert 1.5 < stiff.held.stiffness / home.held.stiffness < 4.0
    for end in (stiff, stiff.held):
        assert min(end.stiffness, end.damping, end.inertia) > 0.0


def test_held_sideways_the_tip_is_stiffer():
    for end in arm_ends(UR5E, TOOL):
        assert end.held
        assert end.held.stiffness >= 0.999 * end.stiffness
        assert end.tool > 0.0
    assert arm_ends(UR5E, TOOL)[2].tool == TOOL.mass


def test_a_torque_arm_has_the_servo_that_pliant_makes_for_it():
    arm = replace(UR5E, interface="torque", servo_bandwidth=np.full(6, 100.0))
    for end in arm_ends(arm, TOOL):
        # critically damped at 100 rad/s
        assert end.stiffness == pytest.approx(1e4 * end.inertia, rel=1e-6)
        assert end.damping == pytest.approx(200.0 * end.inertia, rel=1e-6)


def test_only_the_servo_of_a_torque_arm_makes_up_for_the_load():
    assert all(end.load_cutoff == 0.0 for end in arm_ends(UR5E, TOOL))
    assert all(end.load_cutoff > 0.0 for end in arm_ends(PANDA, TOOL))
    assert stiff_end(PANDA, TOOL).stuck.load_cutoff > 0.0
