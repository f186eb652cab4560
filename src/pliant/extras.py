"""Optional dependencies: what each is for, and the sentence for one that is not installed."""

from importlib import import_module

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
    """Import what an extra brings.

    Raises:
        MissingExtra: It is not installed; the message says how to install it.
    """
    modules, purpose = EXTRAS[extra]
    for module in modules:
        try:
            import_module(module)
        except ImportError as error:
            raise MissingExtra(
                f"{purpose} needs {module}, which is not installed ({error}): "
                f"pip install 'pliant[{extra}]'"
            ) from None
