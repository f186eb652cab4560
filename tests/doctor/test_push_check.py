"""The push test passes for pushes along the axes that it asks for, and only for those."""

import pytest

from pliant.doctor.push_check import push_test
from pliant.robots.ur.push_test import is_confirmed
from pliant.robots.ur.ur_identity import VIRTUAL_SERIAL
from tests.virtual_arms import VirtualArm, virtual_arm

pytestmark = pytest.mark.alone

RIGHT = {"+x": "25 0 0", "+y": "0 25 0", "+z": "0 0 25"}
SWAPPED = RIGHT | {"+x": "0 25 0"}
OPPOSITE = RIGHT | {"+z": "0 0 -25"}


@pytest.fixture(scope="module")
def arm():
    with virtual_arm("ur5e") as arm:
        yield arm


def operator(arm: VirtualArm, pushes: dict[str, str]):
    def obey(text: str) -> None:
        direction = text.split(" along ")[1].split()[0]
        assert arm.say(f"push {pushes[direction]} 0.3") == "ok"

    return obey


def test_right_signs_are_noted(arm: VirtualArm, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path))
    check = push_test(arm.host, operator(arm, RIGHT))
    assert check.is_fit, check
    assert is_confirmed(VIRTUAL_SERIAL)


@pytest.mark.parametrize(("pushes", "axis"), [(SWAPPED, "+x"), (OPPOSITE, "+z")])
def test_wrong_signs_are_told(arm: VirtualArm, monkeypatch, tmp_path, pushes, axis) -> None:
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path))
    check = push_test(arm.host, operator(arm, pushes))
    assert not check.is_fit
    assert axis in check.findings[0].problem
    assert not is_confirmed(VIRTUAL_SERIAL)
