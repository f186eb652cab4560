"""Memory and descriptors of a process, as the kernel counts them."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

_MB = 1024.0


@dataclass(frozen=True)
class Footprint:
    """Memory, MB, and number of open descriptors.

    Attributes:
        memory: Memory in use.
        peak: The most since the last `forget_peak`.
        descriptors: Open descriptors.
    """

    memory: float
    peak: float
    descriptors: int


def footprint(pid: int | str = "self") -> Footprint:
    """The footprint of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}
    return Footprint(
        memory=int(sizes["VmRSS"]) / _MB,
        peak=int(sizes["VmHWM"]) / _MB,
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),
    )


def forget_peak() -> None:
    """Count the peak of this process from now on, where the kernel lets it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
