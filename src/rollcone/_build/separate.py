"""Libraries of kernels that are not the package's: those of tests and of benchmarks.

    import stream_kernels                 # a module with functions decorated as `@entry`
    open_kernels([stream_kernels], folder)
    stream_kernels.stream(...)            # compiled

They are compiled by the same builder as the library of the package, in a process of its own.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


def open_kernels(modules: Sequence[ModuleType], folder: Path, check_bounds: bool = False) -> Path:
    """Compile the entries of some modules into a library in `folder`, and let them call it.

    Returns the library's file. `check_bounds`: an index out of range is reported as an error of the
    kernel.
    """
    from rollcone._build.calls import Entry
    from rollcone._build.levels import manifest_of, usable_levels
    from rollcone._build.library import Library

    place = manifest_of(folder, usable_levels()[0])
    names = [module.__name__ for module in modules]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    how = "checked" if check_bounds else "unchecked"
    call = [sys.executable, "-m", "rollcone._build.separate", str(place), how, *names]
    subprocess.run(call, check=True, env=environment)
    opened = Library(place)
    for module in modules:
        for one in vars(module).values():
            if isinstance(one, Entry) and one.__module__ == module.__name__:
                one.open_in(opened)
    return opened.path


def build_kernels(place: Path, check_bounds: bool, names: Sequence[str]) -> None:
    """Compile the entries of modules, given by name, into one library for this processor, with its
    manifest at `place`."""
    from rollcone._build import mode

    mode.compiling, mode.bounds_checks = True, check_bounds
    for name in names:
        importlib.import_module(name)
    from rollcone import __version__
    from rollcone._build.build import put, stated, written
    from rollcone._build.compile import compile_piece, symbol_of
    from rollcone._build.dispatchers import ENTRIES
    from rollcone._build.emit import emit_object, link_whole
    from rollcone._build.levels import usable_levels

    level = usable_levels()[0]
    # Entries of the package are in it, too: those that the modules call are among them.
    pieces = {name: compile_piece(name) for name in list(ENTRIES)}
    own = {name: text for name, text in stated().items() if name.rpartition(".")[0] in names}
    code = link_whole([piece.code for piece in pieces.values()], set(map(symbol_of, own)))
    writes = written({name: piece.writes for name, piece in pieces.items()})
    manifest = {
        "version": __version__, "level": level, "entries": own, "sources": {},
        "writes": {name: writes[name] for name in own},
    }  # fmt: skip
    put([emit_object(code, level)], manifest, place)


if __name__ == "__main__":
    build_kernels(Path(sys.argv[1]), sys.argv[2] == "checked", sys.argv[3:])
