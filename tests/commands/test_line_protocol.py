"""Commands as lines."""

import numpy as np
import pytest

from pliant import Arm
from pliant import commands as c
from pliant.api.arm_gripper import ArmGripper
from pliant.api.arm_joints import Joint, Joints
from pliant.commands.line_protocol import WORDS, help_text, parse, schema, usage, write
from pliant.controller.protocol_page import page
from pliant.errors import Refused


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "unknown word ''; HELP lists the commands"),
        ("WRENHC 0 0 0 0 0 0", "did you mean WRENCH?"),
        ("stop", "did you mean STOP?"),
        ("move_to 0 0 0 0 0 0", "did you mean MOVE_TO?"),
        ("MOVETO 0 0 0 0 0 0", "did you mean MOVE_TO?"),
        ("ACTIVATE position 3", "parameters are names with values"),
        ("MOVE_TO 0.4 0 0.3", "3 arguments are too few"),
        ("WRENCH 0 0 0 0 0", "5 arguments are too few; expected SET_WRENCH Fx Fy"),
        ("WRENCH 0 0 0 0 0 0 tool 7", "8 arguments are too many, from '7' on"),
        ("WRENCH 0 0 nan 0 0 0", "'nan' is not a finite number"),
        ("WRENCH 0 0 1e999 0 0 0", "'1e999' is not a finite number"),
        ("WRENCH 0 0 1_0 0 0 0", "'1_0' is not a finite number"),
        ("WRENCH 0 0 x 0 0 0", "expected SET_WRENCH"),
        ("WRENCH 0 0 0 0 0 0 base", "'tool', 'world' or 'task'"),
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


def test_optional_arguments_may_be_given_by_name():
    slow = c.MoveBy(delta=(0, 0, 0.1, 0, 0, 0), frame="tool", speed=0.05)
    assert parse("RELD 0 0 0.1 0 0 0 tool 0.05") == slow
    assert parse("RELD 0 0 0.1 0 0 0 speed=0.05 frame=tool") == slow
    assert parse(write(slow)) == slow
    assert parse("REFA 1 2 3 0 0 0 speed=0.1") == c.MoveTo(pose=(1, 2, 3, 1, 0, 0, 0), speed=0.1)
    # seven numbers are a pose with its quaternion, eight have a speed too
    to = c.MoveTo(pose=(1, 2, 3, 0, 1, 0, 0), speed=0.1)
    assert parse("REFA 1 2 3 0 1 0 0 0.1") == parse(write(to)) == to
    with pytest.raises(Refused, match="speed: "):
        parse("RELD 0 0 0.1 0 0 0 speed=fast")
    with pytest.raises(Refused, match="from 'haste=1' on"):
        parse("RELD 0 0 0.1 0 0 0 tool 0.05 haste=1")


def test_conditions_reactions_and_paths_are_lines():
    react = c.React(condition="force(z) > 5", reaction="retract 0.010 0.05")
    assert write(react) == "REACT force(z)>5 retract 0.01 0.05"
    assert parse(write(react)) == react
    until = c.Until(condition="force>5@3", line="RELD 0 0 -0.1 0 0 0 speed=0.02")
    assert parse(write(until)) == until
    assert parse("DISARM") == c.Disarm(number="all")
    assert parse("DISARM 3") == c.Disarm(number=3)
    path = c.FollowPath(action="new", points=[[0, 1, 2, 3, 0, 0, 0], [1, 1, 2, 3, 1, 0, 0, 0]])
    assert path.points == ((0, 1, 2, 3, 1, 0, 0, 0), (1, 1, 2, 3, 1, 0, 0, 0))
    assert parse(write(path)) == path
    assert parse("PATH run") == c.FollowPath(action="run")
    with pytest.raises(Refused, match="run takes none"):
        parse("PATH run [[0, 1, 2, 3, 0, 0, 0]]")
    with pytest.raises(Refused, match="less than or equal to 8"):
        parse("DISARM 9")


