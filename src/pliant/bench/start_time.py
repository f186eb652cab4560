"""Import times."""

import subprocess
import sys
from statistics import median

from pliant.bench.figure import Figure

_PROGRAM = "from time import perf_counter as t; s = t(); {}; print(t() - s)"


def measure_start(repeats: int) -> dict[str, Figure]:
    """Measure import times in fresh interpreters."""
    return {
        "import_pliant": Figure(
            value=_seconds("import pliant", repeats), unit="s", meaning="import pliant"
        ),
        "import_arm": Figure(
            value=_seconds("from pliant import Arm", repeats),
            unit="s",
            meaning="from pliant import Arm, including physics and kernels",
        ),
    }


def _seconds(statement: str, repeats: int) -> float:
    command = [sys.executable, "-c", _PROGRAM.format(statement)]
    return median(
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(repeats)
    )
