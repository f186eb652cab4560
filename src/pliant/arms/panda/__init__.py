"""Franka Emika Panda. Sources of the kinematic and inertial figures are named in the URDF."""

from importlib.resources import files
from pathlib import Path

from pliant.arms.description import ArmDescription, frozen_array

# Shoulder and elbow are free; joint 6 then makes the tool point straight down.
_SHOULDER, _ELBOW = -0.15, -2.35
_HOME = (0.0, _SHOULDER, 0.0, _ELBOW, 0.0, _SHOULDER - _ELBOW, 0.0)

DESCRIPTION = ArmDescription(
    name="panda",
    joint_names=tuple(f"panda_joint{i}" for i in range(1, 8)),
    urdf=Path(str(files("pliant.arms.panda"))) / "panda.urdf",
    flange="panda_link8",
    home=frozen_array(_HOME),
    q_min=frozen_array([-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973]),
    q_max=frozen_array([2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973]),
    qd_max=frozen_array([2.175] * 4 + [2.61] * 3),
    qdd_max=frozen_array([15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0]),
    tau_max=frozen_array([87.0] * 4 + [12.0] * 3),
    tau_rate_max=frozen_array([1000.0] * 7),
    # Half the range of the friction that Gaz et al. (see the URDF) find at the torque sensors.
    friction=frozen_array([0.27, 0.44, 0.32, 0.64, 0.42, 0.15, 0.28]),
    # A commanded torque acts behind the gears: the arm's own torque loop hides the rotors.
    armature=frozen_array([0.0] * 7),
    servo_stiffness=frozen_array([0.0] * 7),
    # As stiff as the torque rate lets heavy joints be; light wrists would yield to their friction.
    servo_bandwidth=frozen_array([100.0] * 4 + [150.0] * 3),
    interface="torque",
    rate=1000.0,
    dead_time=0.0,
    time_constant=0.0,
    # Not published.
    temperature_max=60.0,
)