@pytest.mark.parametrize(
    ("text", "value"),
    [("20", 20), ("1e-3", 0.001), ("[1, 2]", [1, 2]), ("{cutoff: 20}", {"cutoff": 20}),
     ("spring", "spring"), ("two words", "two words"), (".inf", float("inf"))],
)  # fmt: skip
def test_values_are_yaml(text, value):
    assert parse(f"SET a.b {text}") == c.SetParameter(path="a.b", value=value)


OLD_WORDS = (
    "WRENCH AXIS SUBSPACE RELD REFA JOG HOME SINUS FOLLOW PLAYBACK CIRCLE HOLD PUSH STIFF DAMP "
    "INERT PRESET ZERO LAW OFF RESET MODE INTERACTION IMPEDANCE PMOVE PDIRECT VMOVE TORQUE OUTPUT "
    "SPEED ACCEL JSTOP CALIBRATE INJECT JOINTS SET GET STATE LEASE NAME REPLIES WATCHDOG PING HELP "
    "STOP"
)


def test_the_words_of_earlier_clients_stay_accepted():
    assert set(OLD_WORDS.split()) <= set(WORDS)


OWN_WORDS = {"SET", "GET", "STATE", "JOINTS", "NAME", "REPLIES"}
"""Words that are shorter than the names of their classes."""


def test_a_command_has_the_word_of_its_class():
    words = [word for kind in c.COMMANDS for word in kind.words()]
    assert len(set(words)) == len(words)
    for kind in c.COMMANDS:
        assert kind.word in OWN_WORDS or kind.word.replace("_", "") == kind.__name__.upper()


def test_a_word_is_the_method_of_the_api():
    """Commands to the tool and about the state; those to joints have the methods of one joint,
    and those to the gripper its methods."""
    methods = {name.upper() for name in (*dir(Arm), *dir(Joint), *dir(Joints))}
    for kind in c.COMMANDS:
        if issubclass(kind, c.JointCommand):
            assert {kind.name.upper(), f"{kind.name.upper()}S"} & methods, kind
        elif issubclass(kind, c.GripperCommand):
            assert hasattr(ArmGripper, kind.word.removesuffix("_GRIPPER").lower()), kind
        elif kind.word not in {*OWN_WORDS, *ON_THE_WIRE_ALONE}:
            assert kind.word in methods, kind


ON_THE_WIRE_ALONE = {
    *("SET_SUBSPACE", "SET_STIFFNESS", "SET_DAMPING", "SET_INERTIA", "PUSH", "PLAYBACK", "STOP"),
    *("LEASE", "WATCHDOG", "PING", "HELP", "FOLLOW_PATH", "REACT", "UNTIL", "DISARM"),
}
"""In Python: `set_axes` with a matrix, `law.set`, `hand`, `play`, `close`, `follow`, `on`, `until`;
or of no use there."""


def test_a_law_is_activated_with_parameters():
    command = c.Activate(law="position", parameters={"max_speed": np.array([0.1, 1.0])})
    assert parse(write(command)) == command
    assert command.section == "laws"
    assert parse("LAW position") == c.Activate(law="position")
    assert c.Activate(law="position").section == ""


def test_help_names_every_command_and_explains_each_in_one_line():
    assert all(f"{kind.word} " in help_text() for kind in c.COMMANDS)
    for word, kind in WORDS.items():
        text = help_text(word.lower())
        assert text.startswith(f"{usage(kind)}: ")
        assert text.isprintable()
        assert f" Also: {' '.join(kind.aliases)}." in text or not kind.aliases
    with pytest.raises(Refused, match="unknown word 'XYZ'; HELP lists the commands"):
        help_text("XYZ")


def test_page_and_schema_have_every_command():
    assert set(schema()) == {kind.word for kind in c.COMMANDS}
    for kind in c.COMMANDS:
        assert f"| `{usage(kind)}` |" in page()
        assert all(f"`{word}`" in page() for word in kind.aliases)
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
