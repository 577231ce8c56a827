"""Names of a package that are loaded on first use, so that to import it costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def loaded_on_use(
    package: dict[str, Any], places: dict[str, str], modules: frozenset[str] = frozenset()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package with these globals.

    places    the module that each public name is in, relative to the package
    modules   the names that are modules themselves
    """
    name = package["__name__"]

    def get(wanted: str) -> Any:
        if wanted not in places:
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        module = import_module(f"{name}.{places[wanted]}")
        package[wanted] = module if wanted in modules else getattr(module, wanted)
        return package[wanted]

    def names() -> list[str]:
        return [*sorted(places), *(key for key in ("__version__",) if key in package)]

    return get, names
