"""An arm that moves and presses on a table: what faults and misbehaving laws are tried on."""

import random
from collections.abc import Callable, Sequence

import numpy as np

from pliant.commands.line_protocol import parse
from pliant.controller.arm_config import configure
from pliant.errors import PliantError
from pliant.laws import Law
from pliant.loop.simulated_loop import SimulatedLoop
from pliant.tick import Rows

from .tick_checks import TickChecks, check_rest

SPECS = ("sim:ur5e/table", "sim:panda/table", "sim:fr3/table")
_CONFIG = {"wrench": {"zero_time": 0.05}}


class MovingArm:
    """A simulated arm whose ticks are all kept and checked at the end.

    Attributes:
        loop: Its loop.
        robot: Its robot.
        rows: All ticks.
    """

    def __init__(self, spec: str, dice: random.Random, laws: Sequence[Law] = ()) -> None:
        config = configure(spec, _CONFIG, dice.getrandbits(31), laws)
        simulated = SimulatedLoop(spec, config, laws)
        self._simulated = simulated
        self.loop, self.robot = simulated.loop, simulated.robot
        self.rows: list[Rows] = []

    def give(self, *lines: str) -> None:
        """Give commands; what is refused is refused."""
        for line in lines:
            try:
                self._simulated.give(parse(line))
            except PliantError:
                continue

    def run(self, seconds: float, until: Callable[[Rows], bool] = lambda _: False) -> None:
        """Run for a time, or until something is so."""
        for _ in range(round(seconds / self.robot.dt)):
            self.rows.append(self.loop.step().copy())
            if until(self.rows[-1]):
                return

    def zero(self) -> None:
        """Zero the sensor."""
        self.give("ZERO")
        self.run(0.1)

    def press(self, law: str, force: float) -> None:
        """Go down to the table until it is felt, and press and slide on it."""
        self.zero()
        self.give(f"LAW {law}", "RELD 0 0 -0.06 0 0 0 world")
        self.run(2.0, until=lambda row: row["true_f_peak"].item() > 2.0)
        self.give("AXIS 0 0 1 0 0 0", f"WRENCH 0 0 {force!r} 0 0 0 world")
        self.give("JOG 0.05 0.05 0 0 0 0 world 2.0")
        self.run(0.1)

    def check(
        self, *, broken_sensor: bool = False, broken_law: bool = False, at_rest: bool = True
    ) -> None:
        """Check all ticks, and that the arm rests in the last of them.

        Raises:
            Finding: Something is not as it must be.
        """
        rows, arm = np.concatenate(self.rows), self.robot.description
        speed = self.loop.supervisor.config.safety.tool_speed
        TickChecks(arm, speed, broken_sensor=broken_sensor, broken_law=broken_law).check(rows)
        if at_rest:
            check_rest(rows, arm)
