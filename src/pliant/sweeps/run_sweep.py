"""Run a sweep, or what is missing of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from pliant.robots.registry import check_robot
from pliant.sweeps.executors import Executor, Outcome, cores, on_cores, on_ray
from pliant.sweeps.sweep_plan import SweepPlan, check_trials
from pliant.sweeps.sweep_report import SweepReport
from pliant.sweeps.sweep_store import SweepStore

_SAVE_EVERY = 5.0
"""Longest time that finished trials are held in memory only, s."""

Progress = Callable[[int, int, int], None]
"""Called with the numbers of finished and of all trials, and of successes among this run's."""


def sweep(
    task: str,
    *,
    trials: int = 100,
    seed: int = 0,
    out: str | Path = "sweep.parquet",
    robot: str | None = None,
    law: str | None = None,
    workers: int | None = None,
    ray: str | None = None,
    on_progress: Progress | None = None,
    **values: Any,
) -> SweepReport:
    """Try a task many times over ranges of its parameters.

    Every trial is a row of a Parquet file. If the file has some of the trials already, only the
    others run: a sweep that was interrupted continues, one with more trials is extended. A trial
    depends on the seed and its number alone, wherever it runs.

    Example:
        >>> report = pliant.sweep("insertion", trials=1000, offset=(0, 20), stiffness=(10, 100))
        >>> print(report)

    Args:
        task: Name of the task: insertion, press, slide, guide or retract.
        trials: Number of trials.
        seed: Seed of the sweep.
        out: The .parquet file.
        robot: The arm; by default that of the task.
        law: The law, where a task can run under several; by default its usual one.
        workers: Number of processes on this machine; by default one per core.
        ray: Address of a Ray cluster to run on instead; `local` starts one on this machine.
        on_progress: Called after every trial.
        **values: Parameters of the task, in the units of the command line: a number, a range
            (low, high) or "low..high", or a list of values, which make a grid.

    Returns:
        Successes, distributions and splits by factor.
    """
    plan = check_sweep(task, trials=trials, seed=seed, robot=robot, law=law, values=values)
    executor = on_ray(ray) if ray else on_cores(workers or cores())
    store = SweepStore(Path(out), plan)
    complete(store, trials, executor, on_progress)
    return SweepReport(plan, store.rows())


def check_sweep(
    task: str,
    *,
    trials: int,
    seed: int,
    robot: str | None,
    law: str | None = None,
    values: Mapping[str, Any],
) -> SweepPlan:
    """The plan of a sweep, if it can be; nothing is started.

    Raises:
        ConfigError: A number makes no sense, or a value is out of bounds.
        UnknownNameError: There is no such task, parameter, arm or law.
    """
    check_trials(trials)
    plan = SweepPlan.make(task, seed=seed, robot=robot, law=law, values=values)
    check_robot(plan.robot)
    return plan


def complete(
    store: SweepStore, trials: int, executor: Executor, on_progress: Progress | None = None
) -> None:
    """Run the trials that are missing, and save them whatever happens."""
    plan, success = store.plan, store.plan.trial_task.success
    missing = [index for index in range(trials) if index not in store.done]
    finished, good, saved = trials - len(missing), 0, monotonic()
    new: list[Outcome] = []
    outcomes = executor(plan, (plan.trial(index) for index in missing)) if missing else iter(())
    try:
        for outcome in outcomes:
            new.append(outcome)
            finished, good = finished + 1, good + bool(outcome[1].get(success))
            if on_progress:
                on_progress(finished, trials, good)
            if monotonic() - saved > _SAVE_EVERY:
                store.append(new)
                new, saved = [], monotonic()
    finally:
        store.append(new)
        close = getattr(outcomes, "close", None)
        if close:
            close()
    store.merge()
