"""The report of a run: a table of the kinds, and the failures grouped by their cause."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from .crew import Failure, Result

_HEADINGS = (
    *("kind", "run", "of", "unit", "seconds", "accepted", "refused", "failures"),
    *("peak MB", "growth MB", "descriptors"),
)


def table(results: Iterable[Result]) -> str:
    """A row for each kind; what was run counts inputs, not cases."""
    rows = [_HEADINGS, *(_row(result) for result in results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _row(result: Result) -> tuple[str, ...]:
    batch = result.kind.batch
    return (
        result.kind.name,
        f"{result.run * batch:,}",
        f"{result.cases * batch:,}",
        result.kind.unit,
        f"{result.seconds:.0f}",
        f"{result.accepted:,}",
        f"{result.refused:,}",
        str(len(result.failures)),
        f"{result.peak:.0f}",
        f"{result.growth:+.1f}",
        f"{result.leaked:+d}",
    )


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    ) + " |"


def failures(results: Iterable[Result], seed: int, traces: bool = False) -> Iterator[str]:
    """The failures by cause, each with the command that repeats the first of them."""
    groups: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for result in results:
        for failure in result.failures:
            groups[failure.kind, failure.cause].append(failure)
    for (kind, _), found in sorted(groups.items(), key=lambda item: -len(item[1])):
        first = found[0]
        yield f"{len(found)} × {kind}: {first.why}"
        yield f"    {repeat(first, seed)}"
        if traces:
            yield first.trace


def repeat(failure: Failure, seed: int) -> str:
    """The command that runs a failed case again."""
    return f"python -m tests.fuzz --kinds {failure.kind} --seed {seed} --case {failure.case}"
