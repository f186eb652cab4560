"""The soak: millions of ticks of arms that are commanded, pushed and in contact, each one checked.

In simulated time, with the physics. Ticks are checked in blocks; slices are recorded and recomputed
bit for bit.
"""

import random
from pathlib import Path

import numpy as np

from pliant.api.local_session import LocalSession
from pliant.commands import Push, Zero
from pliant.commands.line_protocol import parse
from pliant.controller.arm_config import configure
from pliant.errors import PliantError
from pliant.recording import load
from pliant.recording.recomputation import recompute
from pliant.stages.wrench.zeroing import Zeroing
from pliant.tick import Rows, new_rows

from .arm_commands import ArmCommands
from .kind import Finding, Tally
from .tick_checks import TickChecks, check_rest

_BLOCK = 1000
_SLICE = 300


class Watch:
    """A watcher that checks all ticks, a block at a time."""

    def __init__(self, n: int, checks: TickChecks) -> None:
        self._rows, self._count, self._checks = new_rows(n, _BLOCK), 0, checks

    def publish(self, tick: Rows) -> None:
        """Keep a tick; check when the block is full."""
        self._rows[self._count] = tick[0]
        self._count += 1
        if self._count == _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Check what is kept."""
        rows, self._count = self._rows[: self._count], 0
        self._checks.check(rows)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Nothing to check."""

    def close(self) -> None:
        """Nothing to release."""


class Soak:
    """Runs one arm; a case is a new simulation."""

    arm = ""
    scenes: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self._file = folder / "slice.mcap"

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Command an arm for a number of ticks, then stop it."""
        spec = f"sim:{self.arm}/{dice.choice(self.scenes)}"
        session = LocalSession(spec, configure(spec, None, dice.getrandbits(31)), (), 0.1)
        gentle = dice.random() < 0.7
        speed = session.config.safety.tool_speed
        checks = TickChecks(session.arm, speed, overpowered=not gentle)
        watch = Watch(session.arm.n, checks)
        session.watch(watch)
        commands = ArmCommands(session.arm, session.laws, gentle=gentle)
        run = _Run(session, commands, checks, dice)
        if gentle:
            # the contact limit holds from then on; without it a table may push harder than a hand
            _zero(session)
        slice_at = dice.randrange(count) if dice.random() < 0.5 else count
        run.advance(min(slice_at, count))
        if slice_at < count - _SLICE:
            self._slice(session, run)
            run.advance(count - slice_at - _SLICE)
        watch.flush()
        _stop(session)
        session.close()
        return Tally(accepted=count)

    def _slice(self, session: LocalSession, run: "_Run") -> None:
        """Record some ticks, and recompute them."""
        self._file.unlink(missing_ok=True)
        recorder = session.record(self._file)
        run.advance(_SLICE)
        recorder.close()
        result = recompute(load(self._file))
        if result.difference is not None:
            raise Finding(f"recompute differs: {result.difference}; commands: {run.last}")
        if result.refused:
            raise Finding(f"recompute refuses {result.refused[0].text}: {result.refused[0].why}")


class _Run:
    """Advances a session, and commands it now and then."""

    def __init__(
        self, session: LocalSession, commands: ArmCommands, checks: TickChecks, dice: random.Random
    ) -> None:
        self._session, self._commands = session, commands
        self._checks, self._dice = checks, dice
        self.last: list[str] = []

    def advance(self, ticks: int) -> None:
        """Run a number of ticks; many commands come together, and long pauses between them."""
        while ticks > 0:
            for _ in range(self._dice.choice((1, 1, 2, 4))):
                self._command()
            pause = min(ticks, self._dice.choice((1, 2, 5, 20, 50, 100, 300, 800)))
            for _ in range(pause):
                self._session.advance()
            ticks -= pause

    def _command(self) -> None:
        session = self._session
        line = self._commands.line(self._dice, session.row, session.config)
        self.last = [*self.last[-7:], line]
        try:
            command = parse(line)
            if isinstance(command, Push):
                hand = session.robot.hand
                assert hand is not None
                hand.release()
                axes = "T" if command.frame == "tool" else "W"
                hand.schedule(command.wrench, axes=axes, duration=command.seconds)
            else:
                session.take(command)
        except PliantError:
            return
        self._checks.tool_speed = max(self._checks.tool_speed, session.config.safety.tool_speed)


def _zero(session: LocalSession) -> None:
    """Zero the force sensor, as a controller does at start."""
    zeroing = Zeroing.after(session.row, session.config.wrench)
    session.take(Zero())
    session.advance()
    while not zeroing.is_done(session.row):
        session.advance()


def _stop(session: LocalSession) -> None:
    """Let go, stop, and check that the arm comes to rest."""
    hand = session.robot.hand
    assert hand is not None
    hand.release()
    for line in ("OFF", "JSTOP all"):
        try:
            session.take(parse(line))
        except PliantError:
            continue
    ticks = round(3.0 / session.dt)
    rows = np.concatenate([session.advance().copy() for _ in range(ticks)][-20:])
    check_rest(rows, session.arm)


class SoakUr5e(Soak):
    """The position arm."""

    arm = "ur5e"
    scenes = ("free", "table", "wall", "peg")


class SoakPanda(Soak):
    """A torque arm."""

    arm = "panda"
    scenes = ("free", "table", "peg")


class SoakFr3(SoakPanda):
    """The other torque arm."""

    arm = "fr3"
