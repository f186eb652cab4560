"""Random messages are refused, and do not reach the arm."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pliant.console.server.messages import FROM_PAGE, Messages
from pliant.reasons import State
from pliant.ring.ring import RingReader

KINDS = [kind.model_fields["type"].default for kind in Messages.from_page]
HARMFUL = ("stop", "start", "attach", "record", "name")

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner)
)
fields = st.sampled_from(
    [
        *("id", "text", "columns", "every", "action", "to", "robot", "wrench_W", "seconds"),
        *("name", "format", "t", "binary", "steps", "how", "extra"),
    ]
)
# a valid type with random fields, or random values
almost = st.builds(
    lambda kind, rest: rest | {"type": kind},
    st.sampled_from([kind for kind in KINDS if kind not in HARMFUL]) | st.text(max_size=9),
    st.dictionaries(fields, values, max_size=4),
)
lines = st.builds(
    lambda number, words: {"type": "line", "id": number, "text": words},
    st.integers(0, 9),
    st.sampled_from(["WRENCH 0 0 -9 0 0 0", "HOLD", "OFF", "PUSH 0 0 50 0 0 0", "LAW position"])
    | st.text(min_size=1, max_size=40).filter(lambda text: "STOP" not in text),
)
messages = (almost | lines | values).map(json.dumps) | st.text(max_size=60) | st.binary(max_size=60)


@pytest.fixture(scope="module")
def arm(console_for_module):
    """An operator in control of an arm that holds, and the arm's ring."""
    served = console_for_module()
    page = served.started("sim:ur5e")
    assert page.line("WRENCH 0 0 -1 0 0 0")["ok"]
    (path,) = served.runtime.glob("*.ring")
    return served, page, RingReader(path)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)
@given(batch=st.lists(messages, min_size=1, max_size=15))
def test_random_messages_do_not_reach_the_arm(batch, arm):
    served, operator, ring = arm
    before = ring.latest()
    with connect(
        f"ws://{served.host}/ws",
        max_size=None,
        compression=None,
        additional_headers=served.bearer,
    ) as stranger:
        try:
            for message in batch:
                stranger.send(message)
            stranger.send('{"type": "ping", "t": 7.5}')
            while True:
                answer = stranger.recv(timeout=30)
                if isinstance(answer, str) and json.loads(answer) == {"type": "pong", "t": 7.5}:
                    break
        except ConnectionClosed as closed:
            # closed because of a message that is not text, or too many of them
            assert closed.rcvd is not None
            assert closed.rcvd.code in (1003, 1007, 1008)
    after = ring.latest()
    assert after["k"].item() >= before["k"].item()
    for column in ("w_target", "state", "law", "law_seq", "n_af", "X_WR_target", "zero_seq"):
        assert (after[column] == before[column]).all()
    assert after["state"].item() == State.ACTIVE
    assert operator.status["holder"] == operator.name


def test_the_operator_stays_in_control(arm):
    served, operator, ring = arm
    assert operator.line("WRENCH 0 0 -2 0 0 0")["ok"]
    assert ring.latest()["w_target"][0, 2] == -2.0
    assert served.process.poll() is None


def test_a_flood_is_cut_off(arm):
    served, operator, _ = arm
    with connect(
        f"ws://{served.host}/ws",
        max_size=None,
        compression=None,
        additional_headers=served.bearer,
    ) as stranger:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(20000):
                stranger.send('{"type": "line", "id": 1, "text": "STATE"}')
            while True:
                stranger.recv(timeout=30)
        assert closed.value.rcvd is not None
        # closed for too many messages, or for not reading the replies
        assert closed.value.rcvd.code in (1008, 1013)
    assert operator.line("HOLD")["ok"]


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "push", "wrench_W": [0, 0, NaN, 0, 0, 0]}',
        '{"type": "push", "wrench_W": [0, 0, 1e999, 0, 0, 0]}',
        '{"type": "push", "wrench_W": [0, 0, 1, 0, 0]}',
        '{"type": "push", "wrench_W": [0, 0, 1, 0, 0, 0], "seconds": 1e9}',
        '{"type": "record", "action": "start", "name": "../x"}',
        '{"type": "record", "action": "start", "name": "a/b"}',
        '{"type": "record", "action": "start", "name": "-rf"}',
        '{"type": "name", "name": "a b"}',
        '{"type": "subscribe", "columns": ["k"], "every": 0}',
        '{"type": "line", "id": 1, "text": ""}',
        '{"type": "line", "id": -1, "text": "HOLD"}',
        '{"type": "lease", "action": "steal"}',
        '{"type": "stop", "extra": 1}',
        '{"type": "start", "rate": -1}',
        '{"type": "start", "robot": "' + "x" * 300 + '"}',
        "[" * 5000 + "]" * 5000,
        "",
        "null",
    ],
)
def test_messages_are_validated(text):
    with pytest.raises(ValidationError):
        FROM_PAGE.validate_json(text)


def test_a_line_is_one_line(arm):
    _, operator, ring = arm
    before = ring.latest()["w_target"].copy()
    for line in (
        "HOLD\nWRENCH 0 0 -9 0 0 0",
        "HOLD\r\nWRENCH 0 0 -9 0 0 0",
        "HOLD\x00",
        "a\u2028b",
    ):
        reply = operator.line(line)
        assert not reply["ok"]
    assert (ring.latest()["w_target"] == before).all()
