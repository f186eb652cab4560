"""A virtual UR as a program: its options are those of `VirtualUrOptions`; lines are obeyed."""

import signal
from typing import Any

from pliant.processes import Parent
from pliant.virtual.ur.virtual_ur import VirtualUr, VirtualUrOptions


def main(options: dict[str, Any], parent: Parent) -> None:
    """Serve until SIGTERM, or the end of standard input."""
    arm = VirtualUr(VirtualUrOptions(**options))
    signal.signal(signal.SIGTERM, lambda *_: arm.stop())
    parent.ready()
    arm.run()
