"""Opening object files by llvmlite's loader, where there is no C compiler to link a library."""

from __future__ import annotations

import ctypes
import zipfile
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm


class ObjectFiles:
    """The functions and texts of packed object files as attributes, which are addresses."""

    def __init__(self, path: Path) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        try:
            with zipfile.ZipFile(path) as file:
                for name in file.namelist():
                    self._engine.add_object_file(llvm.ObjectFileRef.from_data(file.read(name)))
        except zipfile.BadZipFile as error:
            raise OSError(str(error)) from error
        self._engine.finalize_object()

    def __getattr__(self, name: str) -> Any:
        find = self._engine
        address = find.get_function_address(name) or find.get_global_value_address(name)
        if not address:
            raise AttributeError(name)
        return ctypes.c_void_p(address)
