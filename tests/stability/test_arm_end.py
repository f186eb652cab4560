"""The arm behind the tool is what its joints' servos make of it."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.stability import arm_ends

TOOL = Tool(mass=0.8)
Q = UR5E.home + np.array([0.4, -0.2, 0.3, 0.2, -0.4, 0.6])


def impedance(q: np.ndarray, frequency: float) -> tuple[np.ndarray, np.ndarray]:
    """Of the tip along each axis, alone and with the others held, at a frequency in rad/s."""
    model = build_pinocchio(UR5E, TOOL)
    data = model.createData()
    J = pin.computeFrameJacobian(model, data, q, model.getFrameId(TCP_FRAME), pin.LOCAL)[:3]
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    k, s = UR5E.servo_stiffness, 1j * frequency
    d = 2.0 * np.sqrt(k * np.diag(M))
    C = J @ np.linalg.solve(M * s * s + np.diag(d) * s + np.diag(k), J.T)
    return 1.0 / np.diag(C), np.diag(np.linalg.inv(C))


@pytest.mark.parametrize(("frequency", "tolerance"), [(0.0, 1e-9), (30.0, 0.01), (100.0, 0.06)])
def test_a_mass_a_damper_and_a_spring_stand_for_six_joints(frequency, tolerance):
    alone, held = impedance(Q, frequency)
    s = 1j * frequency
    for i, end in enumerate(arm_ends(UR5E, TOOL, Q)[:3]):
        assert end.held
        for found, expected in ((end, alone[i]), (end.held, held[i])):
            Z = found.inertia * s * s + found.damping * s + found.stiffness
            assert abs(Z - expected) < tolerance * abs(expected)


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
