"""Replies as text for people, and as JSON with a value for programs."""

import json

from pliant.controller.startup import Start

IDLE = (
    "; warning: no axis is force-controlled, so this target does nothing until some are: SET_AXES, "
    "in Python set_axes"
)


def asked(rig, connect, *lines: str) -> list[str]:
    """The replies to lines that a client sends to a controller at rest."""
    made = rig(start=Start(law=None))
    client, replies = connect(), []
    for i, line in enumerate(lines):
        made.at(0.5 + 0.01 * i, lambda line=line: client.send(line + "\n"))
    made.at(1.0, lambda: replies.extend(client.reply() for _ in lines))
    made.say(1.1, "STOP")
    made.run()
    return replies


def test_replies_are_text_until_a_client_asks_for_json(rig, connect):
    before, chosen, wrench, ping, refused, after = asked(
        rig,
        connect,
        "WRENCH 0 0 -50 0 0 0",
        "REPLIES json",
        "WRENCH 0 0 -1.23456789 0 0 0",
        "PING",
        "AXIS 2 0 0 0 0 0",
        "REPLIES text",
    )
    assert before == "OK wrench target 0 0 -20 0 0 0 in tool axes; Fz clamped to -20" + IDLE
    assert json.loads(chosen) == {"ok": True, "text": "replies are json", "value": None}
    assert json.loads(wrench)["value"] == [0.0, 0.0, -1.23456789, 0.0, 0.0, 0.0]
    assert json.loads(ping) == {"ok": True, "text": "pong", "value": None}
    assert not json.loads(refused)["ok"]
    assert "a mask has only 0 and 1" in json.loads(refused)["text"]
    assert after == "OK replies are text"


def test_every_query_has_a_value(rig, connect):
    _, parameter, state, joints, lease = map(
        json.loads,
        asked(rig, connect, "REPLIES json", "GET wrench.cutoff", "STATE", "JOINTS 0", "LEASE who"),
    )
    assert parameter["value"] == 30.0
    assert state["value"]["state"] == "INACTIVE"
    assert joints["value"][0]["name"] == "shoulder_pan_joint"
    assert lease["value"] == "nobody"
