"""Commands as lines."""

import numpy as np
import pytest

from pliant import commands as c
from pliant.commands.line_protocol import WORDS, help_text, parse, schema, usage, write
from pliant.controller.protocol_page import page
from pliant.errors import Refused


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "unknown word ''; HELP lists the commands"),
        ("WRENHC 0 0 0 0 0 0", "did you mean WRENCH?"),
        ("stop", "did you mean STOP?"),
        ("WRENCH 0 0 0 0 0", "5 arguments are too few; expected WRENCH Fx Fy Fz Tx Ty Tz [frame]"),
        ("WRENCH 0 0 0 0 0 0 tool 7", "8 arguments are too many, from '7' on"),
        ("WRENCH 0 0 nan 0 0 0", "'nan' is not a finite number"),
        ("WRENCH 0 0 1e999 0 0 0", "'1e999' is not a finite number"),
        ("WRENCH 0 0 1_0 0 0 0", "'1_0' is not a finite number"),
        ("WRENCH 0 0 x 0 0 0", "expected WRENCH"),
        ("WRENCH 0 0 0 0 0 0 base", "'tool' or 'world'"),
        ("AXIS 0 0 2 0 0 0", "a mask has only 0 and 1"),
        ("STIFF -1 0 0 0 0 0", "-1 is not within 0 to 1e+06"),
        ("INERT 0 1 1 1 1 1", "0 is not within 1e-09 to 1e+06"),
        ("JOG 0 0 0 0 0 0 world 5", "less than or equal to 2"),
        ("SUBSPACE 1 " + "1 " * 36, "not orthonormal"),
        ("SET wrench.cutoff", "the value is missing"),
        ("SET wrench.cutoff [1", "expected SET path value"),
        ("WATCHDOG -1", "greater than or equal to 0"),
        ("LEASE steal", "'take', 'release' or 'who'"),
        ("STOP now", "too many"),
        ("HELP a b", "too many"),
    ],
)
def test_what_is_wrong_is_said_with_the_form_expected(line, said):
    with pytest.raises(Refused) as refused:
        parse(line)
    assert said in str(refused.value)


def test_the_demos_words_are_commands():
    assert parse("WRENCH 1 2 3 4 5 6") == c.SetWrench(wrench=(1, 2, 3, 4, 5, 6))
    assert parse("AXIS 0 0 1.0 0 0 0") == c.SetAxes(mask=(False, False, True, False, False, False))
    assert parse("RELD 0 0 .1 0 0 0") == c.MoveBy(delta=(0, 0, 0.1, 0, 0, 0))
    assert parse("REFA 1 2 3 0 0 0") == c.MoveTo(pose=(1, 2, 3, 1, 0, 0, 0))
    assert parse("STIFF 1 1 1 1 1 1") == c.SetStiffness(stiffness=(1,) * 6)
    assert parse("DAMP 1 1 1 1 1 1") == c.SetDamping(damping=(1,) * 6)
    assert parse("STOP") == c.Stop()


@pytest.mark.parametrize(
    ("text", "value"),
    [("20", 20), ("1e-3", 0.001), ("[1, 2]", [1, 2]), ("{cutoff: 20}", {"cutoff": 20}),
     ("spring", "spring"), ("two words", "two words"), (".inf", float("inf"))],
)  # fmt: skip
def test_values_are_yaml(text, value):
    assert parse(f"SET a.b {text}") == c.SetParameter(path="a.b", value=value)


def test_help_names_every_command_and_explains_each_in_one_line():
    assert all(word in help_text() for word in WORDS)
    for word, kind in WORDS.items():
        text = help_text(word.lower())
        assert text.startswith(f"{usage(kind)}: ")
        assert text.isprintable()
    with pytest.raises(Refused, match="unknown word 'FOO'; valid: WRENCH"):
        help_text("FOO")


def test_page_and_schema_have_every_command():
    assert set(schema()) == set(WORDS)
    for kind in c.COMMANDS:
        assert f"| `{usage(kind)}` |" in page()
    for line in ("TELEM:", "EVENT", "END", "| 143 | SIGTERM |"):
        assert line in page()


def test_a_pose_comes_back_from_its_line_to_the_last_bit():
    rng = np.random.default_rng(4)
    for _ in range(50):
        turn = rng.standard_normal(4)
        pose = (*rng.uniform(-1, 1, 3), *(turn / np.linalg.norm(turn)))
        assert parse(write(c.MoveTo(pose=pose))) == c.MoveTo(pose=pose)
    with pytest.raises(Refused, match="has norm 2, not 1"):
        parse("REFA 0 0 0 2 0 0 0")


def test_a_value_that_no_line_can_hold_is_refused():
    for value in ({1, 2}, object(), [b"x"]):
        with pytest.raises(Refused, match="a value is made of numbers"):
            write(c.SetParameter(path="a.b", value=value))
