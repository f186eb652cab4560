"""Lines and replies as text on the wire."""

import json

from pliant.commands.line_protocol import MAX_LINE
from pliant.commands.reply import Reply
from pliant.config import plain
from pliant.controller.line_client import Client
from pliant.errors import Refused


def decoded(line: bytes | None) -> str:
    """The text of a line; None stands for one that was too long.

    Raises:
        Refused: It was too long, or is not UTF-8.
    """
    if line is None:
        raise Refused(f"the line is longer than {MAX_LINE} bytes")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Refused("the line is not UTF-8") from None
    return text.strip()


def written(client: Client, ok: bool, reply: Reply) -> str:
    """A reply in the form that a client chose."""
    if not client.json:
        return f"{'OK' if ok else 'ERR'} {printable(reply.text)}"
    return json.dumps({"ok": ok, "text": reply.text, "value": reply.value}, default=plain)


def printable(text: str) -> str:
    """A text as one line without control characters."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)
