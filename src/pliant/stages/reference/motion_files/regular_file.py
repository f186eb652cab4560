"""Opens a file that may be anything: no pipe or device is waited for, no huge file is read."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from pliant.errors import ConfigError


def open_regular(path: Path, most: int) -> BinaryIO:
    """Open a regular file for reading.

    Args:
        path: Where it is.
        most: Largest accepted size, bytes.

    Raises:
        ConfigError: It cannot be opened, is no regular file, or is too large.
    """
    try:
        # opening some devices has effects
        _check(path, os.stat(path), most)
        # without blocking: opening a pipe waits for its writer
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from None
    file = os.fdopen(descriptor, "rb")
    try:
        _check(path, os.fstat(descriptor), most)
    except ConfigError:
        file.close()
        raise
    return file


def _check(path: Path, found: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"{path} is not a regular file")
    if found.st_size > most:
        raise ConfigError(f"{path} has {found.st_size} bytes, more than {most}")
