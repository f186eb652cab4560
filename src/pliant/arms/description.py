"""Description of an arm: joints, limits, interface and other parameters."""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.errors import UnknownNameError

Array = NDArray[np.float64]

_MODULES = {
    "fr3": "pliant.arms.fr3",
    "panda": "pliant.arms.panda",
    "ur5e": "pliant.arms.ur5e",
}


def frozen_array(values: ArrayLike) -> Array:
    """A read-only array, so that no user can change shared parameters."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ArmDescription:
    """The parameters of one arm. Arrays have one entry per joint and are read-only.

    Attributes:
        name: The name in a robot spec.
        joint_names: Names of the joints in the URDF, from the base outwards.
        urdf: The URDF for both Pinocchio and MuJoCo.
        flange: The URDF link that is the flange frame F, z pointing out of it.
        home: A well-conditioned configuration with the tool pointing down, rad.
        q_min: Lower joint limits, rad.
        q_max: Upper joint limits, rad.
        qd_max: Joint speed limits, rad/s.
        qdd_max: Joint acceleration limits, rad/s².
        tau_max: Joint torque limits, N·m.
        tau_rate_max: Joint torque rate limits, N·m/s; infinite on a position arm.
        armature: Rotor inertia reflected to the joint, kg·m²; part of every model of the arm.
        friction: Typical joint friction that the arm does not compensate, N·m.
        servo_stiffness: Stiffness of the arm's own joint servos, N·m/rad; zero on a torque arm.
        servo_bandwidth: Bandwidth of Pliant's position servo for a torque arm, rad/s; zero on a
            position arm.
        interface: Set points of the arm: joint positions, or joint torques, to which the arm adds
            the compensation of gravity and friction.
        rate: Control rate, Hz.
        dead_time: Typical time from sending a set point to the arm's first response, s.
        time_constant: Typical first-order lag behind the set points after that, s.
        temperature_max: Joint temperature at which the arm must stop, °C.
    """

    name: str
    joint_names: tuple[str, ...]
    urdf: Path
    flange: str
    home: Array
    q_min: Array
    q_max: Array
    qd_max: Array
    qdd_max: Array
    tau_max: Array
    tau_rate_max: Array
    friction: Array
    armature: Array
    servo_stiffness: Array
    servo_bandwidth: Array
    interface: Literal["position", "torque"]
    rate: float
    dead_time: float
    time_constant: float
    temperature_max: float

    def __repr__(self) -> str:
        lag = 1e3 * (self.dead_time + self.time_constant)
        takes = "torques" if self.takes_torque else "positions"
        return (
            f"<ArmDescription {self.name}: {self.n} joints, takes {takes} at {self.rate:g} Hz, "
            f"lag {lag:.3g} ms>"
        )

    @property
    def n(self) -> int:
        """Number of joints."""
        return len(self.joint_names)

    @property
    def takes_torque(self) -> bool:
        """Whether its set points are torques."""
        return self.interface == "torque"


def arm_names() -> list[str]:
    """The arms that `load_arm` knows."""
    return sorted(_MODULES)


def load_arm(name: str) -> ArmDescription:
    """The description of an arm by its name.

    Raises:
        UnknownNameError: There is no such arm; the error lists the valid names.
    """
    if name not in _MODULES:
        raise UnknownNameError("arm", name, arm_names())
    return importlib.import_module(_MODULES[name]).DESCRIPTION
