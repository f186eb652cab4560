"""List the commands of the line protocol."""

import json

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pliant.commands import COMMANDS
from pliant.commands.line_protocol import meaning, schema, usage
from pliant.controller.protocol_page import page


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
        table.add_row(escape(usage(kind)), meaning(kind))
    Console().print(table)


VERB = list_commands
