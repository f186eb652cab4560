"""Franka Research 3. Sources of the kinematic and inertial figures are named in the URDF."""

from importlib.resources import files
from pathlib import Path

from pliant.arms.description import ArmDescription, frozen_array

# Shoulder and elbow are free; joint 6 then makes the tool point straight down.
_SHOULDER, _ELBOW = -0.15, -2.35
_HOME = (0.0, _SHOULDER, 0.0, _ELBOW, 0.0, _SHOULDER - _ELBOW, 0.0)

DESCRIPTION = ArmDescription(
    name="fr3",
    joint_names=tuple(f"fr3_joint{i}" for i in range(1, 8)),
    urdf=Path(str(files("pliant.arms.fr3"))) / "fr3.urdf",
    flange="fr3_link8",
    home=frozen_array(_HOME),
    q_min=frozen_array([-2.7437, -1.7837, -2.9007, -3.0421, -2.8065, 0.5445, -3.0159]),
    q_max=frozen_array([2.7437, 1.7837, 2.9007, -0.1518, 2.8065, 4.5169, 3.0159]),
    qd_max=frozen_array([2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26]),
    qdd_max=frozen_array([10.0] * 7),
    tau_max=frozen_array([87.0] * 4 + [12.0] * 3),
    tau_rate_max=frozen_array([1000.0] * 7),
    # As in franka_description's dynamics.yaml.
    friction=frozen_array([0.2] * 7),
    # A tenth of the rotors' 0.6 to 0.2 kg·m² in franka_description: the arm's own torque loop hides
    # most of them. An estimate; with none of it, the links alone give the last joint no inertia.
    armature=frozen_array([0.06, 0.06, 0.046, 0.046, 0.02, 0.02, 0.02]),
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
