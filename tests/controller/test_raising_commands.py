"""A command that raises is answered ERR and changes nothing, and the loop goes on."""

import numpy as np
import pytest

from pliant.controller.exit_reason import ExitReason
from pliant.reasons import State

ERRORS = (
    np.linalg.LinAlgError("Array must not contain infs or NaNs"),
    FloatingPointError("overflow"),
    RecursionError("too deep"),
    MemoryError("none left"),
    SystemExit("by a law of a user's own"),
)


def asked(made, connect, *lines: str) -> list[str]:
    """The replies to lines that a client sends to an arm in motion."""
    client, replies = connect(), []
    made.say(0.4, "LEASE release")
    for k, line in enumerate(lines):
        made.at(0.5 + 0.02 * k, lambda line=line: client.send(line + "\n"))
    made.at(1.0, lambda: replies.extend(client.reply() for _ in lines))
    made.at(1.1, lambda: client.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    assert State.FAULT not in made.rows["state"]
    return replies


def test_an_enormous_stiffness_does_not_end_the_controller(rig, connect):
    lines = ("SET contact.surface_stiffness 1e308", "SET contact.surface_stiffness 1e4", "STATE")
    enormous, usual, state = asked(rig(), connect, *lines)
    assert "surface_stiffness: Input should be less than or equal to 1000000000" in enormous
    assert usual.startswith("OK contact.surface_stiffness set")
    assert "state=ACTIVE" in state


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_what_the_contact_guard_raises_is_an_err(error, rig, connect, monkeypatch):
    made = rig()

    def guard(_config):
        raise error

    monkeypatch.setattr(made.loop.supervisor, "guard", guard)
    config = made.loop.supervisor.config
    reply, stiffness, jog = asked(
        made,
        connect,
        "SET contact.surface_stiffness 1e4",
        "GET contact.surface_stiffness",
        "JOG 0 0 0.01 0 0 0",
    )
    assert reply == f"ERR {type(error).__name__}: {error}"
    assert stiffness == "OK null"
    assert jog.startswith("OK jogging")
    assert made.loop.supervisor.config is config


@pytest.mark.parametrize("word", ["GET", "STATE", "JOINTS"])
def test_what_a_query_raises_is_an_err(word, rig, connect, monkeypatch):
    made = rig()

    def broken(*_):
        raise MemoryError("none left")

    monkeypatch.setattr("pliant.controller.controller.parse", broken)
    (reply,) = asked(made, connect, f"{word} wrench")
    assert reply == "ERR MemoryError: none left"
