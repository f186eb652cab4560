"""What a client may set on the arm: frames, load, impedances, thresholds of contact."""

from dataclasses import dataclass

import numpy as np

from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.numerics.spatial import Array
from pliant.params import KernelParams

_JOINT_STIFFNESS = (3000.0, 3000.0, 3000.0, 2500.0, 2500.0, 2000.0, 2000.0)
_CARTESIAN_STIFFNESS = (3000.0, 3000.0, 3000.0, 300.0, 300.0, 300.0)
_MOST_JOINT_STIFFNESS = 14250.0
_TRANSLATION_STIFFNESS, _ROTATION_STIFFNESS = (10.0, 3000.0), (1.0, 300.0)
_TORQUES = (20.0, 20.0, 18.0, 18.0, 16.0, 14.0, 12.0)
_FORCES = (20.0, 20.0, 20.0, 25.0, 25.0, 25.0)
_MOST_LOAD = 10.0
_ORTHOGONAL = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class Fr3Settings(KernelParams):
    """One row. Poses are 4×4 matrices; thresholds come in two rows, of contact and of collision.

    Attributes:
        F_T_NE: Nominal end effector in the flange, as set in the vendor's Desk.
        NE_T_EE: End effector in that.
        F_T_EE: End effector in the flange.
        EE_T_K: Stiffness frame in the end effector.
        F_T_K: Stiffness frame in the flange.
        m_load: Mass of the load that was set, kg.
        F_x_Cload: Its centre of mass, m.
        I_load: Its inertia, kg·m².
        joint_stiffness: Of the joint impedance controller, N·m/rad.
        cartesian_stiffness: Of the Cartesian one, along and about the axes of K.
        torque_nominal: Thresholds of external torque at constant speed, N·m.
        torque_accelerating: The same while the arm accelerates.
        force_nominal: Thresholds of the external wrench at constant speed, N and N·m.
        force_accelerating: The same while the arm accelerates.
    """

    F_T_NE: Array
    NE_T_EE: Array
    F_T_EE: Array
    EE_T_K: Array
    F_T_K: Array
    m_load: float
    F_x_Cload: Array
    I_load: Array
    joint_stiffness: Array
    cartesian_stiffness: Array
    torque_nominal: Array
    torque_accelerating: Array
    force_nominal: Array
    force_accelerating: Array


def new_settings(tool: Tool) -> np.ndarray:
    """Settings of an arm whose end effector is this tool, set in the vendor's Desk."""
    F_T_NE, torques, forces = pose_to_se3(tool.X_FT).homogeneous, [_TORQUES] * 2, [_FORCES] * 2
    return Fr3Settings(
        F_T_NE=F_T_NE,
        NE_T_EE=np.eye(4),
        F_T_EE=F_T_NE,
        EE_T_K=np.eye(4),
        F_T_K=F_T_NE,
        m_load=0.0,
        F_x_Cload=np.zeros(3),
        I_load=np.zeros(9),
        joint_stiffness=np.array(_JOINT_STIFFNESS),
        cartesian_stiffness=np.array(_CARTESIAN_STIFFNESS),
        torque_nominal=np.array(torques),
        torque_accelerating=np.array(torques),
        force_nominal=np.array(forces),
        force_accelerating=np.array(forces),
    ).row()


def set_frame(settings: np.ndarray, name: str, numbers: Array) -> bool:
    """Set NE_T_EE or EE_T_K from a column-major matrix; False if it is no pose."""
    pose = numbers.reshape(4, 4).T
    R = pose[:3, :3]
    ends = np.array_equal(pose[3], [0.0, 0.0, 0.0, 1.0])
    if not (ends and np.isfinite(pose).all() and np.abs(R @ R.T - np.eye(3)).max() < _ORTHOGONAL):
        return False
    settings[name][0] = pose
    settings["F_T_EE"][0] = settings["F_T_NE"][0] @ settings["NE_T_EE"][0]
    settings["F_T_K"][0] = settings["F_T_EE"][0] @ settings["EE_T_K"][0]
    return True


def set_load(settings: np.ndarray, numbers: Array) -> bool:
    """Set mass, centre of mass and inertia of the load; False if it is none."""
    if not (np.isfinite(numbers).all() and 0.0 <= numbers[0] <= _MOST_LOAD):
        return False
    settings["m_load"] = numbers[0]
    settings["F_x_Cload"] = numbers[1:4]
    settings["I_load"] = numbers[4:13]
    return True


def set_collision_behavior(settings: np.ndarray, numbers: Array) -> bool:
    """Set all thresholds, lower before upper, accelerating before nominal; False if refused."""
    if not (numbers >= 0.0).all():
        return False
    torques, forces = numbers[:28].reshape(4, 7), numbers[28:].reshape(4, 6)
    settings["torque_accelerating"], settings["torque_nominal"] = torques[:2], torques[2:]
    settings["force_accelerating"], settings["force_nominal"] = forces[:2], forces[2:]
    return True


def set_joint_stiffness(settings: np.ndarray, numbers: Array) -> bool:
    """Set the stiffness of the joints; False if it is out of range."""
    if not ((numbers >= 0.0) & (numbers <= _MOST_JOINT_STIFFNESS)).all():
        return False
    settings["joint_stiffness"] = numbers
    return True


def set_cartesian_stiffness(settings: np.ndarray, numbers: Array) -> bool:
    """Set the stiffness along and about the axes of K; False if it is out of range."""
    low, high = np.repeat([_TRANSLATION_STIFFNESS, _ROTATION_STIFFNESS], 3, axis=0).T
    if not ((numbers >= low) & (numbers <= high)).all():
        return False
    settings["cartesian_stiffness"] = numbers
    return True
