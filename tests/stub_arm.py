"""An arm in a process of its own that keeps moving with its last velocity, whoever falls silent.

It takes joint set points on one connection and goes on with the velocity between the last two when
no more come, also when that connection drops. Only a stop, which comes on a connection of its own,
or set points at rest end its motion; a set point after a stop moves it again. It notes when what
arrived, on the monotonic clock.

As a program it prints its port and ends when its standard input does. As a file of a user's own it
has a robot, `StubRobot`, and a law, `Misbehaving`, for `pliant control`.
"""

import json
import os
import select
import signal
import socket
import struct
import sys
import time

SET_POINT = struct.Struct("=c6d")
STATE = struct.Struct("=6d")
PORT, MISDEED = "PLIANT_STUB_PORT", "PLIANT_STUB_MISDEED"
READY_AT = 1.0
"""Time of the law at which it misbehaves, s; longer than its trial in simulation."""

SPEED = 0.03
"""How fast the tool moves until then, m/s."""

HOME = (0.0, -1.5708, 1.5708, -1.5708, -1.5708, 0.0)
DT = 0.002


class StubArm:
    """Joints with a velocity, and when they were told what.

    Attributes:
        log: Times on the monotonic clock, by what arrived first or last then.
    """

    def __init__(self) -> None:
        self.log: dict[str, float] = {}
        self._q, self._qd, self._at = list(HOME), [0.0] * 6, time.monotonic()
        self._worst = 0.0

    def position(self, now: float) -> list[float]:
        """Where the joints are."""
        return [q + qd * (now - self._at) for q, qd in zip(self._q, self._qd, strict=True)]

    def set_point(self, q: list[float], now: float) -> None:
        """Go where a set point says, and then on with the velocity that it implies."""
        if "set_point" in self.log:
            self._worst = max(self._worst, now - self.log["set_point"])
        self.log["set_point"] = now
        self._qd = [(new - old) / DT for new, old in zip(q, self._q, strict=True)]
        self._q, self._at = q, now

    def stop(self, now: float) -> None:
        """Come to rest at once."""
        if "lapse" not in self.log:
            self.log["lapse"] = now - self.log["set_point"]
            self._worst = max(self._worst, self.log["lapse"])
        self._q, self._qd, self._at = self.position(now), [0.0] * 6, now

    def report(self) -> bytes:
        """What happened, as JSON."""
        told = {"q": self.position(time.monotonic()), "qd": self._qd, "worst": self._worst}
        return json.dumps(self.log | told).encode() + b"\n"


def serve() -> None:
    """Serve until standard input ends; loopback only."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(85))
    except OSError:
        print("the stub arm has no real-time priority", file=sys.stderr)
    arm = StubArm()
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    connections: dict[socket.socket, bytes] = {}
    while True:
        for ready in select.select([sys.stdin, server, *connections], [], [])[0]:
            if ready is sys.stdin:
                return
            if ready is server:
                accepted, _ = server.accept()
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connections[accepted] = b""
                continue
            try:
                data = ready.recv(4096)
            except ConnectionError:
                data = b""
            if not data:
                if connections.pop(ready)[:1] != b"?":
                    arm.log["dropped"] = time.monotonic()
                continue
            connections[ready] = answered(arm, ready, connections[ready] + data)


def answered(arm: StubArm, connection: socket.socket, data: bytes) -> bytes:
    """Obey all complete messages; what is left of them."""
    now = time.monotonic()
    while data:
        kind = data[:1]
        size = SET_POINT.size if kind == b"w" else 1
        if len(data) < size:
            break
        if kind == b"w":
            arm.set_point(list(SET_POINT.unpack(data[:size])[1:]), now)
        elif kind == b"r":
            connection.sendall(STATE.pack(*arm.position(now)))
        elif kind == b"S":
            arm.stop(now)
        elif kind == b"?":
            connection.sendall(arm.report())
            return b"?"
        data = data[size:]
    return data


def connected() -> socket.socket:
    """A connection to the stub arm of this test."""
    connection = socket.create_connection(("127.0.0.1", int(os.environ[PORT])), 10.0)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


if __name__ == "__main__":
    serve()
    sys.exit()

import resource  # noqa: E402

import numpy as np  # noqa: E402

import pliant  # noqa: E402
from pliant.robots.base import Stopper  # noqa: E402


class StubStopper(Stopper):
    """Stops the stub arm on a connection of its own."""

    def __init__(self) -> None:
        self._connection = connected()

    def stop(self) -> None:
        """Send the stop."""
        self._connection.sendall(b"S")


class StubRobot(pliant.Robot):
    """The stub arm: a real one, as far as Pliant is concerned."""

    description = pliant.load_arm("ur5e")

    @classmethod
    def open_stopper(cls, place, config):
        """Connect in the guardian."""
        return StubStopper()

    def connect(self):
        """Connect the controller."""
        self._connection = connected()
        self._readings = 0

    def read(self, tick):
        """Ask where the joints are."""
        self._connection.sendall(b"r")
        data = b""
        while len(data) < STATE.size:
            data += self._connection.recv(STATE.size - len(data))
        self._readings += 1
        tick["q"], tick["qd"], tick["temperature"] = STATE.unpack(data), 0.0, 25.0
        tick["sensor_seq"], tick["w_S_raw"] = self._readings, 0.0
        tick["tau_ext"] = tick["w_ext_T"] = np.nan
        tick["true_f_peak"] = tick["true_side_peak"] = tick["true_torque_peak"] = np.nan

    def write(self, tick):
        """Send a set point."""
        q = tick["q_limited"][0]
        self._connection.sendall(SET_POINT.pack(b"w", *q))
        tick["q_sent"], tick["tau_sent"] = q, 0.0


class UnstoppableRobot(StubRobot):
    """The stub arm without a connection to stop it."""

    open_stopper = pliant.Robot.open_stopper


class FailingRobot(StubRobot):
    """A stub arm whose stop cannot be prepared."""

    @classmethod
    def open_stopper(cls, place, config):
        """Find nobody there."""
        raise pliant.PliantError("nobody answers at the dashboard")


HOARD: list[bytearray] = []


def misbehave(misdeed: str) -> None:
    """Do what no law should do."""
    if misdeed == "never returns":
        while True:
            pass
    elif misdeed == "sleeps":
        time.sleep(1.0)
    elif misdeed == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif misdeed == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif misdeed == "out of memory":
        # kept, so that the controller has none left either
        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + (1 << 20), resource.RLIM_INFINITY))
        while True:
            HOARD.append(bytearray(1 << 16))


class Misbehaving(pliant.PoseLaw):
    """Moves the tool at a constant speed, and misbehaves a second later."""

    name = "misbehaving"

    def update(self, prev, tick):
        """Move on, or misbehave."""
        before, now = prev[0], tick[0]
        start = now.X_WT_sent if before.law < 0 else before.X_WT_cmd
        now.X_WT_cmd[:] = start
        now.X_WT_cmd[1] += SPEED * now.dt
        now.v_cmd_T[:] = 0.0
        self._time = 0.0 if before.law < 0 else self._time + now.dt
        if self._time > READY_AT:
            misbehave(os.environ.get(MISDEED, ""))
