"""What came of a sweep: successes, distributions, and both by factor."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pliant.sweeps.ranges import Range
from pliant.sweeps.sweep_plan import SweepPlan

Row = dict[str, Any]

_NORMAL_95 = 1.959963984540054
_BINS = 4


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's interval of a share, which contains the true one with 95 % confidence."""
    if trials == 0:
        return 0.0, 1.0
    z2, share = _NORMAL_95**2, successes / trials
    middle = share + z2 / (2.0 * trials)
    half = _NORMAL_95 * sqrt(share * (1.0 - share) / trials + z2 / (4.0 * trials**2))
    below, above = (middle - half) / (1.0 + z2 / trials), (middle + half) / (1.0 + z2 / trials)
    return max(0.0, below), min(1.0, above)


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """Median, 95th percentile and maximum of a figure."""

    p50: float
    p95: float
    max: float


@dataclass(frozen=True, kw_only=True)
class Part:
    """The trials with a factor between two values."""

    low: float
    high: float
    trials: int
    successes: int
    figures: dict[str, Distribution]


@dataclass(frozen=True)
class SweepReport:
    """The report of a sweep.

    Attributes:
        plan: What was tried.
        rows: The trials.
    """

    plan: SweepPlan
    rows: list[Row]

    @property
    def trials(self) -> int:
        """Number of trials."""
        return len(self.rows)

    @property
    def successes(self) -> int:
        """Number of those that succeeded."""
        return _successes(self.rows, self.plan.trial_task.success)

    @property
    def interval(self) -> tuple[float, float]:
        """The true share of successes, with 95 % confidence."""
        return wilson(self.successes, self.trials)

    @property
    def failed(self) -> list[int]:
        """Numbers of the trials that did not succeed."""
        success = self.plan.trial_task.success
        return [row["trial"] for row in self.rows if not row.get(success)]

    @property
    def figures(self) -> dict[str, Distribution]:
        """The distribution of each figure that is a number, over all trials."""
        return _distributions(self.rows, self._names())

    def by(self, factor: str) -> list[Part]:
        """The trials, divided by the values of a factor."""
        values = np.array([row[factor] for row in self.rows], dtype=np.float64)
        success, parts = self.plan.trial_task.success, []
        for low, high in _bins(values, drawn=isinstance(self.plan.values[factor], Range)):
            inside = (values >= low) & ((values < high) | (high == values.max()))
            if low == high:
                inside = values == low
            rows = [row for row, keep in zip(self.rows, inside, strict=True) if keep]
            parts.append(
                Part(
                    low=low,
                    high=high,
                    trials=len(rows),
                    successes=_successes(rows, success),
                    figures=_distributions(rows, self._names()),
                )
            )
        return parts

    def notes(self) -> dict[str, int]:
        """Why trials ended or raised as they did, the most frequent first."""
        texts = [row.get("error") or row.get("note") or "" for row in self.rows]
        counts = {text: texts.count(text) for text in dict.fromkeys(texts) if text}
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    def tables(self) -> list[Table]:
        """The report as tables: all, by factor, and how trials ended."""
        return [self._total(), *[self._split(name) for name in self.plan.factors], self._endings()]

    def plot(self, file: str | Path) -> None:
        """Draw the report: successes by factor, and the distributions."""
        from pliant.sweeps.sweep_plot import plot_report

        plot_report(self, Path(file))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        low, high = self.interval
        return {
            "trials": self.trials,
            "successes": self.successes,
            "share": self.successes / self.trials if self.trials else None,
            "share_95": [low, high],
            "figures": {name: vars(values) for name, values in self.figures.items()},
            "notes": self.notes(),
            "failed": self.failed,
        }

    def __str__(self) -> str:
        console = Console(width=100, record=True, file=StringIO())
        for table in self.tables():
            console.print(table)
        return console.export_text()

    def _names(self) -> list[str]:
        others = {"trial", "seed", *self.plan.names}
        first = next((row for row in self.rows if not row.get("error")), {})
        return [n for n, v in first.items() if n not in others and isinstance(v, float)]

    def _total(self) -> Table:
        low, high = self.interval
        title = (
            f"{self.plan.task}: {self.successes} of {self.trials} "
            f"({100.0 * low:.1f} to {100.0 * high:.1f} % with 95 % confidence)"
        )
        table = Table("figure", "p50", "p95", "max", title=title, title_justify="left")
        for name, values in self.figures.items():
            table.add_row(name, *[f"{value:.3g}" for value in vars(values).values()])
        return table

    def _split(self, factor: str) -> Table:
        own = self.plan.trial_task.parameters.get(factor)
        shown = self._names()[:3]
        table = Table(
            f"{factor}, {own.unit}" if own and own.unit else factor, "succeeded", "95 %",
            *[f"{name} p95 / max" for name in shown],
        )  # fmt: skip
        for part in self.by(factor):
            low, high = wilson(part.successes, part.trials)
            span = (
                f"{part.low:.3g}" if part.low == part.high else f"{part.low:.3g} – {part.high:.3g}"
            )
            table.add_row(
                span, f"{part.successes} of {part.trials}", f"{100 * low:.0f} – {100 * high:.0f} %",
                *[f"{d.p95:.3g} / {d.max:.3g}" for d in map(part.figures.get, shown) if d],
            )  # fmt: skip
        return table

    def _endings(self) -> Table:
        table = Table("ended", "trials")
        for text, count in list(self.notes().items())[:10]:
            table.add_row(text, str(count))
        return table


def _successes(rows: Sequence[Row], success: str) -> int:
    return sum(bool(row.get(success)) for row in rows)


def _distributions(rows: Sequence[Row], names: Sequence[str]) -> dict[str, Distribution]:
    found = {}
    for name in names:
        values = np.array([row[name] for row in rows if row.get(name) is not None])
        if values.size:
            p50, p95 = np.percentile(values, (50.0, 95.0))
            found[name] = Distribution(p50=float(p50), p95=float(p95), max=float(values.max()))
    return found


def _bins(values: np.ndarray, *, drawn: bool) -> list[tuple[float, float]]:
    """Values of a grid each for itself, drawn ones in bins of equal width."""
    if not values.size:
        return []
    if not drawn:
        return [(float(value), float(value)) for value in np.unique(values)]
    edges = np.linspace(values.min(), values.max(), _BINS + 1)
    return [(float(low), float(high)) for low, high in pairwise(edges)]
