"""What the lines in the ring mean for the viewers."""

from collections.abc import Iterable, Iterator

from pliant.config import Config
from pliant.console.server.messages import Event
from pliant.ring.ring import Line

_QUIET = {
    *("PUSH", "JOG", "PDIRECT", "VMOVE", "TORQUE", "OUTPUT"),
    *("PING", "NAME", "GET", "STATE", "JOINTS", "LEASE", "WATCHDOG", "HELP"),
}
"""Commands that come many times a second, or change nothing."""

_LAW_WORDS = {"PRESET", "STIFF", "DAMP", "INERT"}
_MOST_EVENTS = 20


def events_of(lines: Iterable[Line]) -> Iterator[Event]:
    """What to show of a batch of lines: events, commands that change something, refusals."""
    count = 0
    for line in lines:
        event = _event(line)
        if event is not None and count < _MOST_EVENTS:
            count += 1
            yield event


def _event(line: Line) -> Event | None:
    if line.kind == "holder":
        return Event(kind="lease", text=f"{line.text} is in control", tick=line.tick)
    if line.kind in ("event", "end"):
        return Event(kind="info", text=line.text, tick=line.tick)
    _, _, said = line.text.partition(": ")
    if line.kind == "command" and said.partition(" ")[0] not in _QUIET:
        return Event(kind="command", text=line.text, tick=line.tick)
    if line.kind == "reply" and said.startswith("ERR"):
        return Event(kind="reply", text=line.text, tick=line.tick)
    return None


def changed_sections(lines: Iterable[Line]) -> set[str]:
    """The sections of the configuration that these lines may have changed."""
    changed: set[str] = set()
    for line in lines:
        if line.kind != "command":
            continue
        word, *rest = line.text.partition(": ")[2].split(maxsplit=2) or [""]
        if word == "SET" and rest:
            changed.add(rest[0].partition(".")[0])
        elif word in _LAW_WORDS:
            changed.add("laws")
    return changed & set(Config.model_fields)


def told_config(lines: Iterable[Line]) -> str | None:
    """The whole configuration, as JSON, if these lines tell it: they do now and then."""
    told = [line.text for line in lines if line.kind == "config"]
    return told[-1] if told else None
