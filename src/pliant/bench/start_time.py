"""Times of imports, and of a controller until it is ready."""

import compileall
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pliant
from pliant.bench.figure import Figure
from pliant.errors import PliantError

CONTROL_BOUND = 1.8

_PROGRAM = "from time import perf_counter as t; s = t(); {}; print(t() - s)"


def write_bytecode() -> None:
    """Write the bytecode of the package, as an installation from a wheel has it.

    The libraries that it is compared with have theirs. A check-out has none where
    PYTHONDONTWRITEBYTECODE is set; then every start would compile the sources.
    """
    compileall.compile_dir(Path(pliant.__file__).parent, quiet=2)


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


def measure_control(turns: int) -> dict[str, Figure]:
    """Measure how long `pliant control` takes to send its first line.

    Args:
        turns: Number of turns, of a controller and of a program that imports what it needs.
    """
    bare, own = [], []
    for _ in range(turns):
        start = time.monotonic()
        subprocess.run([sys.executable, "-c", "import numba, mujoco, pinocchio"], check=True)
        bare.append(time.monotonic() - start)
        # the command itself, as a user starts it
        own.append(_until_first_line([str(Path(sys.executable).with_name("pliant")), "control"]))
    ratio = median(o / b for o, b in zip(own, bare, strict=True))
    figure = Figure(
        value=ratio,
        unit="×",
        meaning="pliant control until ready, to importing numba, mujoco and pinocchio",
        bound=CONTROL_BOUND,
        microseconds=1e6 * median(own),
    )
    return {"control_ready": figure}


def _until_first_line(command: list[str]) -> float:
    """How long a program takes to print a line; then its standard input is closed, s."""
    start = time.monotonic()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        if process.stdout is None or not process.stdout.readline():
            raise PliantError(f"{' '.join(command)} printed nothing")
        duration = time.monotonic() - start
        process.communicate()
    return duration


def _seconds(statement: str, repeats: int) -> float:
    command = [sys.executable, "-c", _PROGRAM.format(statement)]
    return median(
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(repeats)
    )
