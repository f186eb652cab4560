"""Print the configuration as YAML, or check a file."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pliant.config import Config
from pliant.sim.scenes import SCENES


def config(file: Path | None = None, markdown: bool = False) -> None:
    """Print the complete configuration, including defaults, as YAML.

    Args:
        file: A YAML file to check and to complete with the defaults.
        markdown: Print the documentation page instead.
    """
    if markdown:
        print(page(), end="")
    else:
        print((Config.from_yaml(file) if file else Config()).to_yaml(), end="")


def page() -> str:
    """The documentation page of the configuration, in Markdown."""
    lines = [
        "# Configuration",
        "",
        "Every parameter with its default. The dots of a path are nesting levels in a YAML file.",
        "On a running arm, `arm.set(path, value)` and `arm.get(path)` take the path as written",
        "here. Values outside the range are refused; a range that ends in .inf is of a limit that",
        "infinity turns off. `pliant config --markdown` generates this page from the parameter",
        "models.",
        "",
        *_table(Config(), ""),
    ]
    for kind, scene in SCENES.items():
        if len(scene.model_fields) > 1:
            lines += ["", f"## The scene {kind}", "", *_table(scene(), "sim.scene.")]
    return "\n".join(lines) + "\n"


def _table(model: BaseModel, prefix: str) -> list[str]:
    """A row for each parameter, and what is above them."""
    return [
        "| path | default | range | unit | meaning |",
        "|---|---|---|---|---|",
        *(f"| `{path}` | {' | '.join(row)} |" for path, *row in _parameters(model, prefix)),
    ]


def _parameters(model: BaseModel, prefix: str) -> Iterator[tuple[str, str, str, str, str]]:
    schema = type(model).model_json_schema()["properties"]
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _parameters(value, f"{prefix}{name}.")
            continue
        extra = field.json_schema_extra
        unit = extra.get("unit", "") if isinstance(extra, dict) else ""
        doc = field.description or ""
        yield f"{prefix}{name}", _format(value), _range(schema[name]), str(unit), doc


def _range(schema: dict[str, Any]) -> str:
    """The bounds of a number, or of the first one in a list; empty if it is neither."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    if low is not None:
        above = "above " if "exclusiveMinimum" in schema else ""
        high = ".inf" if schema.get("infinite") else f"{schema.get('maximum', inf):g}"
        return f"{above}{low:g} to {high}"
    inner = [*schema.get("anyOf", ()), *schema.get("prefixItems", ())]
    return next((found for part in inner if (found := _range(part))), "")


def _format(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_format(item) for item in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


VERB = config
