"""The push test: an operator's proof that the signs of the wrench are what Pliant takes them for.

Until it has passed for an arm, by serial number, laws that need force do not start on it.
"""

import json
import os
from pathlib import Path

from pliant.robots.ur.ur_identity import UrIdentity

_FOLDER = "PLIANT_STATE_DIR"
"""Environment variable with another folder than the user's own."""


def push_refusal(arm: UrIdentity) -> str:
    """Why laws that need force may not run; empty if they may."""
    if arm.is_virtual or is_confirmed(arm.serial):
        return ""
    return (
        f"the force signs of arm {arm.serial} were never confirmed: run "
        "pliant doctor --robot ur:<host> --push-test first"
    )


def is_confirmed(serial: str) -> bool:
    """Whether the push test has passed for an arm."""
    try:
        return json.loads(_file(serial).read_text()).get("passed") is True
    except (OSError, ValueError, AttributeError):
        return False


def confirm(serial: str) -> Path:
    """Note that the push test has passed for an arm; the file that says so."""
    file = _file(serial)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"serial": serial, "passed": True}))
    return file


def _file(serial: str) -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(os.environ.get(_FOLDER) or Path(state) / "pliant")
    safe = "".join(letter for letter in serial if letter.isalnum())[:40]
    return folder / "push_tests" / f"ur-{safe}.json"
