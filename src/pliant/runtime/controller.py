"""The controller: owns an arm, runs the loop, obeys lines, publishes every tick, ends safely."""

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
import yaml

from pliant import commands as c
from pliant.config import plain
from pliant.errors import PliantError, Refused
from pliant.reasons import Reason, Verdict
from pliant.runtime.intake import Client, Intake
from pliant.runtime.loop import Loop
from pliant.runtime.protocol import help_text, parse
from pliant.runtime.ring import RingWriter
from pliant.runtime.telemetry import telemetry_line
from pliant.supervisor import State
from pliant.supervisor.supervisor import read_text

_TELEMETRY_EVERY = 10
_AT_REST = 1e-4
"""Joint speed, rad/s, below which an arm that was stopped is at rest."""

_LONGEST_STOP = 3.0
_LAST_WORDS = 0.5


class Ending(Enum):
    """Why a controller ended: the exit status, and the reason in the last tick."""

    STOPPED = (0, Reason.STOP_ASKED)
    TIME_OVER = (0, Reason.TIME_OVER)
    FAILED = (1, Reason.EXCEPTION)
    STDIN_CLOSED = (3, Reason.STDIN_CLOSED)
    FAULT = (4, Reason.NONE)
    WATCHDOG = (5, Reason.WATCHDOG)
    INTERRUPTED = (130, Reason.SIGNAL)
    TERMINATED = (143, Reason.SIGNAL)

    @property
    def status(self) -> int:
        """The exit status."""
        return self.value[0]

    @property
    def reason(self) -> Reason:
        """The reason in the tick; a fault has its own."""
        return self.value[1]


@dataclass(frozen=True, kw_only=True)
class Start:
    """What a controller does by itself when it starts.

    Attributes:
        law: The law to activate after zeroing the sensor; None to stay inactive.
        wrench: Wrench target to begin with.
        pose: Pose to begin with, x y z qw qx qy qz.
        duration: When to end, s; 0 is never.
        stay: Whether to go on, holding, after a fault, so that it can be reset.
    """

    law: str | None = "hybrid_admittance"
    wrench: tuple[float, ...] | None = None
    pose: tuple[float, ...] | None = None
    duration: float = 0.0
    stay: bool = False


