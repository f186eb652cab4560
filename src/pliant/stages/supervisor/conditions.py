"""Conditions: comparisons of columns with numbers, judged by the supervisor in every tick.

    force("z") > 5                      |Fz|, the force along the tool's z axis, either way
    force() > 5                         the length of the force vector
    torque("x") > 0.5, torque() > 1     the same for torques, N·m
    speed() < 0.01                      speed of the tool, m/s
    position("z") < 0.1                 position of the tool in the world, m
    column("q", 3) < 0.1                an element of any column
    norm("v_WT_W[3:]") > 0.2            the length of a part of a column
    (force("z") > 5) & (speed() < 0.01) up to four at once
    (force("z") > 5).for_ticks(10)      held for ten ticks in a row

`force` and `torque` are magnitudes, so `force("z") > 5` is contact whichever way the axis points. A
wrench is what the environment does to the tool; for its sign write `column("w_T", 2) < -5`.

Each has the same form as text, in one word: `force(z)>5&speed<0.01@10`; `@0.05s` is a time.

Columns of the clock, the robot, the dynamics, the model and the wrench are those of this tick;
all others are those of the previous tick.
"""

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import ceil, isfinite
from typing import Any, NoReturn

from pliant.errors import Refused, UnknownNameError
from pliant.tick import STAGES, Column, IntArray, columns

MOST_TERMS = 4
"""Most comparisons in one condition."""

MOST_TICKS = 100_000
"""Most ticks for which a condition may have to hold."""

_COLUMNS: dict[str, tuple[int, Column, bool]] = {
    name: (number, declared, kind in (int, IntArray))
    for number, (name, declared, kind) in enumerate(columns())
}
_NAMES = list(_COLUMNS)
_COMPARISONS = ("<", "<=", ">", ">=")
_AXES = ("x", "y", "z")
_SHORT = {"force": ("w_T", 0, 3), "torque": ("w_T", 3, 3), "speed": ("v_WT_W", 0, 3)}
_FIRST, _COUNT, _COMPARISON, _NORM = 8, 16, 24, 28
_TERM = re.compile(r"([^<>=]+)(<=|>=|<|>)([^<>=]+)")
_INDEXED = re.compile(r"(\w+)(?:\[(\d*)(:?)(\d*)\])?")
_CALLED = re.compile(r"(\w+)\((.*)\)")


def shortest(value: float) -> str:
    """A number in the fewest characters that give it back bit for bit."""
    return repr(float(value)).removesuffix(".0")


def is_this_tick(declared: Column) -> bool:
    """Whether a condition reads a column in this tick; else it reads it in the previous one."""
    return STAGES.index(declared.stage) < STAGES.index("supervisor")


@dataclass(frozen=True, eq=False, repr=False)
class Quantity:
    """What a condition compares: an element of a column, or the length of a part of it.

    Attributes:
        column: Name of the column.
        first: First element.
        count: Number of elements; 0 is up to the end of the column.
        norm: Whether it is the length of the part; of one element that is its magnitude.
    """

    column: str
    first: int
    count: int
    norm: bool

    def __post_init__(self) -> None:
        if self.column not in _COLUMNS:
            near = get_close_matches(self.column, [*_NAMES, *_SHORT, "position", "norm"], 1)
            hint = f"did you mean {near[0]}?" if near else "`pliant columns` lists them"
            raise Refused(f"no column {self.column[:40]!r}; {hint}")
        shape = _COLUMNS[self.column][1].shape
        if len(shape) > 1 or _COLUMNS[self.column][1].unit == "UTF-8":
            raise Refused(f"{self.column} is neither a number nor a vector: no condition reads it")

    def __lt__(self, value: float) -> "Condition":
        return _compared(self, "<", value)

    def __le__(self, value: float) -> "Condition":
        return _compared(self, "<=", value)

    def __gt__(self, value: float) -> "Condition":
        return _compared(self, ">", value)

    def __ge__(self, value: float) -> "Condition":
        return _compared(self, ">=", value)

    def __eq__(self, other: object) -> bool:
        raise Refused(f"compare {self} with <, <=, > or >=: equality of measured values is luck")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise Refused(f"{self} is no condition yet: compare it, as in force('z') > 5")

    def __and__(self, other: object) -> NoReturn:
        raise Refused(
            f"{self} is joined with & before it is compared: put each comparison in brackets, as "
            "in (force('z') > 5) & (speed() < 0.01)"
        )

    __rand__ = __and__

    def __repr__(self) -> str:
        return f"<Quantity {self}>"

    def __str__(self) -> str:
        for name, (column, first, count) in _SHORT.items():
            if self.norm and self.column == column:
                if (self.first, self.count) == (first, count):
                    return name
                if name != "speed" and self.count == 1 and first <= self.first < first + count:
                    return f"{name}({_AXES[self.first - first]})"
        if self.column == "X_WT" and self.count == 1 and not self.norm and self.first < 3:
            return f"position({_AXES[self.first]})"
        if self.count == 1:
            scalar = not _COLUMNS[self.column][1].shape
            inner = self.column if scalar else f"{self.column}[{self.first}]"
            return f"abs({inner})" if self.norm else inner
        begin, end = self.first or "", self.first + self.count if self.count else ""
        part = f"[{begin}:{end}]" if begin or end else ""
        return f"norm({self.column}{part})"

    def elements(self, size: int) -> int:
        """How many elements it has in a column of this size.

        Raises:
            Refused: The column is shorter.
        """
        count = self.count or size - self.first
        if self.first + count > size or count < 1:
            raise Refused(f"{self}: {self.column} has {size} elements, from 0 to {size - 1}")
        return count


