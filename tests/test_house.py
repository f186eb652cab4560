"""The rules of the house that no linter knows: sizes, names, and who starts the command line."""

import ast
from collections import defaultdict
from pathlib import Path

import pliant
from pliant import processes

SOURCE = Path(pliant.__file__).parent
PAGE = SOURCE / "console" / "page" / "src"
MODULES = [path for path in SOURCE.rglob("*.py") if "node_modules" not in path.parts]
SCRIPTS = [path for path in PAGE.rglob("*") if path.suffix in (".ts", ".tsx", ".css")]
TESTS = sorted(Path(__file__).parent.rglob("*.py"))

MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 60
SHARED_NAMES = {"__init__.py", "__main__.py", "config.py", "kernel.py", "law.py", "stage.py"}


def test_no_file_is_too_long() -> None:
    assert len(MODULES) > 300 and len(SCRIPTS) > 50
    long = {
        str(path): lines
        for path in (*MODULES, *SCRIPTS, *TESTS)
        if (lines := path.read_text().count("\n")) > MOST_LINES
    }
    assert not long


def test_no_function_is_too_long() -> None:
    long = {
        f"{path}:{node.lineno}": node.name
        for path in (*MODULES, *TESTS)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST_LINES_OF_A_FUNCTION
    }
    assert not long


def test_no_two_files_have_the_same_name() -> None:
    places = defaultdict(list)
    for path in (*MODULES, *SCRIPTS):
        if path.name not in SHARED_NAMES:
            places[path.name].append(str(path.parent))
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_nothing_below_the_command_line_starts_it() -> None:
    below = [path for path in MODULES if SOURCE / "cli" not in path.parents]
    naming = [str(path) for path in below if "pliant.cli" in path.read_text()]
    assert not naming


def test_every_program_exists_and_has_a_main_function() -> None:
    for module in processes.PROGRAMS.values():
        path = SOURCE.parent / f"{module.replace('.', '/')}.py"
        functions = [
            (node.name, [argument.arg for argument in node.args.args])
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.FunctionDef)
        ]
        assert ("main", ["options", "parent"]) in functions, path
