"""Translates commands to lines of the force-control demo's protocol."""

from dataclasses import dataclass

import numpy as np

from pliant import commands as c
from pliant.commands.line_protocol import write
from pliant.commands.reply import clamp, clamped
from pliant.errors import Refused
from pliant.numerics.spatial import Array, quat_log, rotate_pair, unrotate_pair
from pliant.stages.supervisor.config import SupervisorConfig


@dataclass(frozen=True, kw_only=True)
class Translation:
    """A translated command.

    Attributes:
        line: The line for the program.
        text: What was applied, in words.
        value: A wrench as it took effect, in the commanded axes.
        w_T: The same in tool axes.
    """

    line: str
    text: str
    value: list[float] | None = None
    w_T: Array | None = None


def translate(command: c.Command, X_WT: Array, sign: float) -> Translation:
    """The line for a command, given where the tool is.

    Args:
        command: What was asked for.
        X_WT: Pose of the tool: that program takes wrenches in tool axes and moves in world axes.
        sign: -1 if its wrench is what the tool does to its environment.

    Raises:
        Refused: That program has no such command.
    """
    if isinstance(command, c.SetWrench):
        return _wrench(command, X_WT, sign)
    if isinstance(command, c.MoveBy):
        delta = np.array(command.delta)
        if command.frame == "tool":
            rotate_pair(X_WT[3:], np.array(command.delta), delta)
        return Translation(line=f"RELD {_numbers(delta)}", text=f"moving by {_numbers(delta)}")
    if isinstance(command, c.SetAxes):
        bits = " ".join(str(int(bit)) for bit in command.mask)
        return Translation(
            line=f"AXIS {bits}", text=f"{sum(command.mask)} of 6 axes force-controlled"
        )
    if isinstance(command, c.MoveTo):
        pose = np.array(command.pose)
        turn = np.empty(3)
        quat_log(pose[3:], turn)
        line = f"REFA {_numbers(np.concatenate([pose[:3], turn]))}"
        return Translation(line=line, text=f"sent {line}")
    if isinstance(command, c.SetStiffness | c.SetDamping):
        line = write(command)
        return Translation(line=line, text=f"sent {line}")
    raise Refused(f"{command.word} is not available with this program")


def _wrench(command: c.SetWrench, X_WT: Array, sign: float) -> Translation:
    """Clamp like Pliant's own controller, in the commanded axes."""
    applied = clamp(command.wrench, SupervisorConfig().wrench_limit)
    text = f"wrench target {_numbers(np.array(applied))} in {command.frame} axes"
    text += clamped(command.wrench, applied)
    w_T = np.array(applied)
    if command.frame == "world":
        unrotate_pair(X_WT[3:], np.array(applied), w_T)
    return Translation(line=f"WRENCH {_numbers(sign * w_T)}", text=text, value=applied, w_T=w_T)


def _numbers(values: Array) -> str:
    return " ".join(f"{value + 0.0:.9g}" for value in values)