class Controller:
    """Runs an arm until told to stop, and never leaves it moving.

    One thread. Each tick takes at most one line. The lease says who may command: the first to do
    so while it is free, until it lets go or is gone. `STOP` is anyone's, and so are the signals.
    """

    def __init__(self, loop: Loop, intake: Intake, ring: RingWriter, start: Start) -> None:
        self._loop = loop
        self._intake = intake
        self._ring = ring
        self._start = start
        self._holder: Client | None = None
        self._ending: Ending | None = None
        self._ending_since = 0.0
        self._watchdog = 0.0
        self._fed = 0.0
        self._starting = self._start_up()
        self._signal: int | None = None

    def run(self) -> Ending:
        """Run until the end, and return why."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        try:
            while not self._finished():
                self._loop.step(self._between)
                self._after()
        except Exception as error:
            self._ending = Ending.FAILED
            self._say(f"END {type(error).__name__}: {error}")
            raise
        finally:
            self._loop.robot.stop()
            self._loop.robot.close()
            self._let_go()
        return self._ending or Ending.STOPPED

    def _between(self) -> None:
        """Once a tick: clients, signals, what is due, and at most one line."""
        self._intake.poll()
        if self._signal is not None:
            self._end(_BY_SIGNAL[self._signal])
        for client in self._intake.departed():
            self._departed(client)
        if self._intake.console.gone and not self._intake.console.lines:
            self._end(Ending.STDIN_CLOSED)
        if next(self._starting, None) is None:
            self._take_line()
        self._check_time()

    def _after(self) -> None:
        """Once a tick: telemetry, and what the tick brought."""
        row = self._loop.row
        if row["k"].item() % _TELEMETRY_EVERY == 0:
            self._intake.console.offer(telemetry_line(row))
        if row["state"].item() == State.FAULT and self._ending is None and not self._start.stay:
            self._end(Ending.FAULT)

    # lines

    def _take_line(self) -> None:
        taken = self._intake.next_line()
        if taken is None:
            return
        client, line = taken
        k = self._loop.row["k"].item() + 1
        try:
            text = _decoded(line)
            self._ring.write_line("command", k, f"{client.name}: {text}")
            reply = f"OK {self._obey(client, parse(text))}"
        except PliantError as error:
            reply = f"ERR {error}"
        self._ring.write_line("reply", k, f"{client.name}: {reply}")
        client.send(reply.replace("\n", " "))

    def _obey(self, client: Client, command: c.Command) -> str:
        if not command.anyone:
            self._need_lease(client)
        if client is self._holder:
            self._fed = self._loop.row["time"].item()
        if isinstance(command, c.Stop):
            self._end(Ending.STOPPED)
            return "stopping"
        if isinstance(command, c.Lease):
            return self._lease(client, command.action)
        if isinstance(command, c.Watchdog):
            self._watchdog = command.seconds
            return f"watchdog {command.seconds:g} s" if command.seconds else "watchdog off"
        if isinstance(command, c.GetParameter):
            value = plain(self._loop.supervisor.config.get(command.path))
            return yaml.safe_dump(value, default_flow_style=True, width=10**9).splitlines()[0]
        if isinstance(command, c.QueryState):
            return self._state()
        if isinstance(command, c.Help):
            return help_text(command.about)
        if isinstance(command, c.Ping):
            return "pong"
        if self._ending is not None:
            raise Refused("stopping")
        return self._loop.supervisor.take(command, self._loop.row).text

    def _state(self) -> str:
        row = self._loop.row
        index = row["law"].item()
        law = self._loop.supervisor.law_names[index] if index >= 0 else "none"
        verdict = Verdict(row["verdict"].item())
        parts = [
            f"state={State(row['state'].item()).name}",
            f"law={law}",
            f"sensor={verdict.name}",
            f"control={self._holder.name if self._holder else 'free'}".replace(" ", ""),
            f"reason={read_text(row) or 'none'}",
        ]
        return " ".join(parts)

    # the lease

    def _need_lease(self, client: Client) -> None:
        if self._holder is None:
            self._holder = client
        if self._holder is not client:
            raise Refused(f"{self._holder.name} is in control; STOP is anyone's")

    def _lease(self, client: Client, action: str) -> str:
        if action == "take":
            self._need_lease(client)
            return f"{client.name} is in control"
        if action == "release" and self._holder is client:
            self._holder = None
        return f"{self._holder.name} is in control" if self._holder else "nobody is in control"

    def _departed(self, client: Client) -> None:
        """Whoever was in control and vanished leaves the arm to its safe action."""
        if client is self._holder:
            self._holder = None
            self._loop.supervisor.stop(self._loop.row, Reason.CLIENT_GONE)
            self._event(f"{client.name} was in control and is gone: {Reason.CLIENT_GONE.text}")

    # beginning and end

    def _start_up(self) -> Iterator[bool]:
        """Zero the sensor and put the law in charge; yields while it is at it."""
        take = self._loop.supervisor.take
        try:
            yield True
            take(c.Zero(), self._loop.row)
            asked = self._loop.row["zero_seq"].item() + 1
            while (
                self._loop.row["zero_seen"].item() != asked
                or self._loop.row["zero_left"].item() > 0
            ):
                yield True
            if self._start.law is not None:
                take(c.Activate(law=self._start.law), self._loop.row)
                yield True
            if self._start.wrench is not None:
                take(c.SetWrench.model_validate({"wrench": self._start.wrench}), self._loop.row)
            if self._start.pose is not None:
                take(c.MoveTo.model_validate({"pose": self._start.pose}), self._loop.row)
        except PliantError as error:
            self._event(f"not started: {error}")
        self._event(f"ready: {self._state()}")

    def _check_time(self) -> None:
        now = self._loop.row["time"].item()
        if self._start.duration and now >= self._start.duration:
            self._end(Ending.TIME_OVER)
        if self._watchdog and now - self._fed > self._watchdog:
            self._end(Ending.WATCHDOG)

    def _end(self, why: Ending) -> None:
        """Begin to end; the first reason counts."""
        if self._ending is None:
            self._ending = why
            self._ending_since = self._loop.row["time"].item()
            self._loop.supervisor.stop(self._loop.row, why.reason)

    def _finished(self) -> bool:
        """Whether the arm is at rest and everyone was told."""
        if self._ending is None:
            return False
        row = self._loop.row
        waited = row["time"].item() - self._ending_since
        resting = row["law"].item() < 0 and np.abs(row["qd_limited"]).max() < _AT_REST
        return (resting and waited > 0.0) or waited > _LONGEST_STOP

    def _let_go(self) -> None:
        """Last words, then everything that others could find is removed."""
        reason = read_text(self._loop.row) or "stopped"
        self._say(f"END {reason}")
        deadline = time.monotonic() + _LAST_WORDS
        while self._intake.console.wants_writing and time.monotonic() < deadline:
            self._intake.poll()
            time.sleep(0.001)
        self._intake.close()
        self._ring.close()

    def _event(self, text: str) -> None:
        self._ring.write_line("event", self._loop.row["k"].item(), text)
        self._say(f"EVENT {text}")

    def _say(self, text: str) -> None:
        self._intake.console.send(text)

    def _on_signal(self, number: int, _frame: object) -> None:
        self._signal = number


_BY_SIGNAL = {int(signal.SIGTERM): Ending.TERMINATED, int(signal.SIGINT): Ending.INTERRUPTED}


def _decoded(line: bytes | None) -> str:
    if line is None:
        raise Refused("the line is too long")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Refused("the line is not UTF-8") from None
    return text.strip()
