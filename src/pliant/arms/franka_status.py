"""Codes of `robot_status` of a Franka arm, and the way out.

The sentences are short: with the reason they must fit into 120 bytes.
"""

from enum import IntEnum


class FrankaStatus(IntEnum):
    """Why a Franka arm does not follow."""

    FOLLOWS = 0
    NOT_READY = 2001
    GUIDING = 2002
    USER_STOP = 2003
    RECOVERING = 2004
    CONTROL_ENDED = 2005
    LOSSY = 2006
    JOINT_LIMIT = 2010
    WORKSPACE_LIMIT = 2011
    SELF_COLLISION = 2012
    JOINT_SPEED = 2013
    TOOL_SPEED = 2014
    FORCE_SAFETY = 2015
    JOINT_REFLEX = 2016
    CARTESIAN_REFLEX = 2017
    TORQUE_JUMP = 2018
    COMMUNICATION = 2019
    POWER = 2020
    TORQUE_SENSOR = 2021
    INSTABILITY = 2022
    WRONG_DIRECTION = 2023
    BASE_ACCELERATION = 2024
    OTHER_ERROR = 2025

    @property
    def text(self) -> str:
        """What it is, and the way out."""
        return _TEXT[self]


ERRORS = {
    "joint_position_limits_violation": FrankaStatus.JOINT_LIMIT,
    "cartesian_position_limits_violation": FrankaStatus.WORKSPACE_LIMIT,
    "self_collision_avoidance_violation": FrankaStatus.SELF_COLLISION,
    "joint_velocity_violation": FrankaStatus.JOINT_SPEED,
    "cartesian_velocity_violation": FrankaStatus.TOOL_SPEED,
    "force_control_safety_violation": FrankaStatus.FORCE_SAFETY,
    "joint_reflex": FrankaStatus.JOINT_REFLEX,
    "cartesian_reflex": FrankaStatus.CARTESIAN_REFLEX,
    "controller_torque_discontinuity": FrankaStatus.TORQUE_JUMP,
    "communication_constraints_violation": FrankaStatus.COMMUNICATION,
    "power_limit_violation": FrankaStatus.POWER,
    "tau_j_range_violation": FrankaStatus.TORQUE_SENSOR,
    "instability_detected": FrankaStatus.INSTABILITY,
    "joint_move_in_wrong_direction": FrankaStatus.WRONG_DIRECTION,
    "base_acceleration_initialization_timeout": FrankaStatus.BASE_ACCELERATION,
    "base_acceleration_invalid_reading": FrankaStatus.BASE_ACCELERATION,
}
"""libfranka's flags of what can end torque control; its others belong to motion generators."""

_TEXT = {
    FrankaStatus.FOLLOWS: "it follows",
    FrankaStatus.NOT_READY: "its brakes are locked; unlock them in Desk, activate FCI, reset",
    FrankaStatus.GUIDING: "it is guided by its buttons; let them go, then reset",
    FrankaStatus.USER_STOP: "user stop; release the button, then reset",
    FrankaStatus.RECOVERING: "it recovers from an error; reset again when it has",
    FrankaStatus.CONTROL_ENDED: "its torque control ended; reset starts it again",
    FrankaStatus.LOSSY: "commands get lost; see pliant doctor, then reset",
    FrankaStatus.JOINT_LIMIT: "a joint is beyond its limit; guide it back, then reset",
    FrankaStatus.WORKSPACE_LIMIT: "outside a limit set in Desk; guide it back, then reset",
    FrankaStatus.SELF_COLLISION: "it nearly hit itself; guide it away, then reset",
    FrankaStatus.JOINT_SPEED: "a joint was too fast; soften the law, then reset",
    FrankaStatus.TOOL_SPEED: "the tool was too fast; soften the law, then reset",
    FrankaStatus.FORCE_SAFETY: "force beyond its safety limit; free the tool, then reset",
    FrankaStatus.JOINT_REFLEX: "collision at a joint; find out why, then reset",
    FrankaStatus.CARTESIAN_REFLEX: "collision at the tool; find out why, then reset",
    FrankaStatus.TORQUE_JUMP: "torques jumped, or packets were lost; see doctor, reset",
    FrankaStatus.COMMUNICATION: "20 packets were lost; see pliant doctor, then reset",
    FrankaStatus.POWER: "power limit; move more slowly, then reset",
    FrankaStatus.TORQUE_SENSOR: "a torque sensor is out of range; free the arm, then reset",
    FrankaStatus.INSTABILITY: "it swings; soften the law, then reset",
    FrankaStatus.WRONG_DIRECTION: "guided further beyond a limit; guide it back, then reset",
    FrankaStatus.BASE_ACCELERATION: "gravity is not known; see Desk, then reset",
    FrankaStatus.OTHER_ERROR: "an error; see Desk for which, then reset",
}
