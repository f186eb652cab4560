"""Which trials a sweep consists of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from pliant.errors import ConfigError
from pliant.sweeps.ranges import Choices, Range, Values, parse_values
from pliant.tasks.trial_task import TrialTask
from pliant.tasks.trial_tasks import trial_task

_MOST = 10_000_000


@dataclass(frozen=True, kw_only=True)
class SweepTrial:
    """One trial of a sweep.

    Attributes:
        index: Its number, from 0.
        seed: Seed of everything random in it.
        params: The values of its parameters.
    """

    index: int
    seed: int
    params: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class SweepPlan:
    """A task, its arm, and the values of its parameters.

    Parameters with several values make a grid, which trial after trial goes through again and
    again; ranges are drawn. A trial depends on seed and index alone, so a sweep can be continued,
    extended and divided among machines without a change of its numbers.

    Attributes:
        task: Name of the task.
        robot: The arm.
        seed: Seed of the sweep.
        values: Values of the parameters, by name; others have their defaults.
        law: The law, where a task can run under several; None: its usual one.
    """

    task: str
    robot: str
    seed: int
    values: Mapping[str, Values]
    law: str | None = None

    @classmethod
    def make(
        cls,
        task: str,
        *,
        seed: int,
        robot: str | None = None,
        law: str | None = None,
        values: Mapping[str, Any],
    ) -> "SweepPlan":
        """A plan from values as they are given.

        Raises:
            ConfigError: A value is out of bounds.
            UnknownNameError: There is no such task, law or parameter.
        """
        found = trial_task(task)
        found.under(law)
        parsed = {name: parse_values(given, name) for name, given in values.items()}
        for name, several in list(parsed.items()):
            ends = several.values if isinstance(several, Choices) else (several.low, several.high)
            for end in ends:
                found.check({name: end})
            # the same plan, whether a default is given or not
            own = found.parameters.get(name)
            if own and several == Choices(values=(own.default,)):
                del parsed[name]
        if not 0 <= seed < 2**63:
            raise ConfigError(f"the seed must be a non-negative integer, not {seed}")
        robot = robot or found.robot
        return cls(task=task, robot=robot, seed=seed, values=parsed, law=law)

    @cached_property
    def trial_task(self) -> TrialTask:
        """The task."""
        return trial_task(self.task)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters of a trial."""
        own = self.trial_task.parameters
        return (*own, *sorted(set(self.values) - set(own)))

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The names of those parameters that differ between trials."""
        return tuple(
            name
            for name, values in self.values.items()
            if isinstance(values, Range) or len(values.values) > 1
        )

    @cached_property
    def grid(self) -> list[tuple[float, ...]]:
        """All combinations of the parameters with several values; a single one is empty."""
        return list(product(*[self._choices(name).values for name in self._on_the_grid]))

    @cached_property
    def _on_the_grid(self) -> list[str]:
        return [name for name in self.factors if isinstance(self.values[name], Choices)]

    def _choices(self, name: str) -> Choices:
        values = self.values[name]
        assert isinstance(values, Choices)
        return values

    def trial(self, index: int) -> SweepTrial:
        """A trial by its number."""
        rng = np.random.default_rng([self.seed, index])
        seed = int(rng.integers(2**31))
        params = {name: one.default for name, one in self.trial_task.parameters.items()}
        # in the order of names, so that the order of options does not matter
        for name in sorted(self.values):
            values = self.values[name]
            if isinstance(values, Range):
                own = self.trial_task.parameters.get(name)
                params[name] = values.draw(rng, own.law if own else "uniform")
            else:
                params[name] = values.values[0]
        params |= dict(zip(self._on_the_grid, self.grid[index % len(self.grid)], strict=True))
        return SweepTrial(
            index=index, seed=seed, params={name: params[name] for name in self.names}
        )

    def as_json(self) -> str:
        """All that determines its trials, as text."""
        values = {name: str(self.values[name]) for name in sorted(self.values)}
        exact = {
            name: [v.low, v.high] if isinstance(v, Range) else {"values": list(v.values)}
            for name, v in sorted(self.values.items())
        }
        plan = {"task": self.task, "robot": self.robot, "seed": self.seed}
        if self.law is not None:
            plan["law"] = self.law
        return json.dumps({**plan, "values": values, "exact": exact}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "SweepPlan":
        """The plan that `as_json` wrote."""
        plan = json.loads(text)
        values = {
            name: Choices(values=tuple(v["values"])) if isinstance(v, dict) else tuple(v)
            for name, v in plan["exact"].items()
        }
        return cls.make(
            plan["task"],
            seed=plan["seed"],
            robot=plan["robot"],
            law=plan.get("law"),
            values=values,
        )


def check_trials(trials: int) -> None:
    """Refuse a number of trials that makes no sense.

    Raises:
        ConfigError: It does not.
    """
    if not 1 <= trials <= _MOST:
        raise ConfigError(f"a sweep has 1 to {_MOST} trials, not {trials}")
