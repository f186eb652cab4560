"""List the columns of a tick."""

from rich.console import Console
from rich.table import Table

from pliant.tick import N, columns


def list_columns(markdown: bool = False) -> None:
    """Print every column of a tick with its stage, shape, unit and meaning.

    Args:
        markdown: Print the documentation page instead of a table.
    """
    if markdown:
        print(page(), end="")
        return
    table = Table("column", "stage", "shape", "unit", "meaning", box=None, padding=(0, 2, 0, 0))
    for name, declared, _ in columns():
        table.add_row(name, declared.stage, _shape(declared.shape), declared.unit, declared.doc)
    Console().print(table)


def page() -> str:
    """The documentation page of the tick, in Markdown."""
    lines = [
        "# The tick",
        "",
        "One control period is one row of one table. Each stage of the loop writes its own",
        "columns and reads only the previous row and the columns of the stages before it. *n* is",
        "the number of joints. `pliant columns --markdown` generates this page from",
        "`src/pliant/tick.py`.",
        "",
        "| column | stage | shape | unit | meaning |",
        "|---|---|---|---|---|",
    ]
    for name, c, _ in columns():
        lines.append(f"| `{name}` | {c.stage} | {_shape(c.shape)} | {c.unit} | {c.doc} |")
    return "\n".join(lines) + "\n"


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join("n" if size == N else str(size) for size in shape)


VERB = list_columns
