"""Loads a class from a user's file: `./my_law.py:MyLaw`, `./my_robot.py:MyRobot`."""

import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from pliant.errors import ConfigError

T = TypeVar("T")


def is_file_class(name: str) -> bool:
    """Whether a name refers to a class in a file."""
    return ".py:" in name


def load_class(name: str, base: type[T], what: str) -> type[T]:
    """A class in a file.

    Args:
        name: The file and the class, as in `./my_law.py:MyLaw`.
        base: What it must derive from.
        what: What it is, for messages: `law`, `robot`.

    Raises:
        ConfigError: The file or class does not exist, raises an error, or is of another kind.
    """
    file, _, class_name = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise ConfigError(f"there is no file {file} with a {what}")
    classes = _classes(path, base)
    found = classes.get(class_name)
    if found is None:
        others = ", ".join(classes) or "none"
        raise ConfigError(f"{file} has no {what} {class_name!r}; those in it: {others}")
    return found


def make(kind: type[T]) -> T:
    """An instance of a class without arguments.

    Raises:
        ConfigError: Its constructor raised an error.
    """
    try:
        return kind()
    except Exception as error:
        raise ConfigError(f"{kind.__name__}() failed: {type(error).__name__}: {error}") from error


def _classes(path: Path, base: type[T]) -> dict[str, type[T]]:
    """The classes with a base that a file defines."""
    module = _module(path.resolve(), path.stat().st_mtime_ns)
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, base)
        and value.__module__ == module.__name__
    }


@cache
def _module(path: Path, _changed: int) -> ModuleType:
    """The module of a file, run once for each change of it."""
    module_name = f"pliant_own_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # kernels and dataclasses look their module up by name
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ConfigError(f"{path} failed: {type(error).__name__}: {error}") from error
    return module
