"""Watch the joints of a running controller."""

import json as json_format
import time

import numpy as np
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pliant.commands.handlers.joint_board import board_limits, describe_joint
from pliant.config import config_of_run
from pliant.errors import PliantError
from pliant.ring.discovery import controller_name
from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX, runtime_folder
from pliant.robots.registry import describe_robot
from pliant.stages.joints import Interaction, JointFault, ReportedMode
from pliant.tick import Rows

_RATE = 10.0
_START_TIMEOUT = 2.0

_INTERACTION = {Interaction.STIFF: "green", Interaction.COMPLIANT: "red"}


def joints(name: str = "", once: bool = False, json: bool = False) -> None:
    """Show a live table of the joints, coloured by mode; Ctrl-C ends it.

    Angles are in degrees, torques in N·m, temperatures in °C.

    Args:
        name: The controller; not needed if only one runs.
        once: Print the table once.
        json: Print a JSON list once, in SI units.
    """
    ring = RingReader(runtime_folder() / f"{controller_name(name)}{RING_SUFFIX}")
    arm = describe_robot(ring.header["spec"])
    row = _newest(ring)
    if json:
        limits = board_limits(config_of_run(ring.header["config"]), arm)
        print(json_format.dumps([describe_joint(row, arm, limits, j) for j in range(arm.n)]))
        return
    with Live(_table(row, arm.joint_names), auto_refresh=False, transient=not once) as live:
        while not once and not ring.ended:
            time.sleep(1.0 / _RATE)
            row = _newest(ring)
            live.update(_table(row, arm.joint_names), refresh=True)


def _newest(ring: RingReader) -> Rows:
    deadline = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < deadline:
        row = ring.latest()
        if row is not None:
            return row
        time.sleep(0.05)
    raise PliantError(f"no tick from the controller within {_START_TIMEOUT:g} s")


def _table(row: Rows, names: tuple[str, ...]) -> Table:
    table = Table(
        *("#", "joint", "mode", "", "interaction", "q °", "ref °", "°/s", "N·m", "°C"),
        *("K N·m/rad", "D N·m·s/rad", "fault"),
    )
    t = row[0]
    for j, name in enumerate(names):
        mode, interaction = ReportedMode(int(t.mode[j])), Interaction(int(t.interaction[j]))
        red, green, blue = mode.colour
        table.add_row(
            str(j),
            name,
            Text(mode.title, style=f"black on rgb({red},{green},{blue})"),
            mode.vocab,
            Text(interaction.name.lower(), style=_INTERACTION[interaction]),
            *(f"{np.degrees(x):.1f}" for x in (t.q[j], t.q_board[j], t.qd[j])),
            f"{t.tau[j]:.1f}",
            f"{t.temperature[j]:.0f}",
            *(f"{x:g}" for x in (t.K_joint[j], t.D_joint[j])),
            JointFault(int(t.fault[j])).text,
        )
    return table


VERB = joints
