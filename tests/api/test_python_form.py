"""A refusal in Python quotes Python, a wrong name gets the right one, a warning the user's line."""

import re
from pathlib import Path

import pytest

import pliant
from pliant import Arm, PliantWarning, Refused
from pliant import commands as c
from pliant.api.python_form import CALLS, GUESSES, OWNERS, python_form
from pliant.config import Config
from pliant.errors import UnknownAttributeError
from pliant.laws.hybrid_admittance import HybridConfig
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
        (lambda arm: arm.slide([0, 0.1, 0], 5), r"expected arm\.slide\(delta, force, axis='z', "),
        (lambda arm: arm.follow([arm.pose, arm.pose]), r"as in \[\(0, pose\), \(2, pose2\)\]"),
        (lambda arm: arm.follow([[0.4, *[0] * 6]] * 2), r"as in \[\(0, pose\), \(2, pose2\)\]"),
        (
            lambda arm: arm.on("force()>5", pliant.Reaction.hold),
            r"pliant\.Reaction\.hold\(\) returns",
        ),
        (
            lambda arm: arm.on("force()>5", 3),
            r"Reaction\.hold\(\) returns, not 3; there are hold\(\), ",
        ),
        (lambda arm: arm.set_axes(2), "axes are names, .* not 2$"),
        (lambda arm: arm.set_axes("z", "tool"), r"set_axes\(axes, frame='tool'\)"),
        (lambda arm: arm.set_axes("z", 1), "n_af goes with a 6×6 matrix"),
        (lambda arm: arm.history[-1], r'history\["q"\]\[-1\] is part of it'),
        (lambda arm: arm.history[0:5], r'history\["q"\]\[0:5\] is part of it'),
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
        assert callable(getattr(OWNERS[owner] if owner else Arm, method))
    assert python_form(c.MoveBy, Arm).startswith("arm.move_by(delta, frame='world', speed=None, ")
    assert python_form(c.Ping, Arm) == ""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wrench", r"write arm\.tick\.w_T$"),
        ("moveL", r"write arm\.move_to$"),
        ("getActualTCPPose", r"write arm\.pose$"),
        ("speedL", r"write arm\.jog$"),
        ("servoL", r"write arm\.move_to\(pose, wait=False\)$"),
        ("forceMode", r"write arm\.press$"),
        ("zeroFtSensor", r"write arm\.zero$"),
        ("set_payload", r'write arm\.set\("tool\.mass", …\), set\("tool\.com_F", …\)$'),
        ("set_stiffness", r"write arm\.law\.stiffness = …$"),
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
        owner, _, attribute = re.split(r"[( ]", name)[0].rpartition(".")
        place = {
            "": dir(Arm),
            "tick": Tick.__annotations__,
            "joints": dir(OWNERS["joints"]),
            "law": HybridConfig.model_fields,
        }[owner]
        assert attribute in place
        assert not set(guesses) & set(dir(Arm))


def test_names_of_a_configuration_may_be_dotted() -> None:
    config = Config.from_dict({"sim.seed": 3, "safety": {"contact_force": 60}})
    assert config.sim.seed == 3 and config.safety.contact_force == 60
    both = Config.from_dict({"safety.contact_torque": 6, "safety": {"contact_force": 60}})
    assert (both.safety.contact_force, both.safety.contact_torque) == (60, 6)
    with pytest.raises(pliant.ConfigError, match="is given twice"):
        Config.from_dict({"sim.seed": 3, "sim": {"seed": 4}})
    with pytest.raises(pliant.ConfigError, match="sim is given as a whole"):
        Config.from_dict({"sim.seed": 3, "sim": config.sim})


def test_what_is_printed_is_short_and_useful(arm: Arm) -> None:
    assert repr(pliant.force("z")) == "<Quantity force(z)>"
    assert repr(pliant.Reaction.retract(0.01)) == "<Reaction retract 0.01 0.05>"
    assert repr(arm.hand) == "<Hand: idle>"
    arm.hand.schedule([0, 0, 1, 0, 0, 0], start=arm.time + 5)
    assert repr(arm.hand) == "<Hand: 1 push>"
    arm.hand.release()
    arm.hand.hold()
    assert repr(arm.hand) == "<Hand: holds the tool>"
    arm.hand.release()
    assert repr(arm.simulation) == "<SimRobot ur5e, scene table, 500 Hz>"
    told = "<ArmDescription ur5e: 6 joints, takes positions at 500 Hz, lag 34 ms>"
    assert repr(arm.description) == told


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
