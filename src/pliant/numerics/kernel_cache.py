"""Compiled `@kernel` functions on disk: one file per kernel, argument types and processor.

The file name is a hash of everything the machine code depends on, and not of the folder that the
sources are in, so every copy of the same sources shares its files. There is no index to keep: two
processes that compile the same kernel for different types at the same time never meet, whereas
Numba's own index may end up naming the code of the other.
"""

import hashlib
import pickle
import secrets
import warnings
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba.core import config as numba_config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.types import BaseTuple

# Numba names machine code by counters that begin anew in every process. Two processes may thus give
# one name to different code, and a third that loads both runs one of them twice.
FunctionIdentity._unique_ids = count(secrets.randbits(48))

Target = tuple[str, str, str, bool]
"""What code is compiled for: triple, name and features of the processor, and whether Intel's SVML
is there, because code that calls it ends the process where it is not."""

# Positions in what Numba reduces a compiled function to.
_SIGNATURE, _ANNOTATION = 3, 6
# Bytes of the checksum before the data.
_CHECKSUM = 32


class KernelCache(NullCache):
    """Where Numba looks for a kernel before compiling it, and stores it afterwards.

    A file that cannot be read, is damaged or belongs to other types is ignored, and a folder that
    cannot be written stays as it is: the kernel is then compiled in memory.

    Args:
        function: The kernel.
        stamp: Hash of all sources of the package that hold kernels.
        folder: Kernels compiled for this processor, read and written.
        shipped: Kernels compiled for every processor of this architecture, only read.
    """

    def __init__(self, function: Callable, stamp: str, folder: Path, shipped: Path) -> None:
        self._function: Any = function
        self._folder = folder
        self._shipped = shipped
        self._stamp = _stamp_of(function, stamp)

    @property
    def cache_path(self) -> str:
        """The folder that is written."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The kernel compiled for these arguments; None if no file has it."""
        if self._stamp is None:
            return None
        # Numba would refresh the context, which imports all that only compiling needs
        rtsys.initialize(target_context)
        target = target_context.codegen().magic_tuple()
        own = self._file(self._folder, sig, (*target, _uses_svml()))
        shipped = self._file(self._shipped, sig, (target[0], "generic", "", False))
        for file in (own, shipped):
            state = _read(file)
            if state is not None and state[_SIGNATURE].args == normalize_signature(sig)[0]:
                return CompileResult._rebuild(target_context, *state)
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Store a kernel that was compiled for these arguments."""
        if self._stamp is None:
            return
        if cres.lifted or cres.library.has_dynamic_globals:
            name = f"{self._function.__module__}.{self._function.__qualname__}"
            message = f"{name} is compiled at every start: it holds an address or Python code"
            warnings.warn(message, NumbaWarning, stacklevel=2)
            return
        target = (*cres.codegen.magic_tuple(), _uses_svml())
        state = list(cres._reduce())
        # the annotated source, for people: it contains its path and would be a fifth of the file
        state[_ANNOTATION] = ""
        _write(self._file(self._folder, sig, target), state)

    def _file(self, folder: Path, sig: Any, target: Target) -> Path:
        function = self._function
        arguments, result = normalize_signature(sig)
        name = f"{function.__module__}.{function.__qualname__}"
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = (
            *(self._stamp, name, function.__code__.co_firstlineno, *target, result),
            *map(_describe, arguments),
            hashlib.sha256(dumps(cells)).hexdigest() if cells else "",
        )
        digest = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
        return folder / f"{name}-{digest[:32]}.kernel"


def _stamp_of(function: Callable, package_stamp: str) -> str | None:
    """Identifies the sources of a kernel: outside the package also its own file; None without."""
    if function.__module__.partition(".")[0] == __name__.partition(".")[0]:
        return package_stamp
    path = Path(function.__code__.co_filename).absolute()
    try:
        return f"{package_stamp} {path} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    except OSError:
        return None


def _uses_svml() -> bool:
    settings: Any = numba_config
    return bool(settings.USING_SVML)


def _describe(kind: Any) -> str:
    """Numba's name of a type, and the module of a named tuple, whose methods are compiled in."""
    if isinstance(kind, BaseTuple):
        owner = getattr(kind, "instance_class", tuple)
        members: Any = kind
        return f"{owner.__module__}.{owner.__qualname__}({', '.join(map(_describe, members))})"
    return str(kind)


def _read(file: Path) -> Any:
    # anything may be raised when a class or module that the file refers to has gone
    with suppress(Exception):
        data = file.read_bytes()
        payload = data[_CHECKSUM:]
        if hashlib.sha256(payload).digest() == data[:_CHECKSUM]:
            return pickle.loads(payload)
    return None


def _write(file: Path, state: Any) -> None:
    payload = dumps(state)
    unfinished = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
