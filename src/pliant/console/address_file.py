"""The file in the runtime folder in which a console keeps its address, for its user's programs.

The folder is private to the user, and so is the file. A killed console leaves it behind: the next
console on that port takes over the token with the controller, so that open pages find it again.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pliant.errors import PliantError
from pliant.ring.runtime_folder import ProcessId, runtime_folder

SUFFIX = ".console"
_MARK = "pliant console"
_LARGEST = 10_000


@dataclass(frozen=True, kw_only=True)
class ConsoleAddress:
    """A console of this user.

    Attributes:
        name: Its name, with the port.
        address: The address to open, with the token.
        token: The token.
        process: Its process.
    """

    name: str
    address: str
    token: str
    process: ProcessId


@contextlib.contextmanager
def published(name: str, address: str, token: str) -> Iterator[None]:
    """Keep the address in a file while the console serves."""
    own = ProcessId.of(os.getpid())
    if own is None:
        raise PliantError("there is no /proc: the console cannot publish its address")
    path = runtime_folder() / f"{name}{SUFFIX}"
    content = {"mark": _MARK, "address": address, "token": token, "pid": own.pid}
    content["started"] = own.started
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def find_consoles() -> list[ConsoleAddress]:
    """The consoles of this user that run."""
    files = sorted(runtime_folder().glob(f"*{SUFFIX}"))
    return [found for file in files if (found := _read(file)) and found.process.alive]


def left_behind(name: str) -> str:
    """The token of a console of that name that was killed; empty if there is none."""
    found = _read(runtime_folder() / f"{name}{SUFFIX}")
    return found.token if found and not found.process.alive else ""


def _read(file: Path) -> ConsoleAddress | None:
    """What a file says; None if a console did not write it."""
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)) as opened:
            content = json.loads(opened.read(_LARGEST))
        if content["mark"] != _MARK:
            return None
        return ConsoleAddress(
            name=file.stem,
            address=str(content["address"]),
            token=str(content["token"]),
            process=ProcessId(pid=int(content["pid"]), started=int(content["started"])),
        )
    except (OSError, ValueError, LookupError, TypeError):
        return None
