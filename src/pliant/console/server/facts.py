"""What the server tells a page of commands, columns, arm, scene and laws."""

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
    choices: list[str] = Field(description="The values it may have; empty if not a choice.")


class CommandInfo(BaseModel):
    """A command of the line protocol."""

    word: str
    usage: str
    doc: str
    anyone: bool
    fields: list[CommandField]


class ColumnInfo(BaseModel):
    """A column that can be subscribed."""

    name: str
    stage: str
    type: ColumnType
    shape: list[int]
    unit: str
    doc: str


class ArmInfo(BaseModel):
    """The arm of the controller that runs, or was last chosen."""

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
    urdf: str = Field(description="Where the URDF is served.")
    flange: str = Field(description="The link of the URDF that is the flange F.")
    X_FT: list[float] = Field(description="Pose of the TCP in F: x y z qw qx qy qz.")


class SceneInfo(BaseModel):
    """What may be known of the scene: its nominal geometry."""

    name: str
    X_WH: list[float] | None = Field(description="Pose of surface or hole: x y z qw qx qy qz.")
    hole_depth: float
    peg_radius: float


class LawDoc(BaseModel):
    """What a law does."""

    equation: str
    behaviour: str


class Capabilities(BaseModel):
    """What works with what runs now; the rest is to be shown as not available."""

    words: list[str] = Field(description="The commands that can be given.")
    columns: list[str] = Field(description="The columns that carry something.")
    push: bool = Field(description="The arm is simulated, so that it can be pulled.")
    record: bool
    plot: bool = Field(description="Recordings can be drawn.")
    watch_only: bool = Field(description="A script has the arm in hand; nobody can command it.")
