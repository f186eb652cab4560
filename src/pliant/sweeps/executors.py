"""Where trials run: on the cores of this machine, or on a Ray cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from pliant.errors import PliantError
from pliant.extras import require
from pliant.sweeps.sweep_plan import SweepPlan, SweepTrial
from pliant.sweeps.trial_worker import prepare, run_trial

Outcome = tuple[SweepTrial, dict[str, Any]]
Executor = Callable[[SweepPlan, Iterable[SweepTrial]], Iterator[Outcome]]
"""Runs trials and gives their figures, in the order in which they finish."""

_AHEAD = 2
"""Trials submitted per worker, so that none waits for its next one."""

_MOST_DEATHS = 3

_LOOPBACK_ONLY = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Where this is 0, Ray's processes have the address 127.0.0.1, on Linux too."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_cores(workers: int) -> Executor:
    """Run trials in processes of this machine; a worker that dies is replaced."""

    def run(plan: SweepPlan, trials: Iterable[SweepTrial]) -> Iterator[Outcome]:
        waiting, deaths = iter(trials), dict[int, int]()
        again: list[SweepTrial] = []
        while True:
            pool = _Pool(plan, workers)
            try:
                yield from pool.run(waiting, again)
                return
            except BrokenProcessPool:
                again = pool.unfinished()
                yield from _given_up(again, deaths)
            finally:
                pool.close()

    return run


def _given_up(again: list[SweepTrial], deaths: dict[int, int]) -> Iterator[Outcome]:
    """Take out trials that were under way each time that a worker died."""
    for trial in list(again):
        deaths[trial.index] = deaths.get(trial.index, 0) + 1
        if deaths[trial.index] >= _MOST_DEATHS:
            again.remove(trial)
            yield trial, {"error": f"its worker died {_MOST_DEATHS} times", "cpu_s": 0.0}


class _Pool:
    """A pool of processes, until one of them dies."""

    def __init__(self, plan: SweepPlan, workers: int) -> None:
        self._plan, self._room = plan, _AHEAD * workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=context, initializer=prepare)
        self._under_way: dict[Future, SweepTrial] = {}
        self._left: list[SweepTrial] = []

    def run(self, waiting: Iterator[SweepTrial], again: list[SweepTrial]) -> Iterator[Outcome]:
        self._left = list(again)
        while True:
            self._submit(waiting)
            if not self._under_way:
                return
            done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            for future in done:
                figures = future.result()
                yield self._under_way.pop(future), figures

    def _submit(self, waiting: Iterator[SweepTrial]) -> None:
        while len(self._under_way) < self._room:
            trial = self._left.pop(0) if self._left else next(waiting, None)
            if trial is None:
                return
            # kept first: a broken pool refuses it
            self._left.insert(0, trial)
            plan = self._plan
            arguments = (plan.task, trial.params, trial.seed, plan.robot, plan.law)
            future = self._pool.submit(run_trial, *arguments)
            self._under_way[future] = self._left.pop(0)

    def unfinished(self) -> list[SweepTrial]:
        return [*self._under_way.values(), *self._left]

    def close(self) -> None:
        for process in list((self._pool._processes or {}).values()):
            # a trial under way may take a minute, and its figures are not wanted any more
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


def on_ray(address: str) -> Executor:
    """Run trials on a Ray cluster; `local` starts one on this machine.

    Raises:
        MissingExtra: Ray is not installed.
        PliantError: The cluster cannot be reached.
    """
    require("ray")

    def run(plan: SweepPlan, trials: Iterable[SweepTrial]) -> Iterator[Outcome]:
        if address == "local":
            # read when Ray is imported; without it Ray listens to the whole network
            os.environ.setdefault(_LOOPBACK_ONLY, "0")
        ray = import_module("ray")

        try:
            ray.init(address=address, log_to_driver=False, include_dashboard=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise PliantError(f"no Ray cluster at {address}: {error}") from error
        try:
            yield from _on_cluster(ray, plan, iter(trials))
        finally:
            ray.shutdown()

    return run


def _on_cluster(ray: Any, plan: SweepPlan, waiting: Iterator[SweepTrial]) -> Iterator[Outcome]:
    """Submit twice as many trials as the cluster has cores; Ray retries those of dead workers."""
    remote = ray.remote(max_retries=_MOST_DEATHS)(run_trial)
    under_way: dict[Any, SweepTrial] = {}
    while True:
        room = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(under_way) < room and (trial := next(waiting, None)):
            reference = remote.remote(plan.task, trial.params, trial.seed, plan.robot, plan.law)
            under_way[reference] = trial
        if not under_way:
            return
        done, _ = ray.wait(list(under_way), num_returns=1)
        for reference in done:
            trial = under_way.pop(reference)
            try:
                yield trial, ray.get(reference)
            except ray.exceptions.RayError as error:
                yield trial, {"error": f"{type(error).__name__}", "cpu_s": 0.0}
