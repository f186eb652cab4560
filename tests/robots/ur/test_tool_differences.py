"""What an arm was told of its tool is compared with the configuration."""

import numpy as np
import pinocchio as pin
import pytest

from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.robots.ur.rtde_protocol import Recipe
from pliant.robots.ur.tool_differences import tool_differences
from pliant.robots.ur.ur_state import UrState

TOOL = Tool()
X_FT = pose_to_se3(TOOL.X_FT)
RECIPE = Recipe(["payload", "payload_cog"], ["DOUBLE", "VECTOR3D"])


def told(mass: float = 0.0, cog: float = 0.0, aside: float = 0.0, turn: float = 0.0) -> list[str]:
    """What is told of an arm whose tool differs by so much."""
    com = np.add(TOOL.com_F, (0.0, cog, 0.0))
    state = UrState(RECIPE, (1, TOOL.mass + mass, *com))
    off = pin.SE3(pin.exp3(np.array([0.0, turn, 0.0])), np.array([aside, 0.0, 0.0]))
    return tool_differences(state, X_FT * off, TOOL)


def test_the_same_tool_is_no_news() -> None:
    assert told() == told(mass=0.04, cog=0.009, aside=0.0015, turn=0.009) == []


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        ({"mass": 0.06}, "tool.mass is"),
        ({"cog": -0.02}, "tool.com_F is elsewhere"),
        ({"aside": 0.003}, "tool.X_FT is elsewhere"),
        ({"turn": 0.1}, "turned by 5.7 degrees"),
    ],
)
def test_each_difference_is_a_sentence(difference: dict[str, float], text: str) -> None:
    (sentence,) = told(**difference)
    assert text in sentence
