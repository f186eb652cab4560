"""Loads a user's law from a file: `./my_law.py:MyLaw`."""

import importlib.util
import sys
from pathlib import Path

from pliant.errors import ConfigError
from pliant.laws import Law

_MODULE = "pliant_own_law"


def is_law_file(name: str) -> bool:
    """Whether a name refers to a class in a file, not to a built-in law."""
    return ".py:" in name


def load_law(name: str) -> Law:
    """Make an instance of a law class in a file.

    Args:
        name: The file and the class, as in `./my_law.py:MyLaw`.

    Raises:
        ConfigError: The file or class does not exist, raises an error, or is not a law.
    """
    file, _, class_name = name.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise ConfigError(f"there is no file {file} with a law")
    classes = _classes(path)
    found = classes.get(class_name)
    if found is None:
        laws = ", ".join(classes) or "none"
        raise ConfigError(f"{file} has no law {class_name!r}; laws in it: {laws}")
    try:
        law = found()
    except Exception as error:
        raise ConfigError(f"{class_name}() failed: {type(error).__name__}: {error}") from error
    if not isinstance(getattr(law, "name", None), str):
        raise ConfigError(f"the law {class_name} needs a name")
    return law


def _classes(path: Path) -> dict[str, type[Law]]:
    """The law classes that a file defines."""
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # kernels and dataclasses look their module up by name
    sys.modules[_MODULE] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ConfigError(f"{path} failed: {type(error).__name__}: {error}") from error
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Law) and value.__module__ == _MODULE
    }
