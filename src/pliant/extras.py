"""Optional dependencies: what each is for, and the sentence for one that is not installed."""

from importlib.util import find_spec

from pliant.errors import MissingExtra

EXTRAS = {
    "console": (("fastapi", "uvicorn", "websockets"), "the operator's console"),
    "parquet": (("pyarrow",), "Parquet"),
    "rosbags": (("rosbags",), "reading rosbag2 folders"),
    "plot": (("matplotlib",), "plotting"),
    "pandas": (("pandas",), "a pandas table"),
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
            f"{purpose} needs {' and '.join(missing)}, which is not installed: "
            f"pip install 'pliant[{extra}]'"
        )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        # it is imported already, without a specification
        return True
