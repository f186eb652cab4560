"""The benchmark: its structure and its consistency, but not its times."""

import json
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

from pliant.arms.description import arm_names
from pliant.bench import bare_loop
from pliant.bench.figure import Figure
from pliant.bench.memory import resident_kB
from pliant.bench.null_robot import compliant_loop
from pliant.bench.recorder_cost import recorder_figures
from pliant.bench.report import Report
from pliant.bench.timing import calls, in_turns
from pliant.cli import bench as verb
from pliant.reasons import State


def figure(value: float, bound: float | None) -> Figure:
    return Figure(value=value, unit="R", meaning="anything", bound=bound)


WHOLE = pytest.param(True, id="whole", marks=pytest.mark.long)


@pytest.fixture(scope="module", params=[pytest.param(False, id="without processes"), WHOLE])
def report(request: pytest.FixtureRequest) -> dict:
    """The JSON object that `pliant bench --json --quick` prints, or without `realtime`."""
    printed = StringIO()
    with redirect_stdout(printed):
        verb.bench(json=True, quick=True, realtime=request.param)
    return json.loads(printed.getvalue())


def test_every_bounded_figure_is_reported(report: dict) -> None:
    bounds = {n: f["bound"] for n, f in report["figures"].items() if "bound" in f}
    assert bounds == {
        "law_kernel": 1.0,
        "law_kernel_adaptive": 1.3,
        "tick_p50": 5.0,
        "insertion": 2.2,
        "memory_growth": 256.0,
    }
    informational = {"yardstick", "tick_p99", "speed_free", "speed_contact", "import_pliant"}
    assert informational <= set(report["figures"])


def test_a_tick_under_every_law_is_measured(report: dict) -> None:
    figures = report["laws"]
    bounds = {n: f["bound"] for n, f in figures.items() if "bound" in f}
    assert bounds.pop("task_space_inverse_dynamics") == 40.0
    assert bounds.pop("task_space_inverse_dynamics, a limit binding") == 40.0
    assert set(bounds.values()) == {25.0}
    assert {"gravity", "inverse_dynamics", "cartesian_impedance", "position"} <= set(bounds)
    for law in ("task_space_inverse_dynamics", "task_space_inverse_dynamics, a limit binding"):
        assert figures[f"{law}, 99 %"]["value"] > figures[law]["value"]


@pytest.mark.parametrize("report", [WHOLE], indirect=True)
def test_real_time_is_compared_with_a_bare_loop(report: dict) -> None:
    figures = report["realtime"]
    assert {n: f["bound"] for n, f in figures.items() if "bound" in f} == {
        "lateness_p50": 1.15,
        "lateness_p99": 1.15,
        "late_share": 0.1,
        "recorder_lateness_p50": 1.0,
        "recorder_lateness_p99": 1.0,
        "recorder_lost": 0.0,
        "command_to_effect": 1.5,
        "readers_missed": 0.0,
        **{f"controller_cpu_{arm}": 2.2 for arm in arm_names()},
        "guardian_lateness_p99": 1.05,
        "guardian_cpu": 2.0,
        "control_ready": 1.8,
        "ur_cpu": 2.0,
        "franka_p50": 1.5,
        "franka_p99": 1.5,
    }
    for name in ("p50", "p99", "p99.9"):
        ours, bare = figures[f"lateness_{name}"], figures[f"bare_lateness_{name}"]
        assert ours["value"] == pytest.approx(ours["microseconds"] / bare["value"], rel=1e-2)
    assert figures["readers_missed"]["ok"]
    assert figures["recorder_lost"]["ok"]


def test_the_cost_of_a_recorder_is_measured_in_units_of_the_noise() -> None:
    rng = np.random.default_rng(0)
    alone = [level + rng.uniform(0.0, 1e-6, 1000) for level in (10e-6, 12e-6, 14e-6)]
    alike, later = ([late + by for late in alone] for by in (1e-6, 6e-6))
    for turns, ok in ((alike, True), (later, False)):
        figures = recorder_figures(alone, turns, lost=0)
        assert figures["recorder_lateness_p50"].ok is ok
    assert figures["recorder_lateness_p50"].value == pytest.approx(6.0 / 4.0, rel=0.1)
    assert not recorder_figures(alone, alike, lost=1)["recorder_lost"].ok


