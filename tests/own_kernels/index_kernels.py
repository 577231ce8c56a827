"""A kernel that reads where it is told to."""

from __future__ import annotations

from rollcone._build.kernels import entry
from rollcone._build.signatures import Float1


@entry
def read(values: Float1, place: int) -> float:
    """Return values[place], of which nobody knows that it exists."""
    return values[place]  # type: ignore[no-any-return]
