"""The errors that Rollcone raises on purpose.

All are `RollconeError`; those about a wrong argument are also `ValueError`, so
that code which knows nothing of Rollcone still catches them.
"""

from __future__ import annotations


class RollconeError(Exception):
    """Base of every error that Rollcone raises on purpose."""


class InputError(RollconeError, ValueError):
    """An argument has a wrong value; the message names it, the value and what is allowed."""


class FileError(RollconeError, ValueError):
    """A file cannot be read as what it claims to be."""


class MissingPackageError(RollconeError, ImportError):
    """An optional package is not installed; the message says how to get it."""


class SimulationError(RollconeError, RuntimeError):
    """A simulation cannot go on; the message says when and why."""
