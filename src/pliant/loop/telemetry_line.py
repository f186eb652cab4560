"""The telemetry line of the line protocol, formatted by a kernel.

Python takes longer to format its 37 numbers than to run the rest of the tick.
"""

from math import floor, isinf, isnan

import numpy as np
from numpy.typing import NDArray

from pliant.loop.non_blocking_writer import (
    WRITER_SIZE,
    NonBlockingWriter,
    has_room,
    new_writer,
    put,
    room_in,
)
from pliant.loop.system_clock import IN_KERNELS
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.spatial import Array, quat_log
from pliant.tick import MOST_JOINTS, Rows, Tick

Text = NDArray[np.uint8]

_DECIMALS = 7
_SCALE = 10.0**_DECIMALS

# Larger numbers are written with an exponent.
_LARGE = 1e9

# Bytes for the longest number, "-123456789.1234567e+300", and the label of a group.
_LONGEST = 32

_TIME, _TCP, _REFERENCE, _SENSED, _DESIRED, _JOINTS, _TEMPERATURES = (
    np.frombuffer(label, np.uint8)
    for label in (b"TELEM: t=", b" tcp=", b" ref=", b" ws=", b" wd=", b" q=", b" T=")
)
_NAN, _INF = np.frombuffer(b"nan", np.uint8), np.frombuffer(b"inf", np.uint8)
_ZERO, _POINT, _MINUS, _COMMA, _E, _END = b"0.-,e\n"


class TelemetryState:
    """State of the telemetry.

    Attributes:
        due: Ticks left until a line is due; negative for never.
        every: A line is due every n-th tick.
        held: Not zero while other output waits and no line may be written.
        left: Bytes of the last line that are still to be written.
        writer: Where lines go.
        text: The last line.
    """

    due: int
    every: int
    held: int
    left: int
    writer: NonBlockingWriter
    text: Text


_STATE = np.dtype(
    [
        *((name, np.int64) for name in ("due", "every", "held", "left")),
        ("writer", np.int32, (WRITER_SIZE,)),
        ("text", np.uint8, (_LONGEST * (25 + 2 * MOST_JOINTS),)),
    ],
    align=True,
)


def no_telemetry() -> Rows:
    """The state of a telemetry that never sends."""
    return new_state()


def new_state(every: int = 0, descriptor: int = -1) -> Rows:
    """The state of a telemetry that sends every n-th tick to a descriptor, or never."""
    state = np.zeros(1, np.dtype((np.record, _STATE)))
    state["due"] = state["every"] = every or -1
    if every:
        state["writer"] = new_writer(descriptor)
    return state


class Telemetry:
    """Writes `TELEM: t=<s> tcp=… ref=… ws=… wd=… q=… T=…`, poses with rotation vectors.

    Numbers have at most seven decimals, and no zeros at their end.

    Attributes:
        state: The argument of `send_if_due`.
    """

    def __init__(self, every: int, descriptor: int) -> None:
        """Send a line every n-th tick to a descriptor."""
        self.state = new_state(every, descriptor)
        self._held, self._left = self.state["held"], self.state["left"]
        self._send = Direct(send_if_due)

    def hold(self, held: bool) -> None:
        """Send nothing while other output waits."""
        self._held[0] = held

    def after(self, tick: Rows) -> None:
        """Send a line after a tick, if one is due."""
        if IN_KERNELS:
            self._send.call(tick, self.state)
        elif line_is_due(self.state) and has_room(self.state["writer"][0]):
            self._left[0] = write_line(tick, self.state["text"][0])

    def rest(self) -> bytes:
        """The unsent rest of the last line, returned once."""
        left = self._left.item()
        if not left:
            return b""
        self._left[0] = 0
        text = self.state["text"].tobytes()
        end = text.index(_END) + 1
        return text[end - left : end]


@kernel
def put_text(text: Text, out: Text, at: int) -> int:
    """Write a text; the index after it."""
    for i in range(text.shape[0]):
        out[at + i] = text[i]
    return at + text.shape[0]


@kernel
def put_whole(value: int, digits: int, out: Text, at: int) -> int:
    """Write an integer with at least a number of digits; the index after it."""
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
    """Write a number; the index after it."""
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
    """Write a label and comma-separated numbers; the index after them."""
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
def line_is_due(state: Row[TelemetryState]) -> bool:
    """Count a tick; whether a line is due after it."""
    own = state[0]
    own.due -= 1
    if own.due != 0:
        return False
    own.due = own.every
    return own.held == 0


@kernel
def send_if_due(tick: Row[Tick], state: Row[TelemetryState]) -> bool:
    """Send a line if one is due and there is room; whether some of it is left."""
    own = state[0]
    if tick[0].k == 0 or not line_is_due(state) or not room_in(own.writer):
        return False
    size = write_line(tick, own.text)
    own.left = size - put(own.writer, own.text, size)
    return own.left > 0
