"""What is not there everywhere: optional dependencies, and what needs Linux."""

import sys
from importlib.util import find_spec

from pliant.errors import MissingExtra, PliantError

EXTRAS = {
    "console": (("fastapi", "uvicorn", "websockets"), "the operator's console"),
    "parquet": (("pyarrow",), "Parquet"),
    "rosbags": (("rosbags",), "reading rosbag2 folders"),
    "plot": (("matplotlib",), "plotting"),
    "pandas": (("pandas",), "a pandas table"),
    "tune": (("cmaes",), "tuning"),
    "ray": (("ray",), "a sweep on a Ray cluster"),
    "ur": (("rtde_control",), "an arm of Universal Robots"),
    "franka": (("pylibfranka",), "an arm of Franka Robotics"),
}
"""The extras of the package: the modules that each brings, and what it is for."""


def require(extra: str) -> None:
    """Check that what an extra brings is installed.

    Raises:
        MissingExtra: It is not; the message says how to install it.
    """
    modules, purpose = EXTRAS[extra]
    missing = [module for module in modules if not _installed(module)]
    if missing:
        raise MissingExtra(
            f"{purpose} needs {' and '.join(missing)}, not installed here: "
            f"pip install 'pliant[{extra}]'"
        )


def on_linux() -> bool:
    """Whether real time works here: its clock, its wakeup and its ring are those of Linux."""
    return sys.platform == "linux"


def require_linux(purpose: str) -> None:
    """Check that something works on this system.

    Raises:
        PliantError: It does not; the message says what does.
    """
    if not on_linux():
        raise PliantError(
            f"{purpose} needs Linux, and this is {sys.platform}: simulated time works here, "
            "pliant.Arm(…) without clock='real' and pliant task"
        )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        # it is imported already, without a specification
        return True
