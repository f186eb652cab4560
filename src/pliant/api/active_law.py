"""`arm.law`: the active law and its parameters, whatever law it is."""

from collections.abc import Callable
from typing import Any

from pliant.config import names_of
from pliant.errors import UnknownAttributeError, UnknownNameError
from pliant.params import Params, shortened

_SHOWN = 3
"""How many parameters are shown beside those that differ from their defaults."""


class ActiveLaw:
    """A law that is active, by its name; its parameters are attributes.

    `arm.law.stiffness` is in force now; `arm.law.stiffness = …` changes it without a jump, and
    `arm.law.set(stiffness=…, damping=…)` several at once. It equals its name:
    `arm.law == "hybrid_admittance"`.

    Attributes:
        name: The name of the law.
    """

    name: str

    def __init__(
        self,
        name: str,
        parameters: Callable[[], Params],
        change: Callable[[str, dict[str, Any]], Any],
    ) -> None:
        """Take hold of a law.

        Args:
            name: The name of the law.
            parameters: Returns its parameters that are in force.
            change: Changes a path of the configuration.
        """
        self.__dict__.update(name=name, _parameters=parameters, _change=change)

    @property
    def parameters(self) -> Params:
        """All its parameters, as they are in force."""
        return self._parameters()

    def set(self, **parameters: Any) -> None:
        """Change parameters, all at once and without a jump.

        Raises:
            UnknownNameError: The law has no such parameter.
            Refused: A value cannot work; nothing has changed.
        """
        now, names = self.parameters, names_of(self.parameters)
        for name in parameters:
            if name not in names:
                raise UnknownNameError(f"parameter of {self.name}", name, names)
        values = {name: getattr(now, name) for name in names} | parameters
        self._change(f"laws.{self.name}", values)

    def __getattr__(self, name: str) -> Any:
        parameters = self.parameters
        if name not in names_of(parameters):
            raise UnknownAttributeError(f"parameter of {self.name}", name, names_of(parameters))
        return getattr(parameters, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in names_of(self.parameters):
            names = names_of(self.parameters)
            raise UnknownAttributeError(f"parameter of {self.name}", name, names)
        self.set(**{name: value})

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *names_of(self.parameters)]

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, ActiveLaw) else other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        shown = shortened(self.parameters, _SHOWN)
        return f"<law {self.name}{': ' if shown else ''}{shown}>"
