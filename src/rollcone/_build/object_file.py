"""Opening an object file by llvmlite's loader, where there is no C compiler to link a library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import llvmlite.binding as llvm


class ObjectFile:
    """The functions of an object file as attributes, which are addresses."""

    def __init__(self, path: Path) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_path(str(path)))
        self._engine.finalize_object()

    def __getattr__(self, name: str) -> Any:
        import ctypes

        address = self._engine.get_function_address(name)
        if not address:
            address = self._engine.get_global_value_address(name)
        if not address:
            raise AttributeError(name)
        return ctypes.c_void_p(address)
