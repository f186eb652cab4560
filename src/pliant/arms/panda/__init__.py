"""Franka Emika Panda. The URDF names the sources of the kinematic and inertial parameters."""

from pliant.arms.franka import franka_arm

DESCRIPTION = franka_arm(
    "panda",
    q_min=[-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973],
    q_max=[2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973],
    qd_max=[2.175] * 4 + [2.61] * 3,
    qdd_max=[15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0],
    # Half the range of the friction that Gaz et al. (see the URDF) find at the torque sensors.
    friction=[0.27, 0.44, 0.32, 0.64, 0.42, 0.15, 0.28],
    # A commanded torque acts behind the gears: the arm's own torque loop hides the rotors.
    armature=[0.0] * 7,
)
