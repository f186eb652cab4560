"""The doctor's look at a Franka arm: what it measures, and what it objects to."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pliant.config import Config
from pliant.doctor.finding import Check
from pliant.doctor.franka_check import FrankaSurvey, survey_franka
from tests.virtual_arms import VirtualArm, virtual_arm

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("fr3", "--clock", "lockstep") as arm:
        yield arm


def look(arm: VirtualArm, *, torques: bool = False) -> FrankaSurvey:
    config = Config()
    return survey_franka(arm.host, config.franka, config.tool, torques=torques, seconds=0.5)


def check(found: FrankaSurvey, name: str) -> Check:
    return next(check for check in found.checks if check.name == name)


def test_an_arm_that_is_ready(arm: VirtualArm) -> None:
    found = look(arm, torques=True)
    assert found.can_be_controlled
    network, commands = check(found, "network"), check(found, "commands")
    assert network.figures["sent"] == pytest.approx(500, abs=1)
    # not every system lets ordinary programs send echoes
    if "round_trip_p50" in network.figures:
        assert 0.0 < network.figures["round_trip_p50"] <= network.figures["round_trip_p99"]
    assert commands.figures["least_success"] == 1.0
    assert arm.truth()["mode"] == "idle"


def test_lost_states_and_commands_are_counted(arm: VirtualArm) -> None:
    assert arm.say("late 0.3") == "ok"
    assert arm.say("lose 20") == "ok"
    found = look(arm, torques=True)
    assert arm.say("late 0") == "ok"
    assert not check(found, "commands").is_fit
    assert "in time" in check(found, "commands").findings[0].problem


def test_an_arm_that_cannot_be_controlled_is_not_touched(arm: VirtualArm) -> None:
    assert arm.say("user_stop on") == "ok"
    command = [sys.executable, "-m", "pliant.cli", "doctor", "--json"]
    done = subprocess.run(
        [*command, "--robot", f"franka:{arm.host}"], capture_output=True, text=True, check=False
    )
    assert arm.say("user_stop off") == "ok"
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert [check["name"] for check in report["checks"]] == ["kernel", "network", "arm"]
    assert "user stop" in report["checks"][-1]["findings"][0]["problem"]
    assert arm.truth()["commands"] == 0 or arm.truth()["mode"] == "idle"
