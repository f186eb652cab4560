"""A refusal in Python quotes Python, a wrong name gets the right one, a warning the user's line."""

from pathlib import Path

import pytest

import pliant
from pliant import Arm, PliantWarning, Refused
from pliant import commands as c
from pliant.api.arm_joints import Joints
from pliant.api.python_form import CALLS, GUESSES, python_form
from pliant.errors import UnknownAttributeError
from pliant.tick import Tick


@pytest.fixture(scope="module")
def arm() -> Arm:
    return Arm("sim:ur5e/table", flight=False)


@pytest.mark.parametrize("delta", [[0.01, 0], [0, 0, 0.1], [0] * 7, 3])
def test_a_move_has_six_numbers(arm: Arm, delta) -> None:
    before = arm.tick.ref_seq
    with pytest.raises(Refused, match=r"give six numbers as a list, not .*arm\.move_by\(delta, "):
        arm.move_by(delta)
    arm.wait(0.01)
    assert arm.tick.ref_seq == before
    assert arm.law is None


@pytest.mark.parametrize(
    ("call", "form"),
    [
        (lambda arm: arm.set_wrench([1, 2]), r"wrench = \[Fx, Fy, Fz, Tx, Ty, Tz\]"),
        (lambda arm: arm.jog([1, 2, 3]), r"arm\.jog\(twist, frame='world', timeout=0\.2\)"),
        (
            lambda arm: arm.set_axes([1, 0]),
            r"not 2; expected arm\.set_axes\(axes, n_af=None, frame='tool', turn=False\)",
        ),
        (lambda arm: arm.move_to([1, 2, 3]), r"a pose has 7 numbers.* arm\.move_to\(pose, "),
        (lambda arm: arm.use_preset(3), r"arm\.use_preset\(name\)"),
    ],
)
def test_a_refusal_quotes_python(arm: Arm, call, form: str) -> None:
    with pytest.raises(Refused, match=form) as refused:
        call(arm)
    assert not any(kind.word in str(refused.value) for kind in c.COMMANDS if "_" in kind.word)


def test_every_call_exists() -> None:
    words = {kind.word.lower() for kind in c.COMMANDS}
    for word, name in CALLS.items():
        owner, _, method = name.rpartition(".")
        assert word in words
        assert callable(getattr(Joints if owner else Arm, method))
    assert python_form(c.MoveBy, Arm).startswith("arm.move_by(delta, frame='world', speed=None, ")
    assert python_form(c.Ping, Arm) == ""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wrench", r"write arm\.tick\.w_T$"),
        ("moveL", r"write arm\.move_to$"),
        ("w_T", r"write arm\.tick\.w_T$"),
        ("activat", "did you mean activate or deactivate"),
        ("qqqq", "valid: activate, circle"),
    ],
)
def test_a_wrong_name_gets_the_right_one(arm: Arm, name: str, told: str) -> None:
    with pytest.raises(UnknownAttributeError, match=told):
        getattr(arm, name)
    assert not hasattr(arm, name)


def test_every_guess_leads_to_something_that_exists() -> None:
    for name, guesses in GUESSES.items():
        owner, _, attribute = name.rpartition(".")
        place = {"": dir(Arm), "tick": Tick.__annotations__, "joints": dir(Joints)}[owner]
        assert attribute in place
        assert not set(guesses) & set(dir(Arm))


def test_an_error_inside_a_property_is_told_as_it_is() -> None:
    class Broken(Arm):
        @property
        def pose(self):
            return self.nonsense

    with pytest.raises(AttributeError, match="nonsense"):
        _ = Broken("sim:ur5e", flight=False).pose


def test_a_warning_points_to_the_users_line(arm: Arm) -> None:
    arm.zero()
    with pytest.warns(PliantWarning, match="no axis") as told:
        arm.activate("hybrid_admittance")
        arm.set_wrench([0, 0, -5, 0, 0, 0])
    assert told[0].filename == __file__
    with pytest.warns(PliantWarning, match="does nothing along z") as told:
        arm.slide([0, 0, 0.001, 0, 0, 0], 5)
    source = Path(__file__).read_text().splitlines()
    assert told[0].filename == __file__
    assert "arm.slide(" in source[told[0].lineno - 1]


def test_an_unknown_scene_lists_the_scenes() -> None:
    with pytest.raises(pliant.Refused, match="did you mean table\\? valid: free, peg, table, wall"):
        Arm("sim:ur5e/tabel")


@pytest.mark.parametrize(
    ("name", "advice"),
    [("force", "write tick.w_T"), ("qpos", "write tick.q"), ("tcp", "write arm.pose")],
)
def test_a_column_by_another_programs_name_gets_the_right_one(arm: Arm, name, advice) -> None:
    with pytest.raises(UnknownAttributeError, match=f"a tick has no column '{name}'; {advice}"):
        getattr(arm.tick, name)


def test_axes_without_spaces_are_told_how_to_write_them(arm: Arm) -> None:
    with pytest.raises(Refused, match="write a space between axes: 'x y z', not 'xyz'"):
        arm.set_axes("xyz")


@pytest.mark.parametrize("clock", ["fast", "real"])
def test_a_program_pushes_a_simulated_arm_in_either_clock(clock) -> None:
    config = {"safety": {"lateness": 60.0}}
    with Arm("sim:ur5e", clock=clock, config=config, flight=False) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("x y z")
        before = arm.pose.position[1]
        arm.push([0, 10, 0, 0, 0, 0], seconds=0.5)
        arm.wait(0.4)
        assert arm.pose.position[1] > before + 2e-3
        arm.wait_until(lambda tick: abs(tick.w_T[1]) < 0.5, timeout=60.0)
