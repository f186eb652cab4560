"""Hostile values: extreme numbers, odd texts, nested values, damaged bytes and damaged trees."""

import copy
import random
from typing import Any

EXTREMES = (
    *(0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e-155, 1e-30, 1e-12, 1e-6),
    *(1e4, 1e6, 1e9, 1e12, 1e18, 9007199254740993.0, 9.3e18, 1e30, 1e100, 1e150, 1e154, 1e155),
    *(1e200, 1e300, 1e308, 1.7976931348623157e308),
)
"""Finite numbers at which something may overflow, vanish or lose its last digit."""

NO_NUMBERS = (
    *("nan", "-nan", "inf", "-inf", "Infinity", "-.inf", ".nan", "1e999", "-1e999", "0x10", "1_0"),
    *("٣", "1,5", "1e", "--1", "+-1", "1e-99999", "9" * 400, "0." + "0" * 350 + "1", "", "None"),
)
"""Texts that a number parser may take for a number."""

TEXTS = (
    *("", " ", "\0", "\x85", "\u2028", "\ud83e\uddbe", "'", '"', "\\", "%s%n", "{}", "../../x"),
    *("[", "]", "{", "}", ":", ",", "null", "true", "~", "!!python/object:os.system", "2001-01-01"),
    *("&a [*a]", "<<: *a", "- - - -", '"\\ud800"', "x" * 300, "/dev/null/x", "all", "0,1,2"),
)

_SIZES = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**40, 2**63 - 1, 2**64 - 1)


def number(dice: random.Random) -> float:
    """A finite number: ordinary, of any size, or an extreme."""
    choice = dice.random()
    if choice < 0.5:
        return dice.choice((0.0, 1.0, -1.0, dice.uniform(-1.0, 1.0), dice.uniform(-30.0, 30.0)))
    if choice < 0.7:
        return dice.choice((-1.0, 1.0)) * 10.0 ** dice.uniform(-12.0, 12.0)
    return dice.choice((-1.0, 1.0)) * dice.choice(EXTREMES)


def number_text(dice: random.Random) -> str:
    """A number as text, or something that looks like one."""
    if dice.random() < 0.1:
        return dice.choice(NO_NUMBERS)
    return repr(number(dice))


def value(dice: random.Random, depth: int = 3) -> Any:
    """A plain value as JSON or YAML can hold it."""
    choice = dice.random()
    if depth > 0 and choice < 0.2:
        return [value(dice, depth - 1) for _ in range(dice.choice((0, 1, 2, 3, 6, 7, 40)))]
    if depth > 0 and choice < 0.4:
        return {_key(dice): value(dice, depth - 1) for _ in range(dice.randrange(4))}
    if choice < 0.7:
        return number(dice)
    simple = (None, True, False, 0, 1, -1, 2**31, -(2**63), 10**30, float("nan"), float("inf"))
    return dice.choice((*simple, dice.choice(TEXTS), dice.choice(NO_NUMBERS)))


def _key(dice: random.Random) -> str:
    return dice.choice(("a", "laws", "file", "kind", "type", "id", "", "x" * 100, "é", "0"))


def nested(dice: random.Random) -> str:
    """A text that nests deeply."""
    depth = dice.choice((50, 500, 3000, 20000))
    opening, closing = dice.choice((("[", "]"), ('{"a":', "}"), ("{a: ", "}"), ("- ", "")))
    return opening * depth + "1" + closing * dice.choice((0, depth))


def damaged(dice: random.Random, data: bytes, most: int = 4) -> bytes:
    """Bytes with some damage: flipped, overwritten, lost, doubled, inserted or cut off."""
    changed = bytearray(data)
    for _ in range(dice.randrange(1, most + 1)):
        _damage(dice, changed)
    return bytes(changed)


def _damage(dice: random.Random, data: bytearray) -> None:
    at = dice.randrange(len(data) + 1)
    size = dice.choice((1, 1, 2, 4, 8, 64, 1024))
    what = dice.randrange(7)
    if what == 0 and at < len(data):
        data[at] ^= 1 << dice.randrange(8)
    elif what == 1:
        data[at : at + size] = dice.randbytes(size)
    elif what == 2:
        del data[at : at + size]
    elif what == 3:
        data[at:at] = data[at : at + size]
    elif what == 4:
        data[at:at] = dice.randbytes(size)
    elif what == 5:
        width = dice.choice((1, 2, 4, 8))
        number = dice.choice(_SIZES) % 256**width
        data[at : at + width] = number.to_bytes(width, dice.choice(("little", "big")))
    else:
        del data[at:]


def spoiled(dice: random.Random, tree: Any, most: int = 3) -> Any:
    """A tree of plain values with some of its parts replaced, removed, added or renamed."""
    changed = copy.deepcopy(tree)
    for _ in range(dice.randrange(1, most + 1)):
        changed = _spoil(dice, changed)
    return changed


def _spoil(dice: random.Random, tree: Any) -> Any:
    inner = isinstance(tree, dict | list) and bool(tree) and dice.random() < 0.8
    if not inner:
        return value(dice)
    names = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    name, what = dice.choice(names), dice.randrange(8)
    if what == 0:
        del tree[name]
    elif what == 1 and isinstance(tree, dict):
        tree[_key(dice)] = value(dice)
    elif what == 1:
        tree.insert(name, value(dice))
    elif what == 2 and isinstance(tree, dict):
        tree[_key(dice)] = tree.pop(name)
    else:
        tree[name] = _spoil(dice, tree[name])
    return tree


def damaged_text(dice: random.Random, text: str) -> str:
    """A text with some of its words replaced, doubled, lost or put elsewhere."""
    words = text.split(" ")
    for _ in range(dice.randrange(1, 4)):
        at = dice.randrange(len(words)) if words else 0
        what = dice.randrange(5)
        if what == 0 and words:
            words[at] = dice.choice((*TEXTS, *NO_NUMBERS, repr(number(dice))))
        elif what == 1 and words:
            del words[at]
        elif what == 2 and words:
            words.insert(at, words[at])
        elif what == 3:
            words.insert(at, number_text(dice))
        elif words:
            cut = dice.randrange(len(words[at]) + 1)
            words[at] = words[at][:cut] + dice.choice(TEXTS) + words[at][cut:]
    return " ".join(words)
