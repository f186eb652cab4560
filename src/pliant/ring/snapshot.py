"""A look at a ring that needs NumPy alone, for programs that must start at once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.ring.ring_file import open_lanes
from pliant.tick import Rows


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A ring at one moment.

    Attributes:
        header: Arm, process and schema, as the writer gave them.
        newest: The newest tick; None before the first.
        lateness: The lateness of the ticks that the ring holds, s.
        guardian: Process id of the guardian; 0 if there is none.
    """

    header: dict[str, Any]
    newest: Rows | None
    lateness: NDArray[np.float64]
    guardian: int


def look(path: Path) -> Snapshot:
    """Look at a ring.

    Raises:
        PliantError: It is no ring, is incomplete, or was written by another version.
        OSError: There is no such file.
    """
    header, lanes = open_lanes(path)
    counters, rows = lanes.counters, lanes.rows
    last, depth = int(counters["ticks"][0]), rows.size
    lateness, newest = rows["lateness"].copy(), rows[[last % depth]]
    # what was begun during the copy may have overwritten the oldest
    first = max(1, int(counters["begun"][0]) - depth + 1)
    kept = lateness[np.arange(first, last + 1) % depth]
    return Snapshot(
        header=header,
        newest=newest if last else None,
        lateness=kept,
        guardian=int(lanes.guardian["pid"][0]),
    )
