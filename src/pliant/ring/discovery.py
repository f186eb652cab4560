"""Finds the controllers that run on this machine, by their rings."""

from pathlib import Path

from pliant.errors import PliantError, Refused, UnknownNameError
from pliant.ring.ring_file import read_header
from pliant.ring.runtime_folder import RING_SUFFIX, clean_up, runtime_folder


def find_controllers() -> list[str]:
    """The names of the running controllers."""
    clean_up()
    rings = runtime_folder().glob(f"*{RING_SUFFIX}")
    return sorted(ring.stem for ring in rings if _is_readable(ring))


def controller_name(wanted: str) -> str:
    """The name of a running controller; an empty name means the only one.

    Raises:
        UnknownNameError: There is none of that name, or an empty name is ambiguous.
    """
    running = find_controllers()
    if wanted in running:
        return wanted
    if not wanted and len(running) == 1:
        return running[0]
    if not wanted and not running:
        raise Refused("no controller is running: start one with `pliant control`")
    raise UnknownNameError("controller", wanted, running)


def _is_readable(ring: Path) -> bool:
    """Whether a ring can be read: another version may have written it, or it may just be gone."""
    try:
        read_header(ring)
    except (OSError, ValueError, PliantError):
        return False
    return True