def test_every_figure_has_a_finite_value_a_unit_and_a_meaning(report: dict) -> None:
    sections = (report["figures"], report["stages"], report["realtime"])
    for entry in (entry for section in sections for entry in section.values()):
        assert np.isfinite(entry["value"])
        assert entry["unit"]
        assert entry["meaning"]


def test_ratios_use_the_yardstick_of_the_same_run(report: dict) -> None:
    figures = report["figures"]
    R = figures["yardstick"]["value"]
    for name in ("law_kernel", "law_kernel_adaptive", "tick_p50", "tick_p99"):
        assert figures[name]["value"] == pytest.approx(figures[name]["microseconds"] / R, rel=1e-2)


def test_every_stage_is_listed(report: dict) -> None:
    assert list(report["stages"]) == [
        *("clock", "robot", "model", "wrench", "supervisor", "contact", "reference", "law"),
        *("resolve", "joints", "safety", "write", "publish"),
    ]


def test_one_figure_over_its_bound_fails_the_report() -> None:
    good, bad, free = figure(1.0, 1.0), figure(1.1, 1.0), figure(9.0, None)
    assert Report(figures={"a": good, "b": free}, stages={}).ok
    assert not Report(figures={"a": good, "b": bad}, stages={}).ok
    assert not Report(figures={"a": good}, stages={}, realtime={"b": bad}).ok


@pytest.mark.parametrize(("value", "status"), [(0.5, None), (2.0, 1)])
def test_only_check_turns_a_failure_into_an_exit_status(value, status, monkeypatch, capsys) -> None:
    report = Report(figures={"a": figure(value, 1.0)}, stages={})
    monkeypatch.setattr(verb, "measure", lambda quick, realtime: report)
    verb.bench()
    assert ("FAIL" in capsys.readouterr().out) == (status == 1)
    if status is None:
        verb.bench(check=True)
        return
    with pytest.raises(SystemExit) as exit_:
        verb.bench(check=True)
    assert exit_.value.code == status


def test_the_measured_loop_is_compliant() -> None:
    loop = compliant_loop(history=2.0)
    for _ in range(1500):
        loop.step()
    assert loop.row["state"][0] == State.ACTIVE
    assert loop.row["n_af"][0] == 6
    # the commanded pose follows the force, without limits
    assert np.ptp(loop.publisher["X_WT_cmd"][:, :3], axis=0).min() > 1e-4
    assert not loop.publisher["clipped"].any()


def test_in_turns_distinguishes_slow_from_fast() -> None:
    times = in_turns({"slow": calls(sum, range(2000)), "fast": calls(len, "")}, rounds=5)
    assert times["slow"] > times["fast"] > 0.0


class Time:
    """A clock that moves only when someone sleeps, and then 70 µs too far, or further.

    Attributes:
        more: How much further, for the next sleeps, ns.
    """

    def __init__(self) -> None:
        self.now = 0
        self.more: list[int] = []

    def monotonic_ns(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += round(1e9 * seconds) + 70_000 + (self.more.pop(0) if self.more else 0)


def test_the_bare_loop_is_never_early(monkeypatch) -> None:
    fake = Time()
    monkeypatch.setattr(bare_loop, "time", fake)
    assert bare_loop.lateness_ns(rate=500.0, seconds=0.1) == [70_000] * 50
    # the deadlines that a long sleep misses are left out, and the others stay where they were
    fake.more, start = [0, 5_000_000], fake.now
    late = bare_loop.lateness_ns(rate=500.0, seconds=0.02)
    assert late == [70_000, 5_070_000, *[70_000] * 8]
    assert fake.now == start + 12 * 2_000_000 + 70_000


def test_resident_memory_is_plausible() -> None:
    assert 1e4 < resident_kB() < 1e8