@dataclass(frozen=True)
class Term:
    """One comparison."""

    quantity: Quantity
    comparison: str
    value: float

    def __str__(self) -> str:
        return f"{self.quantity}{self.comparison}{shortest(self.value)}"


@dataclass(frozen=True)
class Condition:
    """Comparisons that must all hold, for a number of ticks in a row.

    Attributes:
        terms: The comparisons.
        ticks: For how many ticks in a row they must hold.
        seconds: The same as a time, s; 0 if it is given in ticks.
    """

    terms: tuple[Term, ...]
    ticks: int = 1
    seconds: float = 0.0

    def for_ticks(self, ticks: int) -> "Condition":
        """The same, held for a number of ticks in a row."""
        if not 1 <= ticks <= MOST_TICKS:
            raise Refused(f"a condition is held for 1 to {MOST_TICKS} ticks, not {ticks}")
        return replace(self, ticks=int(ticks), seconds=0.0)

    def held(self, seconds: float) -> "Condition":
        """The same, held for a time."""
        if not 0.0 < seconds <= 60.0:
            raise Refused(f"a condition is held for up to 60 s, not {seconds:g} s")
        return replace(self, ticks=1, seconds=float(seconds))

    def ticks_at(self, dt: float) -> int:
        """For how many ticks in a row it must hold, at a control period."""
        return max(1, ceil(self.seconds / dt - 1e-9)) if self.seconds else self.ticks

    def __and__(self, other: "Condition") -> "Condition":
        if any(part.ticks != 1 or part.seconds for part in (self, other)):
            raise Refused("join conditions first, then say how long: (a & b).for_ticks(10)")
        return _checked(Condition(self.terms + other.terms))

    def __or__(self, other: object) -> "Condition":
        raise Refused("conditions are joined with & alone; arm two of them for either: arm.on(…)")

    def __bool__(self) -> bool:
        raise Refused(
            f"the condition {self} has no value here, it is judged in the loop: join conditions "
            "with & and brackets, as in (force('z') > 5) & (speed() < 0.01), not with and/or"
        )

    def __str__(self) -> str:
        joined = "&".join(map(str, self.terms))
        if self.seconds:
            return f"{joined}@{shortest(self.seconds)}s"
        return f"{joined}@{self.ticks}" if self.ticks != 1 else joined

    def __repr__(self) -> str:
        return f"<Condition {self}>"


def force(axis: str = "") -> Quantity:
    """Magnitude of the force on the tool, N: along an axis of the tool, or of the whole vector."""
    return _part("force", axis)


def torque(axis: str = "") -> Quantity:
    """Magnitude of the torque on the tool, N·m: about an axis of the tool, or of the vector."""
    return _part("torque", axis)


def speed() -> Quantity:
    """Speed of the tool, m/s."""
    return _part("speed", "")


def position(axis: str) -> Quantity:
    """Position of the tool along an axis of the world, m."""
    return Quantity("X_WT", _axis(axis), 1, False)


