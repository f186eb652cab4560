"""Parameters: validated models for users, and the rows that kernels take, derived from them.

A stage declares its parameters once, as a frozen pydantic model with units, bounds and meaning.
`params_row` turns an instance into a one-row structured array with the same names, computed
fields included, so a kernel annotated with `Row[WrenchConfig]` reads `p[0].cutoff`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
)
from pydantic_core import CoreSchema, core_schema

from pliant.errors import ConfigError, UnknownAttributeError
from pliant.tick import MOST_JOINTS

Frame = Literal["tool", "world"]

ForceFrame = Literal["tool", "world", "task"]
"""Axes of force control; the task frame is one of the user's own."""

LARGEST, SMALLEST = 1e6, 1e-9
"""Largest magnitude of a number, and smallest one that must not be zero, in SI units.

Far beyond use, and such that no product of a few of them overflows. Fields may have other bounds.
"""

AXES = ("x", "y", "z", "rx", "ry", "rz")
"""Names of the axes of a pose, twist or wrench, in their order."""


class Params(BaseModel):
    """Base of all parameter models: frozen, keyword-only, finite, no unknown names.

    Only a `Limit` may be infinite, which turns it off.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        allow_inf_nan=False,
        ser_json_inf_nan="constants",
        defer_build=True,
    )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"parameters do not change ({name}): make others, or change those of a running arm by "
            "arm.set(path, value) or arm.law.set(name=value)"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(self)}>"

    __str__ = __repr__

    if not TYPE_CHECKING:  # pyright then still finds names that do not exist

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("_"):
                    raise
                names = [*type(self).model_fields, *type(self).model_computed_fields]
                raise UnknownAttributeError("parameter", name, names) from None


def shortened(params: BaseModel, most: int | None = None) -> str:
    """Names and values of parameters in one line; a section only by its name.

    Args:
        params: The parameters.
        most: How many to show, beside those that differ from their defaults; all if None.
    """
    defaults = _defaults(type(params))
    parts = []
    for number, (name, value) in enumerate(params):
        if most is None or number < most or value != defaults.get(name, value):
            parts.append(name if isinstance(value, BaseModel) else f"{name} {_brief(value)}")
    left_out = len(list(params)) - len(parts)
    return ", ".join(parts) + (f", and {left_out} more" if left_out else "")


def _defaults(kind: type[BaseModel]) -> dict[str, Any]:
    if any(field.is_required() for field in kind.model_fields.values()):
        return {}
    return dict(kind())


def _brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if not isinstance(value, list | tuple):
        return str(value)
    if len(value) == 6 and len({*value[:3]}) == len({*value[3:]}) == 1:
        # as it may be given: (translation, rotation)
        value = (value[0], value[3])
    return f"({', '.join(map(_brief, value))})"


def param(default: Any, unit: str, doc: str, **bounds: Any) -> Any:
    """A field with its unit, meaning and bounds."""
    return Field(default, description=doc, json_schema_extra={"unit": unit}, **bounds)


def _six(value: Any) -> Any:
    """Expand (translation, rotation) to six axes."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple) and len(value) == 2:
        return (value[0],) * 3 + (value[1],) * 3
    if not isinstance(value, list | tuple) or len(value) != 6:
        raise ValueError(
            f"give six values {' '.join(AXES)}, or a pair (translation, rotation), as a list: "
            "[10, 1]"
        )
    return value


