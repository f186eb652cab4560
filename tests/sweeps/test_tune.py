"""Tuning: candidates are compared on the same trials, and the best one is tested on others."""

import json

import numpy as np
import pytest

import pliant
from pliant.cli import main
from pliant.errors import ConfigError, UnknownNameError
from pliant.sweeps.run_tune import HELD_OUT
from pliant.sweeps.search_space import SearchSpace
from pliant.sweeps.sweep_plan import SweepPlan
from pliant.sweeps.tune_report import score_of
from pliant.tasks.pressing_trial import PRESS

VALUES = {"stiffness": "20..100", "hold": 1.0}
SEARCH = {"law.contact_peak": (4.0, 16.0)}


@pytest.fixture
def optimiser() -> None:
    pytest.importorskip("cmaes", reason="tuning needs the package cmaes, of the extra tune")


def test_failures_count_before_the_objective():
    good = [{"held": True, "time_s": 9.0, "error": ""}, {"held": True, "time_s": 7.0, "error": ""}]
    fast = [{"held": True, "time_s": 1.0, "error": ""}, {"held": False, "time_s": 1.0, "error": ""}]
    assert score_of(good, "held", "time_s", "mean") == (0, 8.0)
    assert score_of(good, "held", "time_s", "max") == (0, 9.0)
    assert score_of(good, "held", "time_s", "mean") < score_of(fast, "held", "time_s", "mean")
    raised = [{"error": "ArmStopped: …"}]
    assert score_of(raised, "held", "time_s", "mean") == (1, np.inf)
    with pytest.raises(ConfigError, match="no figure 'tim_s' to make small; valid: time_s"):
        score_of(good, "held", "tim_s", "mean")


def test_wide_ranges_are_searched_by_their_logarithm():
    space = SearchSpace.make({"force": "2..10", "law.wrench_rate": (1.0, 100.0)}, PRESS)
    assert space.values(np.array([0.5, 0.5])) == pytest.approx(
        {"force": 6.0, "law.wrench_rate": 10.0}
    )
    assert space.values(np.array([-1.0, 2.0])) == pytest.approx(
        {"force": 2.0, "law.wrench_rate": 100.0}
    )


@pytest.mark.parametrize(
    ("search", "error", "why"),
    [
        ({}, ConfigError, "say what to choose"),
        ({"force": 5.0}, ConfigError, "give a range to search"),
        ({"force": "1..500"}, ConfigError, "--force must be 1 to 20 N"),
        ({"law.nonsense": (1, 2)}, UnknownNameError, "law.nonsense"),
    ],
)
def test_spaces_that_make_no_sense_are_refused(search, error, why):
    with pytest.raises(error, match=why):
        SearchSpace.make(search, PRESS)


def test_an_objective_that_is_none_is_refused_before_anything_starts(optimiser, capsys):
    line = ["tune", "press", "--search", "law.contact_peak=4..16", "--objective", "happiness"]
    with pytest.raises(SystemExit, match="no figure 'happiness' to make small; valid: peak_"):
        main(line)
    assert "candidates" not in capsys.readouterr().err


def test_values_that_are_chosen_do_not_change_what_is_drawn():
    usual = SweepPlan.make("press", seed=3, values=VALUES)
    chosen = SweepPlan.make("press", seed=3, values={**VALUES, "law.contact_peak": 5.0})
    for index in range(5):
        before, after = usual.trial(index), chosen.trial(index)
        assert before.seed == after.seed
        assert before.params.items() <= after.params.items()


def test_the_best_is_found_on_training_trials_and_tested_on_others(optimiser):
    seen: list[int] = []
    report = pliant.tune(
        "press", search=SEARCH, objective="time_s", candidates=8, trials=2, held_out=3, seed=2,
        workers=1, on_progress=lambda tried, total, best: seen.append(tried), **VALUES,
    )  # fmt: skip
    assert seen[-1] == len(report.tried) == 8
    # a larger allowed peak is a faster approach
    assert report.best["law.contact_peak"] > 9.0
    scores = report.scores
    assert scores["held_out"][0] == scores["held_out_usual"][0] == 0
    assert scores["held_out"][1] < scores["held_out_usual"][1]
    held_out = SweepPlan.make("press", seed=2 + HELD_OUT, values=VALUES)
    assert [row["seed"] for row in report.tuned.rows] == [held_out.trial(i).seed for i in range(3)]
    assert "time_s" in str(report) and "3 of 3" in str(report)
    assert "law.contact_peak" not in report.tuned.figures


def test_the_command_line_writes_the_report_and_it_is_the_same_again(optimiser, tmp_path, capsys):
    file = tmp_path / "tuned.json"
    line = [
        "tune", "press", "--search", "law.contact_peak=4..16", "--objective", "time_s",
        "--candidates", "2", "--trials", "1", "--held-out", "1", "--workers", "1", "--json",
        "--out", str(file), "--stiffness", "50", "--hold", "1",
    ]  # fmt: skip
    main(line)
    first = json.loads(capsys.readouterr().out)
    assert json.loads(file.read_text()) == first
    main(line)
    assert json.loads(capsys.readouterr().out) == first
