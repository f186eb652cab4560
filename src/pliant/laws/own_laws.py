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
    check_law(law)
    return law


def check_law(law: Law) -> None:
    """Refuse what is no law, or an unfinished one.

    Raises:
        ConfigError: It is; the message says what is missing.
    """
    if not isinstance(law, Law):
        raise ConfigError(
            f"laws are instances of classes that derive from pliant.PoseLaw or pliant.TorqueLaw, "
            f"not {law!r}"
        )
    kind = type(law)
    if not hasattr(kind, "name"):
        raise ConfigError(f"the law {kind.__name__} needs a name")
    if kind.kernel is None and kind.update is Law.update:
        raise ConfigError(
            f"the law {law.name} needs a method update(self, prev, tick), or a kernel"
        )
