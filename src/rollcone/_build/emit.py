"""From LLVM code to a shared library for one kind of processor.

A release is all pieces linked into one module, in which all but the C functions is internal, and
optimised as a whole. While kernels are edited, each piece is optimised by itself, and the system's
linker joins them by their symbols.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm


def link_whole(pieces: Iterable[bytes], public: set[str]) -> bytes:
    """Link pieces into one module in which all but the public functions is internal."""
    whole = llvm.parse_assembly("")
    for piece in pieces:
        whole.link_in(llvm.parse_bitcode(piece))
    for one in (*whole.functions, *whole.global_variables):
        if one.name not in public and not one.is_declaration:
            one.linkage = "internal"
    whole.verify()
    return bytes(whole.as_bitcode())


def emit_object(code: bytes, level: str) -> bytes:
    """Optimise a module and return it as an object file for processors of this level."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(code)
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu=level, opt=3, reloc="pic", codemodel="default")
    module.data_layout = str(machine.target_data)
    _optimise(module, machine)
    return bytes(machine.emit_object(module))


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def c_compiler() -> str:
    """Return the C compiler of the system, by which libraries are linked; empty without one."""
    found = (shutil.which(name) for name in ("cc", "gcc", "clang"))
    return next((path for path in found if path), "")


def link_library(objects: list[bytes], output: Path) -> None:
    """Link object files into a shared library at `output`, by the system's compiler."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, content in enumerate(objects):
            files.append(Path(folder) / f"{k}.o")
            files[-1].write_bytes(content)
        made = Path(folder) / "made"
        call = [c_compiler(), "-shared", "-o", str(made), *map(str, files), "-lm"]
        subprocess.run(call, check=True)
        shutil.copyfile(made, output)


def pack_objects(objects: list[bytes], output: Path) -> None:
    """Put object files into one file, which llvmlite can load where there is no C compiler."""
    with zipfile.ZipFile(output, "w") as file:
        for k, content in enumerate(objects):
            file.writestr(f"{k}.o", content)
