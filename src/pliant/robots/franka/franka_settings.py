"""What a Franka arm is told before it moves, and what it was told otherwise than Pliant."""

from typing import Any

import numpy as np

from pliant.arms.tool import Tool
from pliant.errors import PliantError
from pliant.robots.franka.fci_connection import FciConnection
from pliant.robots.franka.franka_config import FrankaConfig
from pliant.robots.franka.franka_door import to_matrix

_MASS_TOLERANCE, _ASIDE_TOLERANCE = 0.05, 0.01
"""Differences of mass, kg, and centre of mass, m, that are told."""


def tell(connection: FciConnection, config: FrankaConfig) -> None:
    """Tell the arm its collision thresholds, and frames and load where they are configured.

    Raises:
        PliantError: It refuses.
    """
    robot = connection.robot
    torque, force = list(config.collision_torque), list(config.collision_force)
    try:
        # one threshold for contact, which only reports, and for collision
        robot.set_collision_behavior(torque, torque, force, force)
        if config.X_NE_EE is not None:
            robot.set_EE(to_matrix(config.X_NE_EE))
        if config.X_EE_K is not None:
            robot.set_K(to_matrix(config.X_EE_K))
        if (load := config.load) is not None:
            inertia = np.diag(load.inertia).ravel().tolist()
            robot.set_load(load.mass, list(load.com_F), inertia)
    except RuntimeError as error:
        raise PliantError(f"the arm at {connection.host} refuses its settings: {error}") from None


def differences(state: Any, tool: Tool, estimates: bool) -> list[str]:
    """What the arm knows otherwise than the configuration, in words."""
    found = []
    mass, com = state.m_total, np.array(state.F_x_Ctotal)
    if abs(mass - tool.mass) > _MASS_TOLERANCE:
        found.append(
            f"the arm was told {mass:.2f} kg of end effector and load (Desk, franka.load), and "
            f"tool.mass is {tool.mass:.2f} kg"
        )
    elif np.abs(com - tool.com_F).max() > _ASIDE_TOLERANCE:
        theirs, ours = ((1e3 * np.array(place)).round().tolist() for place in (com, tool.com_F))
        found.append(f"the arm's centre of mass is at {theirs} mm, and tool.com_F at {ours} mm")
    if not estimates:
        found.append(
            "this arm estimates no external torque: laws that need force do not start, and "
            "safety.contact_force sees nothing"
        )
    return found
