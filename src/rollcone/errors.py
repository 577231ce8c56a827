"""The errors that Rollcone raises on purpose.

All are `RollconeError`; those about a wrong argument are also `ValueError`, so
that code which knows nothing of Rollcone still catches them.
"""

from __future__ import annotations


class RollconeError(Exception):
    """Base of every error that Rollcone raises on purpose."""


class InputError(RollconeError, ValueError):
    """An argument has a wrong value; the message names it, the value and what is allowed."""


class ArgumentError(InputError, TypeError):
    """An argument of that name is unknown, missing or needs its name; also a `TypeError`, as
    Python's own is."""


class BodyError(InputError):
    """A body of a world has a wrong value; `body` is its number."""

    def __init__(self, words: str, body: int) -> None:
        super().__init__(words)
        self.body = body


class SceneError(InputError):
    """A scene is wrong; one line for each problem, also as the list `problems`."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class FileError(RollconeError, ValueError):
    """A file cannot be read as what it claims to be."""


class MissingPackageError(RollconeError, ImportError):
    """An optional package is not installed; the message says how to get it."""


class SimulationError(RollconeError, RuntimeError):
    """A simulation cannot go on; the message says when and why."""


class NotConvergedError(SimulationError):
    """A step did not converge, and the simulation is strict."""


class ClusterError(RollconeError, RuntimeError):
    """The workers of a study cannot be reached; what is finished is kept."""


class LibraryError(RollconeError, RuntimeError):
    """The library of compiled kernels is missing, damaged, of another version, or has failed; the
    message names the file, what is wrong and the command that mends it."""
