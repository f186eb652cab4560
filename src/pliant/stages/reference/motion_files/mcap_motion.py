"""A motion from one of Pliant's recordings."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from mcap.records import Channel, Chunk, DataEnd, Message, Schema
from mcap.stream_reader import StreamReader, breakup_chunk

from pliant.arms.description import ArmDescription
from pliant.chunk_data import LARGEST_CHUNK, unpacked
from pliant.errors import ConfigError
from pliant.stages.reference.motion_files.recorded_motion import MOST_SAMPLES, Motion
from pliant.stages.reference.motion_files.regular_file import open_regular
from pliant.tick_message import CDR_HEADER, TICK_TOPIC, read_definition

_MOST_BYTES = 1 << 32

_COLUMNS = ("time", "q", "tau_sent", "tau_ext")


def read_recording(path: Path, arm: ArmDescription) -> Motion:
    """Read the motion of a recording: measured positions, and the torques that moved the arm.

    Raises:
        ConfigError: The file is not one of Pliant's recordings, is cut off, or damaged.
    """
    del arm
    ticks = _Ticks()
    with open_regular(path, _MOST_BYTES) as file:
        try:
            for record in _records(file):
                ticks.take(record)
                if ticks.whole or ticks.count > MOST_SAMPLES:
                    break
            table = ticks.table()
        except Exception as error:
            raise ConfigError(f"{path.name} is damaged after tick {ticks.count}: {error}") from None
    if ticks.dtype is None:
        raise ConfigError(f"{path.name} is not a Pliant recording: it has no {TICK_TOPIC}")
    if ticks.count > MOST_SAMPLES:
        raise ConfigError(f"{path.name} has more than {MOST_SAMPLES} ticks")
    if not ticks.whole:
        raise ConfigError(f"{path.name} is cut off after tick {ticks.count}")
    return Motion(
        name=path.name,
        time=table["time"],
        q=table["q"],
        tau=table["tau_sent"] + np.nan_to_num(table.get("tau_ext", 0.0)),
        has_gravity=False,
        place=lambda k: f"tick {k}",
    )


class _Ticks:
    """The columns of the ticks that come by.

    Attributes:
        dtype: Of one tick; None as long as no tick is declared.
        count: How many ticks have come.
        whole: Whether the recording has come to its end.
    """

    def __init__(self) -> None:
        self.dtype: np.dtype | None = None
        self.count = 0
        self.whole = False
        self._schemas: dict[int, Schema] = {}
        self._channels: set[int] = set()
        self._rows: list[bytes] = []
        self._parts: list[dict[str, np.ndarray]] = []

    def take(self, record: Any) -> None:
        """Take the next record."""
        if isinstance(record, Schema):
            self._schemas[record.id] = record
        elif isinstance(record, Channel) and record.topic == TICK_TOPIC:
            self._channels.add(record.id)
            self.dtype, _ = read_definition(self._schemas[record.schema_id].data.decode())
        elif isinstance(record, Message) and record.channel_id in self._channels:
            self._rows.append(record.data[len(CDR_HEADER) :])
            self.count += 1
        elif isinstance(record, Chunk):
            # whole ticks are much larger than what is needed of them
            self._keep()
        elif isinstance(record, DataEnd):
            self.whole = True

    def table(self) -> dict[str, np.ndarray]:
        """The columns that a motion needs, of all ticks."""
        self._keep()
        names = self._parts[0] if self._parts else ()
        return {name: np.concatenate([part[name] for part in self._parts]) for name in names}

    def _keep(self) -> None:
        if self.dtype is not None and (self._rows or not self._parts):
            table = np.frombuffer(b"".join(self._rows), self.dtype)
            names = [name for name in _COLUMNS if name in (self.dtype.names or ())]
            self._parts.append({name: table[name].astype(float) for name in names})
            self._rows.clear()


def _records(file: BinaryIO) -> Iterator[Any]:
    """All records; before those of a chunk comes the chunk itself."""
    for record in StreamReader(file, emit_chunks=True, record_size_limit=LARGEST_CHUNK).records:
        yield record
        if isinstance(record, Chunk):
            yield from breakup_chunk(
                replace(record, compression="", data=unpacked(record, "the next chunk"))
            )
