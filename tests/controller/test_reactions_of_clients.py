"""Reactions by lines: armed, replied to, told of, and disarmed when another client commands."""

import numpy as np

from pliant.controller.exit_reason import ExitReason


def test_lines_arm_and_disarm_and_a_reaction_is_an_event(rig, connect):
    made = rig(spec="sim:ur5e/table")
    a = connect()
    lines = [
        "LAW position",
        "REACT position(z)<0.1&speed>0.001@3 retract 0.02 0.1",
        "UNTIL q[1]>9 RELD 0 0 -0.02 0 0 0 speed=0.05",
        "UNTIL q[1]>9 GET wrench",
        "UNTIL force(w)>9 HOLD",
        "REACT q[1]>9 jump",
        "DISARM 2",
        "DISARM",
        "REACT time>1.5 hold",
    ]
    made.at(0.6, lambda: a.send("\n".join(lines) + "\n"))
    made.at(2.0, lambda: a.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    replies = [a.reply() for _ in lines]
    assert replies[1] == "OK armed 1: position(z)<0.1&speed>0.001@3: retract 0.02 0.1"
    assert replies[2].startswith("OK moving to") and replies[2].endswith("; armed 2: q[1]>9: hold")
    assert "GET starts no motion" in replies[3]
    assert "an axis is x, y or z" in replies[4]
    assert "is no reaction; write hold | retract" in replies[5]
    assert replies[6] == "OK disarmed; 1 still armed"
    assert replies[7] == "OK disarmed; 0 still armed"
    assert "EVENT reaction 1: time>1.5: hold" in made.said
    acted = made.rows[made.rows["reaction_slot"] == 1]
    assert len(acted) == 1 and acted["time"][0] > 1.5


def test_a_change_of_the_lease_disarms(rig, connect):
    made = rig()
    a, b = connect(), connect()
    made.at(0.6, lambda: a.send("LAW position\nREACT time>1.5 stop\nLEASE release\n"))
    made.at(0.8, lambda: b.send("HOLD\nREACT time>1.6 hold\nNAME other\n"))
    made.at(2.0, lambda: b.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    rows = made.rows
    assert not rows["reactions_armed"][(rows["time"] > 0.7) & (rows["time"] < 0.8)].any()
    assert rows["law"][rows["time"] < 1.55][-1] >= 0
    # a client that only takes another name keeps what it armed
    assert "EVENT reaction 1: time>1.6: hold" in made.said


def test_a_move_whose_watcher_gives_up_control_holds(rig, connect):
    made = rig()
    a = connect()
    lines = "LAW position\nUNTIL force(z)>5 RELD 0 0 0.1 0 0 0 speed=0.02\n"
    made.at(0.6, lambda: a.send(lines))
    made.at(1.2, lambda: a.send("LEASE release\n"))
    made.at(3.0, lambda: a.send("STOP\n"))
    assert made.run() is ExitReason.STOPPED
    rows = made.rows
    z = rows["X_WT"][:, 2]
    released = np.searchsorted(rows["time"], 1.2)
    assert 0.005 < z[released] - z[0] < 0.02
    assert z.max() - z[released] < 0.005
    assert not rows["reactions_armed"][-1]
    assert any("the client in control changed" in line for line in made.said)
