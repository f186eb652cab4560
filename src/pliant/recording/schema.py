"""How a tick and a line are described in a file: ROS 2 message definitions, made from `Tick`.

A message is four bytes that say "little-endian CDR" and then the row as it lies in memory: an
aligned NumPy row is aligned as CDR wants it. ROS 2 allows only lower case in the name of a field,
so the column's own name stands in the comment, with its shape, unit, stage and meaning. A file is
read by the definition in it, so that files of other versions can be read too.
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
# What was said and what happened, beside the ticks.
int64 tick  # Number of the tick at which it acts, or after which it was said.
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
    """What a file says of one of its columns."""

    unit: str
    stage: str
    doc: str


def tick_definition(n: int) -> str:
    """The definition of a tick's message for n joints."""
    lines = [_HEAD]
    for name, declared, _ in columns():
        dtype = tick_dtype(n)[name]
        count = f"[{np.prod(dtype.shape)}]" if dtype.shape else ""
        shape = f" {'×'.join(map(str, dtype.shape))}" if len(dtype.shape) > 1 else ""
        comment = f"{name}{shape} [{declared.unit}] {declared.stage}: {declared.doc}"
        lines.append(f"{_SCALARS[dtype.base.str]}{count} {name.lower()}  # {comment}")
    return "\n".join(lines) + "\n"


def read_definition(text: str) -> tuple[np.dtype, dict[str, RecordedColumn]]:
    """The rows that a definition describes, and what it says of each column.

    Raises:
        ValueError: It is not one that Pliant wrote.
    """
    types = {name: scalar for scalar, name in _SCALARS.items()}
    fields, told = [], {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        found = _FIELD.fullmatch(line)
        if found is None or found["type"] not in types:
            raise ValueError(f"its definition of a tick has a line not understood: {line!r}")
        fields.append((found["name"], types[found["type"]], _shape(found)))
        told[found["name"]] = RecordedColumn(
            unit=found["unit"], stage=found["stage"], doc=found["doc"]
        )
    return np.dtype(fields, align=True), told


def _shape(found: re.Match[str]) -> tuple[int, ...]:
    if found["shape"]:
        return tuple(int(size) for size in found["shape"].split("×"))
    return (int(found["count"]),) if found["count"] else ()
