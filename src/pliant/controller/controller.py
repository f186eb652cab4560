"""The controller: owns an arm, runs the loop, obeys lines, publishes every tick, ends safely."""

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from pliant import commands as c
from pliant.commands.line_protocol import help_text, parse
from pliant.config import plain
from pliant.controller.exit_reason import BY_SIGNAL, Ending
from pliant.controller.intake import Intake
from pliant.controller.lease import Lease
from pliant.controller.line_client import Client
from pliant.controller.wakeup import Bell
from pliant.errors import PliantError, Refused
from pliant.loop.loop import Loop
from pliant.loop.publisher import Watcher
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.telemetry import Telemetry
from pliant.reasons import Reason, Verdict
from pliant.robots.sim import SimRobot
from pliant.stages.supervisor import State, read_text

_TELEMETRY_EVERY = 10
_MOST_TICKS = 500
"""How many ticks follow each other without the controller looking after anything, if not called."""

_AT_REST = 1e-4
"""Joint speed, rad/s, below which an arm that was stopped is at rest."""

_BRAKING_TIME = 2.0
"""How long an arm may take to come to rest once no law is active, s."""

_LAST_WORDS = 0.5
_PING = c.Ping.word.encode()

CONTROL = "in control: "
"""How an event in the ring begins that says who holds the lease now."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """What a controller does by itself when it starts.

    Attributes:
        law: The law to activate after zeroing the sensor; None to stay inactive.
        commands: What to do then.
        duration: When to end, s; 0 is never.
        stay: Whether to go on, holding, after a fault, so that it can be reset.
    """

    law: str | None = "hybrid_admittance"
    commands: tuple[c.Command, ...] = ()
    duration: float = 0.0
    stay: bool = False


class Controller:
    """Runs an arm until told to stop, and never leaves it moving.

    One thread. Each tick takes at most one line. The lease says who may command; `STOP` is
    anyone's, and so are the signals.
    """

    def __init__(self, loop: Loop, intake: Intake, ring: Watcher, start: Start) -> None:
        self._loop = loop
        loop.publisher = ring
        loop.introduce(ring)
        self._intake = intake
        self._ring = ring
        self._start = start
        self._duration = start.duration or inf
        self._telemetry = Telemetry(_TELEMETRY_EVERY, intake.console.write_descriptor)
        self._clock_tells = isinstance(loop.clock, RealTimeClock) and loop.clock.tells
        # in simulated time everything must be seen at its tick
        self._bell = Bell(intake.descriptor if self._clock_tells else None)
        if isinstance(loop.clock, RealTimeClock):
            loop.clock.watch(self._bell.rang, self._telemetry.telling)
        loop.link()
        self._lease = Lease(self._tell_holder)
        self._watchdog_holds = False
        self._ending: Ending | None = None
        self._ending_since = 0.0
        self._starting: Iterator[None] | None = self._start_up()
        self._signal: signal.Signals | None = None
        for number in BY_SIGNAL:
            signal.signal(number, self._on_signal)
        self._bell.heed_signals()

    def run(self) -> Ending:
        """Run until the end, and return why.

        Raises:
            Exception: The arm could no longer be read or written; it was stopped by its backend.
        """
        try:
            while self._ending is None or not self._finished():
                self._loop.step(self._attend, self._undisturbed())
                self._after()
        except Exception:
            self._ending = Ending.FAILED
            raise
        finally:
            try:
                self._loop.robot.stop()
                self._loop.robot.close()
            finally:
                self._let_go()
        return self._ending or Ending.STOPPED

    def _attend(self) -> None:
        """Before the arm is read, if the bell rang. What fails here must not fail the arm."""
        try:
            self._intake.receive(self._intake.look(0))
            self._check_ends()
            if self._starting is None:
                self._take_line()
            elif self._ending is None and next(self._starting, self) is self:
                self._starting = None
            if not self._intake.stirred and self._starting is None:
                self._bell.hush()
            if self._signal is not None:
                self._bell.ring()
        except Exception as error:
            self._event(f"{type(error).__name__}: {error}")
            self._end(Ending.FAILED)

    def _undisturbed(self) -> int:
        """How many ticks may follow before there is something to do, if nothing comes."""
        if self._ending is not None or self._intake.unsent or not self._clock_tells:
            return 1
        return max(1, int(min(_MOST_TICKS, self._time_left() / self._loop.robot.dt)))

    def _after(self) -> None:
        """After a tick, or some: telemetry, replies, an end."""
        if not self._clock_tells:
            self._telemetry.after(self._loop.row)
        rest = self._telemetry.rest()
        if rest:
            self._intake.send_rest(rest)
        if self._intake.unsent:
            self._intake.flush()
        self._telemetry.hold(self._intake.console.deaf or self._intake.console.wants_writing)
        self._check_time()
        if self._loop.in_fault and not self._start.stay:
            self._end(Ending.FAULT)
            # a fault while stopping is what there is to tell
            self._ending = Ending.FAULT

    # lines

    def _take_line(self) -> None:
        taken = self._intake.next_line()
        if taken is not None:
            self._answer(*taken)

    def _answer(self, client: Client, line: bytes | None) -> None:
        k = self._loop.row["k"].item() + 1
        self._lease.feed(client, self._now)
        if line == _PING:
            # many times a second from whoever feeds a watchdog; nobody wants to read them
            self._intake.send(client, "OK pong")
            return
        try:
            text = _decoded(line)
            self._ring.write_line("command", k, f"{client.name}: {_printable(text)}")
            reply = f"OK {self._obey(client, parse(text), text)}"
        except PliantError as error:
            reply = f"ERR {error}"
        reply = _printable(reply)
        self._ring.write_line("reply", k, f"{client.name}: {reply}")
        self._intake.send(client, reply)

    def _obey(self, client: Client, command: c.Command, line: str) -> str:
        if not command.anyone:
            self._lease.need(client, self._now)
        if isinstance(command, c.Stop):
            self._end(Ending.STOPPED)
            return "stopping"
        if isinstance(command, c.Lease):
            return self._lease.do(client, command.action, self._now)
        if isinstance(command, c.Watchdog):
            self._lease.watch(command.seconds)
            self._watchdog_holds = command.action == "hold"
            return f"watchdog {command.seconds:g} s" if command.seconds else "watchdog off"
        if isinstance(command, c.GetParameter):
            return json.dumps(plain(self._loop.supervisor.config.get(command.path)))
        if isinstance(command, c.QueryState):
            return self._state()
        if isinstance(command, c.QueryJoints):
            return self._loop.supervisor.joints.describe(self._loop.row, command.joints)
        if isinstance(command, c.Help):
            return help_text(command.about)
        if isinstance(command, c.Ping):
            return "pong"
        if isinstance(command, c.SetName):
            return self._rename(client, command.name)
        if isinstance(command, c.Push):
            return self._push(command)
        if self._ending is not None:
            raise Refused("stopping")
        return self._loop.take(command, line).text

    def _push(self, command: c.Push) -> str:
        robot = self._loop.robot
        if not isinstance(robot, SimRobot):
            raise Refused("only a simulated arm can be pushed by a command")
        robot.hand.release()
        axes = "T" if command.frame == "tool" else "W"
        robot.hand.schedule(command.wrench, axes=axes, start=robot.time, duration=command.seconds)
        return f"pushing for {command.seconds:g} s"

    def _rename(self, client: Client, name: str) -> str:
        self._intake.rename(client, name)
        if client is self._lease.holder:
            self._lease.tell()
        return f"you are {name}"

    def _state(self) -> str:
        row = self._loop.row
        index = row["law"].item()
        law = self._loop.supervisor.law_names[index] if index >= 0 else "none"
        holder = self._lease.holder
        verdict = Verdict(row["verdict"].item())
        parts = [
            f"state={State(row['state'].item()).name}",
            f"law={law}",
            f"sensor={verdict.name}",
            f"control={holder.name if holder else 'free'}",
            f"reason={read_text(row) or 'none'}",
        ]
        return " ".join(parts)

    # the lease

    def _tell_holder(self, name: str) -> None:
        self._ring.write_line("event", self._loop.row["k"].item(), f"{CONTROL}{name}")

    def _departed(self, client: Client) -> None:
        """Whoever was in control and vanished leaves the arm to its safe action."""
        if client is self._lease.holder:
            self._lease.free()
            self._loop.stop(Reason.CLIENT_GONE)
            self._event(f"{client.name} was in control and is gone: the arm comes to rest")

    # beginning and end

    def _start_up(self) -> Iterator[None]:
        """Zero the sensor and put the law in charge, over as many ticks as it takes."""
        try:
            yield
            yield from self._zero()
            if self._start.law is not None:
                self._do(c.Activate(law=self._start.law))
                yield
            for command in self._start.commands:
                self._event(self._do(command))
                yield
        except PliantError as error:
            self._event(f"not started: {error}")
        self._event(f"ready: {self._state()}")

    def _zero(self) -> Iterator[None]:
        self._do(c.Zero())
        asked = self._loop.row["zero_seq"].item() + 1
        latest = self._loop.row["time"].item() + self._loop.supervisor.config.wrench.zero_time + 1.0
        yield
        while (row := self._loop.row)["time"].item() < latest:
            if row["zero_seen"].item() == asked and row["zero_left"].item() <= 0:
                return
            yield
        raise Refused("the sensor was not zeroed in time")

    def _do(self, command: c.Command) -> str:
        return self._loop.take(command).text

    def _check_ends(self) -> None:
        """Everything beside a line's turn that ends the controller, or someone's control."""
        if self._intake.stop_asked:
            self._end(Ending.STOPPED)
        if self._signal is not None:
            self._end(BY_SIGNAL[self._signal])
        for client in self._intake.departed():
            self._departed(client)
        console = self._intake.console
        # what a file on standard input says is obeyed first
        if console.gone and not console.lines and self._starting is None:
            self._end(Ending.STDIN_CLOSED)

    @property
    def _now(self) -> float:
        return self._loop.row["time"].item()

    def _time_left(self) -> float:
        """How long it is until time is over, or the watchdog bites, s."""
        return min(self._duration - self._now, self._lease.time_left(self._now))

    def _check_time(self) -> None:
        if self._now >= self._duration:
            self._end(Ending.TIME_OVER)
        if self._lease.time_left(self._now) < 0.0:
            if self._watchdog_holds and self._lease.holder:
                self._departed(self._lease.holder)
            else:
                self._end(Ending.WATCHDOG)

    def _end(self, why: Ending) -> None:
        """Begin to end; the first reason counts."""
        if self._ending is None:
            self._ending = why
            self._ending_since = self._now
            self._loop.stop(why.reason)

    def _finished(self) -> bool:
        """Whether the arm is at rest, or should have been for long."""
        row = self._loop.row
        waited = self._now - self._ending_since
        resting = row["law"].item() < 0 and np.abs(row["qd_limited"]).max() < _AT_REST
        longest = self._loop.supervisor.config.supervisor.stop_time + _BRAKING_TIME
        return (resting and waited > 0.0) or waited > longest

    def _let_go(self) -> None:
        """Last replies and last words, then everything that others could find is removed."""
        deadline = time.monotonic() + _LAST_WORDS
        while (taken := self._intake.next_line()) and time.monotonic() < deadline:
            self._answer(*taken)
            self._intake.receive(self._intake.look(0))
            self._intake.flush()
        text = _printable(f"END {self._why()}")
        self._ring.write_line("event", self._loop.row["k"].item(), text)
        self._intake.send_last(text)
        self._intake.flush()
        while self._intake.unsent and time.monotonic() < deadline:
            time.sleep(0.001)
            self._intake.flush()
        self._bell.close()
        self._intake.close()
        self._ring.close()

    def _why(self) -> str:
        in_tick = read_text(self._loop.row)
        asked = self._ending.reason.text if self._ending else ""
        in_fault = self._loop.row["state"].item() == State.FAULT
        if in_fault and self._ending not in (Ending.FAULT, Ending.FAILED):
            return f"{asked}; it was in fault: {in_tick}"
        return in_tick or asked

    def _event(self, text: str) -> None:
        text = _printable(text)
        self._ring.write_line("event", self._loop.row["k"].item(), text)
        self._intake.send(self._intake.console, f"EVENT {text}")

    def _on_signal(self, number: int, _frame: object) -> None:
        self._signal = self._signal or signal.Signals(number)
        self._bell.ring()


def _decoded(line: bytes | None) -> str:
    if line is None:
        raise Refused("the line is too long")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Refused("the line is not UTF-8") from None
    return text.strip()


def _printable(text: str) -> str:
    """A text that is one line for everyone, and can be encoded."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)
