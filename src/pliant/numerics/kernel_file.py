"""Reads and writes the file of one compiled kernel: a checksum, then the pickled data."""

import hashlib
import os
import pickle
import sys
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba.core.codegen import JITCPUCodegen
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.serialize import dumps

from pliant.numerics.loaded_library import LoadedLibrary

JITCPUCodegen._library_class = LoadedLibrary

# Bytes of the checksum before the data.
_CHECKSUM = 32

_DAY = 86400.0


def read_kernel(file: Path) -> Any:
    """What a file holds; None if it cannot be read or is damaged."""
    # anything may be raised when a class or module that the file refers to has gone
    with suppress(Exception):
        data = file.read_bytes()
        payload = data[_CHECKSUM:]
        if hashlib.sha256(payload).digest() == data[:_CHECKSUM]:
            return _Unpickler(BytesIO(payload)).load()
    return None


class _Unpickler(pickle.Unpickler):
    """Loads a kernel without the modules of Numba that only compiling it needed."""

    def find_class(self, module: str, name: str) -> Any:
        """What a name in a file stands for."""
        if (module, name) == (_rebuild_env.__module__, _rebuild_env.__name__):
            return _environment
        return super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Environment:
    """The objects that machine code refers to; Numba would import the module for its names."""
    found = lookup_environment(name)
    if found is None:
        # the names are for Python code, of which no kernel has any
        names = vars(sys.modules[module]) if module in sys.modules else {"__name__": module}
        found = Environment(names)
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


def note_use(file: Path) -> None:
    """Mark a file as used lately, by which `prune` chooses; once a day is enough."""
    with suppress(OSError):
        if time.time() - file.stat().st_mtime > _DAY:
            os.utime(file)


def write_kernel(file: Path, state: Any) -> None:
    """Write a file at once; a folder that cannot be written stays as it is."""
    payload = dumps(state)
    unfinished = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
