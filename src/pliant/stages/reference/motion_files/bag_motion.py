"""A motion from the joint states in a rosbag2."""

from pathlib import Path

import numpy as np
from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.typesys import Stores, get_typestore

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.numerics.spatial import Array
from pliant.stages.reference.motion_files.recorded_motion import MOST_SAMPLES, Motion
from pliant.stages.reference.motion_files.regular_file import open_regular

_MOST_BYTES = 1 << 30
_MOST_FILES = 100
_MESSAGE = "sensor_msgs/msg/JointState"


def read_bag(path: Path, arm: ArmDescription) -> Motion:
    """Read the motion of a bag.

    Joints are matched by name, or by order if the bag has none of the arm's names.

    Raises:
        ConfigError: The bag cannot be read; the error names the message.
    """
    rows: list[tuple[float, Array, Array]] = []
    _check_files(path)
    try:
        with AnyReader([path], default_typestore=get_typestore(Stores.LATEST)) as reader:
            states = [c for c in reader.connections if c.msgtype == _MESSAGE]
            if not states:
                topics = ", ".join(sorted(c.topic for c in reader.connections)) or "none"
                raise ConfigError(f"{path.name} has no joint states; its topics: {topics}")
            for connection, stamp, data in reader.messages(states[:1]):
                message = reader.deserialize(data, connection.msgtype)
                rows.append(_sample(message, stamp, f"{path.name}, {_place(len(rows))}", arm))
                if len(rows) > MOST_SAMPLES:
                    raise ConfigError(f"{path.name} has more than {MOST_SAMPLES} joint states")
    except ConfigError:
        raise
    except (AnyReaderError, Exception) as error:
        raise ConfigError(
            f"{path.name} cannot be read after {len(rows)} joint states: {error}"
        ) from None
    if not rows:
        raise ConfigError(f"{path.name} has a topic of joint states, but none in it")
    return Motion(
        name=path.name,
        time=np.array([time for time, _, _ in rows]),
        q=np.array([q for _, q, _ in rows]),
        tau=np.array([tau for _, _, tau in rows]),
        has_gravity=True,
        place=_place,
    )


def _check_files(path: Path) -> None:
    """Refuse a folder in which there is anything that is not a regular file of bearable size."""
    for count, file in enumerate(path.iterdir(), 1):
        if count > _MOST_FILES:
            raise ConfigError(f"{path} is not a rosbag2: it has more than {_MOST_FILES} files")
        open_regular(file, _MOST_BYTES).close()


def _place(k: int) -> str:
    return f"message {k + 1}"


def _sample(message: object, stamp: int, place: str, arm: ArmDescription) -> tuple:
    """Time, positions and torques of one message, in the order of the arm's joints."""
    names, q, tau = (list(getattr(message, name)) for name in ("name", "position", "effort"))
    order = [names.index(joint) for joint in arm.joint_names if joint in names]
    if len(order) < arm.n:
        if order or len(q) != arm.n:
            raise ConfigError(
                f"{place}: joints {', '.join(names) or len(q)} instead of "
                f"{', '.join(arm.joint_names)}"
            )
        order = list(range(arm.n))
    if len(q) <= max(order) or (tau and len(tau) <= max(order)):
        raise ConfigError(
            f"{place}: {len(names)} joint names, but {len(q)} positions and {len(tau)} torques"
        )
    time = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec  # type: ignore[attr-defined]
    positions = np.array([q[k] for k in order])
    torques = np.array([tau[k] for k in order]) if tau else np.zeros(arm.n)
    return (time or 1e-9 * stamp), positions, torques
