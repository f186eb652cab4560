"""Which trials a sweep consists of."""

import numpy as np
import pytest

from pliant.errors import ConfigError, UnknownNameError
from pliant.sweeps.ranges import Choices, Range, parse_values
from pliant.sweeps.sweep_plan import SweepPlan


def plan(seed: int = 1, **values: object) -> SweepPlan:
    return SweepPlan.make("insertion", seed=seed, values=values)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("0..20", Range(low=0.0, high=20.0)),
        ((0, 20), Range(low=0.0, high=20.0)),
        ("1,2,5", Choices(values=(1.0, 2.0, 5.0))),
        ([1, 2, 5], Choices(values=(1.0, 2.0, 5.0))),
        ("0.1", Choices(values=(0.1,))),
        (0.1, Choices(values=(0.1,))),
    ],
)
def test_values_as_they_are_given(given: object, expected: object) -> None:
    assert parse_values(given, "x") == expected


@pytest.mark.parametrize("given", ["", "a", "3..1", "1..", "nan", "0..inf", None, []])
def test_other_values_are_refused(given: object) -> None:
    with pytest.raises(ConfigError, match=r"a range as in 0\.\.20"):
        parse_values(given, "x")


def test_a_trial_depends_on_seed_and_number_alone() -> None:
    one, other = plan(offset="0..20", lag="2..34"), plan(lag="2..34", offset="0..20")
    assert [one.trial(k) for k in range(20)] == [other.trial(k) for k in range(20)]
    assert one.trial(7) != plan(seed=2, offset="0..20", lag="2..34").trial(7)
    assert len({one.trial(k).seed for k in range(200)}) == 200


def test_offsets_are_even_over_a_disc_and_stiffnesses_over_their_range() -> None:
    trials = [plan(offset="0..20", stiffness="10..100").trial(k).params for k in range(4000)]
    offset = np.array([params["offset"] for params in trials])
    stiffness = np.array([params["stiffness"] for params in trials])
    # half of a disc lies within 1/√2 of its radius
    assert np.mean(offset < 20.0 / np.sqrt(2.0)) == pytest.approx(0.5, abs=0.03)
    assert np.mean(stiffness < 55.0) == pytest.approx(0.5, abs=0.03)
    assert offset.min() >= 0.0 and offset.max() <= 20.0
    assert {params["clearance"] for params in trials} == {0.3}


def test_several_values_make_a_grid() -> None:
    grid = plan(offset="0,1,2", lag="2,34")
    pairs = [(t.params["offset"], t.params["lag"]) for t in map(grid.trial, range(6))]
    assert len(set(pairs)) == 6
    again = grid.trial(6)
    assert (again.params["offset"], again.params["lag"]) == pairs[0]
    # but with another seed
    assert again.seed != grid.trial(0).seed


def test_a_plan_survives_its_file() -> None:
    made = plan(offset="0.1..20", lag="2,34", clearance=0.1)
    again = SweepPlan.from_json(made.as_json())
    assert again == made
    assert again.trial(11) == made.trial(11)


def test_a_law_belongs_to_the_plan() -> None:
    made = SweepPlan.make("insertion", seed=0, robot="sim:panda/peg", law="hybrid_force", values={})
    assert SweepPlan.from_json(made.as_json()) == made
    assert "law" not in plan().as_json()
    with pytest.raises(UnknownNameError, match="hybrid_force"):
        SweepPlan.make("insertion", seed=0, law="gravity", values={})
    with pytest.raises(UnknownNameError, match="law"):
        SweepPlan.make("press", seed=0, law="hybrid_force", values={})


def test_figures_of_the_strategy_can_be_swept() -> None:
    assert plan(**{"plan.press": "3..8"}).trial(0).params["plan.press"] > 3.0
    with pytest.raises(UnknownNameError, match=r"plan\.pres"):
        plan(**{"plan.pres": 3.0})


def test_values_out_of_bounds_and_unknown_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="--offset must be 0 to 20 mm, not 30"):
        plan(offset="0..30")
    with pytest.raises(UnknownNameError, match="stiffness"):
        plan(stifness=10)
    with pytest.raises(UnknownNameError, match="insertion"):
        SweepPlan.make("insert", seed=0, values={})
