"""Pliant's exceptions. Each message states the cause and, where possible, the remedy."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

_MOST_LISTED = 20
"""More names than this are not listed if some of them are similar to the one asked for."""

_PACKAGE = str(Path(__file__).parent)


class PliantError(Exception):
    """Root of everything Pliant raises on purpose."""


class Refused(PliantError):
    """A command that cannot be obeyed; nothing has changed, and the message says why."""


@contextmanager
def refusing_errors() -> Iterator[None]:
    """Turn an exception that nobody foresaw into a refusal with its type and text.

    Raises:
        Refused: Something raised, even `sys.exit`; Pliant's own exceptions pass as they are.
    """
    try:
        yield
    except PliantError:
        raise
    except (Exception, SystemExit) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


class ConfigError(Refused):
    """A configuration that cannot work; the message says which value and why."""


class UnknownNameError(Refused):
    """A name that does not exist; carries the names that do.

    Attributes:
        kind: What was looked up, such as "arm" or "law".
        name: The name that was asked for.
        valid: The names that would have been accepted.
    """

    def __init__(self, kind: str, name: str, valid: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.valid = valid
        super().__init__(f"unknown {kind} {name!r}; {advice(name, valid)}")


class UnknownAttributeError(UnknownNameError, AttributeError):
    """An attribute that does not exist; carries the names that do."""


class MissingExtra(PliantError):
    """Something that an optional dependency does, which is not installed."""


class LawError(PliantError):
    """An exception raised by a law; the message names the law and the exception."""


class GripperFailed(PliantError):
    """A command to a gripper that failed; the arm is not concerned."""


class ArmStopped(PliantError):
    """The arm stopped while a caller was waiting for it.

    Attributes:
        reason: The reason, as in the tick.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the arm stopped: {reason}")


class MoveEnded(PliantError):
    """A move that ended before its target; the message says why and how far from it."""


class WaitTimeout(PliantError):
    """A condition that did not become true in time."""


class RecordingError(PliantError):
    """A recording that cannot be written or read; the message says which and why."""


class PliantWarning(UserWarning):
    """Something that was done, but will probably not have the effect that was meant."""


def warn_user(text: str) -> None:
    """Give a `PliantWarning` that points to the line of the user's program that led to it."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, PliantWarning, stacklevel=level)


def advice(name: str, valid: Iterable[str]) -> str:
    """What to write instead of an unknown name: names like it, and those that exist."""
    names = list(valid)
    near = similar(name, names)
    if not near:
        return f"valid: {', '.join(names)}"
    meant = f"did you mean {' or '.join(near)}?"
    return meant if len(names) > _MOST_LISTED else f"{meant} valid: {', '.join(names)}"


def similar(name: str, valid: Iterable[str]) -> list[str]:
    """The names that one could have meant, the likeliest first, whatever their case."""
    by_case: dict[str, str] = {}
    for other in valid:
        by_case.setdefault(other.casefold(), other)
    wanted = name.casefold()
    near = get_close_matches(wanted, by_case, n=3, cutoff=0.6)
    near += [other for other in by_case if wanted and wanted in other and other not in near]
    return [by_case[other] for other in near[:3]]
