import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

from pliant.config import Config
from pliant.errors import RecordingError
from pliant.recording import load
from pliant.recording.writer import RecordingWriter
from pliant.tick import Rows, new_rows

HEADER = {"spec": "sim:ur5e", "n": 6, "dt": 0.002, "start": 1e9}


def some_rows(count: int, first: int = 0) -> Rows:
    rows = new_rows(6, count)
    rows["k"] = np.arange(first, first + count)
    rows["time"] = rows["k"] * HEADER["dt"]
    rng = np.random.default_rng(first)
    rows["q"] = rng.normal(size=(count, 6))
    rows["J_W"] = rng.normal(size=(count, 6, 6))
    rows["true_f_peak"] = np.nan
    return rows


def write(path: Path, rows: Rows, lines: Sequence[tuple[str, int, str]] = ()) -> RecordingWriter:
    writer = RecordingWriter(path, HEADER, Config().to_yaml())
    for line in lines:
        writer.write_line(*line)
    for i in range(len(rows)):
        writer.publish(rows[i : i + 1])
    return writer


def test_a_recording_survives_writing_and_reading(tmp_path: Path) -> None:
    rows = some_rows(700)
    lines = [("command", 3, "stdin: WRENCH 0 0 -5 0 0 0"), ("event", 600, "größer")]
    write(tmp_path / "a.mcap", rows, lines).close()
    recording = load(tmp_path / "a.mcap")
    assert recording.rows.tobytes() == rows.tobytes()
    assert recording.rows.dtype is rows.dtype
    assert [(line.kind, line.tick, line.text) for line in recording.lines] == lines
    assert recording.header | HEADER == recording.header
    assert recording.config == Config()
    assert not recording.truncated
    assert recording.lost == 0


