"""The page's types, generated from the messages: `python -m pliant.console.server.typescript`."""

from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from pliant.console.server.messages import FRAME_HEADER, Messages

TARGET = Path(__file__).parents[1] / "page" / "src" / "generated.ts"

_HEAD = """\
// Made by `python -m pliant.console.server.typescript` from server/messages.py.

/** Layout of a binary frame's head, as Python's struct spells it. */
export const FRAME_HEADER = "{header}";
"""
_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}


def generate() -> str:
    """The TypeScript file."""
    models = [(m, "serialization") for m in (*Messages.from_page, *Messages.from_server)]
    _, schema = models_json_schema(models)  # pyright: ignore[reportArgumentType]
    parts = [_HEAD.format(header=FRAME_HEADER)]
    given = {kind.__name__ for kind in Messages.from_page}
    for name, definition in sorted(schema["$defs"].items()):
        parts.append(_interface(name, definition, optional=name in given))
    for name, kinds in (("FromPage", Messages.from_page), ("FromServer", Messages.from_server)):
        parts.append(f"export type {name} = {' | '.join(kind.__name__ for kind in kinds)};\n")
    return "\n".join(parts)


def _interface(name: str, definition: dict[str, Any], *, optional: bool) -> str:
    """One object; what the page may leave out is optional."""
    lines = _comment(definition, "")
    lines.append(f"export interface {name} {{")
    for field, shape in definition.get("properties", {}).items():
        lines += _comment(shape, "  ")
        mark = "?" if optional and "default" in shape and field != "type" else ""
        lines.append(f"  {field}{mark}: {_type(shape)};")
    return "\n".join([*lines, "}", ""])


def _comment(shape: dict[str, Any], indent: str) -> list[str]:
    words = " ".join(shape.get("description", "").split())
    return [f"{indent}/** {words} */"] if words else []


def _type(shape: dict[str, Any]) -> str:
    if "$ref" in shape:
        return shape["$ref"].rsplit("/", 1)[1]
    if "const" in shape:
        return f'"{shape["const"]}"'
    if "enum" in shape:
        return " | ".join(f'"{value}"' for value in shape["enum"])
    if "anyOf" in shape:
        return " | ".join(_type(part) for part in shape["anyOf"])
    if shape.get("type") == "array":
        return _array(shape)
    if shape.get("type") == "object":
        inner = shape.get("additionalProperties")
        return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
    return _PLAIN.get(shape.get("type", ""), "null" if shape.get("type") == "null" else "unknown")


def _array(shape: dict[str, Any]) -> str:
    if "prefixItems" in shape:
        return f"[{', '.join(_type(part) for part in shape['prefixItems'])}]"
    inner = _type(shape["items"])
    return f"({inner})[]" if "|" in inner else f"{inner}[]"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(generate())
