"""The telemetry line of the line protocol, written by a kernel.

Python takes longer to write its 37 numbers than for the rest of the tick.
"""

from math import floor, isinf, isnan

import numpy as np
from numpy.typing import NDArray

from pliant.loop.non_blocking_writer import OUTLET_SIZE, Outlet, has_room, new_outlet, put, room_in
from pliant.loop.system_clock import IN_KERNELS
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.spatial import Array, quat_log
from pliant.tick import MOST_JOINTS, Rows, Tick

Text = NDArray[np.uint8]

_DECIMALS = 7
_SCALE = 10.0**_DECIMALS

# Beyond this a number is written with an exponent.
_LARGE = 1e9

# The longest number, "-123456789.1234567e+300", and what stands before a group.
_LONGEST = 32

_TIME, _TCP, _REFERENCE, _SENSED, _DESIRED, _JOINTS, _TEMPERATURES = (
    np.frombuffer(label, np.uint8)
    for label in (b"TELEM: t=", b" tcp=", b" ref=", b" ws=", b" wd=", b" q=", b" T=")
)
_NAN, _INF = np.frombuffer(b"nan", np.uint8), np.frombuffer(b"inf", np.uint8)
_ZERO, _POINT, _MINUS, _COMMA, _E, _END = b"0.-,e\n"


class Telling:
    """What telemetry remembers.

    Attributes:
        due: How many ticks are left before a line is due; below zero for no line ever.
        every: A line is due every so many ticks.
        held: Not zero while no line may be written, as something else waits there.
        left: How many bytes of the last line are still to be written.
        outlet: Where to.
        text: The last line.
    """

    due: int
    every: int
    held: int
    left: int
    outlet: Outlet
    text: Text


_TELLING = np.dtype(
    [
        *((name, np.int64) for name in ("due", "every", "held", "left")),
        ("outlet", np.int32, (OUTLET_SIZE,)),
        ("text", np.uint8, (_LONGEST * (25 + 2 * MOST_JOINTS),)),
    ],
    align=True,
)


def new_telling(every: int = 0, descriptor: int = -1) -> Rows:
    """Telemetry every so many ticks to a descriptor; or none ever."""
    telling = np.zeros(1, np.dtype((np.record, _TELLING)))
    telling["due"] = telling["every"] = every or -1
    if every:
        telling["outlet"] = new_outlet(descriptor)
    return telling


class Telemetry:
    """Writes `TELEM: t=<s> tcp=… ref=… ws=… wd=… q=… T=…`, poses with rotation vectors.

    Numbers have at most seven decimals, and no zeros at their end.

    Attributes:
        telling: What `tell` needs, for whoever calls it.
    """

    def __init__(self, every: int, descriptor: int) -> None:
        """Make a writer of a line every so many ticks."""
        self.telling = new_telling(every, descriptor)
        self._held, self._left = self.telling["held"], self.telling["left"]
        self._tell = Direct(tell)

    def hold(self, held: bool) -> None:
        """Write nothing, while something else waits there."""
        self._held[0] = held

    def after(self, tick: Rows) -> None:
        """Write a line after a tick, if one is due."""
        if IN_KERNELS:
            self._tell.call(tick, self.telling)
        elif line_is_due(self.telling) and has_room(self.telling["outlet"][0]):
            self._left[0] = write_line(tick, self.telling["text"][0])

    def rest(self) -> bytes:
        """What of the last line is still to be written, told once."""
        left = self._left.item()
        if not left:
            return b""
        self._left[0] = 0
        text = self.telling["text"].tobytes()
        end = text.index(_END) + 1
        return text[end - left : end]


@kernel
def put_text(text: Text, out: Text, at: int) -> int:
    """Write a text; where it ends."""
    for i in range(text.shape[0]):
        out[at + i] = text[i]
    return at + text.shape[0]


@kernel
def put_whole(value: int, digits: int, out: Text, at: int) -> int:
    """Write a whole number of at least so many digits; where it ends."""
    end = at
    while digits > 0 or value > 0:
        out[end] = _ZERO + value % 10
        value //= 10
        digits -= 1
        end += 1
    for i in range((end - at) // 2):
        out[at + i], out[end - 1 - i] = out[end - 1 - i], out[at + i]
    return end


@kernel
def put_number(value: float, out: Text, at: int) -> int:
    """Write a number; where it ends."""
    if isnan(value):
        return put_text(_NAN, out, at)
    size, exponent = abs(value), 0
    while size >= _LARGE and not isinf(size):
        size /= 10.0
        exponent += 1
    scaled = 0 if isinf(size) else int(floor(size * _SCALE + 0.5))
    if value < 0.0 and (scaled > 0 or isinf(size)):
        out[at] = _MINUS
        at += 1
    if isinf(size):
        return put_text(_INF, out, at)
    at = put_whole(scaled // int(_SCALE), 1, out, at)
    if scaled % int(_SCALE) != 0:
        out[at] = _POINT
        at = put_whole(scaled % int(_SCALE), _DECIMALS, out, at + 1)
        while out[at - 1] == _ZERO:
            at -= 1
    if exponent > 0:
        out[at] = _E
        at = put_whole(exponent, 1, out, at + 1)
    return at


@kernel
def put_group(label: Text, values: Array, out: Text, at: int) -> int:
    """Write a label and numbers with commas between them; where they end."""
    at = put_text(label, out, at)
    for i in range(values.shape[0]):
        if i > 0:
            out[at] = _COMMA
            at += 1
        at = put_number(values[i], out, at)
    return at


@kernel
def collect(tick: Row[Tick], out: Array) -> None:
    """The numbers of the line in their order."""
    t = tick[0]
    out[0] = t.time
    for i in range(3):
        out[1 + i] = t.X_WT[i]
        out[7 + i] = t.X_WR[i]
    quat_log(t.X_WT[3:], out[4:7])
    quat_log(t.X_WR[3:], out[10:13])
    for i in range(6):
        out[13 + i] = t.w_T[i]
        out[19 + i] = t.w_desired_T[i]
    n = t.q.shape[0]
    for j in range(n):
        out[25 + j] = t.q[j]
        out[25 + n + j] = t.temperature[j]


@kernel
def write_line(tick: Row[Tick], out: Text) -> int:
    """Write the whole line; its length, zero if there is no room for so many joints."""
    n = tick[0].q.shape[0]
    values = np.empty(25 + 2 * n)
    if out.shape[0] < _LONGEST * values.shape[0]:
        return 0
    collect(tick, values)
    at = put_group(_TIME, values[:1], out, 0)
    at = put_group(_TCP, values[1:7], out, at)
    at = put_group(_REFERENCE, values[7:13], out, at)
    at = put_group(_SENSED, values[13:19], out, at)
    at = put_group(_DESIRED, values[19:25], out, at)
    at = put_group(_JOINTS, values[25 : 25 + n], out, at)
    at = put_group(_TEMPERATURES, values[25 + n :], out, at)
    out[at] = _END
    return at + 1


@kernel
def line_is_due(telling: Row[Telling]) -> bool:
    """Count a tick; whether a line is to follow it."""
    own = telling[0]
    own.due -= 1
    if own.due != 0:
        return False
    own.due = own.every
    return own.held == 0


@kernel
def tell(tick: Row[Tick], telling: Row[Telling]) -> bool:
    """Write a line if one is due and there is room for it; whether some of it is left."""
    own = telling[0]
    if tick[0].k == 0 or not line_is_due(telling) or not room_in(own.outlet):
        return False
    size = write_line(tick, own.text)
    own.left = size - put(own.outlet, own.text, size)
    return own.left > 0
