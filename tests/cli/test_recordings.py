"""The verbs that read recordings."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.cli import main

DAMPING = "laws.hybrid_admittance.damping=[1600, 20]"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of an arm that moves under a force error in free space."""
    path = tmp_path_factory.mktemp("recordings") / "press.mcap"
    with pliant.Arm("sim:ur5e/table") as arm, pliant.record(arm, path):
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("z")
        arm.set_wrench([0, 0, -5, 0, 0, 0])
        arm.wait(0.3)
    return path


def test_info_prints_a_table_or_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["info", str(file)])
    output = capsys.readouterr().out
    assert "sim:ur5e/table" in output and "none lost" in output and "hybrid_admittance" in output
    main(["info", str(file), "--json"])
    info = json.loads(capsys.readouterr().out)
    assert info["ticks"] == len(pliant.load(file))
    assert info["commands"]["SET_WRENCH"] == 1


def test_a_plot_is_written_beside_the_recording_by_default(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["plot", str(file), "--show", "contact"])
    assert file.with_suffix(".png").stat().st_size > 10_000
    page = tmp_path / "both.html"
    main(["plot", "--compare", str(file), str(file), "--out", str(page)])
    assert "press: force" in page.read_text()
    assert capsys.readouterr().out.splitlines()[-1] == f"plot: {page}"


def test_export_writes_chosen_columns(file: Path, tmp_path: Path) -> None:
    main(["export", str(file), str(tmp_path / "a.npz"), "--columns", "time", "q", "--every", "10"])
    arrays = np.load(tmp_path / "a.npz")
    np.testing.assert_array_equal(arrays["q"], pliant.load(file)["q"][::10])


def test_recompute_reports_equality(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["recompute", str(file), "--from", "100"])
    ticks = len(pliant.load(file)) - 100
    assert f"equal bit for bit: every computed column of {ticks} ticks" in capsys.readouterr().out


def test_recompute_exits_with_status_1_at_a_difference(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = pliant.load(file)
    recording.rows["e_T"][200, 1] += 1e-9
    recording.header["versions"]["numba"] = "0.0"
    monkeypatch.setattr("pliant.cli.recompute.load", lambda _: recording)
    with pytest.raises(SystemExit) as ended:
        main(["recompute", str(file)])
    assert ended.value.code == 1
    output = capsys.readouterr().out
    assert "first difference: tick 200 (0.400 s), e_T[1]: recorded " in output
    assert "recorded with numba 0.0" in output


def test_recompute_with_other_gains_reports_the_open_loop(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "a.svg"
    main(["recompute", str(file), "--set", DAMPING, "--plot", str(picture)])
    output = capsys.readouterr().out
    assert "recorded 800.0, recomputed 1600.0" in output
    assert "open loop" in output and "commanded tool position: differs by up to" in output
    assert picture.stat().st_size > 10_000


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def corrupt(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(64) + data[middle + 64 :]


def foreign(data: bytes) -> bytes:
    return b"a,b\n1,2\n"


def empty(data: bytes) -> bytes:
    return b""


VERBS = (["info", "FILE"], ["plot", "FILE", "--out", "OUT.png"],
         ["export", "FILE", "OUT.npz"], ["recompute", "FILE"])  # fmt: skip


@pytest.mark.parametrize("damage", [corrupt, foreign, empty])
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_damaged_file_is_reported_in_one_sentence(
    verb: list[str], damage: Callable[[bytes], bytes], file: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.mcap"
    bad.write_bytes(damage(file.read_bytes()))
    output = error_of(verb, bad, tmp_path)
    assert output.startswith("pliant: ") and "bad.mcap" in output and "\n" not in output


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_every_verb_reads_a_truncated_file_up_to_its_end(
    verb: list[str], file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(truncated(file.read_bytes()))
    assert 100 < len(pliant.load(cut)) < len(pliant.load(file))
    assert error_of(verb, cut, tmp_path) == ""
    if verb[0] == "info":
        assert "its end is missing" in capsys.readouterr().out.replace("│", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "none.mcap"], "cannot read none.mcap: No such file or directory"),
        (["plot", "FILE", "FILE"], "2 recordings given: pliant plot takes one, or two with"),
        (
            ["plot", "FILE", "--show", "joint"],
            "unknown group of plots 'joint'; did you mean joints",
        ),
        (
            ["export", "FILE", "OUT.csv", "--columns", "qdd"],
            "unknown column 'qdd'; did you mean qd",
        ),
        (["recompute", "FILE", "--set", "x"], "--set takes PATH=VALUE"),
        (["recompute", "FILE", "--set", "x=[1"], "cannot read the value of --set x=: "),
        (
            ["recompute", "FILE", "--set", "tool.mas=1"],
            "unknown parameter 'mas'; did you mean mass",
        ),
        (["recompute", "FILE", "--from", "-1"], "tick -1 cannot be recomputed"),
        (["recompute", "FILE", "--law", "no.py:A"], "there is no file no.py with a law"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(
    arguments: list[str], message: str, file: Path, tmp_path: Path
) -> None:
    assert message in error_of(arguments, file, tmp_path)


def error_of(arguments: list[str], file: Path, folder: Path) -> str:
    """The error message of a verb; empty if it succeeded."""
    given = [str(file) if a == "FILE" else a.replace("OUT", str(folder / "out")) for a in arguments]
    try:
        main(given)
    except SystemExit as ended:
        return str(ended.code)
    return ""
