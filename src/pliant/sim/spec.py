"""Specs of simulated arms after their `sim:`: `ur5e`, `ur5e/peg`."""

from pliant.arms.description import load_arm
from pliant.sim.scenes import scene_class

PREFIX = "sim:"
"""How the spec of a simulated arm begins."""


def parse_place(place: str) -> tuple[str, str]:
    """The names of arm and scene; free space if it names no scene.

    Raises:
        UnknownNameError: There is no such arm or scene.
    """
    arm, _, scene = place.partition("/")
    load_arm(arm)
    scene_class(scene or "free")
    return arm, scene or "free"
