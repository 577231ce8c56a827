"""From LLVM code to a shared library: optimised as a whole for one kind of processor."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

_NOT_FOUND = "no C compiler (cc, gcc or clang) to link with"


def emit_object(bitcode: bytes, cpu: str) -> bytes:
    """Optimise a module and return it as an object file for processors of this kind."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(bitcode)
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu=cpu, opt=3, reloc="pic", codemodel="default")
    module.data_layout = str(machine.target_data)
    _optimise(module, machine)
    return bytes(machine.emit_object(module))


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def link_library(objects: list[bytes], output: Path) -> None:
    """Link object files into a shared library at `output`, by the system's compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), "")
    if not compiler:
        raise FileNotFoundError(_NOT_FOUND)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, content in enumerate(objects):
            files.append(Path(folder) / f"{k}.o")
            files[-1].write_bytes(content)
        made = Path(folder) / output.name
        call = [compiler, "-shared", "-o", str(made), *map(str, files), "-lm"]
        subprocess.run(call, check=True)
        shutil.copyfile(made, output)


def text_module(name: str, text: str) -> bytes:
    """Return LLVM code of a module with one text, which ends with a zero byte."""
    llvm.initialize_native_target()
    content = text.encode() + b"\0"
    module = ir.Module(name)
    module.triple = llvm.get_process_triple()
    kind = ir.ArrayType(ir.IntType(8), len(content))
    made = ir.GlobalVariable(module, kind, name)
    made.initializer = ir.Constant(kind, bytearray(content))
    made.global_constant = True
    return bytes(llvm.parse_assembly(str(module)).as_bitcode())
