"""Commands as lines of text: parsed, written, explained, all from their declarations."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import numpy as np
import yaml
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from pliant import commands as c
from pliant.config import explain
from pliant.errors import Refused
from pliant.spatial import Array, quat_exp, quat_log

WORDS = {command.word: command for command in c.COMMANDS}
MAX_LINE = 4096
"""Longest line understood, bytes."""


def parse(line: str) -> c.Command:
    """The command that a line asks for.

    Raises:
        Refused: It asks for none; the message says why, and how the command is written.
    """
    word, *tokens = line.split() or [""]
    kind = WORDS.get(word)
    if kind is None:
        near = get_close_matches(word.upper(), WORDS, 1)
        hint = f"did you mean {near[0]}?" if near else "HELP lists the commands"
        raise Refused(f"unknown word {word[:20]!r}; {hint}")
    try:
        return kind(**_fields(kind, tokens, line))
    except ValidationError as error:
        raise Refused(f"{explain(error)}; expected {usage(kind)}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise Refused(f"{error}; expected {usage(kind)}") from None


def write(command: c.Command) -> str:
    """The line that asks for a command; `parse` gives the command back."""
    words = [command.word]
    for name, field in type(command).model_fields.items():
        value = getattr(command, name)
        if value != field.default or (not field.is_required() and _later_given(command, name)):
            words += _tokens_of(field, value)
    return " ".join(words)


def usage(kind: type[c.Command]) -> str:
    """How a command is written, as in `WRENCH Fx Fy Fz Tx Ty Tz [frame]`."""
    parts = [kind.word]
    for field in kind.model_fields.values():
        names = " ".join(_names(field))
        parts.append(names if field.is_required() else f"[{names}]")
    return " ".join(parts)


def help_text(about: str = "") -> str:
    """All commands in one line each, joined by ` | `, or one of them explained."""
    if not about:
        return f"{' '.join(WORDS)} | HELP word explains one"
    kind = WORDS.get(about.upper())
    if kind is None:
        raise Refused(f"unknown word {about[:20]!r}; valid: {' '.join(WORDS)}")
    parts = [f"{usage(kind)}: {(kind.__doc__ or '').splitlines()[0]}"]
    for field in kind.model_fields.values():
        unit = _extra(field)["unit"]
        parts.append(
            f"{' '.join(_names(field))}: {field.description}{f' ({unit})' if unit else ''}"
        )
    return " | ".join(parts)


def page() -> str:
    """The documentation page of the commands, in Markdown."""
    lines = [
        "# Commands",
        "",
        "One command a line, words and numbers separated by spaces; one reply a line, `OK …` with",
        "what was applied or `ERR …` with the reason, and then nothing has changed. Made from",
        "`src/pliant/commands.py` by `pliant commands --markdown`.",
        "",
        "| line | meaning | arguments | who |",
        "|---|---|---|---|",
    ]
    for kind in c.COMMANDS:
        arguments = "<br>".join(_explained(field) for field in kind.model_fields.values())
        who = "anyone" if kind.anyone else "in control"
        shown = usage(kind) if kind is not c.SetSubspace else "SUBSPACE n t00 … t55"
        lines.append(
            f"| `{shown}` | {(kind.__doc__ or '').splitlines()[0]} | {arguments} | {who} |"
        )
    return "\n".join(lines) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema of every command, by its word."""
    return {kind.word: kind.model_json_schema() for kind in c.COMMANDS}


def pose_from_rotvec(values: Array) -> Array:
    """A pose from position and rotation vector."""
    pose = np.empty(7)
    pose[:3] = values[:3]
    quat_exp(values[3:], pose[3:])
    return pose


def rotvec_from_pose(pose: Array) -> Array:
    """Position and rotation vector of a pose."""
    values = np.empty(6)
    values[:3] = pose[:3]
    quat_log(pose[3:], values[3:])
    return values


def _fields(kind: type[c.Command], tokens: list[str], line: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    left = tokens
    for name, field in kind.model_fields.items():
        if field.annotation is Any:
            values[name] = _rest(line, len(tokens) - len(left))
            left = []
            continue
        count = len(_names(field))
        if not left and not field.is_required():
            continue
        if len(left) < count:
            raise ValueError(f"{len(tokens)} arguments are too few")
        values[name] = _value(kind, field, left[:count])
        left = left[count:]
    if left:
        raise ValueError(f"{len(tokens)} arguments are too many, from {left[0][:20]!r} on")
    return values


def _rest(line: str, taken: int) -> Any:
    """The value that a line ends with, as YAML."""
    parts = line.split(maxsplit=1 + taken)
    if len(parts) < 2 + taken:
        raise ValueError("the value is missing")
    return yaml.safe_load(parts[-1])


def _value(kind: type[c.Command], field: FieldInfo, tokens: list[str]) -> Any:
    if len(tokens) == 1:
        return tokens[0]
    numbers = [_number(token) for token in tokens]
    if kind is c.MoveTo:
        return pose_from_rotvec(np.array(numbers))
    if kind is c.SetAxes:
        return _bits(numbers)
    if kind is c.SetSubspace:
        return np.reshape(numbers, (6, 6))
    return numbers


def _number(token: str) -> float:
    number = float(token) if "_" not in token else float("nan")
    if not np.isfinite(number):
        raise ValueError(f"{token[:20]!r} is not a finite number")
    return number


def _bits(numbers: list[float]) -> list[bool]:
    if any(number not in (0.0, 1.0) for number in numbers):
        raise ValueError("a mask has only 0 and 1")
    return [number == 1.0 for number in numbers]


def _tokens_of(field: FieldInfo, value: Any) -> Iterator[str]:
    names = _names(field)
    if field.annotation is Any:
        yield (
            yaml.safe_dump(value, default_flow_style=True, width=10**6)
            .removesuffix("\n...\n")
            .strip()
        )
    elif len(names) == 1:
        yield str(value)
    else:
        numbers = np.array(value, dtype=float)
        if numbers.shape == (7,):
            numbers = rotvec_from_pose(numbers)
        yield from (repr(float(number)) for number in numbers.ravel())


def _later_given(command: c.Command, name: str) -> bool:
    """Whether a field after this one differs from its default, so that this one must be written."""
    names = list(type(command).model_fields)
    later = names[names.index(name) + 1 :]
    return any(getattr(command, n) != type(command).model_fields[n].default for n in later)


def _names(field: FieldInfo) -> list[str]:
    return str(_extra(field)["tokens"]).split()


def _extra(field: FieldInfo) -> dict[str, Any]:
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    return dict(extra)


def _explained(field: FieldInfo) -> str:
    unit = _extra(field)["unit"]
    names = _names(field)
    shown = " ".join(names) if len(names) < 10 else f"{names[0]} … {names[-1]}"
    return f"{shown}: {field.description}{f' [{unit}]' if unit else ''}"
