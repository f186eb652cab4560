"""Physics of compliant and stiff joints of a torque arm: stiffness, damping, disturbance."""

import numpy as np
import pytest

from pliant import Arm

FREQUENCY = 10.0
"""Natural frequency of a compliant joint, rad/s: well below the servos of the others."""


def panda() -> Arm:
    """An arm with all joints in position mode; friction is off."""
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    arm.joints.set_modes("position")
    arm.wait(0.1)
    return arm


def push(arm: Arm, joint: int, torque: float) -> None:
    """Push one joint with a known torque."""
    arm.simulation.world.data.qfrc_applied[joint] = torque


def make_compliant(arm: Arm, j: int, damping_ratio: float) -> tuple[float, float]:
    """Make a joint compliant with this damping ratio; returns its stiffness and inertia."""
    inertia = float(arm.tick.M[j, j])
    stiffness = min(inertia * FREQUENCY**2, arm.joints.limits.K_max[j])
    damping = 2.0 * damping_ratio * np.sqrt(stiffness * inertia)
    arm.joints[j].impedance = (stiffness, damping, 0.0)
    arm.joints[j].interaction = "compliant"
    arm.wait(2.0)
    return stiffness, inertia


@pytest.mark.parametrize("j", range(7))
def test_measured_stiffness_and_damping_are_those_that_were_set(j: int) -> None:
    arm = panda()
    stiffness, _ = make_compliant(arm, j, 0.3)
    before = arm.joints[j].position
    torque = 0.05 * stiffness
    push(arm, j, torque)
    began = arm.time
    arm.wait(4.0)
    after = arm.joints[j].position
    assert torque / (after - before) == pytest.approx(stiffness, rel=0.03)
    others = np.delete(arm.tick.q - arm.tick.q_sent, j)
    assert np.abs(others).max() < 1e-3
    swing = (arm.history.since(began)["q"][:, j] - before) / (after - before)
    overshoot = np.log(swing.max() - 1.0)
    ratio = -overshoot / np.hypot(np.pi, overshoot)
    assert ratio == pytest.approx(0.3, rel=0.1)


def test_the_offset_is_a_torque() -> None:
    arm = panda()
    stiffness, _ = make_compliant(arm, 3, 1.0)
    before = arm.joints[3].position
    arm.joints[3].impedance = arm.joints[3].impedance._replace(offset=0.05 * stiffness)
    arm.wait(2.0)
    assert arm.joints[3].position - before == pytest.approx(0.05, rel=0.03)


@pytest.mark.parametrize("mode", ["idle", "position", "velocity"])
@pytest.mark.parametrize(("j", "torque"), [(0, 5.0), (1, 5.0), (3, -5.0), (4, 0.5), (6, -0.5)])
def test_a_stiff_joint_rejects_a_disturbance(mode: str, j: int, torque: float) -> None:
    arm = panda()
    arm.joints[j].mode = mode
    arm.wait(0.2)
    before = arm.joints[j].position
    push(arm, j, torque)
    arm.wait(1.0)
    assert arm.joints[j].position == pytest.approx(before, abs=1e-3)
    push(arm, j, 0.0)
    arm.wait(1.0)
    assert arm.joints[j].position == pytest.approx(before, abs=1e-3)


def test_a_compliant_joint_in_velocity_mode_does_not_sag() -> None:
    arm = panda()
    make_compliant(arm, 1, 1.0)
    arm.joints[1].mode = "velocity"
    arm.wait(2.0)
    start = arm.joints[1].position
    for _ in range(10):
        arm.joints[1].velocity_move(0.1)
        arm.wait(0.1)
    moved = arm.tick.q_board[1]
    arm.wait(3.0)
    assert arm.tick.q_board[1] - start == pytest.approx(0.1, abs=0.03)
    rested = arm.joints[1].position
    arm.wait(3.0)
    assert arm.joints[1].position == pytest.approx(rested, abs=1e-5)
    assert rested - start == pytest.approx(arm.tick.q_board[1] - start, abs=2e-3)
    assert arm.tick.q_board[1] >= moved


def test_compliance_is_not_torque_mode() -> None:
    arm = panda()
    make_compliant(arm, 5, 1.0)
    with pytest.raises(Exception, match="set it to torque first"):
        arm.joints[5].set_torque(0.1)
    arm.joints[5].position_move(arm.joints[5].position + 0.2)
    start = arm.joints[5].position
    arm.joints.wait_done(5)
    arm.wait(1.0)
    assert arm.joints[5].position - start == pytest.approx(0.2, abs=5e-3)


def test_every_switch_is_without_a_jump_of_torque() -> None:
    arm = panda()
    make_compliant(arm, 3, 1.0)
    push(arm, 3, 2.0)
    arm.wait(1.0)
    began = arm.time
    for mode, interaction in (
        ("position", "stiff"),
        ("velocity", "compliant"),
        ("torque", "compliant"),
        ("position_direct", "stiff"),
        ("mixed", "compliant"),
        ("idle", "stiff"),
    ):
        arm.joints[3].mode = mode
        arm.joints[3].interaction = interaction
        arm.wait(0.02)
    ticks = arm.history.since(began)
    jumps = np.abs(np.diff(ticks["tau_sent"][:, 3]))
    assert jumps.max() <= 1.0 + 1e-9
    steps = np.abs(np.diff(ticks["q"][:, 3]))
    assert steps.max() < 1e-3
