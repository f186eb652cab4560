"""Teach a motion by hand: the arm floats, and what it is led through is written down."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ConfigError
from pliant.tick import Tick

_RATE = 200.0


def teach(arm: Arm, file: str | Path, until: Callable[[Tick], bool], longest: float = 600.0) -> int:
    """Let the arm float and write its motion to a file, until told to stop; then it holds.

    Args:
        arm: A torque arm.
        file: Where to: a .csv that `reference.playback.file` takes.
        until: Looks at every tick and says when to stop.
        longest: When to stop in any case, s.

    Returns:
        How many samples were written.

    Raises:
        ConfigError: The file cannot be written.
        Refused: The arm cannot float.
    """
    path = Path(file)
    if path.suffix != ".csv":
        raise ConfigError(f"a motion is taught to a .csv, not to {path.name}")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent}")
    arm.use_preset("gravity")
    every = max(1, round(1.0 / (_RATE * arm.dt)))
    samples = []
    for tick in arm.ticks(longest):
        if (tick.k - 1) % every == 0:
            # what the motion took: the arm's torque and the hand's
            samples.append(np.concatenate([[tick.time], tick.q, tick.tau + tick.tau_ext]))
        if until(tick):
            break
    arm.deactivate()
    write_motion(path, np.array(samples))
    return len(samples)


def write_motion(path: Path, samples: np.ndarray) -> None:
    """Write rows of time, positions and torques with gravity as a table with named columns.

    Raises:
        ConfigError: The file cannot be written.
    """
    n = (samples.shape[1] - 1) // 2
    names = ["time", *(f"q_{j}" for j in range(n)), *(f"tau_{j}" for j in range(n))]
    try:
        np.savetxt(path, samples, fmt="%.9g", delimiter=",", header=",".join(names), comments="")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
