"""The messages between page and server on `/ws`.

Text messages are JSON objects with a `type`. The page's types are generated from these classes
(`pliant.console.server.typescript`). The server also sends binary frames of ticks, all numbers
little-endian:

    u32 schema id, u32 rows, u64 k of the first row, u32 missed, u32 every
    rows × stride bytes: the subscribed columns, packed in the order of the schema

A row consists of 8-byte cells. A number of any column is a float64, so the rows of a frame are one
`Float64Array` from byte 24 on. A column of type `text` is UTF-8, padded with zeros. Row i is tick
`first k + i · every`. `missed` counts the ticks lost from the ring before this frame. The server
drops frames that a slow page does not take; k then jumps.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from pliant.console.server.facts import (
    ArmInfo,
    AxisMargin,
    Capabilities,
    ColumnInfo,
    ColumnType,
    CommandInfo,
    LawDoc,
    SceneInfo,
)
from pliant.params import Six
from pliant.reasons import State
from pliant.tasks.joint_sequence import SequenceStep

MOST_COLUMNS = 64
MOST_STEPS = 1000
LONGEST_LINE = 4096
LONGEST_MESSAGE = 65536
"""Largest message from a page, bytes."""

FRAME_HEADER = "<IIQII"
"""Layout of a binary frame's header: schema id, rows, first k, missed, every."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_LINE)]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Phase = Literal["idle", "starting", "running", "ended", "lost"]
SequenceMode = Literal["once", "timed", "cycle"]
EventKind = Literal["info", "warning", "error", "command", "reply", "lease"]
Text = Annotated[str, StringConstraints(max_length=256)]


class Message(BaseModel):
    """Base of all messages."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    type: str


# from the page


class Subscribe(Message):
    """Subscribe to columns; replaces the previous subscription."""

    type: Literal["subscribe"] = "subscribe"
    columns: list[Text] = Field(max_length=MOST_COLUMNS, description="Names of columns.")
    every: int = Field(default=1, ge=1, le=1000, description="Send every n-th tick.")


class SendLine(Message):
    """A line of the line protocol, sent in this viewer's name; answered by `reply`."""

    type: Literal["line"] = "line"
    id: int = Field(ge=0, le=2**53, description="Returned in the reply.")
    text: Line


class LeaseRequest(Message):
    """Take control, release it, ask its holder for it, or hand it over; answered by `reply`."""

    type: Literal["lease"] = "lease"
    id: int = Field(default=0, ge=0, le=2**53)
    action: Literal["take", "release", "ask", "give"]
    to: Text | None = Field(default=None, description="The id of the viewer to hand it over to.")


class StartRequest(Message):
    """Start a controller, or another program that speaks the line protocol."""

    type: Literal["start"] = "start"
    id: int = Field(default=0, ge=0, le=2**53)
    robot: Text = Field(default="sim:ur5e/peg", description="The arm: sim:ur5e, sim:ur5e/peg, …")
    address: Text = Field(default="", description="Address of a real arm.")
    rate: float | None = Field(default=None, gt=0.0, le=10000.0, description="Control rate, Hz.")
    duration: float = Field(
        default=0.0, ge=0.0, le=1e6, description="How long to run, s; 0 is until STOP."
    )
    binary: Text = Field(
        default="", description="One of hello.binaries, to run instead of Pliant's controller."
    )
    wrench_sign: Literal["on_tool", "by_tool"] = Field(
        default="on_tool",
        description="on_tool: the program's wrench acts on the tool; by_tool: the tool exerts it.",
    )


class AttachRequest(Message):
    """Attach to a controller that runs."""

    type: Literal["attach"] = "attach"
    id: int = Field(default=0, ge=0, le=2**53)
    name: Name


class StopRequest(Message):
    """Stop the arm; every viewer may."""

    type: Literal["stop"] = "stop"


