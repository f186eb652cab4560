"""The motion reader: a process that reads a motion's file for a controller and makes it ready.

It has limits of memory and, by its parent, of time. So a pipe, a device, a huge or hostile file, or
a network path that hangs does no harm to the loop.
"""

import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.arms.pinocchio import build_pinocchio
from pliant.arms.tool import Tool
from pliant.errors import ConfigError, refusing_errors
from pliant.processes import Parent
from pliant.robots.registry import describe_robot
from pliant.stages.reference.playable_motion import read_playable

_MOST_MEMORY = 4 << 30
"""Most memory of the process, bytes."""


def main(options: dict[str, Any], parent: Parent) -> None:
    """Read a motion and write its arrays to standard output."""
    output = os.dup(1)
    # what a library prints must not get between the arrays
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    with refusing_errors():
        path = confined(options["file"], [Path(folder) for folder in options["folders"]])
        arm = describe_robot(options["spec"])
        model = build_pinocchio(arm, Tool(**options["tool"]), options["mass_scale"])
        motion = read_playable(options["file"], arm, model, path)
    parent.ready(samples=len(motion.time), columns=motion.table.shape[1], torque=motion.has_torque)
    with os.fdopen(output, "wb") as file:
        file.write(motion.time.tobytes())
        file.write(motion.table.tobytes())
    sys.stdout.flush()


def confined(file: str, folders: Sequence[Path]) -> Path:
    """The path of a file, which must be in one of the folders.

    Args:
        file: Its name, from the first folder if it is relative; links are followed.
        folders: The folders, absolute.

    Raises:
        ConfigError: It is elsewhere; the message names the folders.
    """
    try:
        path = (Path.cwd() / Path(file).expanduser()).resolve()
        places = [path, *(entry.resolve() for entry in path.iterdir())] if path.is_dir() else [path]
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"cannot read {file}: {error}") from None
    roots = [folder.resolve() for folder in folders]
    for place in places:
        if not any(place.is_relative_to(root) for root in roots):
            allowed = ", ".join(map(str, roots)) or "no folder"
            raise ConfigError(
                f"{place} is outside the folders that motions are read from: {allowed}; start the "
                "controller with --motions FOLDER to allow another"
            )
    return path
