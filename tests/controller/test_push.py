"""What the console needs of a controller: pushes, names, and silence that counts as being gone."""

import numpy as np

from pliant.controller.exit_reason import ExitReason
from pliant.controller.startup import Start
from pliant.reasons import Reason, State


def replies(client, count):
    return [client.reply() for _ in range(count)]


def test_a_push_is_felt_for_as_long_as_it_lasts(rig, connect):
    made = rig(start=Start(law=None))
    a = connect()
    made.at(1.0, lambda: a.send("PUSH 0 0 10 0 0 0 world 0.5\n"))
    made.at(2.2, lambda: a.send("PUSH 5 0 0 0 0 0 tool 5\n"))
    made.at(2.6, lambda: a.send("PUSH 0 0 0 0 0 0\n"))
    made.at(3.0, lambda: a.send("STOP\n"))
    made.run()
    assert replies(a, 3) == ["OK pushing for 0.5 s", "OK pushing for 5 s", "OK pushing for 0.2 s"]
    rows = made.rows

    def felt(start, end):
        return rows["w_T_filtered"][(rows["time"] > start) & (rows["time"] < end)].mean(0)[:3]

    # the tool points down: up in W is along -z of T
    assert np.allclose(felt(1.2, 1.4), [0.0, 0.0, -10.0], atol=0.3)
    assert np.abs(felt(1.8, 2.1)).max() < 0.3
    assert np.allclose(felt(2.4, 2.6), [5.0, 0.0, 0.0], atol=0.3)
    assert np.abs(felt(2.8, 3.0)).max() < 0.3


def test_a_push_needs_control_and_the_force_of_a_hand(rig, connect):
    made = rig(start=Start(law=None))
    a, b = connect(), connect()
    made.at(1.0, lambda: a.send("LEASE take\nPUSH 0 0 1000 0 0 0\n"))
    made.at(1.2, lambda: b.send("PUSH 0 0 10 0 0 0\nSTOP\n"))
    made.run()
    assert "at most 100 N and 10 N·m" in replies(a, 2)[1]
    assert replies(b, 1) == ["ERR client-1 is in control; any client may send STOP"]
    assert np.abs(made.rows["w_T_filtered"][-1]).max() < 0.5


def test_names_are_seen_by_others_and_are_unique(rig, connect):
    made = rig(start=Start(law=None))
    a, b = connect(), connect()
    made.at(1.0, lambda: a.send("NAME anna\nLEASE take\n"))
    made.at(1.1, lambda: b.send("NAME anna\nNAME client-1\nNAME a/b\nHOLD\nLEASE who\n"))
    made.at(1.2, lambda: a.send("NAME berta\nLEASE release\n"))
    made.at(1.4, lambda: a.send("STOP\n"))
    made.run()
    assert replies(a, 2) == ["OK you are anna", "OK anna is in control"]
    taken, reserved, odd, hold, who = replies(b, 5)
    assert taken == "ERR the name anna is taken or reserved; choose another"
    assert reserved.startswith("ERR the name client-1 is taken")
    assert odd.startswith("ERR name:")
    assert hold.startswith("ERR anna is in control")
    assert who == "OK anna is in control"
    texts = [line.text for line in made.reader.lines() if line.kind == "holder"]
    assert texts == ["anna", "berta", "nobody"]


def test_silence_can_count_as_being_gone(rig, connect, stopped_well):
    made = rig()
    a, b = connect(), connect()
    made.at(0.6, lambda: a.send("WATCHDOG 0.3 hold\nAXIS 0 0 1 0 0 0\nWRENCH 0 0 -5 0 0 0\n"))
    for time in (0.8, 1.0, 1.2):
        made.at(time, lambda: a.send("PING\n"))
    made.at(2.5, lambda: b.send("LAW hybrid_admittance\n"))
    made.at(3.5, lambda: b.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    rows = made.rows
    gone = rows["time"][rows["reason"] == Reason.CLIENT_GONE][0]
    assert 1.5 < gone < 1.51
    assert not rows["w_target"][rows["time"] > gone].any()
    at = (rows["time"] > 2.4) & (rows["time"] < 2.5)
    assert set(rows["state"][at]) == {State.INACTIVE}
    # the next takes over, and nobody watches over its silence
    assert b.reply() == "OK hybrid_admittance active"
    assert rows["state"][rows["time"] > 3.4][0] == State.ACTIVE
    # pings fed it, and are not worth a line in the ring
    assert not [line for line in made.reader.lines() if "PING" in line.text]
