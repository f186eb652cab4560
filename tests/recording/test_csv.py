import csv
from pathlib import Path

import numpy as np
import pytest

from pliant.errors import ConfigError, RecordingError, UnknownNameError
from pliant.numerics.spatial import quat_log
from pliant.recording import Recording
from pliant.recording.csv import CsvWriter

DEFAULT_COLUMNS = (
    "epoch_s,Fx_s,Fy_s,Fz_s,Tx_s,Ty_s,Tz_s,Fx_d,Fy_d,Fz_d,Tx_d,Ty_d,Tz_d,"
    "tcp_x,tcp_y,tcp_z,tcp_rx,tcp_ry,tcp_rz,ref_x,ref_y,ref_z,ref_rx,ref_ry,ref_rz,"
    "q0,q1,q2,q3,q4,q5,T0,T1,T2,T3,T4,T5"
)


def table(recording: Recording, path: Path, **options) -> tuple[list[str], np.ndarray]:
    writer = CsvWriter(path, recording.header, **options)
    for i in range(len(recording)):
        writer.publish(recording.rows[i : i + 1])
    writer.close()
    names, *lines = csv.reader(path.open())
    return names, np.array(lines, dtype=float)


def test_the_default_columns_hold_wrenches_poses_joints_and_temperatures(
    eventful: Recording, tmp_path: Path
) -> None:
    names, values = table(eventful, tmp_path / "a.csv")
    assert ",".join(names) == DEFAULT_COLUMNS
    assert len(values) == len(eventful)
    start = eventful.header["start"]
    np.testing.assert_allclose(values[:, 0] - start, eventful.time, atol=2e-6)
    np.testing.assert_allclose(values[:, 1:7], eventful["w_T"], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(values[:, 7:13], eventful["w_desired_T"], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(values[:, 13:16], eventful["X_WT"][:, :3], rtol=1e-8)
    turn = np.empty(3)
    quat_log(eventful["X_WR"][100, 3:], turn)
    np.testing.assert_allclose(values[100, 22:25], turn, rtol=1e-8)
    np.testing.assert_allclose(values[:, 25:31], eventful["q"], rtol=1e-8)
    np.testing.assert_allclose(values[:, 31:], eventful["temperature"], rtol=1e-8)


@pytest.mark.parametrize("rate", [1.0, 30.0, 100.0, 125.0, 333.0, 500.0, 9000.0])
def test_any_rate_is_kept(eventful: Recording, tmp_path: Path, rate: float) -> None:
    _, values = table(eventful, tmp_path / "a.csv", rate=rate, columns=["k"])
    kept = min(rate, 500.0)
    assert len(values) == pytest.approx(eventful.time[-1] * kept + 1, abs=1)
    gaps = np.diff(values[:, 1])
    assert gaps.min() >= np.floor(500.0 / kept)
    assert gaps.max() <= np.ceil(500.0 / kept)


def test_chosen_columns_are_written_element_by_element(eventful: Recording, tmp_path: Path) -> None:
    names, values = table(eventful, tmp_path / "a.csv", columns=["w_T", "law", "J_W"])
    assert names[:9] == ["time", *(f"w_T_{i}" for i in range(6)), "law", "J_W_0_0"]
    assert names[-1] == "J_W_5_5"
    np.testing.assert_allclose(values[:, 8:], eventful["J_W"].reshape(-1, 36), atol=1e-9)


def test_invalid_options_are_refused(eventful: Recording, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'wt'"):
        CsvWriter(tmp_path / "a.csv", eventful.header, columns=["wt"])
    with pytest.raises(ConfigError, match="above 0 rows per second, not -1"):
        CsvWriter(tmp_path / "a.csv", eventful.header, rate=-1.0)
    assert not (tmp_path / "a.csv").exists()


def test_lost_ticks_are_counted(eventful: Recording, tmp_path: Path) -> None:
    writer = CsvWriter(tmp_path / "a.csv", eventful.header)
    for i in (0, 1, 5, 6, 9):
        writer.publish(eventful.rows[i : i + 1])
    writer.close()
    assert writer.lost == 5


def test_a_full_disk_leaves_complete_rows(eventful: Recording, small_disk: Path) -> None:
    writer = CsvWriter(small_disk / "a.csv", eventful.header)
    with pytest.raises(RecordingError, match=r"a\.csv: (No space left|File too large)"):
        for _ in range(9):
            for i in range(len(eventful)):
                writer.publish(eventful.rows[i : i + 1])
            writer.flush()
    writer.close()
    lines = (small_disk / "a.csv").read_text().splitlines()
    assert len(lines) > 1000
    assert {line.count(",") for line in lines} == {36}
