"""Reads YAML from files that anybody may have written: bounded in length, depth and size.

PyYAML composes nested values recursively, so deep nesting would end in a RecursionError. An alias
(`*name`) costs a few bytes and stands for a whole value, so its size counts each time.
"""

from typing import Any

import yaml
from yaml.composer import Composer

from pliant.errors import ConfigError

LONGEST = 500_000
"""Most characters of a text."""
DEEPEST = 32
"""Most levels of nesting; a configuration has six."""
MOST_VALUES = 50_000
"""Most values in a text, aliases expanded."""

_WRONG = (ValueError, LookupError, ArithmeticError, AttributeError, TypeError)
"""What PyYAML raises for dates and numbers that do not exist, such as 2024-13-45."""


def load_yaml(text: str, source: str) -> Any:
    """The value of a YAML text.

    Args:
        text: The text.
        source: Where it is from, for messages.

    Raises:
        ConfigError: It is not YAML, or too long, too deep or too large.
    """
    if len(text) > LONGEST:
        raise ConfigError(
            f"cannot read {source}: it has {len(text)} characters, at most {LONGEST} are read"
        )
    try:
        return yaml.load(text, _BoundedLoader)
    except yaml.YAMLError as error:
        raise ConfigError(f"cannot read {source}: {' '.join(str(error).split())}") from None
    except _WRONG as error:
        raise ConfigError(f"cannot read {source}: a value in it does not exist: {error}") from None


class _BoundedLoader(Composer, yaml.CSafeLoader):
    """Refuses a document while it is composed, before it becomes deep or large."""

    def __init__(self, text: str) -> None:
        yaml.CSafeLoader.__init__(self, text)
        Composer.__init__(self)
        self._depth = 0
        self._count = 0
        self._sizes: dict[int, int] = {}
        """Number of values in each composed node, by its identity."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node and count its values."""
        if self._depth >= DEEPEST:
            raise yaml.YAMLError(f"it is nested more than {DEEPEST} levels deep")
        alias = self.check_event(yaml.AliasEvent)
        before = self._count
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        if alias and id(node) not in self._sizes:
            raise yaml.YAMLError("a value contains itself")
        self._count += self._sizes[id(node)] if alias else 1
        if self._count > MOST_VALUES:
            raise yaml.YAMLError(f"it has more than {MOST_VALUES} values, aliases expanded")
        self._sizes[id(node)] = self._count - before
        return node
