"""The arm that a verb examines: which clock it gets."""

from typing import Any

import pytest

from pliant.cli import arm_options
from pliant.cli.arm_options import ArmOptions
from pliant.errors import UnknownNameError


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What arms were opened with, instead of opening them."""
    arms: list[dict[str, Any]] = []
    monkeypatch.setattr(
        arm_options, "Arm", lambda robot, **given: arms.append({"robot": robot, **given})
    )
    return arms


@pytest.mark.parametrize(
    ("robot", "clock"),
    [("sim:ur5e/table", None), ("ur:192.0.2.1", "real"), ("franka:192.0.2.1", "real")],
)
def test_a_real_arm_runs_in_real_time(
    robot: str, clock: str | None, opened: list[dict[str, Any]]
) -> None:
    ArmOptions(robot=robot).open()
    assert [arm["clock"] for arm in opened] == [clock]


def test_a_robot_of_ones_own_says_whether_it_is_simulated(
    opened: list[dict[str, Any]], tmp_path: Any
) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "import pliant\n\n\nclass Own(pliant.Robot):\n    pass\n\n\n"
        "class Simulated(Own):\n    simulated = True\n"
    )
    for name in ("Own", "Simulated"):
        ArmOptions(robot=f"{file}:{name}").open()
    assert [arm["clock"] for arm in opened] == ["real", None]


def test_an_arm_that_is_none_is_refused(opened: list[dict[str, Any]]) -> None:
    with pytest.raises(UnknownNameError, match="unknown robot 'nothing'"):
        ArmOptions(robot="nothing").open()
    assert opened == []