@given(
    lines=st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9),
            st.integers(0, 2**40),
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=99),
        ),
        max_size=20,
    )
)
def test_any_line_survives_writing_and_reading(
    lines: list, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.mcap"
    writer = RecordingWriter(path, HEADER, "")
    for line in lines:
        writer.write_line(*line)
    writer.close()
    assert [(line.kind, line.tick, line.text) for line in load(path).lines] == lines


def decoded(file: Path, topic: str) -> list[Any]:
    """The messages of a file, decoded by the libraries that other tools use."""
    with file.open("rb") as opened:
        reader = make_reader(opened, decoder_factories=[DecoderFactory()])
        return [message for *_, message in reader.iter_decoded_messages(topics=[topic])]


def test_other_tools_read_the_same_values(eventful_file: Path) -> None:
    recording = load(eventful_file)
    messages = decoded(eventful_file, "/pliant/tick")
    assert [message.k for message in messages] == recording["k"].tolist()
    for i in range(0, len(messages), 50):
        for name in recording.columns:
            value = getattr(messages[i], name.lower())
            found = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.array(value)
            np.testing.assert_array_equal(found.ravel(), recording[name][i].ravel(), name)
    lines = decoded(eventful_file, "/pliant/line")
    assert sorted((m.tick, m.kind, m.text) for m in lines) == sorted(
        (line.tick, line.kind, line.text) for line in recording.lines
    )


def test_the_index_is_correct(tmp_path: Path) -> None:
    rows = some_rows(1000)
    write(tmp_path / "a.mcap", rows, [("event", 5, "x")]).close()
    reader = make_reader(io.BytesIO((tmp_path / "a.mcap").read_bytes()), validate_crcs=True)
    summary = reader.get_summary()
    assert summary is not None and summary.statistics is not None
    assert summary.statistics.channel_message_counts == {1: 1000, 2: 1}
    assert summary.statistics.chunk_count == len(summary.chunk_indexes) == 8
    start = round(1e9 * (HEADER["start"] + 1.0))
    later = [message for *_, message in reader.iter_messages(starting_at=start)]
    assert [message.sequence for message in later] == rows["k"][rows["time"] >= 1.0].tolist()
    assert [a.name for a in reader.iter_attachments()] == ["config.yaml", "header.json"]
    assert [m.metadata["spec"] for m in reader.iter_metadata()] == ["sim:ur5e"]


def test_lost_ticks_are_counted_and_marked_in_the_file(tmp_path: Path) -> None:
    rows = np.concatenate([some_rows(300), some_rows(200, 310), some_rows(5, 511)])
    writer = write(tmp_path / "a.mcap", rows)
    writer.close()
    assert writer.lost == 11
    recording = load(tmp_path / "a.mcap")
    assert recording.lost == 11
    assert "11 lost" in repr(recording)
    assert [(x.tick, x.text) for x in recording.lines if x.kind == "lost"] == [
        (310, "10 ticks before this one are missing"),
        (511, "1 ticks before this one are missing"),
    ]


def where_the_data_end(data: bytes) -> int:
    """Where the index begins, from the footer: 20 bytes of it and the magic number end a file."""
    return int.from_bytes(data[-28:-20], "little")


def test_a_file_truncated_anywhere_is_readable_up_to_its_last_chunk(tmp_path: Path) -> None:
    rows = some_rows(500)
    write(tmp_path / "a.mcap", rows).close()
    data = (tmp_path / "a.mcap").read_bytes()
    end_of_data = where_the_data_end(data)
    with (tmp_path / "a.mcap").open("rb") as file:
        first = make_reader(file).get_summary().chunk_indexes[0]
    rng = np.random.default_rng(0)
    seen = set()
    cut = tmp_path / "cut.mcap"
    for size in [0, 7, *rng.integers(8, len(data), 60), end_of_data - 1, end_of_data]:
        cut.write_bytes(data[:size])
        try:
            recording = load(cut)
        except RecordingError as error:
            assert ("it is empty" if size < 8 else "truncated") in str(error)
            assert size < first.chunk_start_offset + first.chunk_length
            continue
        assert recording.rows.tobytes() == rows[: len(recording)].tobytes()
        # what follows the data is the index, which says nothing new
        assert recording.truncated == (size < end_of_data)
        assert ("truncated" in repr(recording)) == recording.truncated
        seen.add(len(recording))
    # a chunk is a quarter of a second
    assert seen <= {0, 125, 250, 375, 500}
    assert {125, 250, 375} <= seen


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.mcap").write_text("precious")
    with pytest.raises(RecordingError, match="exists"):
        RecordingWriter(tmp_path / "a.mcap", HEADER, "")
    assert (tmp_path / "a.mcap").read_text() == "precious"


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        RecordingWriter(tmp_path / "no" / "a.mcap", HEADER, "")


def test_a_full_disk_is_reported_and_the_file_is_readable(small_disk: Path) -> None:
    rng = np.random.default_rng(0)
    rows = some_rows(2000)
    rows["law_state"] = rng.normal(size=rows["law_state"].shape)
    writer = RecordingWriter(small_disk / "a.mcap", HEADER, "")
    with pytest.raises(RecordingError, match=r"a\.mcap: (No space left|File too large)"):
        for i in range(len(rows)):
            writer.publish(rows[i : i + 1])
    # closing may have to drop chunks to make room for the index, and then raises too
    with contextlib.suppress(RecordingError):
        writer.close()
    recording = load(small_disk / "a.mcap")
    assert not recording.truncated
    assert len(recording) >= 250
    assert recording.rows.tobytes() == rows[: len(recording)].tobytes()
    with (small_disk / "a.mcap").open("rb") as file:
        assert make_reader(file).get_summary() is not None


def test_closing_on_a_full_disk_drops_chunks_to_make_room_for_the_index(small_disk: Path) -> None:
    rows = some_rows(375)
    writer = write(small_disk / "a.mcap", rows)
    full = small_disk / "full"
    with contextlib.suppress(OSError), full.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    if full.stat().st_size == 1 << 20:
        pytest.skip("cannot create a file system of 1 MB here")
    with pytest.raises(RecordingError, match="lacks its last"):
        writer.close()
    recording = load(small_disk / "a.mcap")
    assert not recording.truncated
    assert recording.rows.tobytes() == rows[: len(recording)].tobytes()
    assert len(recording) in (125, 250)
