"""Lines of any bytes and words: one answer each, no crash, and no change on ERR.

The hostile suite, `tests/fuzz`, has many more, through a controller too.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant import commands as c
from pliant.commands.line_protocol import parse, write

from ..fuzz.line_maker import PIECES
from ..fuzz.line_subject import LineSubject


@pytest.fixture(scope="module")
def subject() -> LineSubject:
    return LineSubject("sim:ur5e")


@settings(max_examples=2000)
@given(st.binary(max_size=200))
def test_any_bytes(subject, data):
    for line in data.split(b"\n"):
        subject.take(line)
    subject.advance()


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=10))
def test_any_words(subject, words):
    subject.take(" ".join(words).replace("\n", " ").encode(errors="replace"))
    subject.advance()


@pytest.mark.parametrize(
    "value",
    ["[" * 4000, "{a: " * 100, '{"a":' * 700, "[" * 100 + "]" * 100, "{" + "a, " * 150 + "}",
     "[" + "1," * 1500 + "1]", '"\\ud800"', "&a [*a, *a]", "9" * 4000, "-" * 400],
)  # fmt: skip
def test_values_that_are_hard_to_swallow(value, subject):
    for path in ("wrench.cutoff", "laws", "laws.hybrid_admittance.stiffness", "reference"):
        assert not subject.take(f"SET {path} {value}".encode())


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
