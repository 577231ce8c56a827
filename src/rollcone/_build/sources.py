"""Which modules have kernels, and which source files a build depends on."""

from __future__ import annotations

import sys
from pathlib import Path

from rollcone._build.library import PACKAGE, hash_of

_MARK = "from rollcone._build.kernels import"
# Modules that a build imports and that no compiled code depends on.
_STEPS = ("__main__", "build", "levels", "library", "lock", "mode", "pieces", "sources")
_WITHOUT_EFFECT = (
    "__init__.py", "errors.py", "_lazy.py", *(f"_build/{name}.py" for name in _STEPS)
)  # fmt: skip


def kernel_modules() -> list[str]:
    """Return the names of the package's modules with kernels, in order."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE).with_suffix("")
        if _MARK in path.read_text(encoding="utf-8") and inside.parts[0] != "_build":
            found.append(".".join(("rollcone", *inside.parts)))
    return found


def all_sources() -> dict[str, str]:
    """Return the hash of each source file of the package."""
    return {path.relative_to(PACKAGE).as_posix(): hash_of(path) for path in PACKAGE.rglob("*.py")}


def used_sources() -> list[str]:
    """Return the source files of the package that this process has imported, by name."""
    found = []
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name.split(".")[0] == "rollcone" and Path(path).is_relative_to(PACKAGE):
            inside = Path(path).relative_to(PACKAGE).as_posix()
            if inside not in _WITHOUT_EFFECT:
                found.append(inside)
    return found
