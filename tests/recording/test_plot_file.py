"""Recordings as pictures: every panel has its unit, peaks survive, the page needs no network."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from pliant.errors import RecordingError, UnknownNameError
from pliant.recording import Recording
from pliant.recording.plot_file import plot
from pliant.recording.plot_panels import GROUPS, contact, marks, panels
from pliant.recording.plot_sheet import look, make_sheets
from pliant.recording.plot_thin import stretches, thin

HEADS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that were saved."""
    saved: list[Figure] = []
    save = Figure.savefig

    def keep(self: Figure, *arguments: object, **options: object) -> None:
        saved.append(self)
        save(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", keep)
    return saved


@pytest.mark.parametrize("suffix", HEADS)
def test_a_picture_is_what_its_suffix_says(
    suffix: str, eventful: Recording, tmp_path: Path
) -> None:
    plot([eventful], tmp_path / f"a{suffix}", groups=["contact"])
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(HEADS[suffix])


def test_every_panel_has_its_unit_and_contact_and_faults_are_marked(
    eventful: Recording, tmp_path: Path, figures: list[Figure]
) -> None:
    plot([eventful], tmp_path / "a.png")
    (figure,) = figures
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    units = dict(zip(titles, (ax.get_ylabel() for ax in figure.axes), strict=True))
    assert units["Fz"] == "N" and units["Tz"] == "N·m" and units["Joint temperature"] == "°C"
    assert units["Compliant offset"] == "mm" and units["Joint tracking error"] == "deg"
    assert all(units.values())
    assert figure.axes[-1].get_xlabel() == "time, s"
    assert titles[0].startswith("Force on the fixture, peak ")
    words = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert "the force sensor sends" in words and "law fragile" in words
    assert [text.get_text() for text in figure.legends[0].get_texts()][-1] == "in contact"


def test_no_two_lines_of_a_panel_look_alike(eventful: Recording) -> None:
    sheets = make_sheets([eventful, eventful], tuple(GROUPS), ["a", "b"])
    for runs in (1, 2):
        for panel in sheets[0].panels:
            looks = [look(panel, trace, run, runs) for run in range(runs) for trace in panel.traces]
            assert len(set(looks)) == len(looks), panel.title


def test_contact_is_where_the_physics_engine_has_it_and_else_where_it_is_felt(
    eventful: Recording,
) -> None:
    force = np.linalg.norm(eventful["true_f_fixture_W"], axis=1)
    np.testing.assert_array_equal(contact(eventful), force > 0.5)
    rows = eventful.rows.copy()
    rows["true_f_fixture_W"] = rows["true_f_peak"] = np.nan
    real = replace(eventful, rows=rows)
    felt = np.linalg.norm(rows["w_T"][:, :3], axis=1) > 0.5
    np.testing.assert_array_equal(contact(real), felt)
    assert panels(real, ["contact"])[0].title == "Contact force, sensed"


def test_laws_and_faults_are_marked_when_they_begin(eventful: Recording) -> None:
    made = marks(eventful)
    assert [m.text for m in made if not m.fault] == [
        "hybrid_admittance", "position", "hybrid_admittance", "fragile"
    ]  # fmt: skip
    broke = next(m for m in made if m.text.endswith("it broke"))
    row = eventful.rows[np.searchsorted(eventful.time, broke.time)]
    assert broke.fault and row["state"] == 3


def test_what_a_file_of_another_version_lacks_is_left_out(eventful: Recording) -> None:
    described = {name: c for name, c in eventful.described.items() if name != "temperature"}
    older = replace(eventful, described=described)
    titles = [panel.title for panel in panels(older, ["temperature", "torque"])]
    assert titles == ["Joint torque"]


def test_a_joint_driven_by_torque_tracks_its_reference(eventful: Recording) -> None:
    rows = eventful.rows.copy()
    rows["by_torque"][:, 2] = 1
    rows["q_ref"] = rows["q"] + np.radians(3.0)
    error = panels(replace(eventful, rows=rows), ["joints"])[1]
    np.testing.assert_allclose(error.traces[2].values, 3.0)
    by_position = np.degrees(rows["q_sent"] - rows["q"])
    np.testing.assert_allclose(error.traces[1].values, by_position[:, 1])


def test_torques_sent_are_drawn_where_some_were(eventful: Recording) -> None:
    assert [panel.title for panel in panels(eventful, ["torque"])] == ["Joint torque"]
    rows = eventful.rows.copy()
    rows["tau_sent"][100:, 4] = 2.0
    sent = panels(replace(eventful, rows=rows), ["torque"])[1]
    assert sent.title == "Sent beyond gravity"
    assert sent.traces[4].values[100] == 2.0


def test_a_wrench_neither_sensed_nor_asked_for_is_left_out(eventful: Recording) -> None:
    rows = eventful.rows.copy()
    rows["zeroed"], rows["w_desired_T"] = 0, 0.0
    rows["w_desired_T"][:, 2] = -5.0
    assert [panel.title for panel in panels(replace(eventful, rows=rows), ["wrench"])] == ["Fz"]


@pytest.mark.parametrize("most", [100, 1000, 10**6])
def test_a_thinned_line_keeps_its_peaks_and_its_gaps(most: int) -> None:
    rng = np.random.default_rng(2)
    time = np.arange(20_003) * 1e-3
    values = rng.standard_normal(time.size)
    values[7777], values[12_345] = 50.0, -40.0
    values[2000:8000:1] = np.where(np.arange(6000) < 4000, np.nan, values[2000:8000])
    values[7777] = 50.0
    t, v = thin(time, values, most)
    assert t.size <= max(most + 2, time.size if most > 2 * time.size else 0)
    assert np.all(np.diff(t) >= 0.0)
    assert np.nanmax(v) == 50.0 and np.nanmin(v) == -40.0
    assert np.isnan(v[np.searchsorted(t, 4.0)])
    assert abs(t[np.nanargmax(v)] - 7.777) < 1e-9


def test_stretches_are_where_the_flag_is_up() -> None:
    time = np.arange(6.0)
    flags = np.array([True, False, True, True, False, True])
    assert stretches(flags, time) == [(0.0, 1.0), (2.0, 4.0), (5.0, 5.0)]
    assert stretches(~(flags | True), time) == []
    assert stretches(flags | True, time) == [(0.0, 5.0)]


def test_a_flag_that_blinks_is_one_stretch() -> None:
    flags = np.ones(5000, bool)
    flags[1000:1003] = flags[2000:2020] = False
    ends = [(round(a), round(b)) for a, b in stretches(flags, np.arange(5000.0))]
    assert ends == [(0, 2000), (2020, 4999)]


def test_the_page_has_everything_in_it_and_asks_for_nothing(
    eventful: Recording, tmp_path: Path
) -> None:
    plot([eventful], tmp_path / "a.html", title="</script><b>a & b")
    page = (tmp_path / "a.html").read_text()
    assert "<title>&lt;/script&gt;&lt;b&gt;a &amp; b</title>" in page
    assert not re.search(r"https?://|src=|href=|import |fetch\(|@[A-Z]+@", page)
    data = page_data(page)
    panel = next(panel for panel in data["panels"] if panel["title"] == "Fz, N")
    sensed = panel["lines"][0]
    values = np.frombuffer(base64.b64decode(sensed["values"]), np.float32)
    time = np.frombuffer(base64.b64decode(data["times"][sensed["time"]]))
    np.testing.assert_array_equal(time, eventful.time)
    known = eventful["zeroed"] == 1
    np.testing.assert_array_equal(values[known], eventful["w_T"][known, 2].astype(np.float32))
    assert np.isnan(values[~known]).all()
    assert data["contact"] == [list(x) for x in stretches(contact(eventful), eventful.time)]


def page_data(page: str) -> dict:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_two_recordings_are_drawn_from_their_own_starts(
    eventful: Recording, tmp_path: Path
) -> None:
    later = replace(eventful, rows=eventful.rows[200:])
    plot([eventful, later], tmp_path / "a.html", names=["all", "later"])
    data = page_data((tmp_path / "a.html").read_text())
    assert [line["label"] for line in data["panels"][0]["lines"]] == ["all: force", "later: force"]
    starts = [np.frombuffer(base64.b64decode(text))[0] for text in data["times"]]
    assert starts == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "groups", "said"),
    [
        ("a.gif", ["contact"], "a picture is .png, .pdf, .svg, .html, not a.gif"),
        ("none/a.png", ["contact"], "cannot write"),
        ("a.png", ["contacts"], "unknown group of plots 'contacts'; valid: contact, wrench"),
        ("a.png", ["lateness"], "nothing to show of lateness"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(
    name: str, groups: list[str], said: str, eventful: Recording, tmp_path: Path
) -> None:
    with pytest.raises((RecordingError, UnknownNameError)) as refused:
        plot([eventful], tmp_path / name, groups=groups)
    assert said in str(refused.value)
    with pytest.raises(RecordingError, match="has no ticks to draw"):
        plot([replace(eventful, rows=eventful.rows[:0])], tmp_path / "a.png")
