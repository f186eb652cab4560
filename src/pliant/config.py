"""The whole configuration: the parameter models of all stages, composed, and its YAML form."""

from functools import reduce
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, Field, ValidationError

from pliant.arms.contact import ContactConfig
from pliant.arms.tool import Tool
from pliant.compat.demo_config import from_force_control_demo, is_force_control_demo
from pliant.errors import ConfigError, UnknownNameError
from pliant.laws import GravityConfig, HybridConfig, PositionConfig
from pliant.laws.cartesian_impedance import CartesianImpedanceConfig
from pliant.laws.joint_space import (
    InverseDynamicsConfig,
    InverseDynamicsSimplifiedConfig,
    PdGravityConfig,
)
from pliant.laws.task_space_inverse_dynamics import TaskSpaceConfig
from pliant.params import Params
from pliant.robots.sim import SimConfig
from pliant.stages.joints import JointsConfig
from pliant.stages.model import ModelConfig
from pliant.stages.reference import ReferenceConfig
from pliant.stages.resolve import ResolveConfig
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.config import SupervisorConfig
from pliant.stages.wrench import WrenchConfig


class LawsConfig(Params):
    """Parameters of the laws."""

    hybrid_admittance: HybridConfig = Field(default_factory=HybridConfig)
    position: PositionConfig = Field(default_factory=PositionConfig)
    gravity: GravityConfig = Field(default_factory=GravityConfig)
    inverse_dynamics: InverseDynamicsConfig = Field(default_factory=InverseDynamicsConfig)
    inverse_dynamics_simplified: InverseDynamicsSimplifiedConfig = Field(
        default_factory=InverseDynamicsSimplifiedConfig
    )
    pd_gravity: PdGravityConfig = Field(default_factory=PdGravityConfig)
    cartesian_impedance: CartesianImpedanceConfig = Field(default_factory=CartesianImpedanceConfig)
    task_space_inverse_dynamics: TaskSpaceConfig = Field(default_factory=TaskSpaceConfig)


class Config(Params):
    """All parameters with their defaults."""

    tool: Tool = Field(default_factory=Tool)
    model: ModelConfig = Field(default_factory=ModelConfig)
    wrench: WrenchConfig = Field(default_factory=WrenchConfig)
    reference: ReferenceConfig = Field(default_factory=ReferenceConfig)
    laws: LawsConfig = Field(default_factory=LawsConfig)
    contact: ContactConfig = Field(default_factory=ContactConfig)
    resolve: ResolveConfig = Field(default_factory=ResolveConfig)
    joints: JointsConfig = Field(default_factory=JointsConfig)
    safety: SafetyConfig = Field(default_factory=SafetyConfig)
    supervisor: SupervisorConfig = Field(default_factory=SupervisorConfig)
    sim: SimConfig = Field(default_factory=SimConfig)

    @classmethod
    def from_yaml(cls, source: str | Path) -> "Config":
        """Read a YAML file, or YAML text if the source has a line break or a colon and space.

        Files of the force-control demo (with `compliance6d` and other keys of its own) are
        understood too.

        Raises:
            ConfigError: The file cannot be read, or a value in it cannot work.
        """
        values = _load_yaml(source)
        if is_force_control_demo(values):
            values = from_force_control_demo(values)
        return cls.from_dict(values)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Config":
        """Validate nested plain values.

        Raises:
            ConfigError: A value cannot work; the message names it.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise ConfigError(explain(error)) from None

    def to_yaml(self) -> str:
        """The whole configuration as YAML that `from_yaml` reads back."""
        fields = _without_computed(self)
        return yaml.safe_dump(fields, sort_keys=False, default_flow_style=None, allow_unicode=True)

    def get(self, path: str) -> Any:
        """A value by its dotted path.

        Raises:
            UnknownNameError: There is no such path; the error lists what is there.
        """
        return reduce(_member, path.split("."), self)

    def replace(self, path: str, value: Any) -> "Config":
        """A copy with one value changed, validated.

        Raises:
            UnknownNameError: There is no such path.
            ConfigError: The value cannot work there.
        """
        self.get(path)
        values = _without_computed(self)
        *parents, last = path.split(".")
        reduce(lambda node, name: node[name], parents, values)[last] = plain(value)
        return Config.from_dict(values)


def explain(error: ValidationError) -> str:
    """A validation error as one line that names each value and what is wrong with it."""
    parts = []
    for item in error.errors(include_url=False):
        where = ".".join(str(name) for name in item["loc"]) or "value"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = _unknown(item["loc"])
        parts.append(f"{where}: {message}")
    return "; ".join(parts)


def _unknown(path: tuple[int | str, ...]) -> str:
    """The message for an unknown name: it lists the names that exist there."""
    *parents, _ = path
    try:
        beside = type(Config().get(".".join(str(name) for name in parents))) if parents else Config
        return f"there is no such parameter; valid: {', '.join(beside.model_fields)}"
    except (UnknownNameError, AttributeError):
        return "there is no such parameter"


def _load_yaml(source: str | Path) -> dict[str, Any]:
    text = str(source)
    try:
        if isinstance(source, Path) or ("\n" not in text and ": " not in text):
            text = Path(source).read_text()
        values = yaml.safe_load(text)
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {source}: {error.strerror}") from None
    except (UnicodeError, yaml.YAMLError) as error:
        raise ConfigError(f"cannot read the configuration {source}: {error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"a configuration is a mapping of names to values, not {values!r}")
    return values


def _member(node: Any, name: str) -> Any:
    names = list(type(node).model_fields) if isinstance(node, BaseModel) else []
    if name not in names:
        raise UnknownNameError("parameter", name, names)
    return getattr(node, name)


def _without_computed(config: Config) -> dict[str, Any]:
    return config.model_dump(mode="python", round_trip=True)


def plain(value: Any) -> Any:
    """A value as nested plain Python, fit for YAML."""
    if isinstance(value, BaseModel):
        return value.model_dump(round_trip=True)
    return value.tolist() if hasattr(value, "tolist") else value
