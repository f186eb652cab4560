"""The part of Numba that Pliant uses; a compiled function keeps its Python signature."""

from collections.abc import Callable
from typing import TypeVar

_F = TypeVar("_F", bound=Callable)

__version__: str

def njit(*, cache: bool = ..., error_model: str = ..., nogil: bool = ...) -> Callable[[_F], _F]: ...
def typeof(value: object) -> object: ...
