"""Many clients, one in control."""

import os

import pytest

from pliant.controller import intake
from pliant.controller.controller import Start
from pliant.controller.exit_reason import ExitReason
from pliant.reasons import Reason, State
from pliant.stages.supervisor import read_text

MOVE = "RELD 0 0.2 0 0 0 0\n"


def replies(client, count):
    return [client.reply() for _ in range(count)]


def test_the_first_to_command_is_in_control_and_the_second_is_refused(rig, connect, stopped_well):
    made = rig()
    a, b = connect(), connect()
    made.at(0.5, lambda: a.send(MOVE))
    made.at(0.7, lambda: b.send("HOLD\nSTATE\nLEASE take\nLEASE who\nGET wrench.cutoff\n"))
    made.at(1.2, lambda: b.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    assert a.reply().startswith("OK moving")
    hold, state, take, who, get, stop = replies(b, 6)
    assert hold == take == "ERR client-1 is in control; any client may send STOP"
    assert "control=client-1" in state
    assert who == "OK client-1 is in control"
    assert get == "OK 30.0"
    assert stop == "OK stopping"
    stopped_well(made.rows, since=1.1)


def test_standard_input_is_a_client_like_the_others(rig, connect):
    made = rig()
    a = connect()
    made.say(0.5, "LEASE take")
    made.at(0.6, lambda: a.send(MOVE))
    made.say(0.7, "LEASE release")
    made.at(0.8, lambda: a.send(MOVE))
    made.say(0.9, "HOLD")
    made.say(1.2, "STOP")
    made.run()
    refused, moving = replies(a, 2)
    assert refused.startswith("ERR stdin is in control")
    assert moving.startswith("OK moving")
    said = [line for line in made.said if not line.startswith("EVENT")]
    assert said[:3] == [
        "OK stdin is in control",
        "OK nobody is in control",
        "ERR client-1 is in control; any client may send STOP",
    ]


@pytest.mark.parametrize("words", ["", "WRENCH 0 0 -1", "STATE\n" * 5000])
def test_who_vanishes_in_control_leaves_the_arm_holding_and_the_next_may_take_over(
    words, rig, connect, stopped_well
):
    made = rig()
    a, b = connect(), connect()
    made.at(0.5, lambda: a.send("AXIS 0 0 1 0 0 0\nWRENCH 0 0 -3 0 0 0\n" + MOVE))

    def vanish():
        a.socket.setblocking(False)
        a.socket.send(words.encode()) if words else None
        a.close()

    made.at(1.2, vanish)
    made.at(2.0, lambda: b.send("STATE\nLAW hybrid_admittance\n" + MOVE))
    made.at(3.0, lambda: b.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    rows = made.rows
    alone = rows[(rows["time"] > 1.9) & (rows["time"] < 2.0)]
    assert (alone["state"] == State.INACTIVE).all()
    assert (alone["reason"] == Reason.CLIENT_GONE).all()
    assert not alone["qd_limited"].any()
    assert not alone["w_target"].any()
    assert read_text(alone[:1]) == "the client in control is gone"
    assert any(line.startswith("EVENT client-1 was in control and is gone") for line in made.said)
    state, law, move, stop = replies(b, 4)
    assert "control=free" in state
    assert law == "OK hybrid_admittance active"
    assert move.startswith("OK moving")
    assert stop == "OK stopping"
    stopped_well(rows, since=2.5)


def test_who_vanishes_without_control_changes_nothing(rig, connect):
    made = rig()
    a = connect()
    made.say(0.5, MOVE.strip())
    made.at(0.8, lambda: a.send("STATE\n"))
    made.at(0.9, a.close)
    made.say(1.5, "STATE")
    made.say(1.6, "STOP")
    made.run()
    assert "state=ACTIVE" in made.said[-3]


def test_a_last_stop_counts_though_its_sender_is_gone(rig, connect, stopped_well):
    made = rig()
    a = connect()
    made.say(0.5, MOVE.strip())
    made.at(1.2, lambda: (a.send("PING\n" * 200 + "STOP\n"), a.close()))
    assert made.run() is ExitReason.STOPPED
    assert made.rows["time"][-1] < 2.0
    stopped_well(made.rows, since=1.2)


def test_stop_overtakes_a_queue_of_lines(rig, connect, stopped_well):
    made = rig()
    made.say(0.5, MOVE.strip())
    made.say(1.2, "PING\n" * 2000 + "STOP")
    assert made.run() is ExitReason.STOPPED
    assert made.rows["time"][-1] < 2.0
    assert sum(line in ("OK pong", "OK stopping") for line in made.said) == 2001
    stopped_well(made.rows, since=1.2)


def test_the_watchdog_ends_with_control(rig, connect):
    made = rig(start=Start(duration=3.0))
    a = connect()
    made.at(0.5, lambda: a.send("WATCHDOG 0.3\nLEASE release\n"))
    made.at(0.6, lambda: a.send("STATE\n"))
    assert made.run() is ExitReason.TIME_OVER


def test_who_does_not_read_its_replies_is_kept_waiting_but_may_stop(rig, connect, stopped_well):
    made = rig()
    a = connect()
    a.socket.setblocking(False)
    made.at(0.5, lambda: a.send(MOVE + "GET sim\n" * 2000))
    # there is something left to answer, but nobody takes the answers
    made.at(5.0, lambda: a.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    assert made.rows["time"][-1] < 6.0
    stopped_well(made.rows)


def test_who_does_not_read_its_replies_and_vanishes_is_gone(rig, connect):
    made = rig(start=Start(duration=6.0))
    a = connect()
    made.at(0.5, lambda: a.send(MOVE + "GET sim\n" * 2000))
    made.at(5.0, a.close)
    assert made.run() is ExitReason.TIME_OVER
    assert any("client-1 was in control and is gone" in line for line in made.said)


def test_fifty_clients_are_served_and_a_hundred_are_not(rig, connect, monkeypatch):
    for name in ("_IDLE_IN_RESERVE", "_SILENT"):
        # however busy the machine
        monkeypatch.setattr(intake, name, 1e9)
    made = rig()
    clients = [connect() for _ in range(50)]

    def ask():
        for client in clients:
            client.send("PING\nPING\n")

    made.at(0.5, ask)
    made.at(1.0, lambda: clients.extend(connect() for _ in range(50)))
    made.say(2.0, "STOP")
    made.run()
    for client in clients[:50]:
        assert replies(client, 2) == ["OK pong", "OK pong"]
    # 64 have a place, and 16 are in the reserve
    assert sum(refused(client) for client in clients[50:]) == 20


def refused(client) -> bool:
    try:
        return client.reply() == "ERR too many clients, and you were silent"
    except (EOFError, ConnectionResetError):
        return False


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        (b"PING\r\nPING\r\n", ["OK pong"] * 2),
        (b"PI\0NG\nPING\n", ["ERR unknown word 'PI\\x00NG'; did you mean PING?", "OK pong"]),
        (b"\xff\xfe\nPING\n", ["ERR the line is not UTF-8", "OK pong"]),
        (b"x" * 4097 + b"\nPING\n", ["ERR the line is longer than 4096 bytes", "OK pong"]),
        (b"\n  \nPING\n", ["ERR unknown word ''; HELP lists the commands"] * 2 + ["OK pong"]),
        (b"PI", []),
    ],
)
def test_odd_lines(data, answers, rig):
    made = rig()
    made.at(0.5, lambda: os.write(made.stdin, data))
    made.at(1.0, lambda: os.kill(os.getpid(), 15))
    assert made.run() is ExitReason.TERMINATED
    assert made.said[1:-1] == answers


def test_ten_megabytes_without_a_line_break_are_one_line(rig):
    made = rig()
    left = [10_000_000]
    os.set_blocking(made.stdin, False)

    def feed():
        if left[0] > 0:
            try:
                left[0] -= os.write(made.stdin, b"x" * min(left[0], 65536))
            except BlockingIOError:
                return
        elif left[0] == 0:
            left[0] = -1
            os.write(made.stdin, b"\nPING\nSTOP\n")

    made.script.every.append(feed)
    assert made.run(longest=60.0) is ExitReason.STOPPED
    assert made.said[1:] == [
        "ERR the line is longer than 4096 bytes",
        "OK pong",
        "OK stopping",
        "END stopped as asked",
    ]
