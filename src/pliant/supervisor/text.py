"""Words: the reason with its figures, as bytes of the tick, and numbers in replies."""

from typing import Any

import numpy as np

from pliant.config import Config
from pliant.joints import JointFault
from pliant.reasons import Reason
from pliant.tick import TEXT_SIZE, Rows

_HALVES = (slice(0, 3), slice(3, 6))


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


def explain(reason: Reason, row: Rows, config: Config) -> str:
    """A reason in words, with the figures of the tick that gave it."""
    if reason is Reason.CONTACT_FORCE:
        force, torque = (np.linalg.norm(row["w_T_raw"][0, part]) for part in _HALVES)
        limit = config.safety
        return (
            f"{reason.text}: {force:.0f} N of {limit.contact_force:g} N, "
            f"{torque:.1f} N·m of {limit.contact_torque:g} N·m"
        )
    if reason is Reason.TEMPERATURE:
        joint = int(np.argmax(row["temperature"][0]))
        return f"{reason.text}: joint {joint} at {row['temperature'][0, joint]:.0f} °C"
    if reason is Reason.JOINT_FAULT:
        return f"{reason.text}: {joint_faults(row)}"
    return reason.text


def joint_faults(row: Rows) -> str:
    """The joints that are taken out, and why."""
    faults = enumerate(row["fault"][0])
    return ", ".join(f"joint {j} {JointFault(int(f)).text}" for j, f in faults if f)


def numbers(values: Any) -> str:
    """Numbers as people read them."""
    return " ".join(f"{value:.6g}" for value in values)
