"""Find parameters of a task: a sweep with an objective.

Candidates come from CMA-ES (N. Hansen, "The CMA evolution strategy", 2016; the package cmaes). All
are tried on the same trials. A candidate with fewer failures is better; among equals, the one
whose objective is smaller. CMA-ES needs their order only.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from pliant.errors import ConfigError, advice
from pliant.extras import require
from pliant.sweeps.executors import Executor, cores, on_cores, on_ray
from pliant.sweeps.run_sweep import check_sweep
from pliant.sweeps.search_space import SearchSpace
from pliant.sweeps.sweep_plan import SweepPlan, SweepTrial, check_trials
from pliant.sweeps.sweep_report import SweepReport
from pliant.sweeps.tune_report import Candidate, Statistic, TuneReport, score_of

HELD_OUT = 1_000_000
"""How far the seed of the held-out trials is from that of the training trials."""

_SIGMA = 0.3
"""How widely candidates are spread at first, as a share of each range."""

Progress = Callable[[int, int, Candidate], None]
"""Called with the numbers of tried and of all candidates, and the best one so far."""


def tune(
    task: str,
    *,
    search: Mapping[str, Any],
    objective: str,
    statistic: Statistic = "mean",
    candidates: int = 40,
    trials: int = 20,
    held_out: int = 50,
    seed: int = 0,
    robot: str | None = None,
    workers: int | None = None,
    ray: str | None = None,
    on_progress: Progress | None = None,
    **values: Any,
) -> TuneReport:
    """Find parameters of a task on training trials, and report on others.

    Example:
        >>> search = {"law.contact_peak": (4, 16)}
        >>> print(pliant.tune("press", search=search, objective="settling_s", lag=(2, 34)))

    Args:
        task: Name of the task.
        search: The range of each parameter to choose: parameters of the task, its strategy's
            figures (`plan.press`) or gains of its law (`law.contact_peak`).
        objective: The figure of the task to be small, such as `rms_error_n`.
        statistic: Over the trials: mean, p95 or max.
        candidates: How many sets of values to try.
        trials: Training trials of each.
        held_out: Trials of the best one, and of the usual values, that no candidate has seen.
        seed: Seed of the training trials, and of the search.
        robot: The arm; by default that of the task.
        workers: Number of processes on this machine; by default one per core.
        ray: Address of a Ray cluster to run on instead.
        on_progress: Called after every generation of candidates.
        **values: Other parameters of the task, as in `sweep`.

    Raises:
        MissingExtra: The package cmaes is not installed.
        ConfigError: The task has no such figure, or a number makes no sense.
    """
    usual, space = check_tune(
        task, search=search, objective=objective, statistic=statistic,
        counts=(candidates, trials, held_out), seed=seed, robot=robot, values=values,
    )  # fmt: skip
    executor = on_ray(ray) if ray else on_cores(workers or cores())
    tuning = _Tuning(usual, space, executor, trials, objective, statistic)
    tried = tuning.search(candidates, on_progress)
    best = min(tried, key=lambda one: one.score).values
    later = [
        SweepPlan.make(task, seed=seed + HELD_OUT, robot=robot, values={**values, **found})
        for found in (best, {})
    ]
    tuned, untuned = (_run(plan, executor, held_out) for plan in later)
    return TuneReport(
        plan=usual, objective=objective, statistic=statistic, tried=tried, best=best,
        tuned=tuned, usual=untuned,
    )  # fmt: skip


def check_tune(
    task: str,
    *,
    search: Mapping[str, Any],
    objective: str,
    statistic: str,
    counts: Sequence[int],
    seed: int,
    robot: str | None,
    values: Mapping[str, Any],
) -> tuple[SweepPlan, SearchSpace]:
    """The plan of the training trials and what is searched, if they can be; nothing is started.

    Raises:
        MissingExtra: The package cmaes is not installed.
        ConfigError: The task has no such figure, or a number makes no sense.
        UnknownNameError: There is no such task, parameter or arm.
    """
    require("tune")
    for count in counts:
        check_trials(count)
    plan = check_sweep(task, trials=counts[0], seed=seed, robot=robot, values=values)
    space = SearchSpace.make(search, plan.trial_task)
    figures = plan.trial_task.figures
    if objective not in figures:
        raise ConfigError(f"no figure {objective!r} to make small; {advice(objective, figures)}")
    if statistic not in ("mean", "p95", "max"):
        raise ConfigError(f"a statistic is mean, p95 or max, not {statistic!r}")
    return plan, space


@dataclass(frozen=True)
class _Tuning:
    """A search under way."""

    plan: SweepPlan
    space: SearchSpace
    executor: Executor
    trials: int
    objective: str
    statistic: Statistic

    def search(self, count: int, on_progress: Progress | None) -> list[Candidate]:
        """Try so many candidates."""
        tried: list[Candidate] = []
        for generation in self._generations(count):
            tried += generation
            if on_progress:
                on_progress(len(tried), count, min(tried, key=lambda one: one.score))
        return tried

    def _generations(self, count: int) -> Iterator[list[Candidate]]:
        """Candidates, generation by generation, each one tried."""
        cma = import_module("cmaes").CMA(
            mean=np.full(self.space.size, 0.5),
            sigma=_SIGMA,
            bounds=np.tile((0.0, 1.0), (self.space.size, 1)),
            seed=self.plan.seed,
        )
        left = count
        while left > 0:
            points = [cma.ask() for _ in range(cma.population_size)]
            some = self._try([self.space.values(point) for point in points[:left]])
            left -= len(some)
            yield some
            if len(some) == len(points):
                order = sorted(range(len(some)), key=lambda i: some[i].score)
                cma.tell([(points[i], float(rank)) for rank, i in enumerate(order)])

    def _try(self, candidates: list[dict[str, float]]) -> list[Candidate]:
        """Run the training trials of some candidates, all together."""
        work = [
            SweepTrial(
                index=number * self.trials + trial.index,
                seed=trial.seed,
                params={**trial.params, **values},
            )
            for number, values in enumerate(candidates)
            for trial in map(self.plan.trial, range(self.trials))
        ]
        rows: list[list[dict[str, Any]]] = [[] for _ in candidates]
        # in the order of the trials, whichever ended first: sums depend on it
        found = sorted(self.executor(self.plan, work), key=lambda outcome: outcome[0].index)
        for trial, figures in found:
            rows[trial.index // self.trials].append(figures)
        success = self.plan.trial_task.success
        return [
            Candidate(
                values=values,
                score=score_of(some, success, self.objective, self.statistic),
            )
            for values, some in zip(candidates, rows, strict=True)
        ]


def _run(plan: SweepPlan, executor: Executor, trials: int) -> SweepReport:
    """The first trials of a plan."""
    found = sorted(
        executor(plan, map(plan.trial, range(trials))), key=lambda outcome: outcome[0].index
    )
    rows = [
        {"trial": trial.index, "seed": trial.seed, **trial.params, **figures}
        for trial, figures in found
    ]
    for row in rows:
        del row["cpu_s"]
    return SweepReport(plan, rows)
