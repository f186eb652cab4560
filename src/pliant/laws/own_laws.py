"""Laws in users' files: `./my_law.py:MyLaw`."""

from pliant.errors import ConfigError
from pliant.laws import Law
from pliant.user_file import load_class, make


def load_law(name: str) -> Law:
    """Make an instance of a law class in a file.

    Args:
        name: The file and the class, as in `./my_law.py:MyLaw`.

    Raises:
        ConfigError: The file or class does not exist, raises an error, or is not a law.
    """
    law = make(load_class(name, Law, "law"))
    if not isinstance(getattr(law, "name", None), str):
        raise ConfigError(f"the law {type(law).__name__} needs a name")
    return law
