"""What an arm was told of its tool otherwise than the configuration says."""

import numpy as np
import pinocchio as pin

from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.robots.ur.ur_frames import Array
from pliant.robots.ur.ur_state import UrState

MASS_TOLERANCE, COG_TOLERANCE = 0.05, 0.01
"""Differences of the payload beyond which they are told: mass, kg, and centre of gravity, m."""

_PLACE, _TURN = 0.002, 0.01
"""The same of the TCP, m and rad."""


def tool_differences(state: UrState, X_FT: pin.SE3, tool: Tool) -> list[str]:
    """A sentence for each difference.

    Args:
        state: What the arm says of its payload.
        X_FT: The TCP that the arm was told.
        tool: The configured tool.
    """
    mass, cog = float(state["payload"]), state.six("payload_cog")
    off = pose_to_se3(tool.X_FT).actInv(X_FT)
    turn = float(np.linalg.norm(pin.log3(off.rotation)))
    told = {
        f"the arm's payload is {mass:.2f} kg, and tool.mass is {tool.mass:.2f} kg": (
            abs(mass - tool.mass) > MASS_TOLERANCE
        ),
        f"the arm's payload is centred at {_mm(cog)} mm, and tool.com_F is elsewhere": (
            np.abs(cog - tool.com_F).max() > COG_TOLERANCE
        ),
        f"the arm's TCP is at {_mm(X_FT.translation)} mm, and tool.X_FT is elsewhere": (
            np.abs(off.translation).max() > _PLACE
        ),
        f"the arm's TCP is turned by {np.degrees(turn):.1f} degrees against tool.X_FT": turn
        > _TURN,
    }
    return [sentence for sentence, differs in told.items() if differs]


def _mm(place: Array) -> str:
    return ", ".join(f"{1e3 * value:.1f}" for value in place)
