"""Universal Robots UR5e. The URDF names the sources of the kinematic and inertial parameters."""

from importlib.resources import files
from math import inf, pi
from pathlib import Path

from pliant.arms.description import ArmDescription, frozen_array

# Elbow and shoulder are free; wrist 1 then makes the tool point straight down.
_SHOULDER, _ELBOW = -1.65, 1.87
_HOME = (0.0, _SHOULDER, _ELBOW, -pi / 2 - _SHOULDER - _ELBOW, -pi / 2, -pi / 2)

DESCRIPTION = ArmDescription(
    name="ur5e",
    joint_names=(
        "shoulder_pan_joint",
        "shoulder_lift_joint",
        "elbow_joint",
        "wrist_1_joint",
        "wrist_2_joint",
        "wrist_3_joint",
    ),
    urdf=Path(str(files("pliant.arms.ur5e"))) / "ur5e.urdf",
    flange="tool0",
    home=frozen_array(_HOME),
    q_min=frozen_array([-2 * pi, -2 * pi, -pi, -2 * pi, -2 * pi, -2 * pi]),
    q_max=frozen_array([2 * pi, 2 * pi, pi, 2 * pi, 2 * pi, 2 * pi]),
    qd_max=frozen_array([pi] * 6),
    # Not published. With the arm stretched out, gravity takes 60 of the shoulder's 150 N·m and the
    # inertia is 4.2 kg·m²: 21 rad/s² remain. The wrists could reach five times 40 rad/s².
    qdd_max=frozen_array([20.0, 20.0, 20.0, 40.0, 40.0, 40.0]),
    tau_max=frozen_array([150.0, 150.0, 150.0, 28.0, 28.0, 28.0]),
    tau_rate_max=frozen_array([inf] * 6),
    # The servos compensate it.
    friction=frozen_array([0.0] * 6),
    # Not published; the value of MuJoCo Menagerie's UR5e.
    armature=frozen_array([0.1] * 6),
    # Gives about 100 N/mm at the tool, the order of what is measured on the real arm.
    servo_stiffness=frozen_array([60e3, 60e3, 40e3, 8e3, 8e3, 4e3]),
    servo_bandwidth=frozen_array([0.0] * 6),
    interface="position",
    rate=500.0,
    # Together the 34 ms measured on servoj.
    dead_time=0.008,
    time_constant=0.026,
    temperature_max=60.0,
)