def six_numbers(value: Any) -> Any:
    """Six numbers as a list; a pair would leave open which."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 6:
        given = f"{len(value)}" if isinstance(value, list | tuple) else repr(value)
        raise ValueError(f"give six numbers as a list, not {given}")
    return value


@dataclass(frozen=True)
class Within:
    """Bounds that hold beside those of a field.

    With `Field` in a type, its bounds would replace those of a field of that type.

    Attributes:
        low: Lowest value.
        high: Highest value.
        or_infinite: Whether infinity is accepted too.
    """

    low: float
    high: float
    or_infinite: bool = False

    def check(self, value: float) -> float:
        """The value, if it is within the bounds."""
        if self.low <= value <= self.high or (self.or_infinite and value == inf):
            return value
        more = " or infinite" if self.or_infinite else ""
        raise ValueError(f"{value:g} is not within {self.low:g} to {self.high:g}{more}")

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        json = handler(schema)
        if "exclusiveMinimum" not in json:
            json.setdefault("minimum", self.low)
        if self.or_infinite:
            json["infinite"] = True
        else:
            json.setdefault("maximum", self.high)
        return json


Number = Annotated[float, Within(-LARGEST, LARGEST)]
NonNegative = Annotated[float, Within(0.0, LARGEST)]
Positive = Annotated[float, Within(SMALLEST, LARGEST)]
Limit = Annotated[float, Field(allow_inf_nan=True), Within(SMALLEST, LARGEST, or_infinite=True)]
"""A limit that infinity turns off."""

Pair = tuple[Positive, Positive]
LimitPair = tuple[Limit, Limit]
"""One value for translation, one for rotation."""

Vector3 = tuple[Number, Number, Number]

Vector = NDArray[np.float64] | tuple[float, ...]
"""A tuple of numbers in a model; in the row that a kernel takes it is an array."""

Six = Annotated[
    tuple[Number, Number, Number, Number, Number, Number],
    BeforeValidator(six_numbers),
]
"""Six numbers of a motion or a wrench, along and about x y z."""

SixNonNegative = Annotated[
    tuple[NonNegative, NonNegative, NonNegative, NonNegative, NonNegative, NonNegative],
    BeforeValidator(_six),
]
SixPositive = Annotated[
    tuple[Positive, Positive, Positive, Positive, Positive, Positive],
    BeforeValidator(_six),
]
"""Six values, x y z rx ry rz; a pair (translation, rotation) is expanded to them."""


_EachJoint = Field(max_length=MOST_JOINTS)
JointVector = Annotated[tuple[Number, ...], _EachJoint]
"""One number for each joint."""

PerJoint = Number | JointVector
PerJointNonNegative = NonNegative | Annotated[tuple[NonNegative, ...], _EachJoint]
PerJointPositive = Positive | Annotated[tuple[Positive, ...], _EachJoint]
"""One value per joint, or one for all joints."""


def per_joint(value: PerJoint, n: int, name: str) -> NDArray[np.float64]:
    """One value per joint.

    Raises:
        ConfigError: The number of values is neither 1 nor n.
    """
    values = np.atleast_1d(np.array(value, dtype=np.float64))
    if values.size not in (1, n):
        raise ConfigError(f"{name}: give one number, or {n}, one per joint, not {values.size}")
    return np.broadcast_to(values, (n,)).copy()


def spread(translation: float, rotation: float) -> tuple[float, float, float, float, float, float]:
    """Six values from one for translation and one for rotation."""
    return (translation, translation, translation, rotation, rotation, rotation)


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelParams:
    """Base of parameters that are computed from a configuration or an arm, for a kernel.

    A subclass is a dataclass with the same options. A kernel annotated with `Row[JointLimits]`
    reads the fields of the row by their names.
    """

    def row(self) -> np.ndarray:
        """The fields as a one-row structured array."""
        return row_of(vars(self))


def params_row(params: BaseModel) -> np.ndarray:
    """The numeric fields of a model, computed fields included, as a one-row structured array."""
    names = [*type(params).model_fields, *type(params).model_computed_fields]
    return row_of({name: getattr(params, name) for name in names})


def row_of(values: Mapping[str, Any]) -> np.ndarray:
    """A one-row structured array of those values that are numbers, sequences of them, or rows."""
    arrays = {name: _as_array(value) for name, value in values.items()}
    kept = {name: array for name, array in arrays.items() if array is not None}
    row = np.zeros(1, _row_dtype(tuple((name, a.dtype, a.shape) for name, a in kept.items())))
    for name, array in kept.items():
        row[name] = array
    return row


def _as_array(value: Any) -> np.ndarray | None:
    if isinstance(value, str | BaseModel | Mapping) or value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind == "V":
        return array
    if array.dtype.kind not in "bif":
        return None
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


@cache
def _row_dtype(fields: tuple[tuple[str, np.dtype, tuple[int, ...]], ...]) -> np.dtype:
    # memoised: Numba is much slower with an equal but distinct dtype object
    return np.dtype((np.record, np.dtype(list(fields), align=True)))
