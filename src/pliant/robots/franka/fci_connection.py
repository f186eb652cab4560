"""The connection to a Franka arm, through the vendor's pylibfranka.

pylibfranka holds Python's lock while it waits, up to a second for a state, and without end for some
answers. So its socket is polled first, and nothing is asked of an arm that may be gone.
"""

import contextlib
import ctypes
import ipaddress
import os
import re
import select
import socket
import stat
from collections.abc import Iterator, Sequence
from typing import Any

from pliant.errors import ConfigError, PliantError
from pliant.robots.arm_lost import ArmLost

_VERSIONS = re.compile(r"server version: (\d+), library version: (\d+)")
JOINTS = 7

_FR3 = 6
"""The lowest FCI version of a Franka Research 3; that of a Panda is 5 at most."""

_BRAKING = 2000
"""Longest time that the arm may take to brake, ms."""

_SILENCE = 0.1
"""Longest time without a state while it brakes, s."""

_REFUSED = (
    "unlock its brakes and activate FCI in Desk, and close other programs that use it: only one may"
)


class FciConnection:
    """A connection to port 1337 of an arm.

    Attributes:
        host: The arm's address.
        ended: Why the last torque control ended, in libfranka's words; empty while it runs.
    """

    def __init__(self, host: str, realtime: str | None) -> None:
        """Connect.

        Args:
            host: The arm's address.
            realtime: `enforce` or `ignore`; None enforces unless the arm is on this machine.

        Raises:
            PliantError: There is no connection; the message says why, and what to do.
        """
        import pylibfranka

        self.host = host
        self.ended = ""
        self._library = pylibfranka
        self._errors = (pylibfranka.FrankaException, RuntimeError)
        self._robot: Any = None
        self._control: Any = None
        self._old: Any = None
        self._gone = self._closed = False
        strict = (realtime or ("ignore" if is_loopback(host) else "enforce")) == "enforce"
        modes = pylibfranka.RealtimeConfig
        before = _sockets()
        try:
            with _same_priority():
                self._robot = pylibfranka.Robot(host, modes.kEnforce if strict else modes.kIgnore)
        except self._errors as error:
            raise _refusal(host, str(error)) from None
        # those that libfranka has opened
        self._sockets = {kind: number for number, kind in _sockets() - before}
        self._poll = select.poll()
        self._poll.register(self._sockets[socket.SOCK_DGRAM], select.POLLIN)

    @property
    def robot(self) -> Any:
        """pylibfranka's `Robot`, for commands outside a motion."""
        return self._robot

    @property
    def controls(self) -> bool:
        """Whether torque control runs."""
        return self._control is not None

    def next(self, silence: float) -> Any:
        """Wait for a state; the newest one.

        A torque control that the arm has ended is noted in `ended`.

        Raises:
            ArmLost: None came in time, or the connection is closed.
        """
        if self._gone or not self._poll.poll(1e3 * silence):
            self._gone = True
            raise ArmLost(f"no state from {self.host} for {1e3 * silence:.0f} ms")
        try:
            if self._control is not None:
                try:
                    return self._control.readOnce()[0]
                except self._library.ControlException as error:
                    self._control, self._old = None, self._control
                    self.ended = str(error)
            return self._robot.read_once()
        except self._errors as error:
            raise self._lost(error) from None

    def newest(self, silence: float) -> tuple[Any, float]:
        """Wait for a state; the newest one, and its time, s.

        Raises:
            ArmLost: None came in time, or the connection is closed.
        """
        state = self.next(silence)
        return state, state.time.to_sec()

    def start(self) -> None:
        """Start torque control; from now on the arm expects a command each millisecond.

        Raises:
            PliantError: The arm refuses.
        """
        try:
            self._release()
            self._control = self._robot.start_torque_control()
        except self._errors as error:
            raise PliantError(f"the arm at {self.host} starts no torque control: {error}") from None
        self.ended = ""

    def send(self, torques: Sequence[float]) -> None:
        """Send joint torques, N·m; nothing if the control has ended.

        Raises:
            ArmLost: The connection is closed.
        """
        if self._control is None:
            return
        try:
            self._control.writeOnce(self._library.Torques(torques))
        except self._errors as error:
            raise self._lost(error) from None

    def stop(self) -> None:
        """End the torque control: the arm itself brakes, and holds.

        A lost arm is asked nothing; it stops by itself when no commands come.
        """
        if self._control is None or self._gone:
            return
        self._robot.stop()
        for _ in range(_BRAKING):
            if self._control is None:
                return
            self.next(_SILENCE)

    def close(self) -> None:
        """Hang up. May be called twice."""
        try:
            if not self._gone:
                self.stop()
                self._release()
        finally:
            # what cannot be released is kept: its destructor may wait for ever, or end the process
            for thing in (self._control, self._old):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
            self._control = self._old = self._robot = None
            if not self._closed:
                _hang_up(self._sockets[socket.SOCK_STREAM])
            self._gone = self._closed = True

    def _release(self) -> None:
        """Let go of a control that has ended, as the last command of a motion does."""
        if self._old is None:
            return
        last = self._library.Torques([0.0] * JOINTS)
        last.motion_finished = True
        self._old.writeOnce(last)
        self._old = None

    def _lost(self, error: Exception) -> ArmLost:
        self._gone = True
        return ArmLost(f"the connection to {self.host} is lost: {_short(str(error))}")


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own: no real arm is there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refusal(host: str, error: str) -> PliantError:
    """Why there is no connection, and what to do."""
    if versions := _VERSIONS.search(error):
        server, library = int(versions[1]), int(versions[2])
        if server < _FR3:
            return ConfigError(
                f"the arm at {host} speaks FCI version {server}, so it is a Panda (FER), system "
                f"4.2 or older: pylibfranka speaks version {library} only, to a Franka Research 3"
            )
        return ConfigError(
            f"the arm at {host} speaks FCI version {server}, and pylibfranka version {library}: "
            "update the arm's system, or install the pylibfranka that fits it"
        )
    if "realtime" in error or "real-time" in error or "scheduling" in error:
        return PliantError(
            f"{_short(error)}: install a kernel with PREEMPT_RT and permit real-time priorities, "
            "or accept lost packets with franka.realtime: ignore"
        )
    return ArmLost(f"no FCI answers at {host}, port 1337: {_short(error)}; {_REFUSED}")


def _short(error: str) -> str:
    return error.removeprefix("libfranka: ").rstrip(".")


@contextlib.contextmanager
def _same_priority() -> Iterator[None]:
    """Undo what libfranka does to the priority of the thread; Pliant asks for its own."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)


def _sockets() -> set[tuple[int, int]]:
    """The sockets of this process: descriptor and kind."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                with socket.socket(fileno=os.dup(int(name))) as one:
                    found.add((int(name), one.type))
        except OSError:
            # closed meanwhile
            continue
    return found


def _hang_up(descriptor: int) -> None:
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as connection:
        connection.shutdown(socket.SHUT_RDWR)
