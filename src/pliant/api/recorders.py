"""`pliant.record(arm, file)`: record what an arm does from now on."""

from pathlib import Path

from pliant.api.arm import Arm
from pliant.api.session import Recorder


def record(arm: Arm, file: str | Path) -> Recorder:
    """Record every tick of an arm, and every command, from now on.

    The recording ends with the context, with `close()`, or with the arm. A full disk ends it too,
    while the arm goes on; ending the recording then raises.

    Example:
        >>> with Arm("sim:ur5e/table") as arm, record(arm, "press.mcap"):
        ...     arm.wait(1.0)

    Raises:
        RecordingError: The file exists already, or cannot be written.
    """
    return arm.session.record(Path(file))
