"""The whole configuration: the parameter models of all stages, composed, and its YAML form."""

from collections.abc import Sequence
from functools import cache, reduce
from pathlib import Path
from textwrap import shorten
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from pliant.arms.contact import ContactConfig
from pliant.arms.tool import Tool
from pliant.compat.demo_config import from_force_control_demo, is_force_control_demo
from pliant.errors import ConfigError, UnknownNameError, advice
from pliant.laws import Law, LawsConfig
from pliant.laws.law_base import LAW_NAME
from pliant.laws.own_laws import check_law
from pliant.params import Params
from pliant.robots.franka.franka_config import FrankaConfig
from pliant.robots.sim import SimConfig
from pliant.robots.ur.ur_config import UrConfig
from pliant.safe_yaml import load_yaml
from pliant.stages.dynamics import ModelConfig
from pliant.stages.joints import JointsConfig
from pliant.stages.reference import ReferenceConfig
from pliant.stages.resolve import ResolveConfig
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.config import SupervisorConfig
from pliant.stages.wrench import WrenchConfig

_MOST_ERRORS = 8
"""Most wrong values that a message names."""

# LibYAML's, where PyYAML was built with it: the other takes ten times as long
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


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
    ur: UrConfig = Field(default_factory=UrConfig)
    franka: FrankaConfig = Field(default_factory=FrankaConfig)

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
        """Validate nested plain values; names may be dotted, as in `{"sim.seed": 3}`.

        Raises:
            ConfigError: A value cannot work; the message names it.
        """
        try:
            return cls.model_validate(nested(values))
        except ValidationError as error:
            raise ConfigError(explain(error)) from None

    def to_yaml(self) -> str:
        """The whole configuration as YAML that `from_yaml` reads back."""
        fields = _without_computed(self)
        return yaml.dump(
            fields, Dumper=_DUMPER, sort_keys=False, default_flow_style=None, allow_unicode=True
        )

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
        return type(self).from_dict(values)


def nested(values: dict[str, Any]) -> dict[str, Any]:
    """Nested values from some whose names may be dotted.

    Raises:
        ConfigError: A value is given twice.
    """
    dotted = [name for name in values if isinstance(name, str) and "." in name]
    result = {name: value for name, value in values.items() if name not in dotted}
    for path in dotted:
        *parents, last = path.split(".")
        node = result
        for name in parents:
            inside = node.get(name, {})
            node[name] = dict(inside) if isinstance(inside, dict) else inside
            node = node[name]
            if not isinstance(node, dict):
                raise ConfigError(f"{path}: {name} is given as a whole already")
        if last in node:
            raise ConfigError(f"{path} is given twice")
        node[last] = values[path]
    return result


def with_laws(config: Config, laws: Sequence[Law]) -> Config:
    """A configuration that has the parameters of a user's laws too.

    Raises:
        ConfigError: It has a value for one of them that cannot work.
    """
    kind = config_class(laws)
    if type(config) is kind:
        return config
    values, known = _without_computed(config), config_class(laws)().laws
    for name in type(config.laws).model_fields:
        if isinstance(getattr(config.laws, name), _Unknown) and not hasattr(known, name):
            # nobody here runs this law
            del values["laws"][name]
    return kind.from_dict(values)


def config_class(laws: Sequence[Law]) -> type[Config]:
    """`Config`, with the parameters of a user's laws.

    Raises:
        ConfigError: One of them is no law.
    """
    for law in laws:
        check_law(law)
    own = ((law.name, law.config) for law in laws if type(law.config).model_fields)
    return _config_class(tuple(own))


def config_of_run(source: dict[str, Any] | str) -> Config:
    """The configuration of a controller or a recording, whose own laws may not be known here.

    Args:
        source: Nested plain values, or YAML text.

    Raises:
        ConfigError: A value cannot work.
    """
    values = _load_yaml(f"{source}\n") if isinstance(source, str) else source
    values = _mapping(values, "the configuration")
    laws = _mapping(values.get("laws", {}), "its section laws")
    names = laws.keys() - LawsConfig.model_fields.keys()
    for name in names:
        if not (isinstance(name, str) and LAW_NAME.fullmatch(name)):
            raise ConfigError(f"laws: {str(name)[:40]!r} cannot be the name of a law")
    return _config_class(tuple((name, _Unknown()) for name in sorted(names))).from_dict(values)


class _Unknown(Params):
    """Parameters of a law that is not known here; those who run it have checked them."""

    model_config = ConfigDict(extra="allow")


@cache
def _config_class(own: tuple[tuple[str, Params], ...]) -> type[Config]:
    """`Config` with more laws: names and default parameters."""
    if not own:
        return Config
    # a name that is taken is refused later, with a sentence
    new = [(name, default) for name, default in own if name not in LawsConfig.model_fields]
    fields: dict[str, Any] = {name: (type(default), default) for name, default in new}
    laws = create_model("LawsConfig", __base__=LawsConfig, **fields)
    return create_model("Config", __base__=Config, laws=(laws, laws()))


def explain(error: ValidationError) -> str:
    """A validation error as one line that names each value and what is wrong with it."""
    parts = []
    items = error.errors(include_url=False)
    for item in items[:_MOST_ERRORS]:
        # where a value may be of several types, the place ends in the type that was tried
        place = [str(name) for name in item["loc"] if "[" not in str(name)]
        where = ".".join(place) or "value"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = _unknown(item["loc"])
        elif item["type"] == "tuple_type":
            message = f"give a list of values, such as [0.1, 0.5], not {item['input']!r}"
        parts.append(f"{where}: {message}")
    if len(items) > _MOST_ERRORS:
        parts.append(f"and {len(items) - _MOST_ERRORS} more")
    return "; ".join(parts)


def _unknown(path: tuple[int | str, ...]) -> str:
    """The message for an unknown name: it lists the names that exist there."""
    *parents, _ = path
    try:
        beside = type(Config().get(".".join(str(name) for name in parents))) if parents else Config
        return f"there is no such parameter; {advice(str(path[-1]), beside.model_fields)}"
    except (UnknownNameError, AttributeError):
        return "there is no such parameter"


def _load_yaml(source: str | Path) -> dict[str, Any]:
    text, name = str(source), "the configuration"
    if isinstance(source, Path) or ("\n" not in text and ": " not in text):
        name = f"the configuration {source}"
        try:
            text = Path(source).read_text()
        except OSError as error:
            raise ConfigError(f"cannot read {name}: {error.strerror}") from None
        except UnicodeError as error:
            raise ConfigError(f"cannot read {name}: {error}") from None
    return _mapping({} if (values := load_yaml(text, name)) is None else values, name)


def _mapping(values: Any, name: str) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise ConfigError(
            f"{name} is a mapping of names to values, not {shorten(repr(values), 60)}"
        )
    return values


def _member(node: Any, name: str) -> Any:
    names = names_of(node)
    if name not in names:
        raise UnknownNameError("parameter", name, names)
    return getattr(node, name)


def names_of(node: Any) -> list[str]:
    """The names of the parameters in a section."""
    if not isinstance(node, BaseModel):
        return []
    return [*type(node).model_fields, *(node.model_extra or {})]


def _without_computed(config: Config) -> dict[str, Any]:
    return config.model_dump(mode="python", round_trip=True)


def plain(value: Any) -> Any:
    """A value as nested plain Python, fit for YAML."""
    if isinstance(value, BaseModel):
        return value.model_dump(round_trip=True)
    return value.tolist() if hasattr(value, "tolist") else value
