"""What the lines in the ring mean for the viewers."""

from collections.abc import Iterable, Iterator

from pliant.commands import Command
from pliant.commands.line_protocol import parse
from pliant.config import Config
from pliant.console.server.messages import Event
from pliant.errors import Refused
from pliant.ring.ring import Line

_MOST_EVENTS = 20


def events_of(lines: Iterable[Line]) -> Iterator[Event]:
    """The events to show for a batch of lines: events, commands that change something, refusals."""
    count = 0
    for line in lines:
        event = _event(line)
        if event is not None and count < _MOST_EVENTS:
            count += 1
            yield event


def changed_sections(lines: Iterable[Line]) -> set[str]:
    """The sections of the configuration that these lines may have changed."""
    commands = [_command(line) for line in lines if line.kind == "command"]
    changed = {command.section for command in commands if command is not None}
    return changed & set(Config.model_fields)


def published_config(lines: Iterable[Line]) -> str | None:
    """The newest configuration among these lines, as JSON; the controller publishes it at times."""
    configs = [line.text for line in lines if line.kind == "config"]
    return configs[-1] if configs else None


def _event(line: Line) -> Event | None:
    if line.kind == "holder":
        return Event(
            kind="lease", text=f"{line.text} is in control", tick=line.tick, about=line.text
        )
    if line.kind in ("event", "end"):
        return Event(kind="info", text=line.text, tick=line.tick)
    if line.kind == "command":
        command = _command(line)
        if command is not None and not (command.streams or command.asks):
            return Event(kind="command", text=line.text, tick=line.tick)
    if line.kind == "reply" and _said(line).startswith("ERR"):
        return Event(kind="reply", text=line.text, tick=line.tick)
    return None


def _command(line: Line) -> Command | None:
    """The command of a line; None if the controller could not parse it, and so ignored it."""
    try:
        return parse(_said(line))
    except Refused:
        return None


def _said(line: Line) -> str:
    """A line without the name of the client that it came from, or goes to."""
    return line.text.partition(": ")[2]