def column(name: str, element: int | None = None) -> Quantity:
    """An element of any column of the tick: `column("q", 3)`, `column("q[3]")`."""
    return _indexed(name if element is None else f"{name}[{element}]", False)


def norm(part: str) -> Quantity:
    """The length of a column or of a part of it, as in `norm("w_T[:3]")`."""
    return _indexed(part, True)


def condition(what: "str | Condition") -> Condition:
    """A condition from its text; a condition as it is.

    Raises:
        Refused: The text is none; the message says why.
    """
    if isinstance(what, Condition):
        return what
    if not isinstance(what, str):
        raise Refused(f"give a condition such as force('z') > 5, not {what!r}")
    joined, at, hold = what.replace(" ", "").partition("@")
    made = _checked(Condition(tuple(_term(text) for text in joined.split("&"))))
    if not at:
        return made
    seconds, number = hold.endswith("s"), _number(hold.removesuffix("s"))
    return made.held(number) if seconds else made.for_ticks(int(number))


def _checked(made: Condition) -> Condition:
    if len(made.terms) > MOST_TERMS:
        raise Refused(f"at most {MOST_TERMS} comparisons in a condition, not {len(made.terms)}")
    return made


def _compared(quantity: Quantity, comparison: str, value: Any) -> Condition:
    number = _number(value)
    return Condition((Term(quantity, comparison, number),))


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number):
        raise Refused(f"a condition compares with a finite number, not {str(value)[:40]!r}")
    return number


def _part(name: str, axis: str) -> Quantity:
    column_name, first, count = _SHORT[name]
    return (
        Quantity(column_name, first + _axis(axis), 1, True)
        if axis
        else Quantity(column_name, first, count, True)
    )


def _axis(axis: str) -> int:
    if axis not in _AXES:
        raise Refused(f"an axis is x, y or z, not {str(axis)[:20]!r}")
    return _AXES.index(axis)


def _term(text: str) -> Term:
    found = _TERM.fullmatch(text)
    if found is None:
        raise Refused(f"{text[:40]!r} is no comparison; write one as in force(z)>5 or q[3]<0.1")
    quantity, comparison, value = found.groups()
    return Term(_quantity(quantity), comparison, _number(value))


def _quantity(text: str) -> Quantity:
    called = _CALLED.fullmatch(text)
    name, inner = called.groups() if called else (text, "")
    if name in _SHORT:
        return _part(name, inner)
    if called is None:
        return _indexed(text, False)
    if name == "position":
        return position(inner)
    if name in ("norm", "abs"):
        return _indexed(inner, True)
    raise UnknownNameError("quantity", name[:40], [*_SHORT, "position", "norm", "abs"])


def _indexed(text: str, of_length: bool) -> Quantity:
    found = _INDEXED.fullmatch(text.replace(" ", ""))
    if found is None:
        raise Refused(f"{text[:40]!r} is no column; write q[3], or norm(w_T[:3])")
    name, first, colon, end = found.groups()
    begin = int(first or 0)
    known_vector = name in _COLUMNS and _COLUMNS[name][1].shape
    if (first and not colon) or not known_vector:
        return Quantity(name, begin, 1, of_length)
    if not of_length:
        raise Refused(
            f"{text[:40]} is a vector: compare an element, {name}[0], or norm({text[:40]})"
        )
    return Quantity(name, begin, int(end) - begin if end else 0, True)


def code_of(term: Term, n: int) -> int:
    """A comparison without its number, as the kernel takes it, for an arm with n joints.

    Raises:
        Refused: The column is shorter than the elements asked for.
    """
    number, declared, _ = _COLUMNS[term.quantity.column]
    size = 1 if not declared.shape else (n if declared.shape[0] < 0 else declared.shape[0])
    count = term.quantity.elements(size)
    comparison = _COMPARISONS.index(term.comparison)
    return (
        number
        | term.quantity.first << _FIRST
        | count << _COUNT
        | comparison << _COMPARISON
        | int(term.quantity.norm) << _NORM
    )


def term_of(code: int, value: float) -> Term:
    """The comparison of a code."""
    quantity = Quantity(
        _NAMES[code & 255], code >> _FIRST & 255, code >> _COUNT & 255, bool(code >> _NORM)
    )
    return Term(quantity, _COMPARISONS[code >> _COMPARISON & 15], value)
