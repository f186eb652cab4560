"""Which sources a kernel is compiled from: its own file, what that imports, and so on.

Numba compiles the kernels that a kernel calls and the constants that it names into it, and those
come from modules that its own imports. So an edit to one file is an edit to the kernels of all
files that import it, directly or not, and to no others: the rest stay compiled.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<module>[\w.]+))",
    re.MULTILINE,
)
_MARK = "@kernel"
"""What a source contains that holds kernels, or constants that are compiled into some."""


class KernelSources:
    """The sources of one package, by module.

    Args:
        folder: The folder of the package, which has its name.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, str] = {}
        self._hashes: dict[str, bytes] = {}
        self._named: dict[str, list[str]] = {}

    def stamp(self, module: str) -> str:
        """Hash of all that the kernels of a module are compiled from."""
        if module not in self._stamps:
            self._stamps[module] = self._digest(self._imported(module))
        return self._stamps[module]

    @cached_property
    def whole(self) -> str:
        """Hash of all sources that hold kernels."""
        return self._digest(set(self._texts))

    @cached_property
    def _texts(self) -> dict[str, str]:
        """The source of every module of the package."""
        before = len(str(self._folder.parent)) + 1
        return {_module(file[before:]): _text(file) for file in self._files()}

    def _files(self) -> Iterator[str]:
        # as strings, because paths would take longer than reading the files
        for folder, subfolders, files in os.walk(self._folder):
            # what the console's page is built with: many folders, and no kernels
            if "node_modules" in subfolders:
                subfolders.remove("node_modules")
            yield from (os.path.join(folder, file) for file in files if file.endswith(".py"))

    def _imported(self, module: str) -> set[str]:
        """A module, the modules that it imports, those that they import, and so on."""
        found, open_ends = set[str](), [module] if module in self._texts else []
        while open_ends:
            name = open_ends.pop()
            if name not in found:
                found.add(name)
                open_ends += self._imports(name)
        return found

    def _imports(self, module: str) -> list[str]:
        """The modules of the package that a module may import."""
        if module not in self._named:
            names = set(_imports(self._texts[module]))
            self._named[module] = [name for name in names if name in self._texts]
        return self._named[module]

    def _digest(self, modules: set[str]) -> str:
        digest = hashlib.sha256()
        for name in sorted(modules):
            digest.update(self._hash(name))
        return digest.hexdigest()[:16]

    def _hash(self, module: str) -> bytes:
        """Hash of a module's name and source; empty if it holds no kernels."""
        if module not in self._hashes:
            text = self._texts[module]
            data = hashlib.sha256(f"{module}\n{text}".encode()).digest()
            self._hashes[module] = data if _MARK in text else b""
        return self._hashes[module]


def _module(file: str) -> str:
    """The module of a file, by its place in the folder that holds the package."""
    return file.removesuffix(".py").removesuffix(f"{os.sep}__init__").replace(os.sep, ".")


def _text(file: str) -> str:
    with open(file, encoding="utf-8") as source:
        return source.read()


def _imports(text: str) -> Iterator[str]:
    """All that a source may import: a name may be a module or stand in one."""
    for match in _IMPORT.finditer(text):
        if match["module"]:
            yield match["module"]
        else:
            yield match["base"]
            yield from (f"{match['base']}.{name}" for name in re.findall(r"\w+", match["names"]))
