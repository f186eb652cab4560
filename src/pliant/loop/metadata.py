"""Metadata of a run: arm, scene, laws and the versions of everything that computes."""

import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mujoco
import numba
import numpy as np
import pinocchio as pin

from pliant.laws import Law
from pliant.loop.loop import Loop
from pliant.version import __version__


def metadata(spec: str, loop: Loop, clock: str, law_files: dict[str, str]) -> dict[str, Any]:
    """The metadata of a run, as JSON can hold it.

    Args:
        spec: Which arm, as on a command line.
        loop: The loop that drives it.
        clock: `fast` or `real`.
        law_files: Files of the user's own laws, by name.
    """
    sim = loop.supervisor.config.sim
    return {
        "spec": spec,
        "arm": loop.arm.name,
        "scene": sim.scene.kind if sim.scene else None,
        "n": loop.robot.n,
        "dt": loop.robot.dt,
        "rate": 1.0 / loop.robot.dt,
        "clock": clock,
        "seed": sim.seed,
        "laws": loop.supervisor.law_names,
        "law_files": law_files,
        "versions": versions(),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def law_files(laws: Sequence[Law]) -> dict[str, str]:
    """File and class of each law, by name, as `--law` takes them; none for laws typed in."""
    places = {}
    for law in laws:
        kind = type(law)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if file and kind.__module__ != "__main__" and "<locals>" not in kind.__qualname__:
            places[law.name] = f"{Path(file).resolve()}:{kind.__qualname__}"
    return places


def versions() -> dict[str, str]:
    """The versions of Pliant and of the libraries that compute."""
    return {
        "pliant": __version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "pinocchio": pin.__version__,
        "mujoco": mujoco.__version__,
    }
