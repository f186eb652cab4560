"""Invalid parameters are refused with the valid ones, before anything changes."""

import pytest

from pliant import Arm
from pliant.errors import PliantError

WRONG = [
    ("laws.cartesian_impedance.stiffness", (-1.0, 40.0), "-1 is not within 0"),
    ("laws.cartesian_impedance.stiffness", (1, 2, 3), "six values x y z rx ry rz, or a pair"),
    ("laws.cartesian_impedance.damping_ratio", 0.0, "axis x has no damping"),
    ("laws.cartesian_impedance.stiffness", (0.0, 40.0), "axis x has no damping"),
    ("laws.cartesian_impedance.damping", (0.0, 50.0), r"D·dt/Λ = .* use damping <= "),
    ("laws.cartesian_impedance.posture", (0.0,) * 6, "give 7 numbers, one per joint, not 6"),
    ("laws.cartesian_impedance.posture", (9.0,) * 7, "joint 0 is limited to -2.89"),
    ("laws.cartesian_impedance.projector", "static", "'dynamic' or 'kinematic'"),
    ("laws.inverse_dynamics.bandwidth", -1.0, "-1 is not within 1e-09"),
    ("laws.inverse_dynamics.bandwidth", (50.0, 60.0), "one number, or 7, one per joint, not 2"),
    ("laws.inverse_dynamics.bandwidth", 600.0, r"Kd·dt/M = 1.2 exceeds 1 .* use .* <= 1e\+03"),
    ("laws.inverse_dynamics.damping_ratio", 0.0, "joint 0 has no damping"),
    ("laws.pd_gravity.damping", 15.0, r"joint 6: Kd·dt/M = .* use damping <= 5"),
    ("laws.pd_gravity.damping", 0.0, "joint 0 has no damping"),
    ("laws.pd_gravity.stiffness", (1.0,) * 8, "one number, or 7, one per joint, not 8"),
    ("laws.inverse_dynamics_simplified.stiffness", 1e5, r"Kp·dt²/M .* use stiffness <= "),
    ("laws.task_space_inverse_dynamics.bandwidth", (900.0, 40.0), "use bandwidth <= 500"),
    ("laws.task_space_inverse_dynamics.torque_share", 1.5, "less than or equal to 1"),
    ("laws.inverse_kinematics.gain", 1.0, "valid: hybrid_admittance, .*inverse_dynamics"),
]


@pytest.fixture(scope="module")
def arm() -> Arm:
    arm = Arm("sim:panda")
    arm.wait(0.01)
    return arm


@pytest.mark.parametrize(("path", "value", "said"), WRONG, ids=[f"{p}={v}" for p, v, _ in WRONG])
def test_a_bad_parameter_is_refused(arm, path, value, said):
    before = arm.config
    with pytest.raises(PliantError, match=said):
        arm.set(path, value)
    assert arm.config is before


def test_an_unknown_law_is_refused_with_the_valid_names(arm):
    with pytest.raises(PliantError, match=r"valid: .*task_space_inverse_dynamics"):
        arm.activate("inverse_kinematics")


def test_one_value_for_all_joints_is_accepted(arm):
    arm.set("laws.pd_gravity.damping", 4.0)
    arm.set("laws.pd_gravity.damping", (50.0, 50.0, 40.0, 40.0, 8.0, 5.0, 1.5))
    assert arm.config.laws.pd_gravity.damping[6] == 1.5
