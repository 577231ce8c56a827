"""The methods for complementarity problems by name.

A method is one file with one small options class and one function

    run(problem, options, start, tolerance, limit) -> Outcome

with start (z, basis), both or neither None. The driver owns the clock and the certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rollcone._check import FloatArray
from rollcone._options import options_of
from rollcone.lcp.problem import MLCP
from rollcone.lcp.solution import Outcome, StateArray

Start = tuple[FloatArray | None, StateArray | None]
Run = Callable[[MLCP, Any, Start, float, int], Outcome]


@dataclass(frozen=True)
class LcpSolverInfo:
    """One entry of the registry."""

    name: str
    summary: str
    module: str
    options: str
    most: Callable[[int], int]  # iterations, if not said, of the number of variables

    def load(self) -> tuple[Run, type[Any]]:
        module = import_module(f"rollcone.lcp.{self.module}")
        return module.run, getattr(module, self.options)


SOLVERS = {
    info.name: info
    for info in (
        LcpSolverInfo(
            name="pivoting",
            summary="block principal pivoting (Judice and Pires), factor updated; proximal points "
            "where a basis is singular",
            module="pivoting",
            options="PivotingOptions",
            most=lambda n: 1000 + 10 * n,
        ),
        LcpSolverInfo(
            name="lemke",
            summary="complementary pivoting with the lexicographic rule",
            module="lemke",
            options="LemkeOptions",
            most=lambda n: 1000 + 50 * n,
        ),
        LcpSolverInfo(
            name="newton",
            summary="semismooth Newton on the Fischer-Burmeister function of the bounds",
            module="newton",
            options="NewtonOptions",
            most=lambda n: 500,
        ),
        LcpSolverInfo(
            name="sor",
            summary="projected successive over-relaxation; needs a positive diagonal",
            module="projected_sor",
            options="SorOptions",
            most=lambda n: 100_000,
        ),
        LcpSolverInfo(
            name="enumeration",
            summary="all bases, one after the other: for small problems",
            module="enumeration",
            options="EnumerationOptions",
            most=lambda n: 200_000,
        ),
    )
}

COMMON = ("tolerance", "max_iterations", "start")


def make_options(info: LcpSolverInfo, given: dict[str, Any]) -> Any:
    """The options object; an unknown option lists the valid ones."""
    return options_of(info.name, info.load()[1], given, COMMON)
