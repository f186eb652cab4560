"""Motions from files: read exactly, or refused with the place of the error."""

import os
from pathlib import Path

import numpy as np
import pytest
import zstandard
from mcap.records import Chunk
from mcap.writer import Writer as McapWriter
from rosbags.rosbag2 import Writer
from rosbags.typesys import Stores, get_typestore

from pliant.arms import load_arm
from pliant.chunk_data import LARGEST_CHUNK, unpacked
from pliant.errors import ConfigError
from pliant.stages.reference.motion_files import read_motion

PANDA = load_arm("panda")
TYPES = get_typestore(Stores.LATEST)
TIME = 0.01 * np.arange(60)
Q = PANDA.home + 0.1 * np.sin(3.0 * TIME)[:, None]
TAU = 2.0 + 0.1 * Q
NAMES = ["time", *(f"q_{j}" for j in range(7)), *(f"tau_{j}" for j in range(7))]


def lines_of(time=TIME, q=Q, tau=TAU, names=NAMES) -> list[str]:
    rows = [",".join(f"{x:.12g}" for x in row) for row in np.column_stack([time, q, tau])]
    return [",".join(names), *rows] if names else rows


def write(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "motion.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


BRACKETS = ["time", *(f"{name}[{j}]" for name in ("q", "tau") for j in range(7))]


@pytest.mark.parametrize("names", [NAMES, [], BRACKETS])
def test_a_table_is_read_as_written(tmp_path, names):
    motion = read_motion(write(tmp_path, lines_of(time=TIME + 5.0, names=names)), PANDA)
    np.testing.assert_allclose(motion.time, TIME, atol=1e-9)
    np.testing.assert_allclose(motion.q, Q, atol=1e-9)
    np.testing.assert_allclose(motion.tau, TAU, atol=1e-9)
    speed = 0.3 * np.cos(3.0 * TIME)
    np.testing.assert_allclose(motion.qd[5:-5], np.tile(speed[5:-5, None], 7), atol=1e-3)


def broken(change) -> list[str]:
    lines = lines_of()
    change(lines)
    return lines


def cut_last(lines: list[str]) -> None:
    lines[-1] = lines[-1][:40].rsplit(",", 1)[0]


def swap(lines: list[str]) -> None:
    lines[20], lines[21] = lines[21], lines[20]


def put(line: int, column: int, text: str):
    def change(lines: list[str]) -> None:
        cells = lines[line].split(",")
        cells[column] = text
        lines[line] = ",".join(cells)

    return change


def clear_all(lines: list[str]) -> None:
    lines.clear()


BROKEN = [
    (put(0, 3, "q_" + "9" * 5000), "line 1: 6 positions, but 7 torques"),
    (cut_last, r"line 61: \d+ columns instead of 15, cut off"),
    (swap, "line 22: the time 0.19 s does not come after 0.2 s"),
    (put(10, 3, "nan"), "line 11: the position of joint 2 is nan"),
    (put(10, 9, "inf"), "line 11: the torque of joint 1 is inf"),
    (put(10, 3, "abc"), "line 11: 'abc' is no number"),
    (put(10, 4, "0.5"), "line 11: joint 3 at 0.5 rad is beyond its limits"),
    (put(10, 1, "1.0"), "line 11: joint 0 moves at .* rad/s, beyond its limit 2.175"),
    (clear_all, "is empty"),
]


@pytest.mark.parametrize(("change", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_broken_table_is_refused_with_its_place(tmp_path, change, said):
    with pytest.raises(ConfigError, match=said):
        read_motion(write(tmp_path, broken(change)), PANDA)


def test_a_table_of_another_arm_is_refused(tmp_path):
    names = ["time", *(f"q_{j}" for j in range(6)), *(f"tau_{j}" for j in range(6))]
    lines = lines_of(q=Q[:, :6], tau=TAU[:, :6], names=names)
    with pytest.raises(ConfigError, match="6 joints in line 2, the panda has 7"):
        read_motion(write(tmp_path, lines), PANDA)
    with pytest.raises(ConfigError, match="13 columns; without names it needs"):
        read_motion(write(tmp_path, lines[1:]), PANDA)
    with pytest.raises(ConfigError, match="needs columns time and q_0"):
        read_motion(write(tmp_path, ["a,b,c", "1,2,3"]), PANDA)


def write_bag(path: Path, q=Q, names=PANDA.joint_names, time=TIME) -> Path:
    message_type = TYPES.types["sensor_msgs/msg/JointState"]
    header, stamp = TYPES.types["std_msgs/msg/Header"], TYPES.types["builtin_interfaces/msg/Time"]
    with Writer(path, version=9) as bag:
        connection = bag.add_connection("/joint_states", message_type.__msgtype__, typestore=TYPES)
        for at, positions in zip(time, q, strict=True):
            nanoseconds = round(1e9 * (100.0 + at))
            when = stamp(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)
            message = message_type(
                header=header(stamp=when, frame_id=""),
                name=list(names),
                position=np.array(positions),
                velocity=np.zeros(len(positions)),
                effort=np.full(len(positions), 3.0),
            )
            data = TYPES.serialize_cdr(message, message_type.__msgtype__)
            bag.write(connection, nanoseconds, data)
    return path


def test_a_bag_is_read_by_the_names_of_its_joints(tmp_path):
    names = ["finger", *reversed(PANDA.joint_names)]
    q = np.column_stack([np.full(len(Q), 0.02), Q[:, ::-1]])
    motion = read_motion(write_bag(tmp_path / "bag", q, names), PANDA)
    np.testing.assert_allclose(motion.time, TIME, atol=1e-6)
    np.testing.assert_allclose(motion.q, Q)
    assert (motion.tau == 3.0).all()


def test_a_broken_bag_is_refused_with_its_place(tmp_path):
    q = Q.copy()
    q[7, 2] = np.nan
    with pytest.raises(ConfigError, match="message 8: the position of joint 2 is nan"):
        read_motion(write_bag(tmp_path / "nan", q), PANDA)
    with pytest.raises(ConfigError, match="message 1: joints a, b instead of panda_joint1"):
        read_motion(write_bag(tmp_path / "other", Q[:, :2], ["a", "b"]), PANDA)
    bag = write_bag(tmp_path / "cut")
    storage = next(bag.glob("*.db3"))
    storage.write_bytes(storage.read_bytes()[:9000])
    with pytest.raises(ConfigError, match=r"cut cannot be read after \d+ joint states"):
        read_motion(bag, PANDA)


def test_a_file_without_motion_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="there is no file"):
        read_motion(tmp_path / "none.csv", PANDA)
    (tmp_path / "a.pdf").write_text("x")
    with pytest.raises(ConfigError, match=r"give a .mcap, .csv or .txt file, or a rosbag2 folder"):
        read_motion(tmp_path / "a.pdf", PANDA)
    (tmp_path / "a.mcap").write_bytes(b"no mcap at all")
    with pytest.raises(ConfigError, match=r"a.mcap is damaged after tick 0"):
        read_motion(tmp_path / "a.mcap", PANDA)


def write_recording(path: Path, rows: int = 60) -> Path:
    """A recording as Pliant writes it, with only the needed columns."""
    dtype = np.dtype([("time", "<f8"), ("q", "<f8", 7), ("tau_sent", "<f8", 7)], align=True)
    definition = (
        "# One control period.\n"
        "float64 time  # time [s] clock: The arm's time.\n"
        "float64[7] q  # q [rad] robot: Joint positions, measured.\n"
        "float64[7] tau_sent  # tau_sent [N·m] write: Torque that the arm was told.\n"
    )
    table = np.zeros(rows, dtype)
    table["time"], table["q"], table["tau_sent"] = TIME[:rows], Q[:rows], TAU[:rows]
    with path.open("wb") as file:
        writer = McapWriter(file, chunk_size=2000)
        writer.start(profile="ros2")
        schema = writer.register_schema("pliant_msgs/msg/Tick", "ros2msg", definition.encode())
        channel = writer.register_channel("/pliant/tick", "cdr", schema)
        for k in range(rows):
            data = b"\x00\x01\x00\x00" + table[k].tobytes()
            writer.add_message(channel, 10**7 * k, data, 10**7 * k)
        writer.finish()
    return path


def test_a_recording_is_read_with_the_torques_sent(tmp_path):
    motion = read_motion(write_recording(tmp_path / "run.mcap"), PANDA)
    np.testing.assert_array_equal(motion.q, Q)
    np.testing.assert_array_equal(motion.tau, TAU)
    assert not motion.has_gravity


def test_a_recording_cut_off_is_refused_with_its_place(tmp_path):
    path = write_recording(tmp_path / "run.mcap")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    with pytest.raises(ConfigError, match=r"run.mcap is (cut off|damaged) after tick \d+"):
        read_motion(path, PANDA)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("time,q_" + "9" * 5000, "needs columns time and q_0"),
        ("time," + ",".join(f"q_{j}" for j in range(99)), "has 99 joints"),
        ("time,q_٣", "needs columns time and q_0"),
    ],
)
def test_a_table_with_strange_names_is_refused(head: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "strange.csv"
    row = ",".join(["0"] * len(head.split(",")))
    file.write_text(f"{head}\n{row}\n")
    with pytest.raises(ConfigError, match=said):
        read_motion(file, load_arm("panda"))


def numbers(time: list[float], q: float = 0.0, tau: float = 0.0) -> str:
    home = load_arm("panda").home
    rows = [[t, *(x + q for x in home), *([tau] * 7)] for t in time]
    return "\n".join(",".join(f"{x:.17g}" for x in row) for row in rows)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (numbers([0.0, 5e-324, 1.0]), "does not come after 0 s by 1e-06 s or more"),
        (numbers([0.0, 1e-200]), "does not come after"),
        (numbers([0.0, 1e308]), "lasts longer than 100000 s"),
        (numbers([-1e308, 1e308]), "lasts longer than 100000 s"),
        (numbers([0.0, 1.0], tau=1e308), "torque 1e\\+308 N·m of joint 0 is beyond"),
        (numbers([0.0, 1.0], q=1e308), "beyond its limits"),
        (numbers([0.0, 1.0], q=float("nan")), "the position of joint 0 is nan"),
    ],
)
def test_a_motion_whose_velocities_would_not_be_finite_is_refused(
    text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "extreme.csv"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_motion(file, load_arm("panda"))


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    os.mkfifo(tmp_path / "pipe.mcap")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    (tmp_path / "bag").mkdir()
    os.mkfifo(tmp_path / "bag" / "metadata.yaml")
    for name in ("pipe.csv", "pipe.mcap", "zero.csv", "bag"):
        with pytest.raises(ConfigError, match="is not a regular file"):
            read_motion(tmp_path / name, load_arm("panda"))
    for name in ("a\0b.csv", "x" * 5000 + ".csv", "~nobody-here/x.csv"):
        with pytest.raises(ConfigError):
            read_motion(name, load_arm("panda"))


def test_a_chunk_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    whole = zstandard.ZstdCompressor().compress(bytes(1 << 28))
    chunk = Chunk(
        compression="zstd", data=whole, message_start_time=0, message_end_time=0,
        uncompressed_crc=0, uncompressed_size=100,
    )  # fmt: skip
    with pytest.raises(ValueError, match="says that it has 100 bytes, and has more"):
        unpacked(chunk, "the chunk")
    chunk.uncompressed_size = 1 << 28
    with pytest.raises(ValueError, match=f"at most {LARGEST_CHUNK} are read"):
        unpacked(chunk, "the chunk")
