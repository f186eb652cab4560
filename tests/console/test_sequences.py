"""Sequences that the server runs for a viewer: progress, ends, refusals, files."""

import json
import urllib.error
import urllib.request

import numpy as np
import pytest

from pliant.arms import load_arm
from pliant.cli import main

FAR = 0.5
MOVES = ("SET_MODE", "SET_JOINT_SPEED", "POSITION_MOVE")


def in_control(served, until):
    """Start an arm and end its law; a viewer in control of it."""
    page = served.started("sim:ur5e")
    assert page.line("OFF")["ok"]
    until(lambda: page.status["state"] == "INACTIVE")
    return page


@pytest.fixture
def viewer(console, until):
    return in_control(console(), until)


def steps(*offsets, **how):
    """Steps that turn the last joint away from home."""
    home = load_arm("ur5e").home
    return [
        {"positions": (home + np.eye(6)[5] * offset).tolist(), "speed": None, "duration": None}
        | how
        for offset in offsets
    ]


def run(page, rows, how="once"):
    return page.ask(type="sequence", action="start", steps=rows, how=how)


def commands_of_viewers(reader):
    """The commands of viewers that have come since the last call, without their names."""
    said = [line.text.partition(": ") for line in reader.lines() if line.kind == "command"]
    return [text for who, _, text in said if who.startswith("viewer.")]


