"""Parameters of the contact stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np

from pliant.arms.contact import ContactConfig
from pliant.arms.description import ArmDescription
from pliant.params import KernelParams
from pliant.tick import IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class ContactParams(KernelParams):
    """Parameters of the stage.

    Attributes:
        lag: Lag of the arm until it has moved, s.
        cutoff: Cut-off of the wrench's filter, Hz.
        filter_time: Its time constant, s.
        observes: Whether swings raise damping and inertia.
        needs_force: For each law, whether it reads force.
        hand_kind: Kind of the reference that follows a hand.
    """

    lag: float
    cutoff: float
    filter_time: float
    observes: bool
    needs_force: IntArray
    hand_kind: int


def contact_params(
    config: ContactConfig,
    arm: ArmDescription,
    cutoff: float,
    needs_force: Sequence[bool],
    most_laws: int,
    hand_kind: int,
) -> np.ndarray:
    """The parameters of the stage, as a row.

    Args:
        config: What is known of contacts.
        arm: The arm's parameters.
        cutoff: Cut-off of the wrench's filter, Hz.
        needs_force: For each law, by its index, whether it reads force.
        most_laws: How many laws the row has room for.
        hand_kind: Kind of the reference that follows a hand.
    """
    dead = arm.dead_time if config.dead_time is None else config.dead_time
    lag = arm.time_constant if config.time_constant is None else config.time_constant
    by_law = np.zeros(most_laws, np.int64)
    by_law[: len(needs_force)] = needs_force
    return ContactParams(
        lag=dead + lag,
        cutoff=cutoff,
        filter_time=1.0 / (2.0 * pi * cutoff),
        observes=config.observe_oscillation,
        needs_force=by_law,
        hand_kind=hand_kind,
    ).row()
