"""Compiled `@kernel` functions on disk: one file per kernel, argument types and processor.

The file name is a hash of everything the machine code depends on, and not of the folder that the
sources are in, so every copy of the same sources shares its files. There is no index to keep: two
processes that compile the same kernel for different types at the same time never meet, whereas
Numba's own index may end up naming the code of the other.
"""

import hashlib
import secrets
import warnings
from collections.abc import Callable
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from numba.core import config as numba_config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.types import BaseTuple

from pliant.numerics.kernel_file import note_use, read_kernel, write_kernel
from pliant.numerics.kernel_sources import KernelSources

# Numba names machine code by counters that begin anew in every process. Two processes may thus give
# one name to different code, and a third that loads both runs one of them twice.
FunctionIdentity._unique_ids = count(secrets.randbits(48))

Target = tuple[str, str, str, bool]
"""What code is compiled for: triple, name and features of the processor, and whether Intel's SVML
is there, because code that calls it ends the process where it is not."""

# Positions in what Numba reduces a compiled function to.
_SIGNATURE, _ANNOTATION = 3, 6


class KernelCache(NullCache):
    """Where Numba looks for a kernel before compiling it, and stores it afterwards.

    A file that cannot be read, is damaged or belongs to other types is ignored, and a folder that
    cannot be written stays as it is: the kernel is then compiled in memory.

    Args:
        function: The kernel.
        sources: The sources of the package.
        folder: Kernels compiled for this processor, read and written.
        shipped: Kernels compiled for every processor of this architecture, only read.
    """

    def __init__(
        self, function: Callable, sources: KernelSources, folder: Path, shipped: Path
    ) -> None:
        self._function: Any = function
        self._sources = sources
        self._folder = folder
        self._shipped = shipped

    @cached_property
    def _stamp(self) -> str | None:
        """Identifies what the kernel is compiled from; None for one that is in no file."""
        if _in_package(self._function.__module__):
            return self._sources.stamp(self._function.__module__)
        path = Path(self._function.__code__.co_filename).absolute()
        try:
            own = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            return None
        return f"{self._sources.whole} {path} {own}"

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
            state = read_kernel(file)
            if state is not None and state[_SIGNATURE].args == normalize_signature(sig)[0]:
                note_use(file)
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
        write_kernel(self._file(self._folder, sig, target), state)

    def _file(self, folder: Path, sig: Any, target: Target) -> Path:
        function = self._function
        arguments, result = normalize_signature(sig)
        name = f"{function.__module__}.{function.__qualname__}"
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = (
            *(self._stamp, name, function.__code__.co_firstlineno, *target, result),
            *map(self._describe, arguments),
            hashlib.sha256(dumps(cells)).hexdigest() if cells else "",
        )
        digest = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
        return folder / f"{name}-{digest[:32]}.kernel"

    def _describe(self, kind: Any) -> str:
        """Numba's name of a type; for a named tuple also its sources, which are compiled in."""
        if not isinstance(kind, BaseTuple):
            return str(kind)
        owner = getattr(kind, "instance_class", tuple)
        members: Any = kind
        stamp = self._sources.stamp(owner.__module__) if _in_package(owner.__module__) else ""
        inside = ", ".join(map(self._describe, members))
        return f"{owner.__module__}.{owner.__qualname__} {stamp}({inside})"


def _in_package(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]


def _uses_svml() -> bool:
    settings: Any = numba_config
    return bool(settings.USING_SVML)
