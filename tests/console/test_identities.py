"""Viewers are told apart by identities of their own; names are labels."""

import numpy as np

from pliant.reasons import Reason


def test_a_viewer_cannot_be_displaced_by_a_name(console, ring, until):
    """The name that the next page gets is free; whoever takes it must not escape the heartbeat."""
    served = console(heartbeat=2.0)
    first = served.started("sim:ur5e")
    number = int(first.name.removeprefix("viewer-"))
    for following in range(number + 1, number + 4):
        first.send(type="name", name=f"viewer-{following}")
    until(lambda: sum("taken or reserved" in event["text"] for event in first.events) == 3)
    # neither do the words of the controller make it somebody else
    refused = first.line(f"NAME viewer-{number + 1}")
    assert not refused["ok"] and "not for viewers" in refused["text"]
    second, third = served.page(), served.page()
    assert len({page.id for page in (first, second, third)}) == 3
    assert len({page.name for page in (first, second, third)}) == 3
    known = [viewer["id"] for viewer in third.status["viewers"]]
    assert sorted(known) == sorted([first.id, second.id, third.id])
    assert third.status["holder_id"] == first.id
    # the holder falls silent, and is noticed
    assert first.line("WRENCH 0 0 -5 0 0 0")["ok"]
    ticks = ring()
    first.vanish()
    until(lambda: ticks.latest()["reason"].item() == Reason.CLIENT_GONE)
    until(lambda: third.said(r"fell silent: no message for [\d.]+ s, the limit is 2 s"))
    assert not np.any(ticks.latest()["w_target"])


def test_a_new_label_changes_nothing_but_the_label(console, until):
    served = console()
    first, second = served.started("sim:ur5e"), served.page()
    first.send(type="name", name="anna")
    until(lambda: second.status["holder"] == "anna")
    assert second.status["holder_id"] == first.id
    assert first.line("HOLD")["ok"]
    assert second.line("HOLD")["text"].startswith("anna is in control")
    until(lambda: second.said("^anna: HOLD"))
    second.send(type="name", name="anna")
    until(lambda: second.said("the name anna is taken"))
    # handing over goes by the id
    assert not first.ask(type="lease", action="give", to=second.name)["ok"]
    assert first.ask(type="lease", action="give", to=second.id)["ok"]
    until(lambda: first.status["holder_id"] == second.id)


def test_viewers_cannot_switch_the_watchdog_off(console):
    page = console().started("sim:ur5e")
    for line in ("WATCHDOG 0", "REPLIES text", "NAME somebody"):
        assert "is not for viewers" in page.line(line)["text"]
    assert page.line("HOLD")["ok"]


def test_a_page_takes_up_its_identity_with_its_secret_alone(console, until):
    served = console()
    first = served.page()
    first.send(type="name", name="anna")
    until(lambda: first.name == "anna")
    secret, id = first.hello["secret"], first.id
    assert "secret" not in str(first.status)

    # somebody who knows id and name only stays a new viewer
    stranger = served.page()
    own = stranger.id
    stranger.send(type="resume", secret=id)
    stranger.send(type="resume", secret="anna")
    stranger.send(type="name", name="anna")
    until(lambda: stranger.said("the name anna is taken"))
    assert stranger.id == own and stranger.name != "anna"

    # after a lost connection, which the server may not have noticed yet
    again = served.page()
    again.send(type="resume", secret=secret)
    until(lambda: again.id == id and again.name == "anna")
    until(lambda: first.closed is not None)
    until(lambda: len(again.status["viewers"]) == 2)
    again.close()
    last = served.page()
    last.send(type="resume", secret=secret)
    until(lambda: last.id == id and last.name == "anna")


def test_control_does_not_come_back_with_the_identity(console, ring, until):
    served = console()
    first = served.started("sim:ur5e")
    assert first.line("WRENCH 0 0 -5 0 0 0")["ok"]
    ticks = ring()
    again = served.page()
    again.send(type="resume", secret=first.hello["secret"])
    until(lambda: again.id == first.id)
    until(lambda: ticks.latest()["reason"].item() == Reason.CLIENT_GONE)
    until(lambda: again.status["holder"] == "")
    assert again.said("was in control and left: the arm holds")
    assert again.line("LAW position")["ok"]
    until(lambda: again.status["holder_id"] == again.id)
