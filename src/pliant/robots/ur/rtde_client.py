"""An RTDE client: asks for a recipe, and waits for the arm's packages.

Every request has a time-out, and what is not RTDE is a sentence, never a hang.
"""

import select
import socket
import time
from collections.abc import Sequence

from pliant.robots.arm_lost import ArmLost
from pliant.robots.ur.rtde_protocol import (
    FLOAT,
    NOT_FOUND,
    PORT,
    RATE,
    SOFTWARE_VERSION,
    VERSION,
    WORD,
    Package,
    PackageType,
    ProtocolError,
    Recipe,
    join_names,
    package,
    split_names,
    take_packages,
    unpack_text,
)
from pliant.robots.ur.ur_state import UrState

_TIMEOUT = 2.0
_CHUNK = 1 << 16
_MOST_BUFFERED = 1 << 23


class RtdeClient:
    """A connection to port 30004 of an arm.

    Attributes:
        host: The arm's address.
        messages: Texts that the arm sent, oldest first; at most 100.
        recipe: The outputs that were asked for.
    """

    recipe: Recipe

    def __init__(self, host: str, timeout: float = _TIMEOUT) -> None:
        """Connect.

        Raises:
            ArmLost: Nobody answers there.
            ProtocolError: What answers is not RTDE, version 2.
        """
        self.host = host
        self.messages: list[str] = []
        self._timeout = timeout
        self._buffer = bytearray()
        try:
            self._socket = socket.create_connection((host, PORT), timeout)
        except OSError as error:
            raise ArmLost(
                f"no arm answers at {host}, port {PORT}: {error}; check its address, and that it "
                "is switched on"
            ) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._pending: list[Package] = []
        try:
            if self._ask(PackageType.PROTOCOL_VERSION, WORD.pack(VERSION))[:1] != b"\1":
                raise ProtocolError(f"the arm at {host} does not speak RTDE version {VERSION}")
        except Exception:
            self.close()
            raise

    def software_version(self) -> tuple[int, int, int, int]:
        """The version of the arm's software: major, minor, bugfix, build."""
        body = self._ask(PackageType.SOFTWARE_VERSION)
        if len(body) < SOFTWARE_VERSION.size:
            raise ProtocolError(f"the arm at {self.host} tells no software version")
        major, minor, bugfix, build = SOFTWARE_VERSION.unpack_from(body)
        return major, minor, bugfix, build

    def start(self, names: Sequence[str], rate: float = RATE) -> None:
        """Ask for outputs; from now on their packages come.

        Raises:
            ProtocolError: The arm does not know one of them.
        """
        body = self._ask(PackageType.OUTPUTS, FLOAT.pack(rate) + join_names(names))
        types = split_names(body[1:])
        unknown = [n for n, kind in zip(names, types, strict=False) if kind == NOT_FOUND]
        if unknown:
            raise ProtocolError(f"the arm at {self.host} does not know {', '.join(unknown)}")
        self.recipe = Recipe(names, types)
        if self._ask(PackageType.START)[:1] != b"\1":
            raise ProtocolError(f"the arm at {self.host} sends no data")

    def newest(self, timeout: float) -> tuple[tuple[float, ...], int]:
        """Wait for a package; the values of the newest one, and how many were older.

        Raises:
            ArmLost: None came in time, or the connection is closed.
            ProtocolError: What came is not what was asked for.
        """
        deadline = time.monotonic() + timeout
        # some may have come with the answer to the last request
        data = [item.body for item in self._pending if item.type == PackageType.DATA]
        self._pending.clear()
        while not data:
            left = deadline - time.monotonic()
            if left <= 0.0 or not self._receive(left):
                raise ArmLost(f"no package from {self.host} for {1e3 * timeout:.0f} ms")
            data = [item.body for item in self._take() if item.type == PackageType.DATA]
        return self.recipe.unpack(data[-1]), len(data) - 1

    def newest_state(self, timeout: float) -> tuple[UrState, float]:
        """Wait for a package; the state in the newest one, and the arm's time, s.

        Raises:
            ArmLost: None came in time, or the connection is closed.
            ProtocolError: What came is not what was asked for.
        """
        state = UrState(self.recipe, self.newest(timeout)[0])
        return state, state["timestamp"]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _ask(self, kind: PackageType, body: bytes = b"") -> bytes:
        """The body of the answer to a request."""
        try:
            self._socket.sendall(package(kind, body))
        except OSError as error:
            raise ArmLost(f"{self.host} hangs up: {error}") from None
        deadline = time.monotonic() + self._timeout
        while True:
            while self._pending:
                item = self._pending.pop(0)
                if item.type == kind:
                    return item.body
            left = deadline - time.monotonic()
            if left <= 0.0 or not self._receive(left):
                raise ArmLost(f"{self.host} does not answer {kind.name} within {self._timeout:g} s")
            self._pending += self._take()

    def _receive(self, timeout: float) -> bool:
        """Wait for bytes and read all that are there; False if none came."""
        if not self._poll.poll(max(0.0, 1e3 * timeout)):
            return False
        before = len(self._buffer)
        try:
            while data := self._socket.recv(_CHUNK):
                self._buffer += data
                if len(self._buffer) > _MOST_BUFFERED:
                    raise ProtocolError(f"{self.host} sends more than anybody can read")
        except BlockingIOError:
            return True
        except OSError as error:
            raise ArmLost(f"the connection to {self.host} is lost: {error}") from None
        if len(self._buffer) > before:
            # what came before the end counts
            return True
        raise ArmLost(f"{self.host} closed the connection")

    def _take(self) -> list[Package]:
        """Complete packages; texts are set aside."""
        taken = []
        for item in take_packages(self._buffer):
            if item.type == PackageType.TEXT:
                self.messages = [*self.messages[-99:], unpack_text(item.body)]
            else:
                taken.append(item)
        return taken
