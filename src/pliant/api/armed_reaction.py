"""A condition that a program has armed, and its reaction."""

import numpy as np

from pliant import commands as c
from pliant.api.session import Session
from pliant.stages.supervisor.conditions import Condition
from pliant.stages.supervisor.reaction import Reaction


class ArmedReaction:
    """What `arm.on` returns.

    Attributes:
        number: Its number, from 1; of several that hold in one tick the lowest acts.
        condition: The condition.
        reaction: The reaction.
    """

    def __init__(
        self, session: Session, number: int, condition: Condition, reaction: Reaction, since: int
    ) -> None:
        """Make the handle of an armed condition.

        Args:
            session: The session with the arm.
            number: Its number.
            condition: The condition.
            reaction: The reaction.
            since: The last tick before it was armed.
        """
        self.number, self.condition, self.reaction = number, condition, reaction
        self._session, self._since = session, since
        self._held: int | None = None
        self._is_over = False

    @property
    def fired(self) -> bool:
        """Whether the condition has held."""
        return self.tick is not None

    @property
    def tick(self) -> int | None:
        """Number of the tick in which the condition held; None if it has not."""
        if self._held is None and not self._is_over:
            held = abs(int(self._session.row["reaction_k"][0][self.number - 1]))
            self._held = held if held > self._since else None
        return self._held

    def look_back(self) -> None:
        """Look whether it held before its number was given to another."""
        if self._held is None:
            held = np.abs(self._session.history["reaction_k"][:, self.number - 1])
            ticks = held[(held > self._since) & (held <= self._session.history["k"])]
            self._held = int(ticks.min()) if len(ticks) else None
        self._is_over = True

    def cancel(self) -> None:
        """Disarm the condition, unless it has held already."""
        if not self.fired and not self._is_over:
            self._session.take(c.Disarm(number=self.number))
            self.look_back()

    def __repr__(self) -> str:
        state = f"held in tick {self.tick}" if self.fired else "has not held"
        return f"<Reaction {self.number}: {self.condition}: {self.reaction}; {state}>"
