"""What the processes of a build share: entries in a few groups, each compiled by one process.

Entries that call much of the same code are in one group, so that it is compiled once. The groups of
steps and of detection are the largest, so they come first.
"""

from __future__ import annotations

from collections.abc import Iterable

# Beginnings of names of entries, each group with the rest for the last.
_GROUPS = (("rollcone.stepping", "rollcone.collision", "rollcone.solvers._cell"), ("",))


def groups_of(entries: Iterable[str]) -> list[list[str]]:
    """Divide names of entries into groups."""
    found: list[list[str]] = [[] for _ in _GROUPS]
    for name in entries:
        place = next(k for k, begins in enumerate(_GROUPS) if name.startswith(begins))
        found[place].append(name)
    return [group for group in found if group]
