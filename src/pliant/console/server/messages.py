"""What page and server say to each other on `/ws`, declared once.

Text messages are JSON objects told apart by `type`. The page's types are generated from these
classes (`pliant.console.server.typescript`). Beside them the server sends binary frames of ticks,
all numbers little-endian:

    u32 schema id, u32 rows, u64 k of the first row, u32 missed, u32 every
    rows × stride bytes: the subscribed columns, packed in the order of the schema

A row is made of 8-byte cells: a number of any column is a float64, so that a frame's rows are one
`Float64Array` from byte 24 on; a column of type `text` is UTF-8 filled up with zeros. Row i is tick
`first k + i · every`, unless ticks were `missed` from the ring before this frame; a frame that a
slow page could not take is left out, which shows as a jump of k.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from pliant.console.server.facts import (
    ArmInfo,
    Capabilities,
    ColumnInfo,
    ColumnType,
    CommandInfo,
    LawDoc,
    SceneInfo,
)
from pliant.params import Six

MOST_COLUMNS = 64
LONGEST_LINE = 4096
LONGEST_MESSAGE = 65536
"""Largest message from a page, bytes."""

FRAME_HEADER = "<IIQII"
"""Layout of a binary frame's head: schema id, rows, first k, missed, every."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_LINE)]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Phase = Literal["idle", "starting", "running", "ended", "lost"]
EventKind = Literal["info", "warning", "error", "command", "reply", "lease"]
Text = Annotated[str, StringConstraints(max_length=256)]


