"""Exports hold the recorded values exactly, with their units."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from pliant.errors import RecordingError, UnknownNameError
from pliant.recording import Recording
from pliant.recording.formats import export

COLUMNS = ["time", "w_T", "J_W", "state", "reason_text"]


def test_csv_has_a_column_for_every_element(eventful: Recording, tmp_path: Path) -> None:
    export(eventful, tmp_path / "a.csv", columns=COLUMNS, every=7)
    with (tmp_path / "a.csv").open(newline="") as file:
        head, *lines = csv.reader(file)
    assert head[:4] == ["time", "w_T_0", "w_T_1", "w_T_2"]
    assert head[7:9] + head[-3:] == ["J_W_0_0", "J_W_0_1", "J_W_5_5", "state", "reason_text"]
    rows = eventful.rows[::7]
    assert len(lines) == len(rows)
    for name, values in (("w_T_2", rows["w_T"][:, 2]), ("J_W_3_1", rows["J_W"][:, 3, 1])):
        written = [float(line[head.index(name)]) for line in lines]
        np.testing.assert_array_equal(written, values)
    assert lines[-1][-1] == "law fragile: ValueError: it broke"


def test_parquet_stores_the_units(eventful: Recording, tmp_path: Path) -> None:
    export(eventful, tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.schema.field("w_T_5").metadata[b"unit"] == "N, N·m".encode()
    assert json.loads(table.schema.metadata[b"pliant"])["spec"] == "sim:ur5e/table"
    np.testing.assert_array_equal(table["q_3"].to_numpy(), eventful["q"][:, 3])
    np.testing.assert_array_equal(table["k"].to_numpy(), eventful["k"])
    raw = table["w_S_raw_0"].to_numpy()
    np.testing.assert_array_equal(raw, eventful["w_S_raw"][:, 0])
    assert np.isnan(raw).any()


def test_numpy_files_hold_the_arrays(eventful: Recording, tmp_path: Path) -> None:
    export(eventful, tmp_path / "a.npz", columns=COLUMNS)
    arrays = np.load(tmp_path / "a.npz")
    assert set(arrays) == {*COLUMNS, "units"}
    assert json.loads(str(arrays["units"]))["J_W"] == "m, 1"
    np.testing.assert_array_equal(arrays["J_W"], eventful["J_W"])
    export(eventful, tmp_path / "a.npy", columns=["w_T", "k"], every=3)
    rows = np.load(tmp_path / "a.npy")
    assert rows.dtype.names == ("w_T", "k") and rows.dtype.itemsize == 56
    np.testing.assert_array_equal(rows["w_T"], eventful["w_T"][::3])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.xls", {}, "cannot export a.xls: its suffix must be one of .csv, .parquet, .npz, .npy"),
        ("none/a.csv", {}, "cannot write"),
        ("none/a.npz", {}, "cannot write"),
        ("a.csv", {"columns": ["w_t"]}, "unknown column 'w_t'; did you mean w_T"),
        ("a.csv", {"every": 0}, "must be at least 1, not 0"),
    ],
)
def test_an_impossible_export_is_refused_in_one_sentence(
    name: str, options: dict, message: str, eventful: Recording, tmp_path: Path
) -> None:
    with pytest.raises((RecordingError, UnknownNameError)) as refused:
        export(eventful, tmp_path / name, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
