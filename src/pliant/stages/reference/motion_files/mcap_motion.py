"""A motion from one of Pliant's recordings."""

from pathlib import Path

import numpy as np
from mcap.exceptions import McapError
from mcap.records import Channel, DataEnd, Message, Schema
from mcap.stream_reader import StreamReader

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.stages.reference.motion_files.recorded_motion import Motion
from pliant.tick_message import CDR_HEADER, TICK_TOPIC, read_definition


def read_recording(path: Path, arm: ArmDescription) -> Motion:
    """Read the motion of a recording: measured positions, and the torques that moved the arm.

    Raises:
        ConfigError: The file is not one of Pliant's recordings, is cut off, or damaged.
    """
    del arm
    rows: list[bytes] = []
    dtype, whole = None, False
    schemas: dict[int, Schema] = {}
    ticks: set[int] = set()
    try:
        with path.open("rb") as file:
            for record in StreamReader(file).records:
                if isinstance(record, Schema):
                    schemas[record.id] = record
                elif isinstance(record, Channel) and record.topic == TICK_TOPIC:
                    ticks.add(record.id)
                    dtype, _ = read_definition(schemas[record.schema_id].data.decode())
                elif isinstance(record, Message) and record.channel_id in ticks:
                    rows.append(record.data[len(CDR_HEADER) :])
                elif isinstance(record, DataEnd):
                    whole = True
                    break
    except (McapError, OSError, KeyError, ValueError, EOFError) as error:
        raise ConfigError(f"{path.name} is damaged after tick {len(rows)}: {error}") from None
    if dtype is None:
        raise ConfigError(f"{path.name} is not a Pliant recording: it has no {TICK_TOPIC}")
    if not whole:
        raise ConfigError(f"{path.name} is cut off after tick {len(rows)}")
    table = np.frombuffer(b"".join(rows), dtype)
    return Motion(
        name=path.name,
        time=table["time"].astype(float),
        q=table["q"].astype(float),
        tau=_torque(table),
        has_gravity=False,
        place=lambda k: f"tick {k}",
    )


def _torque(table: np.ndarray) -> np.ndarray:
    """The torque that was sent, plus the external torque where the arm estimates it."""
    names = table.dtype.names or ()
    tau = table["tau_sent"].astype(float)
    return tau + np.nan_to_num(table["tau_ext"]) if "tau_ext" in names else tau
