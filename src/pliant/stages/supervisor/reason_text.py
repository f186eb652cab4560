"""Words: the reason as bytes of the tick, joints taken out, numbers in replies."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.stages.joints import JointFault
from pliant.tick import TEXT_SIZE, Rows

_WRENCH_AXES = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")


def write_text(tick: Rows, text: str) -> None:
    """Put the reason's words into the tick."""
    data = text.encode()[:TEXT_SIZE]
    while data and data.decode(errors="ignore").encode() != data:
        data = data[:-1]
    tick["reason_text"][0] = 0
    tick["reason_text"][0][: len(data)] = np.frombuffer(data, np.uint8)


def read_text(tick: Rows) -> str:
    """The reason's words from a tick."""
    return bytes(tick["reason_text"][0]).rstrip(b"\0").decode()


def joint_faults(row: Rows) -> str:
    """The joints that are taken out, and why."""
    faults = enumerate(row["fault"][0])
    return ", ".join(f"joint {j} {JointFault(int(f)).text}" for j, f in faults if f)


def clamped(asked: Sequence[float], applied: Sequence[float]) -> str:
    """What of a wrench was clamped, to be added to a reply."""
    each = zip(_WRENCH_AXES, asked, applied, strict=True)
    return "".join(f"; {axis} clamped to {got:g}" for axis, wanted, got in each if wanted != got)


def numbers(values: Any) -> str:
    """Numbers as people read them."""
    return " ".join(f"{value:.6g}" for value in values)
