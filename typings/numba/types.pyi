"""Types of functions of the C library, as kernels call them."""

from typing import Any

class _Type:
    def __call__(self, *arguments: _Type) -> _Signature: ...

class _Signature: ...

class ExternalFunction:
    def __init__(self, symbol: str, sig: _Signature) -> None: ...
    def __call__(self, *arguments: Any) -> int: ...

int32: _Type
voidptr: _Type
intp: _Type
uintp: _Type
