"""Uploaded programs: which one it is, and the moves that are written out in its text."""

import re
from dataclasses import dataclass, replace
from math import isfinite

from pliant.virtual.ur.program_error import ProgramError

_DEFINITION = re.compile(r"^\s*(def|sec)\s+(\w+)\s*\(", re.MULTILINE)
_END = re.compile(r"^end[ \t\r]*(\n|\Z)", re.MULTILINE)
_LINE = re.compile(r"\n")
_OFFSET = re.compile(r"reg_offset_int = # int register offset\s*\n\s*(\d+)")
_STATEMENT = re.compile(r"^\s*(\w+)\((.*)\)\s*$")
_VECTOR = re.compile(r"(p?)\[([^\]]*)\]")
_PROGRESS = re.compile(r"signal_async_progress\((.*)\)")
_NAMED = re.compile(r"(\w+)\s*=\s*([^,]+)")
_PATH = re.compile(r"def exec_move_path\(\):(.*?)\n\s*end\b", re.DOTALL)

_IGNORED = ("textmsg", "sync")
_DEFAULTS = {"movej": (1.4, 1.05), "movel": (1.2, 0.25), "movep": (1.2, 0.25)}
"""Acceleration and speed where a move gives none: those of URScript."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One line of a program.

    Attributes:
        word: The function: movej, movel, movep, stopj, stopl.
        numbers: Six numbers of a move.
        is_pose: Whether these are a pose, rather than joint positions.
        acceleration: Acceleration, or deceleration of a stop.
        speed: Speed of a move.
        blend: Blend radius of a move.
        progress: The progress that is signalled before it; None if none is.
    """

    word: str
    numbers: tuple[float, ...] = ()
    is_pose: bool = False
    acceleration: float = 0.0
    speed: float = 0.0
    blend: float = 0.0
    progress: int | None = None


def program_name(text: str) -> str:
    """The name of the program that a text defines; empty if it defines none."""
    found = _DEFINITION.search(text)
    return found[2] if found else ""


def first_program(text: str) -> tuple[str, str]:
    """The first program of a text, empty as long as it is incomplete, and what follows it.

    A program ends with a line `end` that is not indented; without a definition, with its line.
    """
    text = text.lstrip("\n")
    defined = _DEFINITION.match(text)
    found = _END.search(text) if defined else _LINE.search(text)
    return (text[: found.end()], text[found.end() :]) if found else ("", text)


def register_offset(text: str) -> int:
    """The number of the first register that the control program uses."""
    found = _OFFSET.search(text)
    return int(found[1]) if found else 0


def injected_path(text: str) -> list[Statement]:
    """The moves that ur_rtde has written into its control program.

    Raises:
        ProgramError: A line cannot be played.
    """
    found = _PATH.search(text)
    return statements(found[1]) if found else []


def statements(text: str) -> list[Statement]:
    """The statements of a program without branches.

    Raises:
        ProgramError: A line cannot be played.
    """
    found: list[Statement] = []
    progress: int | None = None
    for line in (line.split("#")[0].strip() for line in text.splitlines()):
        if signal := _PROGRESS.match(line):
            progress = int(_number(signal[1]))
        elif line and line != "end" and (statement := _statement(line)):
            found.append(replace(statement, progress=progress))
            progress = None
    return found


def _statement(line: str) -> Statement | None:
    if _DEFINITION.match(line):
        return None
    found = _STATEMENT.match(line)
    if found is None:
        raise ProgramError(f"the virtual UR does not play this line: {line[:60]}")
    word, arguments = found[1], found[2]
    if word in _IGNORED:
        return None
    if word in _DEFAULTS:
        return _move(word, arguments)
    if word in ("stopj", "stopl"):
        return Statement(word=word, acceleration=_number(arguments.split("=")[-1].split(",")[0]))
    raise ProgramError(f"the virtual UR does not play {word}")


def _move(word: str, arguments: str) -> Statement:
    found = _VECTOR.search(arguments)
    numbers = [_number(part) for part in found[2].split(",")] if found else []
    if found is None or len(numbers) != 6:
        raise ProgramError(f"{word} needs a pose or six joint positions: {arguments[:60]}")
    named = {key: _number(value) for key, value in _NAMED.findall(arguments[found.end() :])}
    acceleration, speed = _DEFAULTS[word]
    return Statement(
        word=word,
        numbers=tuple(numbers),
        is_pose=found[1] == "p",
        acceleration=named.get("a", acceleration),
        speed=named.get("v", speed),
        blend=named.get("r", 0.0),
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ProgramError(f"{text.strip()[:40]!r} is not a number") from None
    if not isfinite(value):
        raise ProgramError(f"{text.strip()} is not finite")
    return value