class PushRequest(Message):
    """Pull on the tool of a simulated arm until the push goes stale or the next one comes."""

    type: Literal["push"] = "push"
    wrench_W: Six = Field(description="Wrench on the tool at the TCP, axes of W, N and N·m.")
    seconds: float = Field(default=0.2, gt=0.0, le=2.0, description="Time until it goes stale, s.")


class RecordRequest(Message):
    """Start or stop a recording."""

    type: Literal["record"] = "record"
    id: int = Field(default=0, ge=0, le=2**53)
    action: Literal["start", "stop"]
    name: FileName | None = Field(default=None, description="File in the recordings folder.")
    format: Literal["mcap", "csv"] = "mcap"


class SequenceRequest(Message):
    """Run a sequence of joint positions in this viewer's name, or stop the one that runs.

    The reply says that it has begun. `status.sequence` has the progress; an event reports a refusal
    or a fault later on. The joints stop if the viewer stops it, leaves, or loses control.
    """

    type: Literal["sequence"] = "sequence"
    id: int = Field(default=0, ge=0, le=2**53)
    action: Literal["start", "stop"]
    steps: list[SequenceStep] = Field(
        default=[], max_length=MOST_STEPS, description="The steps; needed for start."
    )
    how: SequenceMode = Field(
        default="once",
        description="once, each step when the previous one is reached; timed, once, each step when "
        "the duration of the previous one is over; cycle, as once, until stopped.",
    )


class NameRequest(Message):
    """Rename this viewer."""

    type: Literal["name"] = "name"
    name: Name


class ResumeRequest(Message):
    """Take up the identity that this page had before its connection was lost; answered by `hello`.

    Control does not come back with it: the arm held when the connection was lost.
    """

    type: Literal["resume"] = "resume"
    secret: Text = Field(description="`hello.secret` of the lost connection.")


class Ping(Message):
    """A sign of life, needed at least every `hello.heartbeat` s while in control.

    Send it from the handler of the server's messages: browsers slow the timers of a hidden page.
    """

    type: Literal["ping"] = "ping"
    t: float = Field(default=0.0, description="The page's time; returned in `pong`.")


FromPage = Annotated[
    Subscribe
    | SendLine
    | LeaseRequest
    | StartRequest
    | AttachRequest
    | StopRequest
    | PushRequest
    | RecordRequest
    | SequenceRequest
    | NameRequest
    | ResumeRequest
    | Ping,
    Field(discriminator="type"),
]
FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)


# from the server


class Hello(Message):
    """The first message; sent again when the controller has changed."""

    type: Literal["hello"] = "hello"
    you: str = Field(description="This viewer's name: a label, which it may change.")
    id: str = Field(description="This viewer's id, by which all messages refer to it.")
    secret: str = Field(description="With it, `resume` takes up this identity again.")
    version: str
    heartbeat: float = Field(description="Longest time between pings of the viewer in control, s.")
    lease_timeout: float = Field(description="A holder idle for this long can lose control, s.")
    robots: list[str] = Field(description="Arms that can be started.")
    binaries: list[str] = Field(description="Other programs that can be started.")
    defaults: StartRequest = Field(description="The values that the page offers for `start`.")
    columns: list[ColumnInfo]
    commands: list[CommandInfo]
    laws: list[str] = Field(description="Laws by their index in the column `law`.")
    law_docs: dict[str, LawDoc] = Field(description="Their documentation, by name.")
    presets: dict[str, dict[str, Any]] = Field(description="Gains by the name of their preset.")
    preset_docs: dict[str, str] = Field(
        description="What each preset does; those without gains are whole controllers."
    )
    config: dict[str, Any] = Field(description="The configuration in force; infinity is 'inf'.")
    config_schema: dict[str, Any]
    live: list[str] = Field(description="Sections of the config that SET can change live.")
    arm: ArmInfo
    scene: SceneInfo | None
    capabilities: Capabilities


class SchemaColumn(BaseModel):
    """The place of a subscribed column in a row."""

    name: str
    type: ColumnType
    shape: list[int]
    unit: str
    doc: str
    offset: int = Field(description="Bytes from the beginning of the row.")
    size: int = Field(description="Number of cells; a cell has 8 bytes of text.")


