"""The arm in a user's hand: time, repeatability, closing, and configurations that cannot work."""

from pathlib import Path

import numpy as np
import pytest

from pliant.api.arm import Arm
from pliant.config import Config
from pliant.errors import ConfigError, PliantError, Refused, WaitTimeout
from pliant.reasons import State
from pliant.tick import Rows, columns


@pytest.fixture
def arm() -> Arm:
    return Arm("sim:ur5e")


def press(seed: int) -> Rows:
    """Half a second of touching a table, and then sliding on it."""
    with Arm("sim:ur5e/table", seed=seed) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("z")
        arm.set_wrench([0.0, 0.0, -5.0, 0.0, 0.0, 0.0])
        arm.wait_until(lambda tick: tick.w_T[2] < -2.0)
        arm.move_by([0.01, 0.0, 0.0, 0.0, 0.0, 0.1], wait=False)
        arm.wait(0.5)
        assert arm.tick.true_f_fixture_W[2] < -1.0
        return arm.history.since(0.0)


def test_wait_counts_the_time_of_the_arm(arm: Arm) -> None:
    start = arm.time
    arm.wait(0.25)
    assert arm.time - start == pytest.approx(0.25)
    assert arm.tick.k == round(arm.time / arm.dt)


def test_ticks_give_every_tick_once(arm: Arm) -> None:
    numbers = [int(tick.k) for tick in arm.ticks(0.1)]
    assert numbers == list(range(numbers[0], numbers[0] + 50))


def test_nothing_happens_between_waits(arm: Arm) -> None:
    arm.wait(0.1)
    # as bytes, because what a position arm does not estimate is not a number
    before = np.asarray(arm.tick).tobytes()
    assert np.asarray(arm.tick).tobytes() == before
    assert len(arm.history) == 50


def test_wait_until_returns_the_tick_at_which_it_holds(arm: Arm) -> None:
    tick = arm.wait_until(lambda tick: tick.time >= 0.1)
    assert tick.time == pytest.approx(0.1)
    arm.wait(0.1)
    assert tick.time == pytest.approx(0.1), "the tick that was returned must stay as it was"


def test_wait_until_gives_up(arm: Arm) -> None:
    start = arm.time
    with pytest.raises(WaitTimeout, match=r"0\.2 s"):
        arm.wait_until(lambda tick: False, timeout=0.2)
    assert arm.time - start == pytest.approx(0.2)


def test_commands_between_ticks_act_at_the_next(arm: Arm) -> None:
    arm.wait(0.01)
    arm.activate("position")
    assert arm.state == State.INACTIVE
    arm.wait(arm.dt)
    assert arm.state == State.ACTIVE
    assert arm.law == "position"


def test_the_laws_can_be_asked_for(arm: Arm) -> None:
    assert arm.laws == ["hybrid_admittance", "position"]


def test_history_is_as_long_as_asked() -> None:
    arm = Arm("sim:ur5e", history=0.05)
    arm.wait(0.2)
    assert len(arm.history) == 25
    assert arm.history["time"][-1] == arm.time


def test_a_contact_repeats_bit_for_bit() -> None:
    first, second = press(seed=3), press(seed=3)
    assert len(first) == len(second)
    for name, _, _ in columns():
        assert first[name].tobytes() == second[name].tobytes(), name


def test_another_seed_is_another_world() -> None:
    one, other = press(seed=3), press(seed=4)
    assert not np.array_equal(one["w_S_raw"][:100], other["w_S_raw"][:100])


def test_closing_twice_is_safe_and_ends_it(arm: Arm) -> None:
    arm.close()
    arm.close()
    with pytest.raises(Refused, match="closed"):
        arm.wait(0.01)
    with pytest.raises(Refused, match="closed"):
        arm.hold()


def test_leaving_the_context_closes_the_arm() -> None:
    with pytest.raises(ZeroDivisionError), Arm("sim:ur5e") as arm:
        raise ZeroDivisionError
    with pytest.raises(Refused, match="closed"):
        arm.wait(0.01)


@pytest.mark.parametrize(
    ("spec", "config", "message"),
    [
        ("sim:ur5e/table", {"sim": {"scene": {"kind": "wall"}}}, "asks for the scene"),
        ("sim:ur5e", {"safety": {"contact_farce": 1.0}}, "contact_farce"),
        ("sim:ur5e", {"laws": {"hybrid_admittance": {"inertia": (0.0, 0.0)}}}, "inertia"),
        ("sim:ur5e", {"laws": {"hybrid_admittance": {"inertia": (0.1, 0.001)}}}, "D·dt/M"),
        ("sim:ur5e/moon", None, "moon"),
        ("sim:ur6", None, "ur6"),
        ("ur5e", None, "ur5e"),
    ],
)
def test_what_cannot_work_is_refused_with_its_name(
    spec: str, config: dict | None, message: str
) -> None:
    with pytest.raises(PliantError, match=message):
        Arm(spec, config=config)


def test_an_unknown_clock_is_refused() -> None:
    with pytest.raises(ConfigError, match="fast"):
        Arm("sim:ur5e", clock="slow")  # pyright: ignore[reportArgumentType]


def test_a_configuration_may_be_an_object_values_or_a_file(tmp_path: Path) -> None:
    values = {"safety": {"contact_force": 33.0}}
    file = tmp_path / "arm.yaml"
    file.write_text("safety: {contact_force: 33.0}\n")
    for config in (Config.from_dict(values), values, file, str(file)):
        assert Arm("sim:ur5e", config=config).get("safety.contact_force") == 33.0


def test_unknown_axes_and_gains_are_refused_with_the_valid_ones(arm: Arm) -> None:
    with pytest.raises(Refused, match="rx, ry, rz"):
        arm.set_axes("x w")
    with pytest.raises(PliantError, match="did you mean stiffness"):
        arm.zero()
        arm.activate("hybrid_admittance", stifness=(1.0, 1.0))
