"""The numbers in models, with their bounds, read from the models' JSON schemas."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel


class BoundedNumber(NamedTuple):
    """A number somewhere in a model.

    Attributes:
        path: Where, with numbers for the places in a list.
        low: Its lower bound; None if it has none.
        high: Its upper bound.
        infinite: Whether it may be infinite.
        whole: Whether it is an integer.
    """

    path: tuple[str | int, ...]
    low: float | None
    high: float | None
    infinite: bool
    whole: bool

    def placed(self, default: object, value: float) -> object:
        """The parameter with this number replaced: itself, or a list that has it."""
        places = [part for part in self.path if isinstance(part, int)]
        if not places:
            return value
        if len(places) == 2:
            point = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
            point[places[1]] = value
            return [point]
        listed = list(default) if isinstance(default, tuple) else [0.0] * (places[0] + 1)
        listed[places[0]] = value
        return listed


def numbers_of(model: type[BaseModel]) -> Iterator[BoundedNumber]:
    """All numbers of a model, those of the models in it included."""
    schema = model.model_json_schema()
    yield from _numbers(schema, schema.get("$defs", {}), ())


def _numbers(
    node: dict[str, Any], known: dict[str, Any], path: tuple[str | int, ...]
) -> Iterator[BoundedNumber]:
    if "$ref" in node:
        yield from _numbers(known[node["$ref"].rsplit("/", 1)[-1]], known, path)
    if node.get("type") in ("number", "integer"):
        yield BoundedNumber(
            path,
            node.get("minimum", node.get("exclusiveMinimum")),
            node.get("maximum", node.get("exclusiveMaximum")),
            bool(node.get("infinite")),
            node["type"] == "integer",
        )
    for name, child in node.get("properties", {}).items():
        yield from _numbers(child, known, (*path, name))
    for number, child in enumerate(node.get("prefixItems", ())):
        yield from _numbers(child, known, (*path, number))
    if isinstance(node.get("items"), dict):
        yield from _numbers(node["items"], known, (*path, 0))
    for child in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        yield from _numbers(child, known, path)
