"""The supervisor stage: what was commanded, and the transitions that need no command."""

from collections.abc import Sequence

import numpy as np

from pliant.numerics.kernels import Direct
from pliant.params import row_of
from pliant.reasons import Reason
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.config import SupervisorConfig
from pliant.stages.supervisor.explain import write_reason
from pliant.stages.supervisor.reason_text import write_text
from pliant.stages.supervisor.states import (
    State,
    SupervisorParams,
    copy_commanded,
    decide,
    enter,
    supervise,
)
from pliant.stages.supervisor.wishes import Wishes
from pliant.tick import Rows, stage_span


class SupervisorStage:
    """Copies what was commanded from the previous row, then takes over the wishes.

    Attributes:
        wishes: What commands ask of the next tick; empty again after it.
        rows: What the kernel takes beside the ticks.
    """

    def __init__(
        self,
        config: SupervisorConfig,
        safety: SafetyConfig,
        needs_force: Sequence[bool],
        n: int,
    ) -> None:
        """Make the stage.

        Args:
            config: The parameters.
            safety: The limits of safety, named in the reasons for a stop.
            needs_force: For each law, whether it may only run while the wrench is `READY`.
            n: Number of joints.
        """
        self.wishes = Wishes()
        self._needs_force = np.array(needs_force, dtype=np.bool_)
        self._span = stage_span("supervisor", n)
        self._supervise, self._copy, self._decide = (
            Direct(supervise),
            Direct(copy_commanded),
            Direct(decide),
        )
        self.configure(config, safety)

    def configure(self, config: SupervisorConfig, safety: SafetyConfig) -> None:
        """Take new parameters; they hold from the next tick."""
        start, end = self._span
        params = SupervisorParams(stop_time=config.stop_time, start=start, end=end)
        self.rows = (row_of(vars(params)), self._needs_force)
        self._safety = safety

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the supervisor's columns of this tick."""
        if self.wishes.empty:
            changed = self._supervise.call(prev, tick, *self.rows)
        else:
            self._copy.call(prev, tick, self.rows[0])
            self.wishes.write(tick)
            changed = self._decide.call(prev, tick, *self.rows, self.wishes.new_limits)
            self.wishes = Wishes()
        if changed:
            self.explain(prev, tick)

    def explain(self, prev: Rows, tick: Rows) -> None:
        """Write the new reason of this tick in words."""
        write_reason(prev, tick, self._safety)

    def fail(self, prev: Rows, tick: Rows, text: str) -> None:
        """Enter the fault state because something in the loop raised."""
        self._copy.call(prev, tick, self.rows[0])
        self.wishes = Wishes()
        if prev["reason"].item() != Reason.EXCEPTION:
            enter(tick, State.FAULT.value, Reason.EXCEPTION.value)
        write_text(tick, text)
