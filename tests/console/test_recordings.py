"""Recordings made, listed, downloaded and plotted through the console."""

import csv

import numpy as np

import pliant

SEED_COLUMNS = [
    "epoch_s",
    *(f"{axis}_{kind}" for kind in "sd" for axis in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")),
    *(f"{frame}_{axis}" for frame in ("tcp", "ref") for axis in ("x", "y", "z", "rx", "ry", "rz")),
    *(f"q{i}" for i in range(6)),
    *(f"T{i}" for i in range(6)),
]


def test_record_list_download_and_plot(console, until):
    served = console()
    page = served.started("sim:ur5e")
    assert page.hello["capabilities"]["record"]
    assert page.hello["capabilities"]["plot"]
    assert not page.ask(type="record", action="stop")["ok"]

    assert page.ask(type="record", action="start", name="first")["ok"]
    until(lambda: page.status["recording"] and page.status["recording"]["bytes"] > 0)
    assert page.status["recording"]["name"] == "first.mcap"
    refused = page.ask(type="record", action="start", name="second")
    assert refused["text"] == "first.mcap is being recorded: stop that first"
    # a watcher cannot stop the operator's recording
    assert not served.page().ask(type="record", action="stop")["ok"]
    assert page.line("WRENCH 0 0 -2 0 0 0")["ok"]
    until(lambda: page.status["recording"]["seconds"] > 1.5)
    assert page.ask(type="record", action="stop")["text"] == "recorded first.mcap"
    until(lambda: page.status["recording"] is None)
    assert not page.ask(type="record", action="start", name="first")["ok"]

    base = "/api/recordings"
    (entry,) = served.api.get(base).json()
    assert entry["name"] == "first.mcap"
    fetched = served.api.get(f"{base}/first.mcap")
    assert len(fetched.content) == entry["bytes"] > 10_000
    recording = pliant.load(served.recordings / "first.mcap")
    assert recording.lost == 0
    assert np.diff(recording["k"]).tolist() == [1] * (len(recording["k"]) - 1)
    assert recording["w_target"][-1, 2] == -2.0
    assert any("WRENCH 0 0 -2" in line.text for line in recording.lines)
    drawn = served.api.get(f"{base}/first.mcap/plot.png", timeout=60.0)
    assert drawn.status_code == 200
    assert drawn.content.startswith(b"\x89PNG")
    assert [entry["name"] for entry in served.api.get(base).json()] == ["first.mcap"]

    # a table in the columns of the force-control user interface
    assert page.ask(type="record", action="start", name="table", format="csv")["ok"]
    until(lambda: page.status["recording"] and page.status["recording"]["bytes"] > 5000)
    assert page.ask(type="record", action="stop")["ok"]
    with (served.recordings / "table.csv").open() as file:
        head, *rows = list(csv.reader(file))
    assert head == SEED_COLUMNS
    assert float(rows[-1][head.index("Fz_d")]) == -2.0
    assert served.api.get(f"{base}/table.csv").headers["content-type"].startswith("text/csv")
    assert served.api.get(f"{base}/table.csv/plot.png", timeout=60.0).status_code == 422


def test_a_recording_begins_with_its_request(console, until):
    served = console()
    page = served.started("sim:ur5e")
    page.subscribe("k")
    until(lambda: page.ks)
    asked = page.ks[-1]
    page.send(type="record", action="start", name="short", id=900)
    # a command and the end come before the recorder has started
    assert page.line("WRENCH 0 0 -3 0 0 0")["ok"]
    until(lambda: page.ks[-1] > asked + 50)
    assert page.ask(type="record", action="stop")["text"] == "recorded short.mcap"
    assert page.replies[900]["ok"], page.replies[900]
    recording = pliant.load(served.recordings / "short.mcap")
    assert recording.lost == 0
    assert recording["k"][0] <= asked
    assert recording["k"][-1] >= asked + 50
    assert not recording["w_target"][recording["k"] == asked].any()
    assert recording["w_target"][-1, 2] == -3.0


def test_a_recording_that_cannot_be_written_is_refused_with_the_reason(console, until):
    served = console()
    page = served.started("sim:ur5e")
    served.recordings.write_text("in the way")
    reply = page.ask(type="record", action="start")
    assert not reply["ok"]
    assert "recordings" in reply["text"]
    served.recordings.unlink()
    assert page.ask(type="record", action="start")["ok"]
    # a recording ends with the arm
    page.send(type="stop")
    until(lambda: page.status["phase"] == "ended" and page.status["recording"] is None)
    assert len(served.api.get("/api/recordings").json()) == 1
