"""Solvers that misbehave, or count how often they are asked: for the registry."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from rollcone.solvers.gauss_seidel import GaussSeidel, GaussSeidelOptions
from rollcone.solvers.registry import SOLVERS, SolverInfo


@dataclass
class NoOptions:
    pass


class Counted(GaussSeidel):
    """Gauss-Seidel; `starts` has an entry for every solve."""

    starts: list[int] = []  # noqa: RUF012

    def __init__(self, problem, options):
        super().__init__(problem, GaussSeidelOptions())

    def start(self, p):
        self.starts.append(len(p))
        super().start(p)


class Slow(Counted):
    """Gets nowhere."""

    def advance(self, count, tolerance):
        time.sleep(0.02)
        return count


class Tardy(Counted):
    """Gets there, but when it is too late."""

    def advance(self, count, tolerance):
        time.sleep(0.1)
        return super().advance(count, tolerance)


class Endless(Counted):
    """Does not return."""

    def advance(self, count, tolerance):
        time.sleep(600)


class Loud(Counted):
    """Prints where answers go."""

    def start(self, p):
        os.write(1, b"hello\n")
        super().start(p)


class Gone(Counted):
    """Takes its process with it."""

    def start(self, p):
        os._exit(7)


class Broken(Counted):
    def start(self, p):
        raise ZeroDivisionError("by nothing")


def info(method: str, **more) -> SolverInfo:
    return SolverInfo(method.lower(), "", __name__, method, "NoOptions", 1000, **more)


def register() -> None:
    """All of them, in a process of its own."""
    for method in ("Endless", "Loud", "Gone"):
        SOLVERS[method.lower()] = info(method)
