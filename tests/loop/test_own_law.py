"""A user's own law can write the law's columns and nothing else, whatever it does to its rows."""

import sys

import numpy as np
import pytest

from pliant import Arm, ArmStopped, PoseLaw
from pliant.loop.own_law import OwnLaw
from pliant.reasons import State
from pliant.tick import Rows, columns, new_rows

OWN = [name for name, declared, _ in columns() if declared.stage == "law"]
OTHERS = [name for name, declared, _ in columns() if declared.stage != "law"]


class Follower(PoseLaw):
    """Follows the reference."""

    name = "follower"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Command the reference."""
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0


class Scribbler(Follower):
    """Follows the reference, and writes where it must not, such as q_sent, trip and state."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Overwrite all that belongs to others."""
        super().update(prev, tick)
        prev.view(np.uint8)[:] = 0x37
        for name in OTHERS:
            tick[name] = 7


class Breaking(Scribbler):
    """Raises after it has scribbled."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Scribble and fail."""
        super().update(prev, tick)
        raise ZeroDivisionError


def random_rows() -> tuple[Rows, Rows]:
    rows = new_rows(6, 2)
    rng = np.random.default_rng(8)
    for name in rows.dtype.names or ():
        rows[name] = rng.integers(0, 100, rows[name].shape)
    return rows[:1].copy(), rows[1:].copy()


def run(law: PoseLaw) -> Rows:
    """A motion under a law, and its end."""
    arm = Arm("sim:ur5e", laws=[law])
    arm.activate("follower")
    arm.move_by([0, 0.02, 0.01, 0, 0, 0.1], wait=False)
    arm.wait(0.2)
    arm.deactivate()
    arm.wait(0.1)
    return arm.history.since(0.0)


def test_a_law_that_overwrites_both_rows_changes_only_its_own_columns() -> None:
    prev, tick = random_rows()
    before, now = prev.copy(), tick.copy()
    OwnLaw(Scribbler(), 6)(prev, tick)
    assert prev.tobytes() == before.tobytes()
    for name in OTHERS:
        np.testing.assert_array_equal(tick[name], now[name], name)
    np.testing.assert_array_equal(tick["X_WT_cmd"], now["X_WR"])


def test_the_columns_of_a_law_that_it_does_not_write_are_at_rest() -> None:
    prev, tick = random_rows()
    OwnLaw(Follower(), 6)(prev, tick)
    np.testing.assert_array_equal(tick["X_WR_seed"], tick["X_WT_sent"])
    for name in OWN:
        if name not in ("X_WT_cmd", "X_WR_seed"):
            assert not tick[name].any(), name


def test_a_law_that_raises_changes_nothing_of_others_either() -> None:
    prev, tick = random_rows()
    before, now = prev.copy(), tick.copy()
    with pytest.raises(ZeroDivisionError):
        OwnLaw(Breaking(), 6)(prev, tick)
    assert prev.tobytes() == before.tobytes()
    for name in OTHERS:
        np.testing.assert_array_equal(tick[name], now[name], name)


class Leaving(Follower):
    """Exits the program after a while."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Follow the reference, then leave."""
        super().update(prev, tick)
        if tick["time"][0] > 0.1:
            sys.exit("enough")


def test_a_law_that_exits_the_program_stops_the_arm_instead() -> None:
    arm = Arm("sim:ur5e", laws=[Leaving()])
    arm.activate("follower")
    arm.move_by([0, 0.05, 0, 0, 0, 0], wait=False)
    with pytest.raises(ArmStopped, match="law follower: SystemExit: enough"):
        arm.wait(0.5)
    for _ in range(500):
        arm._session.advance()
    rows = arm.history.since(0.0)
    assert np.abs(rows["qd_limited"]).max() > 0.01
    assert np.abs(rows["qd_limited"][-1]).max() < 1e-4
    assert rows["state"][-1] == State.FAULT


def test_an_arm_moves_under_a_scribbling_law_as_under_a_proper_one() -> None:
    proper, scribbled = run(Follower()), run(Scribbler())
    assert np.abs(proper["qd_limited"]).max() > 0.01
    for name in proper.dtype.names or ():
        assert proper[name].tobytes() == scribbled[name].tobytes(), name
