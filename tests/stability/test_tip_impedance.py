"""The impedance of an arm at its tip follows from its joint servos."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.description import ArmDescription
from pliant.arms.panda import DESCRIPTION as PANDA
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.stability import stiff_tip, tip_impedances

TOOL = Tool(mass=0.8)
OFF_HOME = np.array([0.4, -0.2, 0.3, 0.2, -0.4, 0.6, 0.2])


def impedance(
    arm: ArmDescription, q: np.ndarray, frequency: float
) -> tuple[np.ndarray, np.ndarray]:
    """Tip impedance along each axis, alone and with the others held, at a frequency in rad/s."""
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
def test_a_mass_a_damper_and_a_spring_approximate_all_joints(arm, frequency, tolerance):
    q = arm.home + OFF_HOME[: arm.n]
    alone, held = impedance(arm, q, frequency)
    s = 1j * frequency
    for i, tip in enumerate(tip_impedances(arm, TOOL, q)[:3]):
        assert tip.held
        for found, expected in ((tip, alone[i]), (tip.held, held[i])):
            Z = found.inertia * s * s + found.damping * s + found.stiffness
            assert abs(Z - expected) < tolerance * abs(expected)


@pytest.mark.parametrize("arm", [UR5E, PANDA], ids=lambda arm: arm.name)
def test_a_stiff_posture_is_stiffer_than_home_but_not_extreme(arm):
    stiff, home = stiff_tip(arm, TOOL), tip_impedances(arm, TOOL)[2]
    assert stiff.held
    assert home.held
    assert 1.5 < stiff.held.stiffness / home.held.stiffness < 4.0
    for tip in (stiff, stiff.held):
        assert min(tip.stiffness, tip.damping, tip.inertia) > 0.0


def test_the_tip_is_stiffer_when_held_laterally():
    for tip in tip_impedances(UR5E, TOOL):
        assert tip.held
        assert tip.held.stiffness >= 0.999 * tip.stiffness
        assert tip.tool > 0.0
    assert tip_impedances(UR5E, TOOL)[2].tool == TOOL.mass


def test_a_torque_arm_has_the_impedance_of_pliants_servo():
    arm = replace(UR5E, interface="torque", servo_bandwidth=np.full(6, 100.0))
    for tip in tip_impedances(arm, TOOL):
        # critically damped at 100 rad/s
        assert tip.stiffness == pytest.approx(1e4 * tip.inertia, rel=1e-6)
        assert tip.damping == pytest.approx(200.0 * tip.inertia, rel=1e-6)


def test_only_the_servo_of_a_torque_arm_compensates_the_load():
    assert all(tip.load_cutoff == 0.0 for tip in tip_impedances(UR5E, TOOL))
    assert all(tip.load_cutoff > 0.0 for tip in tip_impedances(PANDA, TOOL))
    assert stiff_tip(PANDA, TOOL).stuck.load_cutoff > 0.0
