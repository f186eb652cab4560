"""Talks to a Franka Hand, through pylibfranka's Gripper.

Its calls wait until the fingers are there, and hold Python's lock meanwhile. So two processes each
have a connection of their own: one moves the fingers, the other tells their state and stops them.
One that has lost its hand says so, and connects again when it is asked.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from pliant.arms.gripper_state import GripperState
from pliant.processes import Parent

CONNECT = "connect"
"""The word that asks for a new connection."""

_ABORTED, _REFUSED = "aborted", "refused"
_NONE = "none answers; mount it, and choose it as end effector in Desk"


def main(options: dict[str, Any], parent: Parent) -> None:
    """Move or watch the hand until the parent hangs up."""
    import pylibfranka

    serve = _move if options["moves"] else _watch
    again = True
    while again:
        try:
            gripper = pylibfranka.Gripper(options["host"])
            again = serve(gripper, parent, pylibfranka.CommandException)
        except (pylibfranka.FrankaException, RuntimeError) as error:
            parent.ready(lost=_NONE if _REFUSED in str(error) else _short(error))
            again = parent.options() is not None


def _move(gripper: Any, parent: Parent, failure: type[Exception]) -> bool:
    """Obey one command after the other; whether to connect again."""
    parent.ready(connected=True)
    while (asked := parent.options()) is not None:
        if asked["word"] == CONNECT:
            return True
        do = partial(getattr(gripper, asked["word"]), *asked["arguments"])
        parent.ready(**_outcome(do, failure))
    return False


def _watch(gripper: Any, parent: Parent, failure: type[Exception]) -> bool:
    """Tell the state as often as it comes, stop the fingers; whether to connect again."""
    connected = False
    while True:
        state = gripper.read_once()
        parent.ready(width=state.width, max_width=state.max_width, grasped=state.is_grasped)
        if not connected:
            connected = True
            parent.ready(connected=True)
        while parent.has_message:
            asked = parent.options()
            if asked is None or asked["word"] == CONNECT:
                return asked is not None
            parent.ready(**_outcome(gripper.stop, failure, GripperState.STOPPED))


def _outcome(
    do: Callable[[], bool], failure: type[Exception], well: GripperState = GripperState.READY
) -> dict[str, Any]:
    """How a command ends."""
    try:
        return {"outcome": well if do() else GripperState.MISSED, "why": ""}
    except failure as error:
        stopped = _ABORTED in str(error)
        outcome = GripperState.STOPPED if stopped else GripperState.FAILED
        return {"outcome": outcome, "why": _short(error)}


def _short(error: Exception) -> str:
    return str(error).removeprefix("libfranka gripper: ").removeprefix("libfranka: ").rstrip(".!")