class Message(BaseModel):
    """Base of all messages."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    type: str


# from the page


class Subscribe(Message):
    """Which columns to send from now on; replaces what was subscribed before."""

    type: Literal["subscribe"] = "subscribe"
    columns: list[Text] = Field(max_length=MOST_COLUMNS, description="Names of columns.")
    every: int = Field(default=1, ge=1, le=1000, description="Only each so-manieth tick.")


class SendLine(Message):
    """One line of the controller's protocol, under this viewer's name; answered by `reply`."""

    type: Literal["line"] = "line"
    id: int = Field(ge=0, le=2**53, description="Comes back in the reply.")
    text: Line


class LeaseRequest(Message):
    """Take control, let go of it, ask its holder for it, or hand it over; see `reply` with id."""

    type: Literal["lease"] = "lease"
    id: int = Field(default=0, ge=0, le=2**53)
    action: Literal["take", "release", "ask", "give"]
    to: Name | None = Field(default=None, description="Viewer to hand over to.")


class StartRequest(Message):
    """Start a controller, or another program that speaks its protocol."""

    type: Literal["start"] = "start"
    id: int = Field(default=0, ge=0, le=2**53)
    robot: Text = Field(default="sim:ur5e/peg", description="Which arm: sim:ur5e, sim:ur5e/peg, …")
    address: Text = Field(default="", description="Address of a real arm, if it has one.")
    rate: float | None = Field(default=None, gt=0.0, le=10000.0, description="Control rate, Hz.")
    duration: float = Field(
        default=0.0, ge=0.0, le=1e6, description="How long to run, s; 0 is until STOP."
    )
    binary: Text = Field(
        default="", description="One of hello.binaries instead of Pliant's controller."
    )
    wrench_sign: Literal["on_tool", "by_tool"] = Field(
        default="on_tool",
        description="Whether that program's wrench acts on the tool, or the tool's.",
    )


class AttachRequest(Message):
    """Attach to a controller that runs."""

    type: Literal["attach"] = "attach"
    id: int = Field(default=0, ge=0, le=2**53)
    name: Name


class StopRequest(Message):
    """Stop the arm; anyone may."""

    type: Literal["stop"] = "stop"


class PushRequest(Message):
    """Pull on the tool of a simulated arm, until the push goes stale or the next one comes."""

    type: Literal["push"] = "push"
    wrench_W: Six = Field(description="Wrench on the tool at the TCP, axes of W, N and N·m.")
    seconds: float = Field(default=0.2, gt=0.0, le=2.0, description="When it goes stale.")


class RecordRequest(Message):
    """Begin or end a recording."""

    type: Literal["record"] = "record"
    id: int = Field(default=0, ge=0, le=2**53)
    action: Literal["start", "stop"]
    name: FileName | None = Field(default=None, description="File in the recordings folder.")
    format: Literal["mcap", "csv"] = "mcap"


class NameRequest(Message):
    """How others are to call this viewer."""

    type: Literal["name"] = "name"
    name: Name


class Ping(Message):
    """Say that the operator is still there: at least every `hello.heartbeat` s while in control.

    Send it from the handler of the server's messages, as the timers of a hidden page are slowed.
    """

    type: Literal["ping"] = "ping"
    t: float = Field(default=0.0, description="The page's own time; comes back in `pong`.")


FromPage = Annotated[
    Subscribe
    | SendLine
    | LeaseRequest
    | StartRequest
    | AttachRequest
    | StopRequest
    | PushRequest
    | RecordRequest
    | NameRequest
    | Ping,
    Field(discriminator="type"),
]
FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)


# from the server


class Hello(Message):
    """First message, and again whenever the controller has changed."""

    type: Literal["hello"] = "hello"
    you: str = Field(description="This viewer's name.")
    version: str
    heartbeat: float = Field(description="Longest time between pings of whoever commands, s.")
    lease_timeout: float = Field(description="Idle control can be taken after this long, s.")
    robots: list[str] = Field(description="Arms that can be started.")
    binaries: list[str] = Field(description="Other programs that can be started.")
    defaults: StartRequest = Field(description="What `start` should offer.")
    states: dict[str, str] = Field(description="Names of the values of the column `state`.")
    verdicts: dict[str, str] = Field(description="Words for the values of `verdict`.")
    modes: dict[str, str] = Field(description="Names of the values of the column `mode`.")
    columns: list[ColumnInfo]
    commands: list[CommandInfo]
    laws: list[str] = Field(description="Laws by their index in the column `law`.")
    law_docs: dict[str, LawDoc] = Field(description="What is known of them, by name.")
    presets: dict[str, dict[str, Any]] = Field(description="Gains by the name of the preset.")
    config: dict[str, Any] = Field(description="Parameters in force; infinity is 'inf'.")
    config_schema: dict[str, Any]
    live: list[str] = Field(description="Sections of the config that can be SET while it runs.")
    arm: ArmInfo
    scene: SceneInfo | None
    capabilities: Capabilities


class SchemaColumn(BaseModel):
    """Where a subscribed column is in a row."""

    name: str
    type: ColumnType
    shape: list[int]
    unit: str
    doc: str
    offset: int = Field(description="Bytes from the beginning of the row.")
    size: int = Field(description="Cells: numbers, or for text bytes / 8.")


class Schema(Message):
    """What the binary frames with this id hold; comes before the first of them."""

    type: Literal["schema"] = "schema"
    id: int
    stride: int = Field(description="Bytes of a row.")
    every: int
    columns: list[SchemaColumn]
    unknown: list[str] = Field(description="Names that were asked for and do not exist.")


class Recording(BaseModel):
    """A recording that is being made."""

    name: str
    bytes: int
    seconds: float


class Status(Message):
    """How things are, ten times a second."""

    type: Literal["status"] = "status"
    phase: Phase = Field(description="idle: nothing was started. ended: it stopped. lost: it died.")
    why: str = Field(description="What happened, or why the arm is not ready; empty if it is.")
    fault: str = Field(description="The reason of a fault; empty without one.")
    controller: str = Field(description="Name of the controller; empty without one.")
    kind: Literal["none", "pliant", "binary"]
    state: str = Field(description="INACTIVE, ACTIVE, STOPPING, FAULT; of another program RUNNING.")
    law: str
    verdict: str = Field(description="The verdict on the sensor in words.")
    ready: bool = Field(description="The wrench can be trusted and no fault holds the arm.")
    time: float = Field(description="The arm's time, s.")
    k: int = Field(description="The newest tick's number.")
    rate: float = Field(description="Ticks a second, measured.")
    lateness_p50: float = Field(description="Of the last second's ticks, s.")
    lateness_p99: float
    lateness_max: float
    dropped: int = Field(description="Ticks lost on the way from the controller to the server.")
    holder: str = Field(description="Who is in control: a viewer, another program, or nobody: ''.")
    holder_idle: float = Field(description="For how long whoever is in control did nothing, s.")
    viewers: list[str]
    controllers: list[str] = Field(description="Controllers that run and can be attached to.")
    recording: Recording | None


class Reply(Message):
    """The answer to a request that had an id."""

    type: Literal["reply"] = "reply"
    id: int
    ok: bool
    text: str


class Event(Message):
    """Something that was not asked for, to be shown to the operator."""

    type: Literal["event"] = "event"
    kind: EventKind
    text: str
    tick: int | None = None
    about: str = Field(default="", description="The viewer whom it concerns, if one.")


class ConfigChanged(Message):
    """The parameters in force have changed."""

    type: Literal["config"] = "config"
    config: dict[str, Any]


class AxisMargin(BaseModel):
    """What one axis of the tool can touch by force, as `pliant.stability` has it."""

    axis: str
    stable: float | None = Field(
        description="Contact is stable up to this stiffness, N/m or N·m/rad; null is any."
    )
    well_damped: float | None = Field(description="It settles without ringing up to this one.")
    expected: Literal["unstable", "rings", "well damped"] | None = Field(
        description="What becomes of contact with the expected surface; null without one."
    )
    damping_needed: float | None = Field(
        description="With this damping that is well damped; null if it is so, or with none."
    )
    inertia_needed: float | None = Field(
        default=None, description="The inertia to go with it; null is M/D as it is."
    )


class Margins(Message):
    """How stable contact is with the gains in force, where the arm is; x y z rx ry rz."""

    type: Literal["margins"] = "margins"
    surface: float | None = Field(description="Stiffness of the surface expected, N/m.")
    axes: list[AxisMargin]


class Pong(Message):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"
    t: float


class Messages:
    """Both directions, for the generator of the page's types."""

    from_page: ClassVar = (
        Subscribe,
        SendLine,
        LeaseRequest,
        StartRequest,
        AttachRequest,
        StopRequest,
        PushRequest,
        RecordRequest,
        NameRequest,
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
