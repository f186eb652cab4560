"""The contact of the tool's tip with the fixture, and what a scene adds to a physics step."""

from abc import ABC, abstractmethod

import mujoco
import numpy as np

from pliant.numerics.spatial import Array


class Contact(ABC):
    """One contact of tip and fixture in a compiled world.

    Attributes:
        side: Side force in the last physics step, N; NaN if it is the net force.
    """

    side: Array

    @abstractmethod
    def before_step(self) -> None:
        """Place the contact for the next physics step."""

    def step(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advance the physics by one step."""
        mujoco.mj_step(model, data)

    @abstractmethod
    def after_step(self) -> None:
        """Evaluate the last physics step."""

    @abstractmethod
    def series(self, stiffness: float) -> float:
        """The stiffness of the springs with which fixture and contact have this one, N/m."""


class NoContact(Contact):
    """A scene without a fixture."""

    def __init__(self) -> None:
        self.side = np.full(1, np.nan)

    def before_step(self) -> None:
        """Do nothing."""

    def after_step(self) -> None:
        """Do nothing."""

    def series(self, stiffness: float) -> float:
        """No contact adds compliance."""
        return stiffness
