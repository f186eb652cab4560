"""RTDE version 2 on the wire: packages, value types and recipes. Everything is big-endian.

A package is its whole size (uint16), its type (uint8) and a body. Both ends are here: Pliant's
client of real arms and its virtual arm.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

from pliant.errors import PliantError

PORT = 30004
VERSION = 2
RATE = 500.0
"""Rate of the packages of an e-Series arm, Hz."""

HEADER = Struct(">HB")
FLOAT = Struct(">d")
WORD = Struct(">H")
SOFTWARE_VERSION = Struct(">4I")

NOT_FOUND, IN_USE = "NOT_FOUND", "IN_USE"
"""Types of a variable that the arm does not know, and of an input that another client has."""

_FORMATS = {
    "BOOL": "?",
    "UINT8": "B",
    "UINT32": "I",
    "UINT64": "Q",
    "INT32": "i",
    "DOUBLE": "d",
    "VECTOR3D": "3d",
    "VECTOR6D": "6d",
    "VECTOR6INT32": "6i",
    "VECTOR6UINT32": "6I",
}


class PackageType(IntEnum):
    """Types of packages: the codes of letters."""

    PROTOCOL_VERSION = ord("V")
    SOFTWARE_VERSION = ord("v")
    TEXT = ord("M")
    DATA = ord("U")
    OUTPUTS = ord("O")
    INPUTS = ord("I")
    START = ord("S")
    PAUSE = ord("P")


class ProtocolError(PliantError):
    """What came over the connection is not RTDE, or not what was asked for."""


@dataclass(frozen=True, kw_only=True)
class Package:
    """A package without its header.

    Attributes:
        type: Its type; a number that `PackageType` may not know.
        body: What follows the header.
    """

    type: int
    body: bytes


def package(kind: int, body: bytes = b"") -> bytes:
    """The bytes of a package."""
    return HEADER.pack(HEADER.size + len(body), kind) + body


def take_packages(buffer: bytearray) -> Iterator[Package]:
    """Take all complete packages from the front of a buffer; an incomplete one stays.

    Raises:
        ProtocolError: A size is too small to be one.
    """
    while len(buffer) >= HEADER.size:
        size, kind = HEADER.unpack_from(buffer)
        if size < HEADER.size:
            raise ProtocolError(f"this is not RTDE: a package claims to have {size} bytes")
        if len(buffer) < size:
            return
        body = bytes(buffer[HEADER.size : size])
        del buffer[:size]
        yield Package(type=kind, body=body)


def join_names(names: Sequence[str]) -> bytes:
    """Names of variables, or their types, as RTDE has them."""
    return ",".join(names).encode()


def split_names(data: bytes) -> list[str]:
    """Names from a package; a comma after the last one is allowed."""
    return [name for name in data.decode("ascii", "replace").split(",") if name]


class Recipe:
    """Variables that travel together in a data package.

    Attributes:
        names: Their names.
        types: Their types.
        size: Bytes of the body of a data package, the number of the recipe included.
    """

    def __init__(self, names: Sequence[str], types: Sequence[str]) -> None:
        """Make a recipe.

        Raises:
            ProtocolError: A type is unknown, or there are not as many types as names.
        """
        unknown = sorted({kind for kind in types if kind not in _FORMATS})
        if unknown or len(names) != len(types):
            raise ProtocolError(
                f"{len(names)} variables have the types {', '.join(types)[:80]}"
                + (f", of which {', '.join(unknown)[:40]} is unknown" if unknown else "")
            )
        self.names = tuple(names)
        self.types = tuple(types)
        self._struct = Struct(">B" + "".join(_FORMATS[kind] for kind in types))
        self.size = self._struct.size
        counts = [len(Struct(f">{_FORMATS[kind]}").unpack(bytes(_size(kind)))) for kind in types]
        starts = [1 + sum(counts[:i]) for i in range(len(counts))]
        self._slices = {
            name: slice(start, start + count)
            for name, start, count in zip(names, starts, counts, strict=True)
        }

    def where(self, name: str) -> slice:
        """Where the values of a variable are in those of a package."""
        return self._slices[name]

    def pack(self, number: int, values: Sequence[float]) -> bytes:
        """A data package of all values, one after the other."""
        return package(PackageType.DATA, self._struct.pack(number, *values))

    def unpack(self, body: bytes) -> tuple[float, ...]:
        """All values of the body of a data package, after the number of the recipe.

        More bytes than the recipe needs are ignored, as by the real controller.

        Raises:
            ProtocolError: There are too few bytes.
        """
        try:
            return self._struct.unpack_from(body)
        except struct.error:
            raise ProtocolError(
                f"a data package has {len(body)} bytes where its recipe needs {self.size}"
            ) from None


def _size(kind: str) -> int:
    return Struct(f">{_FORMATS[kind]}").size


def pack_text(message: str, source: str, level: int) -> bytes:
    """A text message of the controller; level 0 is an exception, 3 an information."""
    words = [text.encode()[:255] for text in (message, source)]
    body = b"".join(bytes([len(word)]) + word for word in words) + bytes([level])
    return package(PackageType.TEXT, body)


def unpack_text(body: bytes) -> str:
    """The message of a text package, with its source."""
    length = body[0] if body else 0
    message = body[1 : 1 + length]
    rest = body[1 + length :]
    source = rest[1 : 1 + rest[0]] if rest else b""
    return f"{source.decode(errors='replace')}: {message.decode(errors='replace')}"
