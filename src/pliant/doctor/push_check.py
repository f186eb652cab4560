"""The push test of a UR: the operator pushes the tool, and the signs of the force are compared.

The arm is only read, by an RTDE connection; it does not move.
"""

from collections.abc import Callable

import numpy as np

from pliant.doctor.finding import Check, Finding
from pliant.robots.ur.push_test import confirm
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.rtde_protocol import RATE
from pliant.robots.ur.ur_frames import Array
from pliant.robots.ur.ur_identity import identify_arm

_PUSH = 15.0
"""Force that counts as a push, N."""

_FREE = 7.0
"""Force below which the tool counts as free again, N."""

_CLEAR = 2.0
"""How many times the force along the axis must exceed that across it."""

_PATIENCE = 30.0
"""How long to wait for each push, s of the arm's time."""

_DIRECTIONS = (("+x", 0), ("+y", 1), ("+z", 2))


def push_test(host: str, ask: Callable[[str], None]) -> Check:
    """Ask for a push along each axis of the base, and note it if all signs are right.

    Args:
        host: The arm's address.
        ask: Called with what the operator shall do.

    Raises:
        PliantError: The arm cannot be read.
    """
    client = RtdeClient(host)
    try:
        identity = identify_arm(client)
        client.start(["actual_TCP_force"])
        free = _mean(client, 0.5)
        wrong = [
            text for name, axis in _DIRECTIONS if (text := _pushed(client, free, name, axis, ask))
        ]
    finally:
        client.close()
    if wrong:
        finding = Finding(
            problem="; ".join(wrong),
            remedy="push along the base's axes as its pendant shows them, straight and firmly; if "
            "the sign itself is wrong, do not use laws that need force on this arm",
        )
        return Check(name="push test", summary="failed", findings=(finding,))
    file = confirm(identity.serial)
    return Check(
        name="push test",
        summary=f"the signs of the force are right; noted for arm {identity.serial} in {file}",
    )


def _pushed(
    client: RtdeClient, free: Array, name: str, axis: int, ask: Callable[[str], None]
) -> str:
    """Wait for one push; what was wrong with it, empty if nothing."""
    ask(f"push the tool along {name} of the arm's base, with about {1.5 * _PUSH:.0f} N, and let go")
    most = np.zeros(3)
    for _ in range(round(_PATIENCE * RATE)):
        force = np.array(client.newest(1.0)[0][1:4]) - free
        if np.linalg.norm(force) > np.linalg.norm(most):
            most = force
        if np.linalg.norm(most) > _PUSH and np.linalg.norm(force) < _FREE:
            break
    else:
        return f"{name}: no push of {_PUSH:.0f} N within {_PATIENCE:.0f} s"
    across = float(np.linalg.norm(np.delete(most, axis)))
    if most[axis] > _CLEAR * across:
        return ""
    return f"{name}: the arm felt {', '.join(f'{value:.0f}' for value in most)} N along x, y, z"


def _mean(client: RtdeClient, seconds: float) -> Array:
    return np.mean([client.newest(1.0)[0][1:4] for _ in range(round(seconds * RATE))], axis=0)
