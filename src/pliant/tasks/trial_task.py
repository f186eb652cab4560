"""A task that can be tried many times: its parameters, and one trial of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from pliant.errors import ConfigError, UnknownNameError

Law = Literal["uniform", "disc"]
"""How a range is drawn: evenly, or as the length of a vector that is even over a disc."""


@dataclass(frozen=True, kw_only=True)
class TrialParameter:
    """One parameter of a task, in the units of the command line.

    Attributes:
        default: Its value if none is given.
        low: Smallest value.
        high: Largest value.
        unit: Its unit.
        doc: Its meaning.
        law: How a range of it is drawn.
    """

    default: float
    low: float
    high: float
    unit: str
    doc: str
    law: Law = "uniform"

    def check(self, name: str, value: float) -> None:
        """Refuse a value out of bounds.

        Raises:
            ConfigError: It is.
        """
        if not self.low <= value <= self.high:
            option = name.replace("_", "-")
            raise ConfigError(
                f"--{option} must be {self.low:g} to {self.high:g} {self.unit}, not {value:g}"
            )


def with_defaults(
    parameters: Mapping[str, TrialParameter], params: Mapping[str, float]
) -> dict[str, float]:
    """The values of a trial, with the defaults of those that are not given."""
    return {name: parameter.default for name, parameter in parameters.items()} | dict(params)


class Trial(Protocol):
    """One trial, a function of its parameters, its seed and the arm alone."""

    def __call__(
        self,
        params: Mapping[str, float],
        seed: int,
        robot: str,
        *,
        record: Path | None = None,
        plot: Path | None = None,
    ) -> dict[str, Any]:
        """Run it.

        Args:
            params: A value for each parameter, and for any further name that it accepts.
            seed: Seed of everything random.
            robot: The arm.
            record: File for a recording of it.
            plot: File for a picture of it.

        Returns:
            Its figures: numbers, truth values and texts by name, always the same names.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class TrialTask:
    """A task that can be tried many times.

    Attributes:
        name: Its name.
        doc: What it does, in a sentence.
        robot: The arm by default.
        parameters: Its parameters by name.
        run: One trial.
        success: The figure that says whether a trial succeeded.
        figures: The figures that are numbers with a unit, which tuning can make small.
        further: Checks a name that is no parameter, such as one of the strategy's own figures.
        laws: One trial under each law that can be chosen.
    """

    name: str
    doc: str
    robot: str
    parameters: Mapping[str, TrialParameter]
    run: Trial
    success: str
    figures: tuple[str, ...]
    further: Callable[[str], bool] = lambda _: False
    laws: Mapping[str, Trial] = field(default_factory=dict)

    def under(self, law: str | None) -> Trial:
        """One trial under a law, or under the usual one.

        Raises:
            UnknownNameError: The law cannot be chosen.
        """
        if law is not None and law not in self.laws:
            raise UnknownNameError("law of this task", law, list(self.laws))
        return self.run if law is None else self.laws[law]

    def check(self, params: Mapping[str, float]) -> None:
        """Refuse unknown names and values out of bounds.

        Raises:
            UnknownNameError: A name is unknown.
            ConfigError: A value is out of bounds.
        """
        for name, value in params.items():
            if name in self.parameters:
                self.parameters[name].check(name, value)
            elif not self.further(name):
                raise UnknownNameError("parameter", name, list(self.parameters))
