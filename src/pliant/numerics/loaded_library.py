"""Machine code from a file, without the intermediate code that only further compiling needs.

Numba parses that intermediate code when it loads a kernel, which takes longer than all else. Here
it is parsed when another kernel is compiled that calls the loaded one.
"""

from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary

_OBJECT = "object"


class LoadedLibrary(JITCodeLibrary):
    """The machine code of a kernel; Numba makes one for each."""

    _bitcode: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != _OBJECT:
            return super()._unserialize(codegen, state)
        library = codegen.create_library(name)
        library.enable_object_caching()
        machine_code, library._bitcode = data
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        return library

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0 if there is none of that name."""
        if self._bitcode is None:
            return super().get_pointer_to_function(name)
        # Numba asks the symbols of the intermediate code first
        return self._codegen._engine.get_function_address(name)

    def _get_module_for_linking(self) -> Any:
        if self._bitcode is not None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
            self._codegen._engine._load_defined_symbols(self._shared_module)
            self._bitcode = None
        return super()._get_module_for_linking()
