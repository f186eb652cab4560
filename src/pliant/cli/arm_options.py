"""Options shared by the verbs that examine an arm."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.api.arm import Arm
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.extras import require
from pliant.robots.registry import is_simulated

_HISTORY = 60.0
_PLOT_FORMATS = (".png", ".pdf", ".svg")


@dataclass
class ArmOptions:
    """The arm and its configuration."""

    robot: str = "sim:ur5e"
    """The arm: sim:ur5e, sim:ur5e/table, … (`pliant scenes` lists them); ur:HOST or franka:HOST for
    a real one; or attach for the running controller, attach:NAME for one of several."""
    config: Path | None = None
    """A YAML file with parameters."""
    seed: int | None = None
    """Random seed of the simulation."""
    json: bool = False
    """Print one JSON object."""

    @property
    def is_attached(self) -> bool:
        """Whether the arm belongs to a running controller."""
        return self.robot.partition(":")[0] == "attach"

    def open(self) -> Arm:
        """Open the arm; it holds its position.

        Raises:
            ConfigError: The arm belongs to a running controller, but a configuration was given.
        """
        if self.is_attached:
            if self.config or self.seed is not None:
                raise ConfigError(
                    f"--robot {self.robot} takes no --config or --seed: the running controller "
                    "has its own"
                )
            return Arm(self.robot, history=_HISTORY)
        clock = None if is_simulated(self.robot) else "real"
        return Arm(self.robot, clock=clock, config=self.config, seed=self.seed, history=_HISTORY)

    def base(self, arm: Arm) -> Config:
        """The configuration to change: the running controller's, or else the file's."""
        if self.is_attached:
            return arm.config
        return Config.from_yaml(self.config) if self.config else Config()


def write_config(config: Config, changes: dict[str, Any], file: Path) -> None:
    """Write a configuration with some values changed.

    Raises:
        ConfigError: The file cannot be written.
    """
    for path, value in changes.items():
        config = config.replace(path, value)
    try:
        file.write_text(config.to_yaml())
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from None


def check_plot_file(file: Path | None) -> None:
    """Refuse a plot file that cannot be written, before the work rather than after it."""
    if file and file.suffix not in _PLOT_FORMATS:
        raise ConfigError(f"--plot writes {' or '.join(_PLOT_FORMATS)}, not {file.name}")
    if file and not file.absolute().parent.is_dir():
        raise ConfigError(f"--plot: no such folder: {file.parent}")
    if file:
        require("plot")
