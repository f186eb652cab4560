"""Where flight recordings are saved."""

import os
from pathlib import Path

_FOLDER = "PLIANT_FLIGHT_DIR"


def flight_folder() -> Path | None:
    """The folder for flight recordings; None if they are disabled.

    `PLIANT_FLIGHT_DIR` names the folder; an empty value disables flight recordings. The default is
    `pliant/flights` in `$XDG_STATE_HOME`, which is `~/.local/state` unless set.
    """
    chosen = os.environ.get(_FOLDER)
    if chosen is not None:
        return Path(chosen) if chosen else None
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "pliant" / "flights"
