"""The tick as a ROS 2 message: its topic, and its message definition, generated from `Tick`.

A message is four bytes that say "little-endian CDR", and the row as it lies in memory: an aligned
NumPy row is aligned as CDR requires. ROS 2 allows only lower case in the name of a field, so a
comment has the column's own name, with its shape, unit, stage and meaning. A reader uses the
definition in the file, so it can read files of other versions too.
"""

import re
from dataclasses import dataclass

import numpy as np

from pliant.tick import Tick, columns, tick_dtype

TICK_TOPIC = "/pliant/tick"
TICK_MESSAGE = "pliant_msgs/msg/Tick"

CDR_HEADER = b"\x00\x01\x00\x00"

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
    """Description of a column in a message definition."""

    unit: str
    stage: str
    doc: str


def tick_definition(n: int) -> str:
    """The message definition of a tick of n joints."""
    lines = [_HEAD]
    for name, declared, _ in columns():
        dtype = tick_dtype(n)[name]
        count = f"[{np.prod(dtype.shape)}]" if dtype.shape else ""
        shape = f" {'×'.join(map(str, dtype.shape))}" if len(dtype.shape) > 1 else ""
        comment = f"{name}{shape} [{declared.unit}] {declared.stage}: {declared.doc}"
        lines.append(f"{_SCALARS[dtype.base.str]}{count} {name.lower()}  # {comment}")
    return "\n".join(lines) + "\n"


def read_definition(text: str) -> tuple[np.dtype, dict[str, RecordedColumn]]:
    """The dtype of the rows that a message definition describes, and its columns.

    Raises:
        ValueError: Pliant did not write the definition.
    """
    types = {name: scalar for scalar, name in _SCALARS.items()}
    fields, described = [], {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        found = _FIELD.fullmatch(line)
        if found is None or found["type"] not in types:
            raise ValueError(f"its definition of a tick has a line not understood: {line!r}")
        fields.append((found["name"], types[found["type"]], _shape(found)))
        described[found["name"]] = RecordedColumn(
            unit=found["unit"], stage=found["stage"], doc=found["doc"]
        )
    return np.dtype(fields, align=True), described


def _shape(found: re.Match[str]) -> tuple[int, ...]:
    if found["shape"]:
        return tuple(int(size) for size in found["shape"].split("×"))
    return (int(found["count"]),) if found["count"] else ()
