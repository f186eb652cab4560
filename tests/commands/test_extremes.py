"""No accepted command makes a number that is not finite, whatever numbers it has."""

from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.api.local_session import LocalSession
from pliant.commands.line_protocol import parse, write
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.errors import PliantError
from pliant.reasons import State

from ..bounded_numbers import BoundedNumber, numbers_of

EXTREMES = (0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e-9, -1e-9, 1.0, -1.0, 3.2, -3.2, 1e155, -1e155,
            1e308, -1e308)  # fmt: skip

SPECS = ("sim:ur5e", "sim:panda")
TICKS = 4


class Subject:
    """An arm in simulated time of which no number may become infinite or NaN."""

    def __init__(self, spec: str) -> None:
        self.session = LocalSession(spec, configure(spec, None, 0), (), 0.1)
        self.run(3)
        self.accepted = 0
        row = self.session.row
        # a row as numbers of eight bytes, of which integers and what is never finite are left out
        known = np.zeros(1, row.dtype)
        for name in row.dtype.names or ():
            if row[name].dtype.kind == "f":
                known[name] = np.where(np.isfinite(row[name]), 1.0, 0.0)
        self._floats = np.flatnonzero(known.view(np.float64) == 1.0)
        self.give(c.Zero())
        self.run(200)

    def run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.session.advance()

    def give(self, command: c.Command) -> bool:
        """Give a command and look at what becomes of it; whether it was accepted."""
        try:
            reply = self.session.take(command)
        except PliantError:
            return False
        assert "nan" not in reply.text and "inf" not in reply.text, (write(command), reply.text)
        self.accepted += 1
        for _ in range(TICKS):
            row = self.session.advance()
            assert np.isfinite(row.view(np.float64)[self._floats]).all(), write(command)
        return True

    def prepare(self, law: str | None, mode: str = "idle") -> None:
        """Reset the arm, and activate a law or a mode of the joints."""
        row = self.session.row
        if row["state"].item() == State.FAULT:
            self.give(c.Reset())
        if law is None:
            self.give(c.Deactivate())
            self.give(c.SetMode(joints="all", modes=(mode,)))
        elif self.session.row["law"].item() != self.session.laws.index(law):
            self.give(c.Activate(law=law))
            self.give(c.SetAxes(mask=(False, True, True, False, False, True)))
            self.give(c.SetWrench(wrench=(0, 0, 5, 0, 0, 1)))
            self.give(c.Jog(twist=(0, 0, 0.01, 0, 0, 0.1), timeout=2.0))
            self.give(c.Sinus())


@pytest.fixture(scope="module", params=SPECS)
def subject(request: pytest.FixtureRequest) -> Subject:
    return Subject(request.param)


MODES = {c.PositionMove: "pos", c.SetPosition: "posd", c.VelocityMove: "vel", c.SetTorque: "torq",
         c.SetOutput: "ipwm"}  # fmt: skip


def values_of(number: BoundedNumber) -> set[float]:
    """What to try for a number: its bounds and extremes between them; others are refused anyway."""
    assert number.low is not None
    high = 1e6 if number.high is None else number.high
    between = {value for value in EXTREMES if number.low <= value <= high}
    return {int(value) if number.whole else value for value in (number.low, high, *between)}


def lines() -> Iterator[tuple[type[c.Command], str]]:
    """Every command with every extreme in the place of every number."""
    for kind in c.COMMANDS:
        tokens = [
            str(name)
            for field in kind.model_fields.values()
            for name in str((field.json_schema_extra or {}).get("tokens", "")).split()
        ]
        numeric = list(numbers_of(kind))
        for value in {value for number in numeric for value in (*values_of(number), *EXTREMES)}:
            for place in range(len(tokens)):
                words = [{"joints": "all", "frame": ""}.get(token, "0") for token in tokens]
                words[place] = repr(value)
                yield kind, " ".join([kind.word, *(word for word in words if word)])


def test_every_number_of_every_command(subject: Subject) -> None:
    for kind, line in lines():
        if issubclass(kind, c.SetSubspace):
            continue
        law = "hybrid_admittance" if not issubclass(kind, c.JointCommand) else None
        subject.prepare(law, MODES.get(kind, "idle"))
        try:
            command = parse(line)
        except PliantError:
            continue
        if isinstance(command, c.Stop) or command.anyone:
            continue
        subject.give(command)
    assert subject.accepted > 500


def test_every_parameter(subject: Subject) -> None:
    before, laws = subject.accepted, subject.session.laws
    for number in numbers_of(Config):
        path = ".".join(part for part in number.path if isinstance(part, str))
        section, _, rest = path.partition(".")
        try:
            default = subject.session.config.get(path)
        except PliantError:
            continue
        law = rest.partition(".")[0] if section == "laws" else "hybrid_admittance"
        for value in values_of(number):
            shaped = number.placed(default, value)
            if law not in laws:
                continue
            subject.prepare(law)
            if subject.give(c.SetParameter(path=path, value=shaped)):
                subject.session.take(c.SetParameter(path=path, value=default))
    assert subject.accepted > before + 500
