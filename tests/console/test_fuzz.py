"""Messages that are wrong are refused; random ones are in the hostile suite, `tests/fuzz`."""

import pytest
from pydantic import ValidationError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from pliant.console.server.messages import FROM_PAGE
from pliant.ring.ring import RingReader


@pytest.fixture(scope="module")
def arm(console_for_module):
    """An operator in control of an arm that holds, and the arm's ring."""
    served = console_for_module()
    page = served.started("sim:ur5e")
    assert page.line("WRENCH 0 0 -1 0 0 0")["ok"]
    (path,) = served.runtime.glob("*.ring")
    return served, page, RingReader(path)


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
