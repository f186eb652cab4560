"""YAML of unknown origin is read, or refused in one sentence, in bounded time."""

import pytest

from pliant.config import Config, config_of_run
from pliant.errors import ConfigError
from pliant.safe_yaml import DEEPEST, load_yaml
from pliant.tasks.postures import parse_postures

LAUGHS = "\n".join(
    ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    + [f"a{i}: &a{i} [{', '.join(10 * [f'*a{i - 1}'])}]" for i in range(1, 9)]
)
WRONG = {
    "deep flow": ("a: " + "[" * 3000 + "]" * 3000, "nested more than 32 levels deep"),
    "deep blocks": ("\n".join(" " * i + "a:" for i in range(500)), "nested more than 32"),
    "a billion values": (LAUGHS, "more than 50000 values, aliases expanded"),
    "itself": ("a: &a [*a]\n", "a value contains itself"),
    "long": ("a: " + "x" * 600_000, "characters, at most 500000 are read"),
    "no date": ("a: 2024-13-45\n", "does not exist"),
    "a long number": ("a: " + "9" * 5000, "does not exist"),
    "no boolean": ("a: !!bool perhaps\n", "does not exist"),
    "a program": ("a: !!python/object/apply:os.getpid []\n", "constructor"),
    "half a list": ("a: [1,\n", "flow"),
    "a list as a key": ("? [a]\n: b\n", "unhashable"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_read_is_refused_in_one_sentence(case: str) -> None:
    text, message = WRONG[case]
    for read in (lambda t: load_yaml(t, "it"), lambda t: Config.from_yaml(t + "\n"),
                 config_of_run, lambda t: parse_postures(t, "a file")):  # fmt: skip
        with pytest.raises(ConfigError, match="cannot read ") as refused:
            read(text)
        assert message in str(refused.value)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


def test_values_nested_within_the_bound_are_read() -> None:
    depth = DEEPEST - 1
    assert load_yaml("[" * depth + "]" * depth, "it")
    assert load_yaml("a: &x {b: 1}\nc: *x\n", "it") == {"a": {"b": 1}, "c": {"b": 1}}


@pytest.mark.parametrize("text", ["- 1\n", "laws: 3\n", "laws: {1: {}}\n", "laws: {_x: {}}\n"])
def test_a_configuration_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        config_of_run(text)
