"""The controller: owns an arm, runs the loop, obeys lines, publishes every tick, exits safely."""

import contextlib
import signal
import time
from collections.abc import Iterator
from functools import partial
from math import inf

import numpy as np

from pliant import commands as c
from pliant.commands.line_protocol import parse
from pliant.commands.reply import Reply
from pliant.commands.telemetry_line import first_numbers, telemetry_line
from pliant.controller import farewell
from pliant.controller.companions import Companion, Companions
from pliant.controller.exit_reason import BY_SIGNAL, WITH_LOSS, ExitReason
from pliant.controller.intake import Intake
from pliant.controller.lease import Lease
from pliant.controller.line_client import Client
from pliant.controller.line_text import decoded, printable, written
from pliant.controller.motion_wait import MotionWait
from pliant.controller.own_commands import OwnCommands
from pliant.controller.startup import Start
from pliant.controller.wakeup import Wakeup
from pliant.errors import PliantError, Refused, refusing_errors
from pliant.loop.clock import FastClock
from pliant.loop.loop import Loop
from pliant.loop.publisher import Watcher
from pliant.reasons import Reason, State
from pliant.stages.reference.playable_motion import MotionNotLoaded, PlayableMotion
from pliant.stages.supervisor import read_text
from pliant.stages.wrench.zeroing import Zeroing

_TELEMETRY_EVERY = 10
"""A telemetry line is sent every n-th tick."""

_MOST_UNCHECKED = 500
"""Most ticks between two looks at the time."""

_AT_REST = 1e-4
"""Joint speed, rad/s, below which a stopped arm is at rest."""

_BRAKING_TIME = 2.0
"""Longest time that an arm may take to come to rest after its law has ended, s."""

_ALWAYS_OBEYED = (c.Stop, c.QueryState, c.Ping)


