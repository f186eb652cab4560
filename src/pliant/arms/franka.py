"""What the Panda and the Franka Research 3 have in common."""

from importlib.resources import files
from pathlib import Path

from numpy.typing import ArrayLike

from pliant.arms.description import ArmDescription, frozen_array

# Shoulder and elbow are free; joint 6 then makes the tool point straight down.
_SHOULDER, _ELBOW = -0.15, -2.35
_HOME = (0.0, _SHOULDER, 0.0, _ELBOW, 0.0, _SHOULDER - _ELBOW, 0.0)


def franka_arm(
    name: str,
    *,
    q_min: ArrayLike,
    q_max: ArrayLike,
    qd_max: ArrayLike,
    qdd_max: ArrayLike,
    friction: ArrayLike,
    armature: ArrayLike,
) -> ArmDescription:
    """The description of a Franka arm from the parameters in which the models differ."""
    return ArmDescription(
        name=name,
        joint_names=tuple(f"{name}_joint{i}" for i in range(1, 8)),
        urdf=Path(str(files(f"pliant.arms.{name}"))) / f"{name}.urdf",
        flange=f"{name}_link8",
        home=frozen_array(_HOME),
        q_min=frozen_array(q_min),
        q_max=frozen_array(q_max),
        qd_max=frozen_array(qd_max),
        qdd_max=frozen_array(qdd_max),
        tau_max=frozen_array([87.0] * 4 + [12.0] * 3),
        tau_rate_max=frozen_array([1000.0] * 7),
        friction=frozen_array(friction),
        armature=frozen_array(armature),
        servo_stiffness=frozen_array([0.0] * 7),
        # Heavy joints: as high as the torque-rate limit allows. Wrist: higher, because friction
        # would stall a softer servo.
        servo_bandwidth=frozen_array([100.0] * 4 + [150.0] * 3),
        interface="torque",
        rate=1000.0,
        dead_time=0.0,
        time_constant=0.0,
        # Not published.
        temperature_max=60.0,
    )
