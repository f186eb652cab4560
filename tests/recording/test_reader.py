import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer

from pliant.config import Config
from pliant.errors import RecordingError, UnknownNameError
from pliant.recording import Recording, load
from pliant.recording.writer import RecordingWriter
from pliant.tick import new_rows
from pliant.tick_message import TICK_MESSAGE

HEADER = {"spec": "sim:ur5e", "n": 6, "dt": 0.002, "start": 1e9}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small recording."""
    path = tmp_path_factory.mktemp("file") / "a.mcap"
    writer = RecordingWriter(path, HEADER, Config().to_yaml())
    row = new_rows(6)
    for k in range(300):
        row["k"], row["time"] = k, k * HEADER["dt"]
        writer.publish(row)
    writer.write_line("event", 7, "hello")
    writer.close()
    return path


def test_columns_come_with_their_units(file: Path) -> None:
    recording = load(str(file))
    assert recording["time"][-1] == pytest.approx(0.598)
    assert recording.time is not None and len(recording.time) == len(recording) == 300
    assert recording["J_W"].shape == (300, 6, 6)
    assert recording.unit("w_T") == "N, N·m"
    assert recording.n == 6
    assert recording.columns[:2] == ["k", "time"]


@pytest.mark.parametrize(
    ("name", "similar"), [("w_t", "w_T"), ("temperatur", "temperature"), ("zzz", "X_WT_cmd")]
)
def test_an_unknown_column_is_refused_with_similar_names(
    file: Path, name: str, similar: str
) -> None:
    recording = load(file)
    for access in (recording.__getitem__, recording.unit):
        with pytest.raises(UnknownNameError, match=f"unknown column '{name}'.*{similar}"):
            access(name)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x89MCAP", "is empty"),
        (b"time,x\n1,2\n" * 9, "not an MCAP file"),
        (b"\x89MCAP0\r\n", "truncated before its first tick"),
    ],
)
def test_a_file_that_is_not_a_recording_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "x.mcap"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        load(tmp_path / "no.mcap")
    with pytest.raises(RecordingError, match="directory"):
        load(tmp_path)


def test_a_foreign_mcap_file_is_refused_with_its_topics(tmp_path: Path) -> None:
    path = tmp_path / "x.mcap"
    with path.open("wb") as opened:
        writer = Writer(opened)
        writer.start()
        schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
        channel = writer.register_channel("/chatter", "cdr", schema)
        writer.add_message(channel, 0, b"", 0)
        writer.finish()
    with pytest.raises(RecordingError, match="no topic /pliant/tick; its topics: /chatter"):
        load(path)


def test_a_newer_file_is_refused_with_its_version(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "x.mcap"
    data = file.read_bytes()
    for old, new in ((b"format\x01\0\0\x001", b"format\x01\0\0\x009"), (b"0.1.0", b"9.1.0")):
        assert old in data
        data = data.replace(old, new)
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=r"Pliant 9\.1\.0, which is newer: update"):
        load(path)


def rewritten(source: Path, target: Path, definition: str, compression: CompressionType) -> None:
    """Rewrite a recording as another program would."""
    with source.open("rb") as old, target.open("wb") as new:
        reader, writer = make_reader(old), Writer(new, compression=compression, chunk_size=99_999)
        writer.start(profile="ros2", library="another")
        summary = reader.get_summary()
        assert summary is not None
        for schema in summary.schemas.values():
            data = definition.encode() if schema.name == TICK_MESSAGE else schema.data
            writer.register_schema(schema.name, schema.encoding, data)
        for channel in summary.channels.values():
            writer.register_channel(channel.topic, "cdr", channel.schema_id)
        for item in reader.iter_metadata():
            writer.add_metadata(item.name, item.metadata)
        for item in reader.iter_attachments():
            writer.add_attachment(0, 0, item.name, item.media_type, item.data)
        for _, channel, message in reader.iter_messages():
            writer.add_message(channel.id, message.log_time, message.data, message.log_time)
        writer.finish()


@pytest.mark.parametrize("compression", list(CompressionType))
def test_a_file_rewritten_by_another_tool_is_read_unchanged(
    tmp_path: Path, eventful_file: Path, compression: CompressionType
) -> None:
    original = load(eventful_file)
    path = tmp_path / "again.mcap"
    rewritten(eventful_file, path, definition_of(eventful_file), compression)
    again = load(path)
    assert again.rows.tobytes() == original.rows.tobytes()
    key = str
    assert sorted(again.lines, key=key) == sorted(original.lines, key=key)
    assert again.header == original.header


def definition_of(file: Path) -> str:
    with file.open("rb") as opened:
        summary = make_reader(opened).get_summary()
        assert summary is not None
        schemas = summary.schemas.values()
        return next(s.data.decode() for s in schemas if s.name == TICK_MESSAGE)


def test_columns_come_from_the_file_not_from_this_version(tmp_path: Path, file: Path) -> None:
    old = definition_of(file).replace("# sigma_min [m]", "# smallest [km]")
    path = tmp_path / "old.mcap"
    rewritten(file, path, old, CompressionType.ZSTD)
    recording = load(path)
    assert recording.unit("smallest") == "km"
    assert recording["k"].tolist() == list(range(300))
    with pytest.raises(UnknownNameError, match="sigma_min"):
        recording["sigma_min"]


def test_a_configuration_of_another_version_is_refused_only_when_accessed(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    RecordingWriter(path, HEADER, "warp: {factor: 9}\n").close()
    recording = load(path)
    assert recording.config_text == "warp: {factor: 9}\n"
    with pytest.raises(RecordingError, match="another version of Pliant: warp"):
        _ = recording.config


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_damaged_file_never_gives_a_traceback(place: float, bit: int, file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 1 << bit
    path = file.with_name("damaged.mcap")
    path.write_bytes(data)
    try:
        recording = load(path)
    except RecordingError as error:
        assert "\n" not in str(error)
        return
    assert isinstance(recording, Recording)
    assert recording.lost == 0 or recording.truncated


def test_a_damaged_chunk_is_found_by_its_checksum(tmp_path: Path, file: Path) -> None:
    data = bytearray(file.read_bytes())
    with io.BytesIO(data) as opened:
        summary = make_reader(opened).get_summary()
    assert summary is not None
    chunk = summary.chunk_indexes[0]
    data[chunk.chunk_start_offset + chunk.chunk_length // 2] ^= 1
    path = tmp_path / "x.mcap"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match="is damaged"):
        load(path)