class Controller:
    """Runs an arm until told to stop, and never leaves it moving.

    It has one thread and obeys at most one line per tick. The lease decides which client may
    command; any client may send `STOP`, and a signal stops it too. A client whose command names a
    motion waits for its reply until the motion is read, elsewhere; the others do not.
    """

    def __init__(
        self,
        loop: Loop,
        intake: Intake,
        ring: Watcher,
        start: Start,
        companions: Companions | None = None,
    ) -> None:
        """Publish what the loop starts from, and listen to signals.

        Args:
            loop: The loop, with its arm.
            intake: Where lines come from.
            ring: Where ticks and lines are published.
            start: What it does by itself.
            companions: The processes beside it.
        """
        self._loop = loop
        self._companions = companions or Companions()
        self._losses: list[str] = []
        self._released = False
        loop.on_abandon = self._companions.arm_stopping
        loop.publisher = ring
        loop.tell = self._event
        loop.introduce(ring)
        self._intake = intake
        self._ring = ring
        self._start = start
        self._duration = start.duration or inf
        self._until_telemetry = _TELEMETRY_EVERY
        self._told = first_numbers(loop.robot.n)
        self._until_check = 0
        # in simulated time every input must be seen at its tick
        real_time = not isinstance(loop.clock, FastClock)
        self._wakeup = Wakeup(intake.descriptor if real_time else None)
        self._lease = Lease(self._publish_holder)
        self._last_holder: Client | None = None
        self._own = OwnCommands(loop, intake, self._lease, lambda: self._end(ExitReason.STOPPED))
        self._motion = MotionWait(start.loader)
        self._ending: ExitReason | None = None
        self._ending_since = 0.0
        self._starting: Iterator[None] | None = self._start_up()
        self._signal: signal.Signals | None = None
        for number in BY_SIGNAL:
            signal.signal(number, self._on_signal)
        self._wakeup.watch_signals()
        for companion in self._companions.processes:
            intake.watch(companion.child.ended_descriptor(), partial(self._lost, companion))

    def run(self) -> ExitReason:
        """Run until the end; the reason for it.

        Raises:
            Exception: The arm could no longer be read or written; its backend stopped it.
        """
        try:
            while self._ending is None or not self._finished():
                self._loop.step(self._take_input)
                self._after()
        except Exception:
            self._ending = ExitReason.FAILED
            raise
        finally:
            try:
                self._companions.arm_stopping()
                self._loop.robot.stop()
                self._loop.robot.close()
                self._released = True
                self._companions.arm_released()
            finally:
                self._close()
        ending = self._ending or ExitReason.STOPPED
        return ExitReason.RECORDER_LOST if self._losses and ending not in WITH_LOSS else ending

    def _take_input(self) -> None:
        """Handle input before the arm is read. An error here must not fail the arm."""
        if not self._wakeup.flag[0]:
            return
        self._until_check = 0
        try:
            self._intake.receive(self._intake.look(0))
            self._check_loading()
            self._check_ends()
            if self._starting is None:
                self._take_line()
            elif self._ending is None and next(self._starting, self) is self:
                self._starting = None
            if not self._intake.stirred and self._starting is None:
                self._wakeup.rearm()
            if self._signal is not None:
                self._wakeup.wake()
        except Exception as error:
            self._event(f"{type(error).__name__}: {error}")
            self._end(ExitReason.FAILED)

    def _after(self) -> None:
        """Send telemetry and replies after a tick, and check for the end."""
        self._until_telemetry -= 1
        if self._until_telemetry == 0:
            self._until_telemetry = _TELEMETRY_EVERY
            if self._intake.has_room:
                self._intake.send(self._intake.console, telemetry_line(self._loop.row, self._told))
        if self._intake.unsent:
            self._intake.flush()
        self._until_check -= 1
        if self._until_check <= 0:
            self._check_time()
        if self._loop.in_fault and not self._start.stay:
            self._end(ExitReason.FAULT)
            # a fault while stopping replaces the reason that came first
            self._ending = ExitReason.FAULT

    # lines

    def _take_line(self) -> None:
        taken = self._intake.next_line()
        if taken is not None:
            self._answer(*taken)

    def _answer(self, client: Client, line: bytes | None) -> None:
        k = self._loop.row["k"].item() + 1
        self._lease.feed(client, self._now)
        if line == c.Ping.word.encode():
            # sent many times a second to feed a watchdog; not worth publishing
            self._intake.send(client, written(client, True, Reply(text="pong")))
            return
        try:
            text = decoded(line)
            self._ring.write_line("command", k, f"{client.name}: {printable(text)}")
            reply, ok = self._decide(client, text), True
        except PliantError as error:
            reply, ok = Reply(text=str(error)), False
        if reply is not None:
            self._reply(client, ok, reply)

    def _decide(self, client: Client, line: str) -> Reply | None:
        """The reply to a line; None if the client has to wait for it."""
        try:
            return self._obey(client, line)
        except MotionNotLoaded as missing:
            self._load(client, line, missing.file)
            return None

    def _reply(self, client: Client, ok: bool, reply: Reply) -> None:
        text = f"{client.name}: {'OK' if ok else 'ERR'} {printable(reply.text)}"
        self._ring.write_line("reply", self._loop.row["k"].item() + 1, text)
        self._intake.send(client, written(client, ok, reply))

    def _obey(self, client: Client, line: str, motion: PlayableMotion | None = None) -> Reply:
        with refusing_errors():
            command = parse(line)
            if client.reserved and not isinstance(command, _ALWAYS_OBEYED):
                raise Refused(
                    "too many clients are connected: until one leaves, only STOP, STATE and PING "
                    "are obeyed here"
                )
            if not command.anyone:
                self._lease.need(client, self._now)
            reply = self._own.obey(client, command, self._now)
        if reply is not None:
            return reply
        if self._ending is not None:
            raise Refused("the controller is stopping and takes no more commands")
        return self._loop.take(command, line, motion)

    # motions

    def _load(self, client: Client, line: str, file: str) -> None:
        """Let a client wait for its reply until the motion is read that its command names."""
        config = self._loop.supervisor.config
        self._motion.begin(client, line, file, config, self._wakeup.wake)

    def _check_loading(self) -> None:
        """Obey the command whose motion was read; nobody may want it any more."""
        waiting = self._motion.waiting
        if waiting is None or not self._motion.is_over(self._ending is not None):
            return
        client, line = waiting
        try:
            reply, ok = self._obey(client, line, self._motion.end()), True
        except PliantError as error:
            reply, ok = Reply(text=str(error)), False
        self._intake.answered(client)
        self._reply(client, ok, reply)

    # the lease

    def _publish_holder(self, name: str) -> None:
        self._ring.write_line("holder", self._loop.row["k"].item(), name)
        if self._lease.holder is not self._last_holder:
            self._last_holder = self._lease.holder
            if self._loop.supervisor.has_reactions(self._loop.row):
                # whoever armed them is no longer in control, and nothing moves on unwatched
                reply = self._loop.take(c.Disarm())
                with contextlib.suppress(Refused):
                    reply = self._loop.take(c.Hold())
                self._event(f"the client in control changed: conditions disarmed; {reply.text}")

    def _client_left(self, client: Client) -> None:
        """Bring the arm to rest if the client that has gone was in control."""
        if client is self._lease.holder:
            self._lease.free()
            self._loop.stop(Reason.CLIENT_GONE)
            self._event(f"{client.name} was in control and is gone: the arm comes to rest")

    # processes beside it

    def _lost(self, companion: Companion) -> None:
        """Say that a process beside the controller has ended, and do what that asks for."""
        if self._released:  # a guardian ends then
            return
        text = companion.epitaph()
        self._event(text)
        if companion.exits:
            self._end(ExitReason.UNGUARDED)
        if companion.recorder:
            self._losses.append(text)

    # start and exit

    def _start_up(self) -> Iterator[None]:
        """Zero the sensor and activate the law, over as many ticks as that takes."""
        try:
            yield
            yield from self._zero()
            if self._start.law is not None:
                self._loop.take(c.Activate(law=self._start.law))
                yield
            for command in self._start.commands:
                self._event(self._loop.take(command).text)
                yield
        except PliantError as error:
            self._event(f"not started: {error}")
        self._event(f"ready: {self._own.state().text}")
        self._start.on_ready()

    def _zero(self) -> Iterator[None]:
        zeroing = Zeroing.after(self._loop.row, self._loop.supervisor.config.wrench)
        self._loop.take(c.Zero())
        yield
        while not zeroing.is_done(self._loop.row):
            yield

    def _check_ends(self) -> None:
        """End the controller, or a lease, on STOP, a signal, closed input or a client that left."""
        if self._intake.stop_asked:
            self._end(ExitReason.STOPPED)
        if self._signal is not None:
            self._end(BY_SIGNAL[self._signal])
        for client in self._intake.departed():
            self._client_left(client)
        console = self._intake.console
        # lines of a file on standard input are obeyed first
        if console.gone and not console.busy and self._starting is None:
            self._end(ExitReason.STDIN_CLOSED)

    @property
    def _now(self) -> float:
        return self._loop.row["time"].item()

    def _check_time(self) -> None:
        """End if the time is over; then count the ticks until it can be."""
        if self._now >= self._duration:
            self._end(ExitReason.TIME_OVER)
        if self._intake.drop_idle():
            self._wakeup.wake()
        if self._motion.waiting is not None:
            # silence does not count while it waits for its reply
            self._lease.feed(self._motion.waiting[0], self._now)
        if self._lease.time_left(self._now) < 0.0:
            if self._own.watchdog_holds and self._lease.holder:
                self._client_left(self._lease.holder)
            else:
                self._end(ExitReason.WATCHDOG)
        left = min(self._duration - self._now, self._lease.time_left(self._now))
        self._until_check = int(min(_MOST_UNCHECKED, left / self._loop.robot.dt))

    def _end(self, why: ExitReason) -> None:
        """Start to end; the first reason counts."""
        if self._ending is None:
            self._ending = why
            self._ending_since = self._now
            self._loop.stop(why.reason)

    def _finished(self) -> bool:
        """Whether the arm is at rest, or has had time enough to be."""
        row = self._loop.row
        waited = self._now - self._ending_since
        resting = row["law"].item() < 0 and np.abs(row["qd_limited"]).max() < _AT_REST
        longest = self._loop.supervisor.config.supervisor.stop_time + _BRAKING_TIME
        return (resting and waited > 0.0) or waited > longest

    def _close(self) -> None:
        """Send the last replies and the reason, then remove ring and socket."""
        self._check_loading()
        self._motion.close()
        over = time.monotonic() + farewell.LONGEST
        try:
            farewell.answer_the_rest(self._intake, self._answer, over)
        except Exception as error:
            self._event(f"{type(error).__name__}: {error}")
        why = printable(self._why())
        self._ring.write_line("end", self._loop.row["k"].item(), why)
        self._intake.send_last(f"END {why}")
        if self._starting is not None:
            self._start.on_early_end(why)
        farewell.flush_while_read(self._intake, over)
        self._wakeup.close()
        self._intake.close()
        self._companions.ring_closing()
        self._ring.close()

    def _why(self) -> str:
        return "; ".join([self._why_in_tick(), *self._losses])

    def _why_in_tick(self) -> str:
        in_tick = read_text(self._loop.row)
        asked = self._ending.reason.text if self._ending else ""
        in_fault = self._loop.row["state"].item() == State.FAULT
        if in_fault and self._ending not in (ExitReason.FAULT, ExitReason.FAILED):
            return f"{asked}; it was in fault: {in_tick}"
        return in_tick or asked

    def _event(self, text: str) -> None:
        text = printable(text)
        self._ring.write_line("event", self._loop.row["k"].item(), text)
        self._intake.send(self._intake.console, f"EVENT {text}")

    def _on_signal(self, number: int, _frame: object) -> None:
        self._signal = self._signal or signal.Signals(number)
        self._wakeup.wake()
