"""Short runs of an arm that bring every stage into every situation."""

import numpy as np
import pytest

from pliant import Arm, column, norm, speed
from pliant.errors import ArmStopped
from pliant.laws import TORQUE_LAWS
from pliant.reasons import State
from pliant.sim.sensor import SensorFault

CONFIG = {
    "wrench": {"zero_time": 0.02},
    # an arm without lag hits the table hard
    "safety": {"contact_force": 200.0},
    "reference": {"max_speed": (0.25, 1.0), "max_acceleration": (5.0, 10.0)},
    "laws": {
        "hybrid_admittance": {
            "stiffness": (200.0, 10.0),
            "pid_p": (0.2, 0.2),
            "pid_i": (0.5, 0.5),
            "pid_i_limit": (2.0, 0.2),
            "max_acceleration": (5.0, 20.0),
        }
    },
}
DOWN_TO_THE_TABLE = (0.0, 0.0, -0.0505, 0.0, 0.0, 0.0)


def press_switch_and_jog(arm: Arm) -> None:
    """Half a second: zero, activate, contact, press, switch axes, jog."""
    arm.wait(0.01)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by(DOWN_TO_THE_TABLE, wait=False)
    arm.wait(0.31)
    arm.set_axes("z")
    arm.set_wrench([0, 0, 5, 0, 0, 0], frame="world")
    arm.wait(0.06)
    arm.set_axes("x z ry")
    arm.wait(0.04)
    arm.jog([0.05, 0.02, 0, 0, 0, 0.2], frame="tool", timeout=0.04)
    arm.wait(0.06)


def float_and_be_pushed(arm: Arm) -> None:
    """Every torque law for a short time, one after the other, while a hand pushes."""
    arm.hand.schedule([4.0, 3.0, 5.0, 0.1, 0.0, 0.1], start=arm.time, duration=0.1)
    for law in [law for law in arm.laws if law in [law.name for law in TORQUE_LAWS]]:
        arm.activate(law)
        arm.wait(0.02)
    arm.activate("position")
    arm.wait(0.02)


def change_laws_stop_and_fail(arm: Arm) -> None:
    """A switch of laws, a stop, a fault in motion, a reset."""
    arm.activate("position")
    arm.move_by([0, 0, 0.03, 0, 0, 0.1], wait=False)
    arm.wait(0.1)
    arm.activate("hybrid_admittance")
    arm.jog([0, 0, 0.1, 0, 0, 0])
    arm.wait(0.05)
    arm.deactivate()
    arm.wait_until(lambda t: t.state == State.INACTIVE, 1.5)
    arm.activate("hybrid_admittance")
    arm.jog([0, 0, 0.1, 0, 0, 0])
    arm.wait(0.05)
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped):
        arm.wait(0.1)
    arm.wait(0.05)
    arm.simulation.set_sensor_fault(SensorFault.NONE)
    arm.wait(0.01)
    arm.reset()
    arm.wait(0.01)


def react_and_follow(arm: Arm) -> None:
    """Reactions of several kinds, one after the other, and a timed path that ends in motion."""
    arm.activate("position")
    here = arm.tick.X_WT_sent
    up = here + np.array([0, 0, 0.002, 0, 0, 0, 0])
    arm.follow([(0.0, here), (0.03, here), (0.06, up), (0.09, up + (up - here))], wait=False)
    arm.wait(0.3)
    arm.on(column("ref_done") < 1, "wrench 0 0 -1 0 0 0")
    arm.on((speed() > 0.001).for_ticks(3), "retract 0.002")
    arm.jog([0, 0, 0.05, 0, 0, 0])
    arm.wait(0.1)
    arm.on((speed() < 9) & (norm("w_T[3:]") < 99), "hold")
    arm.wait(0.02)
    arm.on((speed() < 9).for_ticks(3), "law hybrid_admittance")
    arm.wait(0.05)
    arm.on(column("law") < 1, "stop")
    arm.wait(0.1)


def drive_the_joints(arm: Arm) -> None:
    """The board alone: every mode, a target during a motion, a stop, a fault, calibration."""
    arm.wait_until(lambda t: t.state == State.INACTIVE, 2.0)
    joints = arm.joints
    start = joints.positions()
    joints.set_modes([0, 1, 2, 3], ["pos", "vel", "mix", "posd"])
    joints.position_move([0, 2], start[[0, 2]] + 0.1)
    joints.velocity_move([1, 2], [0.1, -0.1])
    joints.set_positions(3, start[3] + 0.02)
    if arm.simulation.description.takes_torque:
        joints.set_modes([4, 5], ["torq", "ipwm"])
        joints.set_impedances([0, 1], 50.0, 5.0, 0.1)
        joints.set_interactions([0, 1], "compliant")
        joints.position_move(0, start[0] + 0.1)
        joints.set_torques(4, 0.1)
        joints.set_outputs(5, 0.01)
    arm.wait(0.1)
    joints.position_move(0, start[0] - 0.1)
    joints.stop(2)
    arm.wait(0.15)
    joints.inject_fault(5, "encoder")
    arm.wait(0.05)
    joints.inject_fault(5, "none")
    joints.force_idle()
    arm.wait(0.01)
    joints.calibrate(1)
    arm.wait(0.05)
