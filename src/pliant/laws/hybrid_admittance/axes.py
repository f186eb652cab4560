"""Force-controlled axes: from names or a mask to the matrix Tr and their number n_af."""

from collections.abc import Sequence

import numpy as np

from pliant.errors import ConfigError, Refused, UnknownNameError
from pliant.numerics.spatial import Array
from pliant.params import AXES

Mask = Sequence[bool] | Sequence[int] | Sequence[float]


def mask_from_names(names: str) -> list[bool]:
    """The mask of axes given as "z" or "x y rz".

    Raises:
        Refused: There is no such axis.
    """
    wanted = names.replace(",", " ").split()
    for name in wanted:
        if set(name) <= set("xyz") and len(name) > 1:
            raise Refused(f"write a space between axes: {' '.join(name)!r}, not {name!r}")
        if name not in AXES:
            raise UnknownNameError("axis", name, list(AXES))
    return [axis in wanted for axis in AXES]


def axes_from_mask(mask: Mask) -> tuple[Array, int]:
    """Tr and n_af of a mask: the selected axes first, then the others, each in order.

    Raises:
        ConfigError: The mask does not have six entries.
    """
    chosen = [bool(value) for value in mask]
    if len(chosen) != 6:
        raise ConfigError(f"an axis mask has six entries, {' '.join(AXES)}, not {len(chosen)}")
    order = [i for i in range(6) if chosen[i]] + [i for i in range(6) if not chosen[i]]
    return np.eye(6)[order], sum(chosen)
