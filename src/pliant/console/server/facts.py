"""Parts of messages: facts about commands, columns, arm, scene, laws and margins."""

from typing import Literal

from pydantic import BaseModel, Field

ColumnType = Literal["number", "text"]


class CommandField(BaseModel):
    """A field of a command."""

    name: str
    tokens: list[str]
    unit: str
    doc: str
    required: bool
    choices: list[str] = Field(description="The values it may have; empty if any.")


class CommandInfo(BaseModel):
    """A command of the line protocol."""

    word: str
    subject: str = Field(description="tool, reference, parameter, state, joint or session.")
    usage: str
    doc: str
    anyone: bool = Field(description="A client that does not hold the lease may give it.")
    asks: bool = Field(description="It changes nothing about the arm.")
    moves: bool = Field(description="It can set the arm in motion.")
    streams: bool = Field(description="It goes stale, and is renewed many times a second.")
    changes_config: bool
    fields: list[CommandField]


class MotionInfo(BaseModel):
    """A motion command that a joint obeys in a control mode."""

    word: str
    unit: str
    streams: bool


class JointModeInfo(BaseModel):
    """A control mode of a joint, or a status that it reports."""

    code: int = Field(description="The value in the column `mode`.")
    word: str
    title: str
    colour: str = Field(description="A CSS colour.")
    selectable: bool = Field(description="It is a control mode, not a status.")
    needs_torque: bool = Field(description="It needs an arm with a torque interface.")
    motions: list[MotionInfo] = Field(description="Those that are not streamed come first.")


class ColumnInfo(BaseModel):
    """A column that a page can subscribe to."""

    name: str
    stage: str
    type: ColumnType
    shape: list[int]
    unit: str
    doc: str


class ArmInfo(BaseModel):
    """The arm that runs, ran last, or is offered."""

    spec: str
    name: str
    n: int
    dt: float
    joints: list[str]
    q_min: list[float]
    q_max: list[float]
    qd_max: list[float]
    tau_max: list[float]
    home: list[float]
    interface: Literal["position", "torque"]
    temperature_max: float
    urdf: str = Field(description="Address of the URDF.")
    flange: str = Field(description="The link of the URDF that is the flange F.")
    X_FT: list[float] = Field(description="Pose of the TCP in F: x y z qw qx qy qz.")


class SceneInfo(BaseModel):
    """The nominal geometry of the scene."""

    name: str
    X_WH: list[float] | None = Field(description="Pose of surface or hole: x y z qw qx qy qz.")
    hole_depth: float
    peg_radius: float


class LawDoc(BaseModel):
    """The documentation of a law."""

    equation: str
    behaviour: str


class Capabilities(BaseModel):
    """What the running program can do; the page shows the rest as not available."""

    words: list[str] = Field(description="The commands that can be given.")
    columns: list[str] = Field(description="The columns that have values.")
    push: bool = Field(description="The arm is simulated and can be pulled.")
    record: bool
    plot: bool = Field(description="Recordings can be plotted.")
    watch_only: bool = Field(description="A script runs the arm; it cannot be commanded from here.")


class AxisMargin(BaseModel):
    """The contact margins of one axis of the tool, from `pliant.stability`."""

    axis: str
    stable: float | None = Field(
        description="Contact is stable up to this stiffness, N/m or N·m/rad; null: with any."
    )
    well_damped: float | None = Field(description="Contact is well damped up to this stiffness.")
    expected: Literal["unstable", "rings", "well damped"] | None = Field(
        description="The contact with the expected surface; null if no surface is given."
    )
    damping_needed: float | None = Field(
        description="Damping that makes it well damped; null if it is already, or none does."
    )
    inertia_needed: float | None = Field(
        default=None, description="The inertia that this damping needs; null: M/D stays the same."
    )
