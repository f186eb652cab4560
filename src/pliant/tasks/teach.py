"""Records a motion while the arm floats and is guided by hand."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import ConfigError
from pliant.tick import Tick

_RATE = 200.0


def teach(arm: Arm, file: str | Path, until: Callable[[Tick], bool], longest: float = 600.0) -> int:
    """Let the arm float and write its motion to a file; afterwards it holds.

    Args:
        arm: A torque-controlled arm.
        file: The .csv file to write, in the format of `reference.playback.file`.
        until: Called with every tick; returns True to stop.
        longest: Longest recording time, s.

    Returns:
        Number of samples written.

    Raises:
        ConfigError: The file cannot be written.
        Refused: The arm cannot float.
    """
    path = Path(file)
    if path.suffix != ".csv":
        raise ConfigError(f"a taught motion is written to a .csv file, not to {path.name}")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"no such folder: {path.parent}")
    arm.use_preset("gravity")
    every = max(1, round(1.0 / (_RATE * arm.dt)))
    samples = []
    for tick in arm.ticks(longest):
        if (tick.k - 1) % every == 0:
            # the torque that the motion required: the arm's plus the hand's
            samples.append(np.concatenate([[tick.time], tick.q, tick.tau + tick.tau_ext]))
        if until(tick):
            break
    arm.deactivate()
    write_motion(path, np.array(samples))
    return len(samples)


def write_motion(path: Path, samples: np.ndarray) -> None:
    """Write rows of time, positions and torques (gravity included) as a CSV file with a header.

    Raises:
        ConfigError: The file cannot be written.
    """
    n = (samples.shape[1] - 1) // 2
    names = ["time", *(f"q_{j}" for j in range(n)), *(f"tau_{j}" for j in range(n))]
    try:
        np.savetxt(path, samples, fmt="%.9g", delimiter=",", header=",".join(names), comments="")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
