"""A hundred thousand lines of nonsense: one answer each, no crash, and no change on ERR."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant import commands as c
from pliant.api.local_session import LocalSession
from pliant.commands.line_protocol import MAX_LINE, WORDS, help_text, parse, write
from pliant.controller.arm_config import configure
from pliant.controller.controller import _decoded, _printable
from pliant.errors import PliantError

PIECES = [
    *WORDS, "0", "1", "-1", "1e-3", "1e308", "-1e999", "nan", "inf", "-0", "0x10", "1_0", "٣",
    "tool", "world", "take", "release", "who", "hybrid_admittance", "position", "light", "[", "]",
    "{", "}", ":", ",", "null", "true", "laws", "laws.hybrid_admittance.stiffness", "wrench.cutoff",
    "safety", "safety.contact_force", "supervisor.wrench_limit", "sim.seed", "tool.mass", ".", "..",
    "[1,1,1,1,1,1]", "[0,0]", "{cutoff: 20}", "[[[[", '"\\ud800"', '{"\\ud800": 1}', "&a [*a]",
    "\0", "\x85", "\u2028", "!!python/object:os.system", "2001-01-01", "9" * 400, "Infinity",
    "-.inf",
]  # fmt: skip


class Subject:
    """The parser and the supervisor of a simulated arm, and what an ERR may not change."""

    def __init__(self) -> None:
        self.session = LocalSession("sim:ur5e", configure("sim:ur5e", None, None), (), 1.0)
        for _ in range(5):
            self.session.advance()
        self.supervisor = self.session._loop.supervisor
        self.answers = {"OK": 0, "ERR": 0}

    @property
    def _pending(self) -> tuple[bytes, bytes]:
        """What the next tick takes over, and its parameters."""
        return self.supervisor.wishes.table.tobytes(), self.session._loop.pipeline._p.tobytes()

    def take(self, line: bytes | None) -> None:
        config, pending = self.supervisor.config, self._pending
        try:
            command = parse(_decoded(line))
            if isinstance(command, c.Help):
                reply = help_text(command.about)
            elif isinstance(command, c.GetParameter):
                reply = str(config.get(command.path))
            elif command.anyone or isinstance(command, c.Watchdog):
                reply = "by the controller"
            else:
                reply = self.supervisor.take(command, self.session.row).text
            verdict = "OK"
        except PliantError as error:
            reply, verdict = str(error), "ERR"
            assert self.supervisor.config is config
            assert self._pending == pending
        assert "\n" not in _printable(reply)
        _printable(reply).encode()
        self.answers[verdict] += 1
        if sum(self.answers.values()) % 20 == 0:
            row = self.session.advance()
            assert np.isfinite(row["q_sent"]).all()


@pytest.fixture(scope="module")
def subject() -> Subject:
    return Subject()


def test_a_hundred_thousand_lines(subject):
    dice = random.Random(0)
    before = sum(subject.answers.values())
    for k in range(100_000):
        kind = k % 4
        if kind == 0:
            line = dice.randbytes(dice.randrange(60)).replace(b"\n", b"")
        elif kind == 1:
            line = " ".join(dice.choices(PIECES, k=dice.randrange(1, 9))).encode()
        else:
            line = _nearly_right(dice).encode()
        subject.take(line if len(line) <= MAX_LINE else None)
    assert sum(subject.answers.values()) - before == 100_000
    assert subject.answers["OK"] > 9_000
    assert subject.answers["ERR"] > 50_000


def _nearly_right(dice: random.Random) -> str:
    """A command with about as many arguments as it wants, most of them numbers."""
    word = dice.choice(dice.choice(c.COMMANDS).words())
    fields = WORDS[word].model_fields.values()
    count = sum(len(str(field.json_schema_extra["tokens"]).split()) for field in fields)
    count = max(0, count + dice.choice([0, 0, 0, 0, -1, 1]))
    numbers = [dice.choice([0, 1, 1, dice.uniform(-30, 30)]) for _ in range(count)]
    words = [word, *map(str, numbers)]
    if dice.random() < 0.5 and count:
        words[dice.randrange(1, len(words))] = dice.choice(PIECES)
    return " ".join(words)


@settings(max_examples=2000)
@given(st.binary(max_size=200))
def test_any_bytes(subject, data):
    before = sum(subject.answers.values())
    lines = data.split(b"\n")
    for line in lines:
        subject.take(line)
    assert sum(subject.answers.values()) == before + len(lines)


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=10))
def test_any_words(subject, words):
    before = sum(subject.answers.values())
    subject.take(" ".join(words).replace("\n", " ").encode(errors="replace"))
    assert sum(subject.answers.values()) == before + 1


@pytest.mark.parametrize(
    "value",
    ["[" * 4000, "{a: " * 100, '{"a":' * 700, "[" * 100 + "]" * 100, "{" + "a, " * 150 + "}",
     "[" + "1," * 1500 + "1]", '"\\ud800"', "&a [*a, *a]", "9" * 4000, "-" * 400],
)  # fmt: skip
def test_values_that_are_hard_to_swallow(value, subject):
    for path in ("wrench.cutoff", "laws", "laws.hybrid_admittance.stiffness", "reference"):
        before = subject.answers["ERR"]
        subject.take(f"SET {path} {value}".encode())
        assert subject.answers["ERR"] == before + 1


finite = st.floats(-1e6, 1e6)
six = st.tuples(*[finite] * 6)
commands = st.one_of(
    st.builds(c.SetWrench, wrench=six, frame=st.sampled_from(["tool", "world"])),
    st.builds(c.MoveBy, delta=six, frame=st.sampled_from(["tool", "world"])),
    st.builds(c.Jog, twist=six, timeout=st.floats(0.01, 2.0)),
    st.builds(c.SetAxes, mask=st.tuples(*[st.booleans()] * 6)),
    st.builds(c.SetParameter, path=st.just("a.b"), value=st.lists(finite) | finite | st.booleans()),
    st.builds(c.Watchdog, seconds=st.floats(0.0, 3600.0)),
    st.sampled_from([c.Hold(), c.Zero(), c.Stop(), c.Help(about="STOP"), c.Lease(action="take")]),
)


@given(commands)
def test_what_is_written_is_parsed_back(command):
    assert parse(write(command)) == command
