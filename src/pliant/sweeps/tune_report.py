"""What came of tuning: the values found, and both sets on trials that the search has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.table import Table

from pliant.errors import ConfigError
from pliant.sweeps.sweep_plan import SweepPlan
from pliant.sweeps.sweep_report import SweepReport, wilson
from pliant.sweeps.trial_worker import OUTCOMES

Statistic = Literal["mean", "p95", "max"]
Score = tuple[int, float]
"""Number of failures, and the objective; the smaller the better."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A set of values, and how it did on the training trials."""

    values: dict[str, float]
    score: Score


def score_of(
    rows: Sequence[Mapping[str, Any]], success: str, objective: str, statistic: Statistic
) -> Score:
    """The score of trials.

    Raises:
        ConfigError: They have no such figure.
    """
    complete = [row for row in rows if not row.get("error")]
    if complete and not isinstance(complete[0].get(objective), float):
        others = (*OUTCOMES, objective)
        figures = ", ".join(
            n for n, v in complete[0].items() if isinstance(v, float) and n not in others
        )
        raise ConfigError(f"no figure {objective!r} to make small; valid: {figures}")
    failures = sum(not row.get(success) for row in rows)
    values = np.array([row[objective] for row in complete])
    return failures, _over(values, statistic) if values.size else float("inf")


def _over(values: np.ndarray, statistic: Statistic) -> float:
    if statistic == "p95":
        return float(np.percentile(values, 95.0))
    return float(values.mean() if statistic == "mean" else values.max())


@dataclass(frozen=True, kw_only=True)
class TuneReport:
    """The report of a tuning.

    Attributes:
        plan: The training trials, with the usual values.
        objective: The figure that was to be small.
        statistic: What of it, over the trials.
        tried: All candidates, in the order in which they were tried.
        best: The values found.
        tuned: The held-out trials with them.
        usual: The same trials with the usual values.
    """

    plan: SweepPlan
    objective: str
    statistic: Statistic
    tried: list[Candidate]
    best: dict[str, float]
    tuned: SweepReport
    usual: SweepReport

    @property
    def scores(self) -> dict[str, Score]:
        """Failures and objective: of the best in training, and of both sets on held-out trials."""
        return {
            "training": min(one.score for one in self.tried),
            "held_out": self._score(self.tuned),
            "held_out_usual": self._score(self.usual),
        }

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "task": self.plan.task,
            "best": self.best,
            "objective": self.objective,
            "statistic": self.statistic,
            "candidates": len(self.tried),
            "scores": {
                name: {"failures": failures, "objective": value}
                for name, (failures, value) in self.scores.items()
            },
            "held_out": self.tuned.as_dict(),
            "held_out_usual": self.usual.as_dict(),
        }

    def tables(self) -> list[Table]:
        """The report as tables: the values found, and both sets on held-out trials."""
        found = Table("parameter", "found", title=f"{self.plan.task}: {len(self.tried)} candidates")
        for name, value in self.best.items():
            found.add_row(name, f"{value:.4g}")
        held_out = Table("on held-out trials", "usual", "found")
        reports = (self.usual, self.tuned)
        held_out.add_row("succeeded", *[_share(report) for report in reports])
        held_out.add_row(
            f"{self.objective}, {self.statistic}",
            *[f"{self._score(report)[1]:.4g}" for report in reports],
        )
        for name in self.tuned.figures:
            cells = [report.figures.get(name) for report in reports]
            held_out.add_row(
                f"{name}, p50 / p95 / max",
                *[f"{d.p50:.3g} / {d.p95:.3g} / {d.max:.3g}" if d else "" for d in cells],
            )
        return [found, held_out]

    def __str__(self) -> str:
        console = Console(width=100, record=True, file=StringIO())
        for table in self.tables():
            console.print(table)
        return console.export_text()

    def _score(self, report: SweepReport) -> Score:
        success = self.plan.trial_task.success
        return score_of(report.rows, success, self.objective, self.statistic)


def _share(report: SweepReport) -> str:
    low, high = wilson(report.successes, report.trials)
    return f"{report.successes} of {report.trials} ({100 * low:.0f} – {100 * high:.0f} %)"
