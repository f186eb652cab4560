"""A virtual FR3 as a program: its options are those of `VirtualFr3Options`; lines are obeyed."""

import signal
from typing import Any

from pliant.processes import Parent
from pliant.virtual.franka.virtual_fr3 import VirtualFr3, VirtualFr3Options


def main(options: dict[str, Any], parent: Parent) -> None:
    """Serve until SIGTERM, or the end of standard input."""
    arm = VirtualFr3(VirtualFr3Options(**options))
    signal.signal(signal.SIGTERM, lambda *_: arm.stop())
    parent.ready()
    arm.run()
