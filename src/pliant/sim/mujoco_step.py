"""MuJoCo's step for kernels, without Python and without the binding's error handling."""

from pathlib import Path

import mujoco
from llvmlite import binding
from numba.core import config as numba_config
from numba.core.types import ExternalFunction, intp, void

_step = "mj_step"


def _reachable() -> bool:
    """Whether kernels find MuJoCo's library, which is already loaded."""
    if numba_config.DISABLE_JIT:
        return False
    folder = Path(mujoco.__file__).parent
    for library in folder.glob("libmujoco.so*"):
        binding.load_library_permanently(str(library))
    return binding.address_of_symbol(_step) is not None


REACHABLE = _reachable()
"""Whether kernels can call `mj_step`."""

mj_step = ExternalFunction(_step, void(intp, intp))
"""One physics step, by the addresses of the model and of its data."""
