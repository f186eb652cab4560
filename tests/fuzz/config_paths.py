"""The paths of the configuration, and values for them: likely, extreme, or impossible."""

import random
from functools import cache
from typing import Any

from pliant.config import Config

from .hostile import TEXTS, number, value


@cache
def paths() -> tuple[str, ...]:
    """Every path of the default configuration, sections included."""
    found: list[str] = []

    def walk(node: Any, path: str) -> None:
        if path:
            found.append(path)
        if isinstance(node, dict):
            for name, part in node.items():
                walk(part, f"{path}.{name}" if path else name)

    walk(Config().model_dump(round_trip=True), "")
    return tuple(found)


@cache
def leaves() -> tuple[str, ...]:
    """The paths that are no section."""
    whole = paths()
    return tuple(path for path in whole if not any(p.startswith(f"{path}.") for p in whole))


def likely(dice: random.Random, now: Any) -> Any:
    """A value that is about as large as the present one."""
    if isinstance(now, bool):
        return not now
    if isinstance(now, int):
        return max(0, now + dice.choice((-1, 0, 1, 10)))
    if isinstance(now, float):
        return (now or 1.0) * dice.choice((0.0, 0.5, 1.0, 1.0, 2.0, 10.0 ** dice.uniform(-2, 2)))
    if isinstance(now, list | tuple):
        return [likely(dice, part) for part in now]
    if isinstance(now, dict):
        return {name: likely(dice, part) for name, part in now.items()}
    return now


def extreme(dice: random.Random, now: Any) -> Any:
    """A value of the same form with numbers of any size."""
    if isinstance(now, bool):
        return not now
    if isinstance(now, float):
        return abs(number(dice)) if dice.random() < 0.7 else number(dice)
    if isinstance(now, int):
        return dice.choice((0, 1, 2, 100, 10**6, 2**31, 2**63, -1))
    if isinstance(now, list | tuple):
        same = dice.random() < 0.5
        first = extreme(dice, now[0]) if now else 0.0
        return [first if same else extreme(dice, part) for part in now]
    if isinstance(now, dict):
        return {name: extreme(dice, part) for name, part in now.items()}
    return dice.choice((now, None, 0.0, dice.choice(TEXTS)))


def any_value(dice: random.Random, now: Any) -> Any:
    """A value for a path: likely, extreme, or anything."""
    choice = dice.random()
    if choice < 0.4:
        return likely(dice, now)
    return extreme(dice, now) if choice < 0.8 else value(dice)
