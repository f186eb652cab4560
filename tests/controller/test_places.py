"""However many clients are connected, one more can stop the arm."""

import socket

import pytest

from pliant.controller import intake as module
from pliant.controller.exit_reason import ExitReason
from pliant.reasons import State


@pytest.fixture(autouse=True)
def however_busy(monkeypatch):
    """Nobody is silent for too long, unless a test says so."""
    for name in ("_IDLE_IN_RESERVE", "_SILENT"):
        monkeypatch.setattr(module, name, 1e9)


def test_eighty_idle_clients_do_not_shut_out_a_stop(rig, connect, stopped_well):
    made = rig()
    idle = [connect() for _ in range(80)]
    late = []
    made.say(0.3, "RELD 0.05 0 0 0 0 0")
    made.at(0.6, lambda: late.append(connect()))
    made.at(0.7, lambda: late[0].send("STOP\n"))
    assert made.run(5.0) is ExitReason.STOPPED
    assert late[0].reply() == "OK stopping"
    stopped_well(made.rows, since=0.5)
    assert len(idle) == 80


def test_in_the_reserve_only_stop_state_and_ping_are_obeyed(rig, connect):
    made = rig()
    idle, late = [connect() for _ in range(64)], []

    def speak(*lines: str) -> None:
        for line in lines:
            late[0].send(line + "\n")

    made.at(0.5, lambda: late.append(connect()))
    made.at(0.6, lambda: speak("STATE", "PING", "HOLD", "LEASE take", "GET wrench.cutoff"))
    made.at(0.8, lambda: idle[0].close())
    made.at(1.0, lambda: speak("HOLD"))
    made.say(1.2, "STOP")
    made.run()
    replies = [late[0].reply() for _ in range(6)]
    assert replies[0].startswith("OK state=")
    assert replies[1] == "OK pong"
    assert all(reply.startswith("ERR too many clients are connected") for reply in replies[2:5])
    # one has left, so there is a place
    assert replies[5] == "OK holding"
    assert made.rows["state"].max() != State.FAULT


def test_silent_clients_lose_their_place_when_places_are_short(rig, connect, monkeypatch):
    monkeypatch.setattr(module, "_SILENT", 0.0)
    made = rig()
    speaker = connect()
    silent, late = [], []
    made.at(0.1, lambda: speaker.send("PING\n"))
    made.at(0.2, lambda: silent.extend(connect() for _ in range(63)))
    made.at(0.8, lambda: late.append(connect()))
    made.at(0.9, lambda: late[0].send("GET wrench.cutoff\n"))
    made.at(1.0, lambda: speaker.send("PING\n"))
    made.say(1.2, "STOP")
    made.run()
    assert late[0].reply() == "OK 30.0"
    assert [speaker.reply(), speaker.reply()] == ["OK pong", "OK pong"]
    assert silent[0].reply() == "ERR too many clients, and you were silent"


def test_an_idle_client_in_the_reserve_is_disconnected(rig, connect, monkeypatch):
    monkeypatch.setattr(module, "_IDLE_IN_RESERVE", 0.0)
    made = rig()
    clients = [connect() for _ in range(64)]
    made.at(0.5, lambda: clients.append(connect()))
    made.say(4.0, "STOP")
    made.run()
    assert clients[64].reply() == "ERR too many clients, and you were silent"


@pytest.mark.parametrize("count", [500])
def test_hundreds_of_connections_leave_no_descriptors(count, rig, connect, folder):
    made, opened = rig(), []

    def storm() -> None:
        if len(opened) < count:
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            client.connect(str(folder / "c.sock"))
            opened.append(client)
        else:
            counted.append(len(made.intake._sockets))

    counted: list[int] = []
    made.script.every.append(storm)
    made.say(2.0, "STOP")
    assert made.run() is ExitReason.STOPPED
    assert max(counted) <= 64 + 16 + 1
    for client in opened:
        client.close()
