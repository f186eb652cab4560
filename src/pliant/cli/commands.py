"""List the commands of the line protocol."""

import json

from rich.console import Console
from rich.table import Table

from pliant.commands import COMMANDS
from pliant.runtime.protocol import page, schema, usage


def list_commands(markdown: bool = False, json_schema: bool = False) -> None:
    """Print every command that a controller understands.

    Args:
        markdown: Print the documentation page instead of a table.
        json_schema: Print the JSON schema instead of a table.
    """
    if markdown:
        print(page(), end="")
        return
    if json_schema:
        print(json.dumps(schema(), indent=2))
        return
    table = Table("line", "meaning", box=None, padding=(0, 2, 0, 0))
    for kind in COMMANDS:
        line = usage(kind)
        table.add_row(
            line if len(line) < 60 else f"{kind.word} …", (kind.__doc__ or "").split("\n")[0]
        )
    Console().print(table)


VERB = list_commands
