"""Plots of recordings: every panel has its unit, peaks are kept, the HTML page works offline."""

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
from pliant.recording.plot_decimate import decimate, intervals
from pliant.recording.plot_file import plot
from pliant.recording.plot_panels import GROUPS, contact, marks, panels
from pliant.recording.plot_sheet import line_style, make_sheets

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
def test_the_suffix_selects_the_format(suffix: str, eventful: Recording, tmp_path: Path) -> None:
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


def test_no_two_lines_of_a_panel_have_the_same_style(eventful: Recording) -> None:
    sheets = make_sheets([eventful, eventful], tuple(GROUPS), ["a", "b"])
    for runs in (1, 2):
        for panel in sheets[0].panels:
            styles = [
                line_style(panel, trace, run, runs) for run in range(runs) for trace in panel.traces
            ]
            assert len(set(styles)) == len(styles), panel.title


def test_contact_comes_from_the_physics_engine_or_else_from_the_sensor(
    eventful: Recording,
) -> None:
    force = np.linalg.norm(eventful["true_f_fixture_W"], axis=1)
    np.testing.assert_array_equal(contact(eventful), force > 0.5)
    rows = eventful.rows.copy()
    rows["true_f_fixture_W"] = rows["true_f_peak"] = np.nan
    real = replace(eventful, rows=rows)
    sensed = np.linalg.norm(rows["w_T"][:, :3], axis=1) > 0.5
    np.testing.assert_array_equal(contact(real), sensed)
    assert panels(real, ["contact"])[0].title == "Contact force, sensed"


def test_activations_and_faults_are_marked_at_their_start(eventful: Recording) -> None:
    made = marks(eventful)
    assert [m.text for m in made if not m.fault] == [
        "hybrid_admittance", "position", "hybrid_admittance", "fragile"
    ]  # fmt: skip
    broke = next(m for m in made if m.text.endswith("it broke"))
    row = eventful.rows[np.searchsorted(eventful.time, broke.time)]
    assert broke.fault and row["state"] == 3


def test_panels_without_their_columns_are_left_out(eventful: Recording) -> None:
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


def test_sent_torques_are_plotted_if_there_are_any(eventful: Recording) -> None:
    assert [panel.title for panel in panels(eventful, ["torque"])] == ["Joint torque"]
    rows = eventful.rows.copy()
    rows["tau_sent"][100:, 4] = 2.0
    sent = panels(replace(eventful, rows=rows), ["torque"])[1]
    assert sent.title == "Sent torque, without gravity"
    assert sent.traces[4].values[100] == 2.0


def test_a_wrench_neither_sensed_nor_desired_is_left_out(eventful: Recording) -> None:
    rows = eventful.rows.copy()
    rows["zeroed"], rows["w_desired_T"] = 0, 0.0
    rows["w_desired_T"][:, 2] = -5.0
    assert [panel.title for panel in panels(replace(eventful, rows=rows), ["wrench"])] == ["Fz"]


@pytest.mark.parametrize("max_points", [100, 1000, 10**6])
def test_a_decimated_line_keeps_its_peaks_and_its_gaps(max_points: int) -> None:
    rng = np.random.default_rng(2)
    time = np.arange(20_003) * 1e-3
    values = rng.standard_normal(time.size)
    values[7777], values[12_345] = 50.0, -40.0
    values[2000:8000:1] = np.where(np.arange(6000) < 4000, np.nan, values[2000:8000])
    values[7777] = 50.0
    t, v = decimate(time, values, max_points)
    assert t.size <= max(max_points + 2, time.size if max_points > 2 * time.size else 0)
    assert np.all(np.diff(t) >= 0.0)
    assert np.nanmax(v) == 50.0 and np.nanmin(v) == -40.0
    assert np.isnan(v[np.searchsorted(t, 4.0)])
    assert abs(t[np.nanargmax(v)] - 7.777) < 1e-9


def test_intervals_are_where_the_flag_is_set() -> None:
    time = np.arange(6.0)
    flags = np.array([True, False, True, True, False, True])
    assert intervals(flags, time) == [(0.0, 1.0), (2.0, 4.0), (5.0, 5.0)]
    assert intervals(~(flags | True), time) == []
    assert intervals(flags | True, time) == [(0.0, 5.0)]


def test_an_invisible_gap_does_not_split_an_interval() -> None:
    flags = np.ones(5000, bool)
    flags[1000:1003] = flags[2000:2020] = False
    ends = [(round(a), round(b)) for a, b in intervals(flags, np.arange(5000.0))]
    assert ends == [(0, 2000), (2020, 4999)]


def test_the_page_contains_everything_and_loads_nothing(
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
    assert data["contact"] == [list(x) for x in intervals(contact(eventful), eventful.time)]


def page_data(page: str) -> dict:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_each_of_two_recordings_is_plotted_from_its_own_start(
    eventful: Recording, tmp_path: Path
) -> None:
    later = replace(eventful, rows=eventful.rows[200:])
    plot([eventful, later], tmp_path / "a.html", names=["all", "later"])
    data = page_data((tmp_path / "a.html").read_text())
    assert [line["label"] for line in data["panels"][0]["lines"]] == ["all: force", "later: force"]
    starts = [np.frombuffer(base64.b64decode(text))[0] for text in data["times"]]
    assert starts == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "groups", "message"),
    [
        (
            "a.gif",
            ["contact"],
            "cannot plot to a.gif: its suffix must be one of .png, .pdf, .svg, .html",
        ),
        ("none/a.png", ["contact"], "cannot write"),
        ("a.png", ["contacts"], "unknown group of plots 'contacts'; did you mean contact? valid"),
        ("a.png", ["lateness"], "no data for lateness"),
    ],
)
def test_an_impossible_plot_is_refused_in_one_sentence(
    name: str, groups: list[str], message: str, eventful: Recording, tmp_path: Path
) -> None:
    with pytest.raises((RecordingError, UnknownNameError)) as refused:
        plot([eventful], tmp_path / name, groups=groups)
    assert message in str(refused.value)
    with pytest.raises(RecordingError, match="has no ticks to plot"):
        plot([replace(eventful, rows=eventful.rows[:0])], tmp_path / "a.png")
