"""Another program, which only speaks the protocol of the force-control demo."""

import sys
from pathlib import Path

import numpy as np
import pytest

PROGRAM_WORDS = {"WRENCH", "AXIS", "RELD", "REFA", "STIFF", "DAMP", "STOP"}


@pytest.fixture
def binary(tmp_path):
    """The stand-in as an executable."""
    program = tmp_path / "stand_in"
    source = Path(__file__).parent / "stand_in.py"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {source} "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def viewer(binary, console):
    """A page of a console that may start the stand-in."""
    return console("--binary", binary).page()


def test_known_commands_work_and_others_are_not_available(viewer, binary, until):
    assert viewer.hello["binaries"] == [binary]
    assert viewer.ask(type="start", binary=binary, address="10.0.0.7", rate=500.0)["ok"]
    until(lambda: viewer.status["kind"] == "binary" and viewer.status["holder"] == viewer.name)
    viewer.subscribe("w_T", "w_desired_T", "X_WT", "X_WR", "q", "temperature", "n_af")
    assert viewer.said("connected to .*--rate.*500.*--robot-ip=10.0.0.7")
    able = viewer.hello["capabilities"]
    assert set(able["words"]) > PROGRAM_WORDS
    assert not {"ACTIVATE", "SET", "SET_INERTIA", "INERT", "PUSH"} & set(able["words"])
    assert not able["push"]
    assert not able["record"]
    assert "tau" not in able["columns"]

    # clamped to Pliant's limits, and sensed along the force-controlled axis
    assert viewer.line("AXIS 0 0 1 0 0 0")["ok"]
    assert "Fz clamped to -20" in viewer.line("WRENCH 1 0 -50 0 0 0")["text"]
    until(lambda: "w_T" in viewer.last and viewer.last["w_T"][2] == -20.0)
    np.testing.assert_array_equal(viewer.last["w_desired_T"], [1, 0, -20, 0, 0, 0])
    assert viewer.last["n_af"] == 1
    assert viewer.last["temperature"][0] == 31.0

    # the console converts a wrench in world axes and a move in tool axes
    start = viewer.last["X_WT"].copy()
    assert viewer.line("REFA 0.5 0 0.3 3.141592653589793 0 0")["ok"]
    until(lambda: abs(viewer.last["X_WT"][0] - 0.5) < 1e-9)
    assert viewer.line("WRENCH 0 0 5 0 0 0 world")["ok"]
    until(lambda: np.allclose(viewer.last["w_desired_T"], [0, 0, -5, 0, 0, 0], atol=1e-5))
    assert viewer.line("RELD 0 0 0.01 0 0 0 tool")["ok"]
    until(lambda: abs(viewer.last["X_WT"][2] - 0.29) < 1e-6)
    assert np.linalg.norm(start[3:]) == pytest.approx(1.0)

    # unknown commands are refused with a reason
    for line in ("LAW position", "SET safety.contact_force 5", "PUSH 0 0 1 0 0 0", "ZERO", "RESET"):
        reply = viewer.line(line)
        assert not reply["ok"]
        assert "is not available with stand_in" in reply["text"]
    viewer.send(type="stop")
    until(lambda: viewer.status["phase"] == "ended")
    assert "ended with status 0" in viewer.status["why"]


def test_a_program_may_have_the_other_wrench_sign(binary, console, until):
    # patient: a page that falls silent on a busy machine would take the force away
    viewer = console("--binary", binary, heartbeat=2.0).page()
    assert viewer.ask(type="start", binary=binary, wrench_sign="by_tool")["ok"]
    viewer.subscribe("w_T", "w_desired_T")
    assert viewer.line("AXIS 0 0 1 0 0 0")["ok"]
    assert viewer.line("WRENCH 0 0 -5 0 0 0")["ok"]
    # the program received +5 and reports +5; the console shows -5 for both
    until(lambda: viewer.last.get("w_T", np.zeros(6))[2] == -5.0)
    assert viewer.last["w_desired_T"][2] == -5.0


def test_only_programs_given_on_the_command_line_can_be_started(viewer, binary):
    for path in ("/bin/sh", "/bin/cat", binary + "x", f"../{binary}", "/proc/self/exe"):
        reply = viewer.ask(type="start", binary=path)
        assert not reply["ok"]
        assert "may not be started from here" in reply["text"]


def test_the_force_goes_to_zero_when_the_operator_leaves(binary, console, until):
    served = console("--binary", binary, heartbeat=2.0)
    first, second = served.page(), served.page()
    second.subscribe("w_desired_T")
    assert first.ask(type="start", binary=binary)["ok"]
    assert first.line("WRENCH 0 0 -5 0 0 0")["ok"]
    until(lambda: second.last.get("w_desired_T", np.zeros(6))[2] == -5.0)
    refused = second.line("WRENCH 0 0 -9 0 0 0")
    assert refused["text"] == f"{first.name} is in control; any client may send STOP"
    first.vanish()
    until(lambda: not second.last["w_desired_T"].any())
    assert second.line("WRENCH 0 0 -3 0 0 0")["ok"]


def test_a_program_without_telemetry_is_refused(console, tmp_path):
    program = tmp_path / "useless"
    program.write_text("#!/bin/sh\necho no arm here >&2\nexit 3\n")
    program.chmod(0o755)
    viewer = console("--binary", str(program)).page()
    reply = viewer.ask(type="start", binary=str(program))
    assert not reply["ok"]
    assert "useless sent no telemetry; it said: no arm here" in reply["text"]
