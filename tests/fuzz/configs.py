"""Hostile configurations: refused in a sentence, or such that every arm keeps its limits."""

import random
import traceback
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from pliant.commands.line_protocol import parse
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.errors import PliantError
from pliant.loop.simulated_loop import SimulatedLoop

from .arm_commands import ArmCommands
from .config_paths import any_value, leaves, likely
from .hostile import damaged_text, nested, spoiled, value
from .kind import Finding, Tally, each
from .tick_checks import TickChecks

_ARMS = ("sim:ur5e", "sim:panda", "sim:fr3")
_TICKS = 60


class Configs:
    """Runs whatever configuration is accepted, on each arm."""

    def __init__(self, folder: Path) -> None:
        self._default: dict[str, Any] = Config().model_dump(round_trip=True, mode="json")
        self._folder = folder

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Make configurations, and run those that are accepted."""

        def use() -> bool:
            text = self._text(dice)
            try:
                return self._use(text, dice)
            except Exception as error:
                raise Finding(f"{_told(error)}: with {text[:1500]!r}") from error

        return each(count, use)

    def _text(self, dice: random.Random) -> str:
        choice = dice.random()
        if choice < 0.03:
            return nested(dice) + "\n"
        if choice < 0.1:
            return f"{value(dice, 5)!r}\n"
        if choice < 0.25:
            whole = yaml.safe_dump(self._default)
            return damaged_text(dice, whole) + "\n"
        if choice < 0.35:
            return yaml.safe_dump(spoiled(dice, self._default)) + "\n"
        return yaml.safe_dump(self._some(dice)) + "\n"

    def _some(self, dice: random.Random) -> dict[str, Any]:
        """Some parameters, most of them with values that may be accepted."""
        values: dict[str, Any] = {}
        for path in dice.choices(leaves(), k=dice.choice((1, 1, 2, 4, 12))):
            *parents, last = path.split(".")
            now = reduce(lambda node, name: node[name], [*parents, last], self._default)
            node = reduce(lambda part, name: part.setdefault(name, {}), parents, values)
            node[last] = likely(dice, now) if dice.random() < 0.5 else any_value(dice, now)
        return values

    def _use(self, text: str, dice: random.Random) -> bool:
        """Run a configuration; False if it was refused in a sentence."""
        if dice.random() < 0.1:
            file = self._folder / "config.yaml"
            file.write_text(text, errors="replace")
            source: str | Path = file
        else:
            source = text
        ran = False
        for spec in _ARMS:
            try:
                self._run(spec, source, dice)
                ran = True
            except PliantError as error:
                if not str(error).strip():
                    raise Finding(f"{type(error).__name__} says nothing") from error
        return ran

    def _run(self, spec: str, source: str | Path, dice: random.Random) -> None:
        """Run some ticks, with commands."""
        simulated = SimulatedLoop(spec, configure(spec, source, None))
        loop, arm = simulated.loop, simulated.robot.description
        # an arm may start anywhere, and its scene may push it
        checks = TickChecks(arm, loop.supervisor.config.safety.tool_speed, overpowered=True)
        commands = ArmCommands(arm, loop.supervisor.law_names)
        rows = []
        try:
            for k in range(_TICKS):
                if k % 6 == 0:
                    self._command(simulated, commands, dice)
                speed = loop.supervisor.config.safety.tool_speed
                checks.tool_speed = max(checks.tool_speed, speed)
                rows.append(loop.step().copy())
        finally:
            if rows:
                checks.check(np.concatenate(rows))
            simulated.robot.close()

    @staticmethod
    def _command(simulated: SimulatedLoop, commands: ArmCommands, dice: random.Random) -> None:
        supervisor = simulated.loop.supervisor
        line = commands.line(dice, simulated.row, supervisor.config)
        if not line.startswith("PUSH"):
            try:
                simulated.give(parse(line))
            except PliantError:
                return


def _told(error: Exception) -> str:
    """An exception that is nobody's sentence, with the place where it was raised."""
    if isinstance(error, Finding):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} {error} at {Path(place.filename).name} {place.name}"
