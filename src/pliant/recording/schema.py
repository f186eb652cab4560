"""ROS 2 message definitions of a tick and a line, generated from `Tick`.

A message is the four-byte header of little-endian CDR followed by the row as it is in memory: an
aligned NumPy row already has the alignment that CDR requires. ROS 2 allows only lower case in field
names, so a comment holds the column's real name, with its shape, unit, stage and meaning. The
reader uses the definition in the file, so it can read files of other versions.
"""

import re
from dataclasses import dataclass

import numpy as np

from pliant.tick import Tick, columns, tick_dtype

TICK_TOPIC = "/pliant/tick"
TICK_MESSAGE = "pliant_msgs/msg/Tick"
LINE_TOPIC = "/pliant/line"
LINE_MESSAGE = "pliant_msgs/msg/Line"

CDR_HEADER = b"\x00\x01\x00\x00"

LINE_DEFINITION = """\
# Commands, replies and events that accompany the ticks.
int64 tick  # Number of the tick at which the line took effect, or after which it was published.
string kind  # command, reply, event, input, config, lost
string text
"""

_HEAD = (
    f"# {Tick.__doc__}\n# Comments: name, shape of a matrix, [unit], stage that writes it: meaning."
)
_SCALARS = {"<f8": "float64", "<i8": "int64", "|u1": "uint8"}
_FIELD = re.compile(
    r"(?P<type>\w+?)(\[(?P<count>\d+)\])? \w+  # "
    r"(?P<name>\w+)( (?P<shape>\d+(×\d+)+))? \[(?P<unit>.*?)\] (?P<stage>\w+): (?P<doc>.*)"
)


@dataclass(frozen=True, kw_only=True)
class RecordedColumn:
    """Unit, stage and meaning of a column, as stored in the file."""

    unit: str
    stage: str
    doc: str


def tick_definition(n: int) -> str:
    """Message definition of a tick with n joints."""
    lines = [_HEAD]
    for name, declared, _ in columns():
        dtype = tick_dtype(n)[name]
        count = f"[{np.prod(dtype.shape)}]" if dtype.shape else ""
        shape = f" {'×'.join(map(str, dtype.shape))}" if len(dtype.shape) > 1 else ""
        comment = f"{name}{shape} [{declared.unit}] {declared.stage}: {declared.doc}"
        lines.append(f"{_SCALARS[dtype.base.str]}{count} {name.lower()}  # {comment}")
    return "\n".join(lines) + "\n"


def read_definition(text: str) -> tuple[np.dtype, dict[str, RecordedColumn]]:
    """Parse a definition into the dtype of the rows and a description of each column.

    Raises:
        ValueError: The definition was not written by Pliant.
    """
    types = {name: scalar for scalar, name in _SCALARS.items()}
    fields, described = [], {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        match = _FIELD.fullmatch(line)
        if match is None or match["type"] not in types:
            raise ValueError(f"its tick definition has an unreadable line: {line!r}")
        fields.append((match["name"], types[match["type"]], _shape(match)))
        described[match["name"]] = RecordedColumn(
            unit=match["unit"], stage=match["stage"], doc=match["doc"]
        )
    return np.dtype(fields, align=True), described


def _shape(match: re.Match[str]) -> tuple[int, ...]:
    if match["shape"]:
        return tuple(int(size) for size in match["shape"].split("×"))
    return (int(match["count"]),) if match["count"] else ()
