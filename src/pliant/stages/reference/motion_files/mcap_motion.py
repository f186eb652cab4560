"""A motion from one of Pliant's recordings."""

import re
from pathlib import Path

import numpy as np
from mcap.exceptions import McapError
from mcap.records import Channel, DataEnd, Message, Schema
from mcap.stream_reader import StreamReader

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.stages.reference.motion_files.recorded_motion import Motion

_TOPIC = "/pliant/tick"
_CDR_HEADER = 4
_FIELD = re.compile(r"(?P<type>\w+?)(\[(?P<count>\d+)\])? \w+  # (?P<name>\w+) .*")
_TYPES = {"float64": "<f8", "int64": "<i8", "uint8": "|u1"}


def read_recording(path: Path, arm: ArmDescription) -> Motion:
    """The motion in a recording: measured positions, and the torques that it took.

    Raises:
        ConfigError: It is no recording of Pliant's, it is cut off, or damaged.
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
                elif isinstance(record, Channel) and record.topic == _TOPIC:
                    ticks.add(record.id)
                    dtype = _dtype(schemas[record.schema_id].data.decode())
                elif isinstance(record, Message) and record.channel_id in ticks:
                    rows.append(record.data[_CDR_HEADER:])
                elif isinstance(record, DataEnd):
                    whole = True
                    break
    except (McapError, OSError, KeyError, ValueError, EOFError) as error:
        raise ConfigError(f"{path.name} is damaged after tick {len(rows)}: {error}") from None
    if dtype is None:
        raise ConfigError(f"{path.name} is no recording of Pliant's: it has no {_TOPIC}")
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
    """What the arm was sent, and what the environment added where the arm could tell."""
    names = table.dtype.names or ()
    tau = table["tau_sent"].astype(float)
    return tau + np.nan_to_num(table["tau_ext"]) if "tau_ext" in names else tau


def _dtype(definition: str) -> np.dtype:
    """The rows that the definition of a tick's message describes."""
    fields = []
    for line in definition.splitlines():
        found = _FIELD.fullmatch(line)
        if found and not line.startswith("#"):
            count = (int(found["count"]),) if found["count"] else ()
            fields.append((found["name"], _TYPES[found["type"]], count))
    return np.dtype(fields, align=True)
