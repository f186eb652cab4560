"""Which lines of the ring are shown to viewers, and which change the configuration."""

import pytest

from pliant.commands import COMMANDS
from pliant.console.server.ring_events import changed_sections, events_of, published_config
from pliant.ring.ring import Line


def command(text: str) -> Line:
    return Line(tick=7, kind="command", text=f"anna: {text}")


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("SET wrench.cutoff 20", "wrench"),
        ("SET nothing.here 1", None),
        ("STIFF 1 1 1 1 1 1", "laws"),
        ("PRESET default", "laws"),
        ("HOLD", None),
        ("SET", None),
        ("GIBBERISH 1", None),
        ("", None),
    ],
)
def test_the_section_that_a_command_changes(line: str, section: str | None) -> None:
    assert changed_sections([command(line)]) == ({section} if section else set())


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("HOLD", True),
        ("WRENCH 0 0 -5 0 0 0", True),
        ("PUSH 0 0 5 0 0 0 world 0.2", False),
        ("VMOVE 0 0.1", False),
        ("GET wrench", False),
        ("PING", False),
        ("GIBBERISH", False),
    ],
)
def test_commands_that_stream_or_ask_are_not_shown(line: str, shown: bool) -> None:
    events = list(events_of([command(line)]))
    assert [event.text for event in events] == ([f"anna: {line}"] if shown else [])


def test_refusals_and_the_holder_are_shown() -> None:
    refusal = Line(tick=1, kind="reply", text="anna: ERR unknown word")
    reply = Line(tick=1, kind="reply", text="anna: OK done")
    assert [event.kind for event in events_of([refusal, reply])] == ["reply"]


def test_the_newest_published_configuration_counts() -> None:
    lines = [Line(tick=k, kind="config", text=str(k)) for k in range(3)]
    assert published_config(lines) == "2"
    assert published_config([]) is None


def test_every_command_that_changes_the_configuration_names_its_section() -> None:
    changing = {kind.word for kind in COMMANDS if kind.changes_config}
    gains = {"SET_STIFFNESS", "SET_DAMPING", "SET_INERTIA"}
    assert changing == gains | {"ACTIVATE", "USE_PRESET", "SET"}
