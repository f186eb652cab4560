"""Franka Research 3. The URDF names the sources of the kinematic and inertial parameters."""

from pliant.arms.franka import franka_arm

DESCRIPTION = franka_arm(
    "fr3",
    q_min=[-2.7437, -1.7837, -2.9007, -3.0421, -2.8065, 0.5445, -3.0159],
    q_max=[2.7437, 1.7837, 2.9007, -0.1518, 2.8065, 4.5169, 3.0159],
    qd_max=[2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26],
    qdd_max=[10.0] * 7,
    # As in franka_description's dynamics.yaml.
    friction=[0.2] * 7,
    # A tenth of the reflected rotor inertias in franka_description (0.6 to 0.2 kg·m²): the arm's
    # torque loop hides most of them. An estimate; with zero, the last joint would have almost no
    # inertia.
    armature=[0.06, 0.06, 0.046, 0.046, 0.02, 0.02, 0.02],
)
