"""Every number that a command or a parameter takes has bounds, and none is beyond computing."""

from math import inf, isfinite

import pytest

from pliant import commands as c
from pliant.commands.line_protocol import parse
from pliant.config import Config
from pliant.errors import ConfigError, Refused, UnknownNameError

from .bounded_numbers import BoundedNumber, numbers_of

FREE = {
    *(("SET", "value"), ("HOME", "joints")),
    *(("ACTIVATE", "parameters"), ("FOLLOW_PATH", "points")),
}
"""Fields that take any value; other models check what is in them."""

COMMAND_NUMBERS = [(kind, number) for kind in c.COMMANDS for number in numbers_of(kind)]
PARAMETERS = list(numbers_of(Config))


def test_there_are_numbers_to_look_at():
    assert len(COMMAND_NUMBERS) > 80
    assert len(PARAMETERS) > 200


def assert_bounded(number: BoundedNumber) -> None:
    assert number.low is not None and isfinite(number.low), number
    if not number.infinite:
        assert number.high is not None and isfinite(number.high), number
        assert number.low < number.high


def test_every_number_of_every_command_has_bounds():
    for _, number in COMMAND_NUMBERS:
        assert_bounded(number)


def test_every_parameter_has_bounds_or_is_a_limit_that_may_be_infinite():
    for number in PARAMETERS:
        assert_bounded(number)


def test_fields_of_any_type_are_known():
    found = {
        (kind.word, name)
        for kind in c.COMMANDS
        for name, field in kind.model_fields.items()
        if "object" in str(field.annotation) or field.annotation.__class__.__name__ == "_AnyMeta"
    }
    assert found == FREE


@pytest.mark.parametrize(
    ("line", "bound"),
    [
        ("RELD 0 0 0 1e155 0 0", "1e155 is not within -1e+06 to 1e+06"),
        ("REFA 0 0 0 1e155 0 0", "1e155 is not within -1e+06 to 1e+06"),
        ("JOG 1e308 0 0 0 0 0", "1e308 is not within -1e+06 to 1e+06"),
        ("PMOVE 0 1e308", "1e+308 is not within -1e+06 to 1e+06"),
        ("HOME 3 [1e300, 0, 0, 0, 0, 0]", "1e+300 is not within -1e+06 to 1e+06"),
        ("INERT 1e-300 1 1 1 1 1", "1e-300 is not within 1e-09 to 1e+06"),
    ],
)
def test_a_number_beyond_is_refused_with_its_bounds(line, bound):
    with pytest.raises(Refused) as refused:
        parse(line)
    assert bound in str(refused.value)


def settable(number: BoundedNumber) -> str | None:
    """The path of a parameter that can be set by itself; None for one within something unset."""
    path = ".".join(part for part in number.path if isinstance(part, str))
    try:
        Config().get(path)
    except UnknownNameError:
        return None
    return path


def with_value(path: str, number: BoundedNumber, value: float) -> object:
    """The value of a parameter, which may be a list, with one number replaced."""
    return number.placed(Config().get(path), value)


def test_the_bounds_in_the_schema_are_those_that_hold():
    """A bound of a field is not replaced by one of its type."""
    for number in PARAMETERS:
        path = settable(number)
        if path is None or number.high is None:
            continue
        beyond = int(number.high) + 1 if number.whole else number.high * 1.001 + 0.001
        with pytest.raises(ConfigError):
            Config().replace(path, with_value(path, number, beyond))


def test_only_a_limit_may_be_infinite():
    for number in PARAMETERS:
        path = settable(number)
        if path is None:
            continue
        value = with_value(path, number, inf)
        if number.infinite:
            Config().replace(path, value)
        else:
            with pytest.raises(ConfigError):
                Config().replace(path, value)
