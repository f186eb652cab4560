"""Postures and sequences: read, run once, timed, in cycles, stopped."""

from math import radians
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import ArmStopped, ConfigError, Refused, UnknownNameError
from pliant.tasks.postures import go_to, load_postures, play

HOME = [0.0, -94.5, 107.1, -102.6, -90.0, -90.0]
BOOK = f"""
unit: deg
postures:
  home: {HOME}
  turned: [10.0, -94.5, 107.1, -102.6, -90.0, -80.0]
sequences:
  nod:
    - {{posture: turned, speed: 40}}
    - {{posture: home, duration: 0.5}}
  timed:
    - {{posture: turned, duration: 0.3}}
    - {{posture: home, duration: 0.3}}
  empty: []
"""


@pytest.fixture
def book(tmp_path: Path):
    file = tmp_path / "book.yaml"
    file.write_text(BOOK)
    return load_postures(file)


@pytest.fixture
def arm(book) -> Arm:
    start = book.positions("home").tolist()
    return Arm("sim:ur5e", config={"sim": {"q_start": start}})


def test_once_each_step_when_the_one_before_is_reached(arm: Arm, book) -> None:
    seen = list(play(arm, book, "nod"))
    assert sorted(set(seen)) == [0, 1]
    assert arm.joints.done()
    ticks = arm.history.since(0.0)
    assert ticks["q_board"][:, 0].max() == pytest.approx(radians(10.0), abs=1e-9)
    np.testing.assert_allclose(arm.tick.q_board, np.radians(HOME), atol=1e-9)
    # at 40°/s it would take 0.25 s, but for the acceleration
    assert arm.time == pytest.approx(0.32 + 0.5, abs=0.02)


def test_timed_and_in_cycles(arm: Arm, book) -> None:
    assert len(list(play(arm, book, "timed", timed=True, cycles=3))) * arm.dt == pytest.approx(1.8)
    turned = arm.history.since(0.0)["q_board"][:, 0] > radians(9.99)
    assert np.count_nonzero(np.diff(turned.astype(int)) == 1) == 3


def test_leaving_the_loop_stops_the_joints(arm: Arm, book) -> None:
    for _ in play(arm, book, "nod", cycles=np.inf):
        if arm.time > 0.1:
            break
    arm.joints.wait_done()
    where = arm.tick.q_board[0]
    assert 0.0 < where < radians(10.0)
    arm.wait(0.3)
    assert arm.tick.q_board[0] == where


def test_to_a_posture(arm: Arm, book) -> None:
    go_to(arm, book, "turned", speed=40.0)
    assert arm.tick.q_board[5] == pytest.approx(radians(-80.0))


def test_a_joint_that_is_taken_out_ends_it(arm: Arm, book) -> None:
    with pytest.raises(ArmStopped, match="joint 1 too hot"):
        for _ in play(arm, book, "nod"):
            if arm.time > 0.1:
                arm.joints.inject_fault(1, "over_temperature")


def test_what_cannot_be_done_is_said(arm: Arm, book, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="valid: nod, timed, empty"):
        list(play(arm, book, "wave"))
    with pytest.raises(Refused, match="needs a duration"):
        list(play(arm, book, "nod", timed=True))
    with pytest.raises(Refused, match="nothing to do"):
        list(play(arm, book, "empty"))
    file = tmp_path / "bad.yaml"
    file.write_text("postures: {a: [1]}\nsequences: {s: [{posture: b}]}")
    with pytest.raises(ConfigError, match="no posture 'b'; valid: a"):
        load_postures(file)
    file.write_text("postures: {a: [1, 2]}\nsequences: {s: [{posture: a}]}")
    with pytest.raises(Refused, match="6 joints need as many values, not 2"):
        list(play(arm, load_postures(file), "s"))
    file.write_text("postures: {a: [1]}\nsequences: {s: [{posture: a, speed: 1, duration: 1}]}")
    with pytest.raises(ConfigError, match="a speed or a duration, not both"):
        load_postures(file)
    with pytest.raises(ConfigError, match="cannot read"):
        load_postures(tmp_path / "none.yaml")
