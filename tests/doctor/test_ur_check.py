"""The doctor's look at a UR over the network: what it measures, and what it objects to."""

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pliant.cli.doctor import DoctorOptions, doctor
from pliant.config import Config
from pliant.doctor import ur_check
from pliant.doctor.finding import Check
from pliant.doctor.ur_check import UrSurvey, check_payload, make_arm_ready, survey
from pliant.errors import ConfigError
from pliant.robots.ur.push_test import confirm
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.ur_identity import UrIdentity
from tests.virtual_arms import VirtualArm, virtual_arm

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("ur5e") as arm:
        yield arm


def check(found: UrSurvey, name: str) -> Check:
    return next(check for check in found.checks if check.name == name)


def test_an_arm_that_is_ready(arm: VirtualArm) -> None:
    before = arm.truth()["unsent"]
    found = survey(arm.host, 1.0)
    network, who = check(found, "network"), check(found, "arm")
    # packages that a busy machine kept from being sent are lost
    assert network.figures["lost"] == arm.truth()["unsent"] - before
    assert network.figures["sent"] == pytest.approx(500, abs=1)
    assert 0.0 < network.figures["round_trip_p50"] < network.figures["round_trip_p99"]
    assert "remote control on" in who.summary and "PolyScope 5.12.4" in who.summary
    assert found.can_be_controlled
    assert check(found, "push test").is_fit


def test_lost_packages_are_counted(arm: VirtualArm, monkeypatch: pytest.MonkeyPatch) -> None:
    newest, calls = RtdeClient.newest, itertools.count()

    def losing(client: RtdeClient, timeout: float) -> tuple[tuple[float, ...], int]:
        if next(calls) == 100:
            assert arm.say("lose 20") == "ok"
        return newest(client, timeout)

    monkeypatch.setattr(RtdeClient, "newest", losing)
    before = arm.truth()["unsent"]
    network = check(survey(arm.host, 1.0), "network")
    assert network.figures["lost"] == arm.truth()["unsent"] - before >= 20
    assert "packages did not come" in network.findings[0].problem


@pytest.mark.parametrize(
    ("provoke", "release", "text"),
    [
        ("remote off", "remote on", "remote control is off"),
        ("slider 0.5", "slider 1", "speed slider"),
        ("safeguard on", "safeguard off", "safeguard open"),
    ],
)
def test_an_arm_that_cannot_be_controlled(
    arm: VirtualArm, provoke: str, release: str, text: str
) -> None:
    assert arm.say(provoke) == "ok"
    found = survey(arm.host, 0.3)
    assert arm.say(release) == "ok"
    assert not found.can_be_controlled
    (finding,) = check(found, "arm").findings
    assert text in finding.problem and finding.remedy


def test_the_command_says_so_and_moves_nothing(arm: VirtualArm) -> None:
    assert arm.say("remote off") == "ok"
    command = [sys.executable, "-m", "pliant.cli", "doctor", "--robot", f"ur:{arm.host}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert arm.say("remote on") == "ok"
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert [check["name"] for check in report["checks"]] == ["network", "arm", "push test"]
    assert arm.truth()["ended"] == {}


def test_the_payload_is_compared_with_what_was_weighed(arm: VirtualArm) -> None:
    tool = Config().tool
    found = survey(arm.host, 0.3)
    assert check_payload(found, tool, None).is_fit
    heavier = tool.model_copy(update={"mass": tool.mass + 0.2})
    assert "tool.mass is" in check_payload(found, heavier, None).findings[0].problem
    weighed = Check(name="tool", summary="", figures={"mass": 0.8, "com_F": [0.0, 0.0, 0.1]})
    assert "the tool weighs 0.80 kg" in check_payload(found, tool, weighed).findings[0].problem


def test_a_real_arm_needs_the_push_test(
    arm: VirtualArm, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path))
    real = UrIdentity(model="ur5e", version=(5, 12, 4, 0), serial="20195500001", remote=True)
    monkeypatch.setattr(ur_check, "identify_arm", lambda client: real)
    finding = check(survey(arm.host, 0.3), "push test").findings[0]
    assert "never confirmed" in finding.problem and "--push-test" in finding.remedy
    confirm(real.serial)
    assert check(survey(arm.host, 0.3), "push test").is_fit


def test_an_arm_that_is_off_is_made_ready_when_asked(
    arm: VirtualArm, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arm.say("power off") == "ok"
    (finding,) = check(survey(arm.host, 0.3), "arm").findings
    assert "switched off" in finding.problem and "--make-ready" in finding.remedy
    doctor(DoctorOptions(robot=f"ur:{arm.host}", make_ready=True))
    assert "arm: fit" in capsys.readouterr().out
    assert survey(arm.host, 0.3).can_be_controlled


def test_what_only_an_operator_can_do_is_not_tried(arm: VirtualArm) -> None:
    assert arm.say("violation") == "ok"
    (finding,) = make_arm_ready(arm.host).findings
    assert arm.say("release") == "ok"
    assert "restart safety" in finding.remedy
    with pytest.raises(ConfigError, match="--make-ready needs --robot ur:"):
        doctor(DoctorOptions(make_ready=True))
