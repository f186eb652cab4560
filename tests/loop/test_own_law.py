"""A user's own law can write the law's columns and nothing else, whatever it does to its rows."""

import sys

import numpy as np
import pytest

from pliant import Arm, ArmStopped, PoseLaw, TorqueLaw
from pliant.errors import ConfigError, PliantError
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


class Pusher(Follower):
    """Writes into what safety compares with, in every way that it can find."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Move the set points that were sent by 0.3 rad."""
        super().update(prev, tick)
        for rows in (prev, tick):
            for name in ("q_sent", "q_limited", "qd_limited"):
                rows[name] += 0.3
            assert rows.base is None, "there is more behind the copy"


def test_a_law_that_writes_what_safety_compares_with_makes_no_step() -> None:
    arm = Arm("sim:ur5e", laws=[Pusher()])
    arm.activate("follower")
    arm.wait(0.1)
    rows = arm.history.since(0.0)
    assert np.abs(np.diff(rows["q_limited"], axis=0)).max() < 1e-6
    assert np.abs(np.diff(rows["q_sent"], axis=0)).max() < 1e-6


class Limp(TorqueLaw):
    """Adds no torque to that of gravity."""

    name = "limp"
    takes = "nothing"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Damp the joints."""
        tick["tau_law"] = -2.0 * tick["qd"]


class LimpScribbler(Limp):
    """The same, and writes where it must not."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Overwrite all that belongs to others."""
        super().update(prev, tick)
        prev.view(np.uint8)[:] = 0x37
        for name in OTHERS:
            tick[name] = 7


def pushed(law: TorqueLaw) -> Rows:
    """A torque arm under a law, pushed by a hand."""
    arm = Arm("sim:panda", laws=[law])
    arm.activate("limp")
    arm.hand.schedule([0, 10, 5, 0, 0, 0], duration=0.2)
    arm.wait(0.3)
    return arm.history.since(0.0)


def test_a_torque_law_cannot_reach_the_rows_of_others_either() -> None:
    proper, scribbled = pushed(Limp()), pushed(LimpScribbler())
    assert np.abs(proper["qd"]).max() > 0.01
    for name in proper.dtype.names or ():
        assert proper[name].tobytes() == scribbled[name].tobytes(), name


@pytest.mark.parametrize("column", ["X_WT_cmd", "v_cmd_T"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_stops_the_arm_and_is_named(column: str, value: float) -> None:
    class Broken(Follower):
        """Asks for what is no number."""

        name = "broken"

        def update(self, prev: Rows, tick: Rows) -> None:
            super().update(prev, tick)
            tick[column] = value

    arm = Arm("sim:ur5e", laws=[Broken()])
    arm.activate("broken")
    with pytest.raises(ArmStopped, match=f"law broken: .*{column} is not finite"):
        arm.wait(0.1)
    assert np.isfinite(arm.tick.q_sent).all()


class Nameless(PoseLaw):
    """A law without a name."""

    def update(self, prev: Rows, tick: Rows) -> None:
        """Do nothing."""


class Idle(PoseLaw):
    """A law that has nothing to say."""

    name = "idle"


@pytest.mark.parametrize(
    ("law", "said"),
    [
        (Nameless(), "Nameless needs a name"),
        (Idle(), "idle needs a method update"),
        ("shy", "derive from pliant.PoseLaw"),
        (Follower, "derive from pliant.PoseLaw"),
    ],
)
def test_what_is_no_law_is_refused(law: object, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Arm("sim:ur5e", laws=[law])


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"name": "my law"}, "letters, digits and underscores"),
        ({"name": "my_law", "takes": "tools"}, "takes is one of 'tool', 'joints', 'nothing'"),
        ({"name": "my_law", "Config": dict}, "derive from pliant.Params"),
    ],
)
def test_a_class_that_cannot_work_is_refused_where_it_is_written(attributes, said: str) -> None:
    with pytest.raises(PliantError, match=said):
        type("Own", (PoseLaw,), attributes)