def post(page, path, body):
    host = page.socket.remote_address
    request = urllib.request.Request(
        f"http://{host[0]}:{host[1]}{path}", body.encode(errors="surrogateescape")
    )
    request.add_header("Authorization", f"Bearer {page.token}")
    request.add_header(
        "Content-Type", "application/json" if path.endswith("write") else "text/yaml"
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["detail"]


def test_once_with_progress(viewer, ring, until):
    ticks = ring()
    reply = run(viewer, steps(0.1, 0.0, speed=0.4))
    assert reply["text"] == "the sequence runs: 2 steps"
    assert not run(viewer, steps(0.1))["ok"]
    until(lambda: viewer.status["sequence"] == {"viewer": viewer.id, "step": 1, "steps": 2})
    until(lambda: viewer.status["sequence"] is None)
    assert viewer.said("the sequence is done")
    last = [row["q_board"][0, 5] for row in ticks.ticks()] - load_arm("ur5e").home[5]
    assert max(last) == pytest.approx(0.1)
    assert last[-1] == pytest.approx(0.0, abs=1e-9)
    assert not viewer.ask(type="sequence", action="stop")["ok"]


def test_stopped_by_its_viewer(viewer, ring, until):
    ticks = ring()
    assert run(viewer, steps(FAR, 0.0, duration=2.0), "cycle")["ok"]
    until(lambda: turned(ticks) > 0.02)
    assert viewer.ask(type="sequence", action="stop")["ok"]
    until(lambda: rests_on_the_way(ticks))
    until(lambda: viewer.status["sequence"] is None)


def turned(ticks):
    """How far the last joint is from home, rad."""
    return ticks.latest()["q_board"][0, 5] - load_arm("ur5e").home[5]


def rests_on_the_way(ticks):
    return ticks.latest()["joint_done"].all() and 0.01 < turned(ticks) < FAR - 0.01


def was_stopped(reader):
    """Whether the sequence stopped the joints, or the controller did when its client had gone."""
    lines = [(line.kind, line.text) for line in reader.lines()]
    stops = [
        text for kind, text in lines if kind == "command" and text.endswith(": STOP_JOINTS all")
    ]
    return len(stops) == 1 or ("input", "stop CLIENT_GONE") in lines


@pytest.mark.parametrize("way", ["leaves", "falls silent", "releases", "hands over", "loses"])
def test_a_viewer_without_control_runs_no_sequence(way, console, ring, until):
    served = console("--lease-timeout", "1.5", heartbeat=2.0)
    page, other = in_control(served, until), served.page()
    ticks = ring()
    said = ring()
    assert run(page, steps(FAR, duration=20.0), "cycle")["ok"]
    until(lambda: turned(ticks) > 0.02)
    if way == "leaves":
        page.close()
    elif way == "falls silent":
        page.vanish()
    elif way == "releases":
        assert page.line("LEASE release")["ok"]
    elif way == "hands over":
        assert page.ask(type="lease", action="give", to=other.id)["ok"]
    else:
        until(lambda: other.ask(type="lease", action="take")["ok"])
    until(lambda: other.status["sequence"] is None)
    until(lambda: rests_on_the_way(ticks))
    assert was_stopped(said)
    assert other.line("MODE all idle")["ok"]


def test_refusals_and_faults_are_reported(console, ring, until):
    served = console()
    page, watcher = in_control(served, until), served.page()
    ticks = ring()
    assert run(watcher, steps(0.1))["text"].startswith(f"{page.name} is in control")
    assert run(page, steps(0.1), "timed")["text"] == "to be timed, every step needs a duration"
    assert run(page, [])["text"].startswith("nothing to do")
    assert run(page, [{"positions": [1.0, 2.0], "speed": None, "duration": None}])["ok"]
    until(lambda: page.said("6 joints need as many values, not 2"))
    assert run(page, steps(FAR, duration=20.0))["ok"]
    until(lambda: turned(ticks) > 0.02)
    assert page.line("INJECT 1 over_temperature")["ok"]
    until(lambda: page.said("joint 1 too hot"))
    until(lambda: page.status["sequence"] is None)
    # a law drives the joints itself
    assert page.line("INJECT 1 none")["ok"]
    until(lambda: page.line("MODE all force_idle")["ok"])
    assert page.line("LAW position")["ok"]
    assert not run(page, steps(0.1))["ok"]


def test_page_and_command_line_give_the_same_commands(viewer, ring, until, tmp_path, capsys):
    """One file, run by the server for a viewer and by `pliant sequence`."""
    saved = post(viewer, "/api/sequence/write", json.dumps(steps(0.1, 0.0, duration=0.5)))
    assert saved[0] == 200
    file = tmp_path / "sequence.yaml"
    file.write_text(saved[1])
    status, text = post(viewer, "/api/sequence/read", saved[1])
    assert status == 200
    read = json.loads(text)
    assert read["name"] == "sequence"
    np.testing.assert_allclose(
        [step["positions"] for step in read["steps"]],
        [step["positions"] for step in steps(0.1, 0.0)],
        atol=1e-5,
    )
    # both begin at the last posture of the file
    assert run(viewer, read["steps"])["ok"]
    until(lambda: viewer.said("the sequence is done"))

    reader = ring()
    assert run(viewer, read["steps"])["ok"]
    until(lambda: sum("the sequence is done" in event["text"] for event in viewer.events) == 2)
    by_page = commands_of_viewers(reader)
    assert viewer.ask(type="lease", action="release")["ok"]
    reader = ring()
    main(["sequence", str(file), "sequence", "--robot", "attach"])
    lines = [line.text.partition(": ") for line in reader.lines() if line.kind == "command"]
    by_program = [text for who, _, text in lines if not who.startswith(("console", "viewer."))]

    moves = [line for line in by_page if line.split()[0] in MOVES]
    assert [line.split()[0] for line in moves] == [*MOVES, *MOVES[1:]]
    assert [line for line in by_program if line.split()[0] in MOVES] == moves


def test_a_wrong_file_is_refused_with_the_reason(viewer):
    for text, why in (
        ("postures: {a: [1]}", "there is no sequence in this file"),
        ("postures: {a: [1]}\nsequences: {s: []}", "s has no steps"),
        ("postures: {a: [1]}\nsequences: {s: [{posture: a}]}", "s: posture a needs 6 numbers"),
        ("postures: {a: [1]}\nsequences: {s: [{posture: b}]}", "s: no posture 'b'; valid: a"),
        ("postures: {a: [1]}\nsequences: {s: [{posture: a, speed: -1}]}", "-1 is not within"),
        ("postures: [", "cannot read the postures"),
        ("[" * 5000, "cannot read the postures"),
    ):
        status, detail = post(viewer, "/api/sequence/read", text)
        assert status == 422
        assert why in detail


def test_steps_that_are_wrong_are_refused_with_the_reason(viewer):
    for body, why in (
        ('[{"positions": "\udce5"}]', "Invalid JSON"),
        ('[{"positions": 1}]', "0.positions"),
        ("[" * 5000, "Invalid JSON"),
    ):
        status, detail = post(viewer, "/api/sequence/write", body)
        assert status == 422
        assert why in detail
