"""The order of the stages: the columns of the tick declare it, and only one place executes it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pliant
from pliant.loop import tick_kernels
from pliant.tick import STAGES

SOURCE = Path(pliant.__file__).parent
ORDER = Path(tick_kernels.__file__)


def functions(file: Path) -> Iterator[ast.FunctionDef]:
    """The functions and methods that a file defines."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def called_by(function: ast.FunctionDef) -> list[str]:
    """The functions that a function calls by name, in the order of the source."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return [call.func.id for call in calls if isinstance(call.func, ast.Name)]


def stage_of(kernel: str) -> str:
    """The stage of a kernel: the module or package of `pliant.stages` that defines it."""
    package, stages, stage, *_ = getattr(tick_kernels, kernel).__module__.split(".")
    assert (package, stages) == ("pliant", "stages")
    return stage


CALLED = {f.name: called_by(f) for f in functions(ORDER)}
KERNELS = {*CALLED["before_law"], *CALLED["after_law"]}


def test_the_kernels_run_in_the_order_of_the_columns() -> None:
    before, after = (
        list(dict.fromkeys(stage_of(kernel) for kernel in CALLED[half]))
        for half in ("before_law", "after_law")
    )
    assert ("clock", "robot", *before, "law", *after, "write") == STAGES


def test_every_kernel_runs_once_and_those_of_a_stage_together() -> None:
    kernels = [*CALLED["before_law"], *CALLED["after_law"]]
    assert len(set(kernels)) == len(kernels)
    # on a position arm too, where those of torque arms are left out
    stages = [stage_of(kernel) for kernel in kernels]
    assert stages == sorted(stages, key=STAGES.index)


def test_no_other_function_calls_the_kernels_of_two_stages() -> None:
    for file in SOURCE.rglob("*.py"):
        if file != ORDER and any(kernel in file.read_text() for kernel in KERNELS):
            for function in functions(file):
                stages = {stage_of(name) for name in called_by(function) if name in KERNELS}
                assert len(stages) <= 1, f"{file}: {function.name}"
