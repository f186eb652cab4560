"""The parser and the supervisor of a simulated arm: what a refused line may not change."""

import random

import numpy as np

from pliant import commands as c
from pliant.api.local_session import LocalSession
from pliant.commands.line_protocol import MAX_LINE, help_text, parse
from pliant.controller.arm_config import configure
from pliant.controller.line_text import decoded, printable
from pliant.errors import PliantError

from .kind import Finding, Tally
from .line_maker import LineMaker
from .tick_checks import TickChecks

_ROWS = 64


class LineSubject:
    """Decides on lines as a controller does, and runs a tick now and then.

    Attributes:
        session: The arm.
        accepted: How many lines were accepted.
        refused: How many were refused.
    """

    def __init__(self, spec: str) -> None:
        self.session = LocalSession(spec, configure(spec, None, None), (), 1.0)
        for _ in range(5):
            self.session.advance()
        self.accepted = self.refused = 0
        self._supervisor = self.session._loop.supervisor
        speed = self.session.config.safety.tool_speed
        self._checks = TickChecks(self.session.arm, speed, overpowered=True)
        self._rows: list[np.ndarray] = []

    @property
    def _pending(self) -> tuple[bytes, bytes]:
        """What the next tick takes over, and its parameters."""
        return self._supervisor.wishes.table.tobytes(), self.session._loop.pipeline._p.tobytes()

    def take(self, line: bytes | None) -> bool:
        """Decide on a line; whether it was accepted.

        Raises:
            Finding: A refusal changed something, or the reply is no single line.
        """
        config, pending = self.session.config, self._pending
        try:
            reply, accepted = self._reply(line), True
        except PliantError as error:
            reply, accepted = str(error), False
            if self.session.config is not config or self._pending != pending:
                raise Finding(f"a refused line changed something: {line!r}") from None
        if "\n" in printable(reply) or printable(reply).encode() == b"":
            raise Finding(f"the reply is no line: {reply!r} to {line!r}")
        self.accepted += accepted
        self.refused += not accepted
        return accepted

    def _reply(self, line: bytes | None) -> str:
        command = parse(decoded(line))
        if isinstance(command, c.Help):
            return help_text(command.about)
        if isinstance(command, c.GetParameter):
            return str(self.session.config.get(command.path))
        if command.anyone or isinstance(command, c.Watchdog | c.Push):
            return "by the controller"
        return self._supervisor.take(command, self.session.row).text or "done"

    def advance(self) -> None:
        """Run a tick, and check the last ones when there are some.

        Raises:
            Finding: One of them is not as it must be.
        """
        self._rows.append(self.session.advance().copy())
        speed = self.session.config.safety.tool_speed
        self._checks.tool_speed = max(self._checks.tool_speed, speed)
        if len(self._rows) == _ROWS:
            self._checks.check(np.concatenate(self._rows))
            self._rows = []


def decide(spec: str, dice: random.Random, count: int) -> Tally:
    """Give hostile lines to a parser and a supervisor."""
    subject = LineSubject(spec)
    session = subject.session
    maker = LineMaker(session.arm, session.laws)
    every = dice.choice((1, 5, 20))
    for k in range(count):
        line = maker.line(dice, session.row, session.config)
        try:
            subject.take(line if len(line) <= MAX_LINE else None)
            if k % every == 0:
                subject.advance()
        except Exception as error:
            raise Finding(f"{type(error).__name__} {error}: after {line[:300]!r}") from error
    session.close()
    return Tally(subject.accepted, subject.refused)
