"""`@kernel`: compiled by Numba, kept on disk, and never stale.

Numba's own disk cache looks at the file a function stands in, so it misses an edit to a kernel
that is called from another file and runs the old code. Here a kernel is kept under the hash of all
sources that it is compiled from (`kernel_sources`): files that hold kernels, or that mention
`@kernel` because their constants are compiled into some. The folder that they are in does not
matter.

Kernels come from the first of: the user's cache, compiled for this processor; `SHIPPED`, compiled
for any; the compiler. To fill `SHIPPED`, run them all once with `NUMBA_CPU_NAME=generic` and
`PLIANT_KERNELS` set to that folder.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar, cast, overload

import llvmlite
import numba
import numpy as np
from numba.core import config as numba_config
from numba.core.types import Array as ArrayType
from numba.extending import typeof_impl
from numba.np.numpy_support import from_dtype, map_layout

from pliant.numerics.kernel_cache import KernelCache
from pliant.numerics.kernel_sources import KernelSources

F = TypeVar("F", bound=Callable)
T_co = TypeVar("T_co", covariant=True)

_PACKAGE = Path(__file__).parents[1]

SHIPPED = _PACKAGE / "_kernels"
"""Kernels that came with the package; not in version control."""

SOURCES = KernelSources(_PACKAGE)
"""The sources of all kernels of the package."""


_OPTIONS: dict[str, Any] = {"error_model": "numpy", "forceinline": True}
"""How Numba compiles. Left to itself, LLVM inlines no kernel of many arrays, and a tick takes a
fifth longer."""


class Row(Protocol[T_co]):
    """A one-row structured array whose row has the columns of a class.

    A kernel takes its rows this way because Numba unboxes an array in a fraction of the time a
    record takes, and because `tick[0].q` then type-checks against the class.
    """

    @overload
    def __getitem__(self, index: int, /) -> T_co: ...
    @overload
    def __getitem__(self, index: slice, /) -> Self: ...


def kernel(function: F) -> F:
    """Compile a function with Numba, cached on disk; plain Python under NUMBA_DISABLE_JIT=1."""
    return cast(F, function if numba_config.DISABLE_JIT else Kernel(function, nogil=False))


def kernel_that_waits(function: F) -> F:
    """A kernel during which other threads may run."""
    return cast(F, function if numba_config.DISABLE_JIT else Kernel(function, nogil=True))


class Kernel:
    """A function that Numba compiles, for which it has made nothing before it is used.

    Of the hundreds of kernels, a controller calls some dozens; the others are compiled into those.
    Numba needs longer to prepare them all than to load the ones that are called.
    """

    def __init__(self, function: Callable, *, nogil: bool) -> None:
        update_wrapper(self, function)
        self._function = function
        self._nogil = nogil

    @cached_property
    def compiled(self) -> Any:
        """The function as Numba knows it."""
        compiled: Any = numba.njit(**_OPTIONS, nogil=self._nogil)(self._function)
        folder = cache_folder()
        compiled._cache = KernelCache(self._function, SOURCES, folder, SHIPPED / folder.name)
        return compiled

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code, compiled for arguments of these types if it is not yet."""
        return self.compiled(*arguments)

    def compile(self, types: tuple[object, ...]) -> Callable:
        """The machine code for arguments of these types."""
        return self.compiled.compile(types)


@typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> Any:
    """A kernel that another one calls is a function of Numba's."""
    return typeof_impl(value.compiled, context)


class Direct(Generic[F]):
    """A kernel that one owner calls tick after tick with arguments of the same types.

    At every call Numba looks up the types of all arguments, which takes longer than most kernels
    do. Here only the first call does. Other types than the first ones are not noticed, so this is
    for those who made all the arguments themselves.

    Attributes:
        call: The kernel, to be called; after the first call it is another.
    """

    call: F

    def __init__(self, function: F) -> None:
        self._function: Any = function
        self.call = cast(F, self._first)

    def _first(self, *arguments: Any) -> Any:
        self.call = cast(F, direct(self._function, *arguments))
        return self.call(*arguments)


def direct(function: Callable, *arguments: Any) -> Callable:
    """A kernel for arguments of these types alone, and never asked which they are."""
    compiled = getattr(function, "compile", None)
    if compiled is None:
        return function
    return compiled(tuple(_type_of(argument) for argument in arguments))


_array_types: dict[Any, object] = {}


def _type_of(value: Any) -> object:
    """What Numba calls its type; for rows of many columns it takes milliseconds to find out.

    `numba.typeof` would ask of each array whether it is masked, and import `numpy.ma` for that.
    """
    if not isinstance(value, np.ndarray):
        return numba.typeof(value)
    flags = value.flags
    key = (value.dtype, value.ndim, flags.c_contiguous, flags.f_contiguous, flags.num)
    if key not in _array_types:
        layout = map_layout(value)
        _array_types[key] = ArrayType(
            from_dtype(value.dtype), value.ndim, layout, readonly=not flags.writeable
        )
    return _array_types[key]


@cache
def cache_folder() -> Path:
    """Folder that kernels are saved to, by the versions of what compiles them.

    `PLIANT_KERNELS` names another folder to hold it than that of the user's caches. It does not
    exist until a kernel is saved, and never does where it cannot be made.
    """
    return _caches() / f"kernels-{_versions()}"


def _caches() -> Path:
    if chosen := os.environ.get("PLIANT_KERNELS"):
        return Path(chosen).absolute()
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "pliant"
    try:
        return Path.home() / ".cache/pliant"
    except RuntimeError:
        # a user without a home: no folder can be made in here
        return Path(os.devnull)


def _versions() -> str:
    tag = sys.implementation.cache_tag or sys.version
    versions = (numba.__version__, llvmlite.__version__, np.__version__, tag)
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]
