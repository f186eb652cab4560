"""No trial is lost or doubled, whatever ends a sweep; and what the report makes of them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pliant.errors import ConfigError, PliantError
from pliant.sweeps.executors import Outcome
from pliant.sweeps.rerun import read_report
from pliant.sweeps.run_sweep import complete
from pliant.sweeps.sweep_plan import SweepPlan, SweepTrial
from pliant.sweeps.sweep_report import SweepReport, wilson
from pliant.sweeps.sweep_store import SweepStore, read_cost, read_rows

PLAN = SweepPlan.make("insertion", seed=3, values={"offset": "0..20", "lag": "2,34"})


def result(trial: SweepTrial) -> dict:
    """Figures that depend on the trial alone: near holes are found."""
    if trial.index == 5:
        return {"error": "ValueError: no", "cpu_s": 0.5}
    offset = trial.params["offset"]
    seated = offset < 10.0
    note = "seated" if seated else "stuck"
    return {
        "seated": seated, "peak_force_n": offset, "note": note, "error": "", "cpu_s": 0.5
    }  # fmt: skip


class Ended(Exception):
    """The end of a sweep before its time."""


class Fake:
    """Runs trials at once, every pair of them backwards, and ends after some."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.ran: list[int] = []

    def __call__(self, plan: SweepPlan, trials: Iterable[SweepTrial]) -> Iterator[Outcome]:
        listed = list(trials)
        for k in range(0, len(listed), 2):
            for trial in reversed(listed[k : k + 2]):
                if len(self.ran) == self.most:
                    raise Ended
                self.ran.append(trial.index)
                yield trial, result(trial)


def whole(file: Path, trials: int) -> list[dict]:
    complete(SweepStore(file, PLAN), trials, Fake())
    return read_rows(file)


def test_an_interrupted_sweep_continues_to_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    first = Fake(most=7)
    with pytest.raises(Ended):
        complete(SweepStore(file, PLAN), 20, first)
    assert not file.exists()
    second = Fake()
    complete(SweepStore(file, PLAN), 20, second)
    assert sorted(first.ran + second.ran) == list(range(20))
    assert read_rows(file) == whole(tmp_path / "b.parquet", 20)
    assert [path.name for path in tmp_path.iterdir() if "a.parquet" in path.name] == ["a.parquet"]
    assert read_cost(file) == 10.0


def test_a_complete_sweep_runs_nothing_and_a_longer_one_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    before = whole(file, 6)
    again, more = Fake(), Fake()
    complete(SweepStore(file, PLAN), 6, again)
    assert again.ran == []
    complete(SweepStore(file, PLAN), 9, more)
    assert sorted(more.ran) == [6, 7, 8]
    assert read_rows(file)[:6] == before


def test_parts_left_by_a_kill_while_merging_are_not_doubled(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    expected = whole(file, 6)
    store = SweepStore(file, PLAN)
    store.done.clear()
    store.append([(PLAN.trial(2), result(PLAN.trial(2)))])
    assert SweepStore(file, PLAN).rows() == expected


def test_two_sweeps_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    whole(file, 3)
    other = SweepPlan.make("insertion", seed=4, values={"offset": "0..10", "lag": "2,34"})
    with pytest.raises(ConfigError, match=r"another sweep: it differs in seed, offset; .* --out"):
        SweepStore(file, other)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="parquet"):
        SweepStore(tmp_path / "a.csv", PLAN)
    with pytest.raises(ConfigError, match="no such folder"):
        SweepStore(tmp_path / "none" / "a.parquet", PLAN)
    text = tmp_path / "a.parquet"
    text.write_text("no")
    with pytest.raises(PliantError, match="cannot read"):
        SweepStore(text, PLAN)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # from Wilson's formula, as in the tables of Brown, Cai and DasGupta (2001)
    [(10, 10, 0.7225, 1.0), (0, 10, 0.0, 0.2775), (990, 1000, 0.9817, 0.9946), (0, 0, 0.0, 1.0)],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_the_report(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    whole(file, 60)
    report = read_report(file)
    assert report.trials == 60
    assert report.successes + len(report.failed) == 60
    assert 5 in report.failed
    assert report.figures["peak_force_n"].max > 19.0
    near, *_, far = report.by("offset")
    assert near.successes == near.trials > 0 and far.successes == 0
    assert sum(part.trials for part in report.by("offset")) == 60
    assert [part.low for part in report.by("lag")] == [2.0, 34.0]
    assert report.notes()["ValueError: no"] == 1
    assert f"{report.successes} of 60" in str(report)
    report.plot(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


def test_a_sweep_of_failures_has_a_report_too(tmp_path: Path) -> None:
    report = SweepReport(PLAN, [{"trial": 0, "seed": 1, **PLAN.trial(0).params, "error": "no"}])
    assert report.successes == 0
    assert "0 of 1" in str(report)
    report.plot(tmp_path / "a.png")
