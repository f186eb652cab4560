"""Compiles kernels of an arm into the cache, part by part, as the parent asks for them."""

from typing import Any

from pliant.controller.arm_kernels import kernel_parts
from pliant.processes import Parent


def main(options: dict[str, Any], parent: Parent) -> None:
    """Compile the parts that the options and further messages name, until the parent hangs up."""
    parts = kernel_parts(options["spec"])
    asked: dict[str, Any] | None = options
    while asked is not None:
        parts[asked["part"]]()
        parent.ready()
        asked = parent.options()