class Schema(Message):
    """The layout of the binary frames with this id; sent before the first of them."""

    type: Literal["schema"] = "schema"
    id: int
    stride: int = Field(description="Bytes of a row.")
    every: int
    columns: list[SchemaColumn]
    unknown: list[str] = Field(description="Requested names that do not exist.")


class Recording(BaseModel):
    """A recording in progress."""

    name: str
    bytes: int
    seconds: float


class SequenceProgress(BaseModel):
    """A sequence that runs."""

    viewer: str = Field(description="The id of the viewer who started it.")
    step: int = Field(description="Number of the step under way, from 0.")
    steps: int = Field(description="How many steps there are.")


class ViewerInfo(BaseModel):
    """A page that is open."""

    id: str
    name: str


class Status(Message):
    """The status, sent ten times a second."""

    type: Literal["status"] = "status"
    phase: Phase = Field(description="idle: nothing was started; ended: it stopped; lost: it died.")
    why: str = Field(description="What happened, or why the arm is not ready; empty if it is.")
    fault: str = Field(description="The reason of a fault; empty without a fault.")
    controller: str = Field(description="Name of the controller; empty if none runs.")
    kind: Literal["none", "pliant", "binary"]
    state: str = Field(
        description="The controller's state; RUNNING for another program; empty if none runs.",
        json_schema_extra={"enum": ["", *State.__members__, "RUNNING"]},
    )
    law: str
    verdict: str = Field(description="The verdict on the force sensor, in words.")
    ready: bool = Field(description="The wrench can be trusted and the arm has no fault.")
    time: float = Field(description="The arm's time, s.")
    k: int = Field(description="The newest tick's number.")
    rate: float = Field(description="Measured ticks a second.")
    lateness_p50: float = Field(description="Lateness of the last second's ticks, s.")
    lateness_p99: float
    lateness_max: float
    dropped: int = Field(description="Ticks lost between the controller and the server.")
    holder: str = Field(description="The viewer or program in control; empty if there is none.")
    holder_idle: float = Field(description="Time since the viewer in control gave a command, s.")
    holder_id: str = Field(description="The id of the viewer in control; empty if none is.")
    viewers: list[ViewerInfo]
    controllers: list[str] = Field(description="Running controllers that can be attached to.")
    recording: Recording | None
    sequence: SequenceProgress | None


class Reply(Message):
    """The answer to a request with an id."""

    type: Literal["reply"] = "reply"
    id: int
    ok: bool
    text: str
    value: Any = Field(default=None, description="What a command applied or asked for.")


class Event(Message):
    """Something that happened, to be shown to the operator."""

    type: Literal["event"] = "event"
    kind: EventKind
    text: str
    tick: int | None = None
    about: str = Field(default="", description="The id of the viewer that it concerns, if any.")
    asked_by: str = Field(default="", description="The id of the viewer who asks for control.")


class ConfigChanged(Message):
    """The configuration has changed."""

    type: Literal["config"] = "config"
    config: dict[str, Any]


class Margins(Message):
    """The contact margins with the gains in force at the arm's posture: x y z rx ry rz."""

    type: Literal["margins"] = "margins"
    surface: float | None = Field(description="Stiffness of the expected surface, N/m.")
    axes: list[AxisMargin]


class Pong(Message):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"
    t: float


class Messages:
    """All messages by direction, for `pliant.console.server.typescript`."""

    from_page: ClassVar = (
        Subscribe,
        SendLine,
        LeaseRequest,
        StartRequest,
        AttachRequest,
        StopRequest,
        PushRequest,
        RecordRequest,
        SequenceRequest,
        NameRequest,
        ResumeRequest,
        Ping,
    )
    from_server: ClassVar = (
        Hello,
        Schema,
        Status,
        Reply,
        Event,
        ConfigChanged,
        Margins,
        Pong,
    )
