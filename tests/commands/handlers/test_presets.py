"""Presets say what they do, and which of them move the arm."""

import pytest

from pliant import Arm, commands
from pliant.cli import main
from pliant.commands.handlers.controller_presets import CONTROLLERS, preset_docs
from pliant.commands.line_protocol import help_text
from pliant.errors import UnknownNameError
from pliant.laws.hybrid_admittance import PRESET_DOCS, PRESETS


def test_every_preset_says_what_it_does() -> None:
    assert list(PRESET_DOCS) == list(PRESETS)
    assert list(preset_docs(takes_torque=False)) == list(PRESETS)
    assert list(preset_docs(takes_torque=True)) == [*PRESETS, *CONTROLLERS]
    assert all(doc.endswith(".") for doc in preset_docs(takes_torque=True).values())


@pytest.mark.parametrize("name", [name for name in CONTROLLERS if name != "playback"])
def test_those_that_say_that_they_move_the_arm_do_and_no_others(name: str) -> None:
    with Arm("sim:panda") as arm:
        arm.wait(0.05)
        reply = arm._command(commands.UsePreset, name=name)
        assert ("the arm moves" in reply.text) == CONTROLLERS[name].moves
        if name == "colab":
            arm.hand.schedule([0, 15, 0, 0, 0, 0], start=arm.time, duration=1.0)
        elif name == "homing":
            arm.home([q + 0.2 for q in arm.tick.q], 1.0, wait=False)
        start = arm.pose
        arm.wait(0.6)
        distance, _ = arm.pose.distance(start)
        assert (distance > 3e-3) == CONTROLLERS[name].moves, distance


def test_they_are_listed_apart(capsys: pytest.CaptureFixture[str]) -> None:
    main(["presets"])
    gains, _, whole = capsys.readouterr().out.partition("Whole controllers")
    assert all(name in gains and name not in whole for name in PRESETS if name != "default")
    assert all(name in whole for name in CONTROLLERS)
    assert "Gains: default, stiff_surface" in help_text("PRESET")


def test_a_misspelt_one_gets_a_suggestion() -> None:
    with (
        Arm("sim:ur5e") as arm,
        pytest.raises(UnknownNameError, match="did you mean stiff_surface"),
    ):
        arm.use_preset("stiff_surfaces")
