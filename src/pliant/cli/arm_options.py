"""What the verbs that look at an arm have in common: which one, and its configuration."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.api.arm import Arm
from pliant.config import Config
from pliant.errors import ConfigError

_HISTORY = 60.0
_PICTURES = (".png", ".pdf", ".svg")


@dataclass
class ArmOptions:
    """Which arm."""

    robot: str = "sim:ur5e"
    """Which arm: sim:ur5e, sim:ur5e/table, …; attach for the controller that runs, or
    attach:NAME for one of several."""
    config: Path | None = None
    """A YAML file with parameters."""
    seed: int | None = None
    """Seed of everything random in the simulation."""
    json: bool = False
    """Print one JSON object."""

    @property
    def is_attached(self) -> bool:
        """Whether the arm belongs to a controller that runs already."""
        return self.robot.partition(":")[0] == "attach"

    def open(self) -> Arm:
        """The arm; it holds where it is.

        Raises:
            ConfigError: It runs already, and is to be configured otherwise.
        """
        if self.is_attached:
            if self.config or self.seed is not None:
                raise ConfigError(
                    f"--robot {self.robot} takes no --config or --seed: the controller that runs "
                    "has its own"
                )
            return Arm(self.robot, history=_HISTORY)
        return Arm(self.robot, config=self.config, seed=self.seed, history=_HISTORY)

    def base(self, arm: Arm) -> Config:
        """The configuration to build on: the arm's if it runs already, else the file's."""
        if self.is_attached:
            return arm.config
        return Config.from_yaml(self.config) if self.config else Config()


def write_config(config: Config, changes: dict[str, Any], file: Path) -> None:
    """Write a configuration with some values changed.

    Raises:
        ConfigError: It cannot be written there.
    """
    for path, value in changes.items():
        config = config.replace(path, value)
    try:
        file.write_text(config.to_yaml())
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from None


def check_picture(file: Path | None) -> None:
    """Refuse a picture that cannot be drawn, before the work and not after it."""
    if file and file.suffix not in _PICTURES:
        raise ConfigError(f"--plot writes {' or '.join(_PICTURES)}, not {file.name}")
    if file and not file.absolute().parent.is_dir():
        raise ConfigError(f"--plot: there is no folder {file.parent}")
