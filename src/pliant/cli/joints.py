"""Watch the joints of a running controller."""

import json as json_format
import time

import numpy as np
from rich import box
from rich.console import Console
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

    Angles are in degrees, torques in N·m, temperatures in °C; K and D are the impedance of a
    compliant joint in N·m/rad and N·m·s/rad. Modes have their short names: idle, pos, posd, vel,
    mix, torq, ipwm; stif or comp. `--json` has everything by its full name.

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
    if once:
        Console().print(_table(row, arm.joint_names))
        return
    with Live(_table(row, arm.joint_names), auto_refresh=False, transient=True) as live:
        while not ring.ended:
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
    """The joints in a table that fits a terminal of 80 columns."""
    table = Table("joint", "mode", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("q °", "ref °", "°/s", "N·m", "°C", "K", "D"):
        table.add_column(heading, justify="right", no_wrap=True)
    t = row[0]
    faulty = bool(np.any(t.fault))
    if faulty:
        table.add_column("fault", overflow="fold")
    for j, name in enumerate(names):
        mode, interaction = ReportedMode(int(t.mode[j])), Interaction(int(t.interaction[j]))
        red, green, blue = mode.colour
        shown = Text(mode.vocab, style=f"black on rgb({red},{green},{blue})")
        shown.append(f" {interaction.vocab}", style=f"{_INTERACTION[interaction]} on default")
        table.add_row(
            f"{j} {name.removesuffix('_joint')}",
            shown,
            *(f"{np.degrees(x):.1f}" for x in (t.q[j], t.q_board[j], t.qd[j])),
            f"{t.tau[j]:.1f}",
            f"{t.temperature[j]:.0f}",
            *(f"{x:g}" for x in (t.K_joint[j], t.D_joint[j])),
            *([JointFault(int(t.fault[j])).text] if faulty else []),
        )
    return table


VERB = joints
