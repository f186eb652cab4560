"""The line protocol: commands parsed, written and explained, all from their declarations."""

import json
from collections.abc import Iterator
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
import yaml
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from pliant import commands as c
from pliant.config import explain, plain
from pliant.errors import Refused, similar
from pliant.numerics.spatial import Array, quat_exp
from pliant.params import LARGEST

WORDS = {word: command for command in c.COMMANDS for word in command.words()}
"""Every accepted word, with its command."""

MAX_LINE = 4096
"""Longest accepted line, bytes."""

# A pose is written with its quaternion: a rotation vector would not come back bit for bit.
_WITH_QUATERNION = 7
_POSES = (c.MoveTo, c.SetTaskFrame)

# Values are parsed within a tick, so they must be small.
_MAX_YAML = 512
_MAX_PARTS = 200
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse(line: str) -> c.Command:
    """Parse a line.

    Raises:
        Refused: It is no valid command; the message says why, and gives the expected form.
    """
    word, *tokens = line.split() or [""]
    kind = WORDS.get(word)
    if kind is None:
        raise _unknown(word)
    try:
        return kind(**_fields(kind, tokens, line))
    except ValidationError as error:
        raise Refused(f"{explain(error)}; expected {usage(kind)}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise Refused(f"{error}; expected {usage(kind)}") from None
    except RecursionError:
        raise Refused(f"the value is nested too deeply; expected {usage(kind)}") from None


def _unknown(word: str) -> Refused:
    near = similar(word, WORDS)
    hint = f"did you mean {near[0]}?" if near else "HELP lists the commands"
    return Refused(f"unknown word {word[:20]!r}; {hint}")


def write(command: c.Command) -> str:
    """The line for a command; `parse` returns an equal command."""
    words = [command.word]
    for name, field in type(command).model_fields.items():
        value = getattr(command, name)
        if field.is_required() or value != field.default or _later_given(command, name):
            words += _tokens_of(field, value)
    return " ".join(words)


def usage(kind: type[c.Command]) -> str:
    """The form of a command, as in `SET_WRENCH Fx Fy Fz Tx Ty Tz [frame]`."""
    parts = [kind.word]
    for field in kind.model_fields.values():
        names = _shown(field)
        parts.append(names if field.is_required() else f"[{names}]")
    return " ".join(parts)


def token_names(kind: type[c.Command]) -> dict[str, list[str]]:
    """The names of the numbers or words of each field of a command."""
    return {name: _names(field) for name, field in kind.model_fields.items()}


def help_text(about: str = "") -> str:
    """The words of all commands, or the explanation of one, in one line."""
    if not about:
        words = " ".join(kind.word for kind in c.COMMANDS)
        return f"{words} | HELP WORD explains one of them"
    kind = WORDS.get(about.upper())
    if kind is None:
        raise _unknown(about)
    who = "anyone" if kind.anyone else "the client in control"
    also = f" Also: {' '.join(kind.aliases)}." if kind.aliases else ""
    parts = [f"{usage(kind)}: {meaning(kind)} By {who}.{also}"]
    parts += [explained(field) for field in kind.model_fields.values()]
    return " | ".join(parts)


def meaning(kind: type[c.Command]) -> str:
    """What a command does, in one sentence."""
    return (kind.__doc__ or "").splitlines()[0]


def schema() -> dict[str, Any]:
    """The JSON schema of every command, by its word."""
    return {kind.word: kind.model_json_schema() for kind in c.COMMANDS}


def pose_from_rotvec(values: Array) -> Array:
    """A pose from position and rotation vector."""
    pose = np.empty(7)
    pose[:3] = values[:3]
    quat_exp(values[3:], pose[3:])
    return pose


class _Part(NamedTuple):
    """A field on the wire: its number of tokens, or 0 for the rest of the line."""

    name: str
    required: bool
    count: int


@cache
def _form(kind: type[c.Command]) -> tuple[_Part, ...]:
    return tuple(
        _Part(name, field.is_required(), 0 if _takes_rest(field) else len(_names(field)))
        for name, field in kind.model_fields.items()
    )


def _takes_rest(field: FieldInfo) -> bool:
    """Whether a field is the rest of the line: a value, or a text whose name ends with `…`."""
    return field.annotation is Any or _names(field)[-1].endswith("…")


def _fields(kind: type[c.Command], tokens: list[str], line: str) -> dict[str, Any]:
    values, left = _named(kind, tokens)
    for name, required, count in _form(kind):
        if name in values or (not left and not required):
            continue
        if not count:
            values[name] = _rest(line, len(tokens) - len(left), kind.model_fields[name])
            left = []
            continue
        if kind in _POSES and name == "pose" and len(left) >= _WITH_QUATERNION:
            count = _WITH_QUATERNION
        if len(left) < count:
            raise ValueError(f"{len(tokens)} arguments are too few")
        values[name] = _value(kind, left[:count])
        left = left[count:]
    if left:
        raise ValueError(f"{len(tokens)} arguments are too many, from {left[0][:20]!r} on")
    return values


def _named(kind: type[c.Command], tokens: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Optional arguments that are given by name, as in `speed=0.05`, and the other tokens."""
    optional = {name for name, required, count in _form(kind) if not required and count == 1}
    if not optional or any(not count for _, _, count in _form(kind)):
        return {}, tokens
    parts = [token.partition("=") for token in tokens]
    values = {name: value for name, equals, value in parts if equals and name in optional}
    return values, ["".join(part) for part in parts if not part[1] or part[0] not in values]


def _rest(line: str, taken: int, field: FieldInfo) -> Any:
    """The value at the end of a line, as YAML; or its text."""
    parts = line.split(maxsplit=1 + taken)
    if len(parts) < 2 + taken:
        raise ValueError("the value is missing")
    if field.annotation is not Any:
        return parts[-1]
    try:
        # JSON is parsed a hundred times faster than YAML
        value = json.loads(parts[-1])
    except json.JSONDecodeError:
        value = _yaml(parts[-1])
    if _parts(value) > _MAX_PARTS:
        raise ValueError(f"the value has more than {_MAX_PARTS} parts")
    return value


def _yaml(text: str) -> Any:
    """A short value from YAML; aliases are refused, as they could expand to a huge one."""
    if len(text) > _MAX_YAML:
        raise ValueError(f"a value longer than {_MAX_YAML} characters must be JSON")
    if "&" in text or "*" in text:
        raise ValueError("a value has no anchors and aliases")
    return yaml.load(text, Loader=_LOADER)


def _parts(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(_parts(part) for part in value.values())
    if isinstance(value, list | tuple):
        return 1 + sum(_parts(part) for part in value)
    return 1


def _value(kind: type[c.Command], tokens: list[str]) -> Any:
    if len(tokens) == 1:
        return tokens[0]
    numbers = [_number(token) for token in tokens]
    if kind in _POSES and len(numbers) != _WITH_QUATERNION:
        return pose_from_rotvec(np.array(numbers))
    if kind is c.SetAxes:
        return _bits(numbers)
    if kind is c.SetSubspace:
        return np.reshape(numbers, (6, 6))
    return numbers


def _number(token: str) -> float:
    number = float(token) if "_" not in token else float("nan")
    if not isfinite(number):
        raise ValueError(f"{token[:20]!r} is not a finite number")
    if abs(number) > LARGEST:
        raise ValueError(f"{token[:20]} is not within {-LARGEST:g} to {LARGEST:g}")
    return number


def _bits(numbers: list[float]) -> list[bool]:
    if any(number not in (0.0, 1.0) for number in numbers):
        raise ValueError("a mask has only 0 and 1")
    return [number == 1.0 for number in numbers]


def _tokens_of(field: FieldInfo, value: Any) -> Iterator[str]:
    names = _names(field)
    if field.annotation is Any:
        yield _json(value)
    elif len(names) == 1:
        yield ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    else:
        numbers = np.array(value, dtype=float)
        yield from (repr(float(number)) for number in numbers.ravel())


def _json(value: Any) -> str:
    try:
        return json.dumps(value, default=plain)
    except (TypeError, ValueError):
        raise Refused(f"a value is made of numbers, texts, lists and names: {value!r}") from None


def _later_given(command: c.Command, name: str) -> bool:
    """Whether a later field differs from its default, so that this one must be written too."""
    names = list(type(command).model_fields)
    later = names[names.index(name) + 1 :]
    return any(getattr(command, n) != type(command).model_fields[n].default for n in later)


def _names(field: FieldInfo) -> list[str]:
    return str(_extra(field)["tokens"]).split()


def _extra(field: FieldInfo) -> dict[str, Any]:
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    return dict(extra)


def _shown(field: FieldInfo) -> str:
    names = _names(field)
    return " ".join(names) if len(names) < 10 else f"{names[0]} … {names[-1]}"


def explained(field: FieldInfo) -> str:
    """Names, meaning and unit of an argument, in one line."""
    unit = _extra(field)["unit"]
    return f"{_shown(field)}: {field.description}{f' [{unit}]' if unit else ''}"
