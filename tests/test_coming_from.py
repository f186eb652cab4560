"""The programs of docs/coming_from.md run, do what they say, and are no longer than theirs."""

import ast
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant
from pliant import Arm, PliantWarning

PAGE = Path(__file__).parents[1] / "docs" / "coming_from.md"
SECTIONS = re.findall(r"## \d+\. (.+?)\n(.+?)\n\n```python\n(.+?)```", PAGE.read_text(), re.DOTALL)


def way(arm: Arm) -> np.ndarray:
    """How far the tool has come, m."""
    return arm.pose.position - arm.history["X_WT"][0, :3]


def pressed(arm: Arm) -> bool:
    force = np.linalg.norm(arm.history.since(arm.time - 0.1)["true_f_fixture_W"], axis=1)
    return bool(abs(force.mean() - 10.0) < 1.0)


def retracted(arm: Arm) -> bool:
    lowest = arm.history["X_WT"][:, 2].min()
    arm.wait(0.5)
    return bool(arm.pose.position[2] - lowest > 0.008)


DOES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "Move by 20 cm": lambda n: abs(way(n["arm"]) - [0, 0.2, 0]).max() < 2e-3,
    "Move to a pose": lambda n: abs(n["arm"].pose.position - [0.4, 0.1, 0.3]).max() < 1e-3,
    "Move the joints": lambda n: (
        abs(n["arm"].tick.q - [0.2, -1.5, 1.8, -1.9, -1.6, 0.1]).max() < 2e-3
    ),
    "Read the state": lambda n: len(n["q"]) == len(n["wrench"]) == 6 and len(n["pose"]) == 7,
    "Change the target while moving, then wait": lambda n: way(n["arm"])[2] > 0.03,
    "Follow waypoints": lambda n: abs(way(n["arm"]) - [0, 0.1, 0.1]).max() < 1e-3,
    "Stop on touch": lambda n: str(n["moved"].stopped_by) == "force(z)>5",
    "React in the loop: retract": lambda n: retracted(n["arm"]),
    "Press with a force": lambda n: pressed(n["arm"]),
    # 5 N of friction in the joints hold a soft spring some millimetres away
    "A spring at the tool": lambda n: abs(way(n["arm"])[2] + 0.05) < 5.0 / 300.0,
    "Guide by hand": lambda n: n["arm"].law == "position",
    "Record": lambda n: len(Path("run.csv").read_text().splitlines()) > 100,
}


def statements(program: str) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(program)))


def test_all_twelve_are_there() -> None:
    assert [title for title, _, _ in SECTIONS] == list(DOES)


@pytest.mark.parametrize(("title", "theirs", "program"), SECTIONS, ids=[s[0] for s in SECTIONS])
def test_a_program_runs_and_is_no_longer_than_theirs(
    title: str, theirs: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [int(count) for count in re.findall(r": (\d+)\b", theirs)]
    assert counts
    assert statements(program) <= min(counts)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"pliant": pliant}
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        exec(program, names)
    assert DOES[title](names)
    names["arm"].close()
