"""The solvers by name: what each supports, and where it lives.

A method is one file with one class and one small options class. The class takes
(problem, options) and offers

    start(p)                    begin from the reactions p (N,)
    advance(count, tolerance)   at most `count` iterations; returns how many were done
    reactions()                 the current p (N,)
    stalled                     why it cannot go on, or ""

The driver owns the loop, the clock and the stopping rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from rollcone._check import FloatArray, one_of
from rollcone._options import options_of
from rollcone.errors import InputError
from rollcone.laws.names import coupled_names
from rollcone.laws.polygon import FEWEST_FACETS
from rollcone.problem.contact_problem import EXTRA_ROWS, LAWS, ContactProblem


class Method(Protocol):
    """What the driver needs of a solver."""

    stalled: str

    def __init__(self, problem: ContactProblem, options: Any) -> None: ...
    def start(self, p: FloatArray) -> None: ...
    def advance(self, count: int, tolerance: float) -> int: ...
    def reactions(self) -> FloatArray: ...


@dataclass(frozen=True)
class SolverInfo:
    """One entry of the registry."""

    name: str
    summary: str
    module: str
    method: str
    options: str
    max_iterations: int
    laws: tuple[str, ...] = LAWS
    extra_rows: tuple[str, ...] = EXTRA_ROWS
    unsymmetric: bool = True
    polygons: bool = True  # as friction sets
    coupled: bool = True  # friction sets: Contensou, ellipsoid
    comparison: bool = False  # kept to compare with the literature or to check, not to be used

    def load(self) -> tuple[type[Method], type[Any]]:
        """The method's class and its options class."""
        module = import_module(self.module)
        return getattr(module, self.method), getattr(module, self.options)


# What `solve` itself takes, offered beside a solver's own options when a name is wrong.
COMMON = ("tolerance", "max_iterations", "warm_start", "time_limit", "speed_tolerance")

SOLVERS = {
    info.name: info
    for info in (
        SolverInfo(
            name="gauss-seidel",
            summary="projected Gauss-Seidel by contact blocks; matrix-free in body form",
            module="rollcone.solvers.gauss_seidel",
            method="GaussSeidel",
            options="GaussSeidelOptions",
            max_iterations=10_000,
        ),
        SolverInfo(
            name="jacobi",
            summary="the map of Tasora and Anitescu with its omega, lambda, B and K",
            module="rollcone.solvers.jacobi",
            method="Jacobi",
            options="JacobiOptions",
            max_iterations=10_000,
            comparison=True,
        ),
        SolverInfo(
            name="modified-newton",
            summary="the iteration of Le Saux, Leine and Glocker with its rho of every set",
            module="rollcone.solvers.modified_newton",
            method="ModifiedNewton",
            options="ModifiedNewtonOptions",
            max_iterations=10_000,
            comparison=True,
        ),
        SolverInfo(
            name="fixed-point",
            summary="projected fixed point, self-adaptive step",
            module="rollcone.solvers.fixed_point",
            method="FixedPoint",
            options="FixedPointOptions",
            max_iterations=10_000,
            comparison=True,
        ),
        SolverInfo(
            name="extragradient",
            summary="extragradient, self-adaptive step",
            module="rollcone.solvers.extragradient",
            method="Extragradient",
            options="ExtragradientOptions",
            max_iterations=10_000,
            comparison=True,
        ),
        SolverInfo(
            name="apgd",
            summary="accelerated projected gradient with restart and backtracking",
            module="rollcone.solvers.apgd",
            method="Apgd",
            options="ApgdOptions",
            max_iterations=20_000,
        ),
        SolverInfo(
            name="spectral",
            summary="projected gradient with Barzilai-Borwein steps, non-monotone line search",
            module="rollcone.solvers.spectral",
            method="Spectral",
            options="SpectralOptions",
            max_iterations=10_000,
        ),
        SolverInfo(
            name="admm",
            summary="alternating directions (ADMM), one sparse factor for many iterations",
            module="rollcone.solvers.admm",
            method="Admm",
            options="AdmmOptions",
            max_iterations=5_000,
        ),
        SolverInfo(
            name="newton",
            summary="semismooth Newton with a proximal term, by bodies",
            module="rollcone.solvers.newton",
            method="Newton",
            options="NewtonOptions",
            max_iterations=300,
        ),
        SolverInfo(
            name="interior-point",
            summary="the central path, followed by bodies around its turns, then Newton's method",
            module="rollcone.solvers.interior_point",
            method="InteriorPoint",
            options="InteriorPointOptions",
            max_iterations=1000,
            polygons=False,
            coupled=False,
        ),
        SolverInfo(
            name="hybrid",
            summary="sweeps while they are quick, then newton, interior-point, and apgd in turns",
            module="rollcone.solvers.hybrid",
            method="Hybrid",
            options="HybridOptions",
            max_iterations=100_000,
        ),
        SolverInfo(
            name="auto",
            summary="hybrid without what will not help, by size and masses; tells what it did",
            module="rollcone.solvers.hybrid",
            method="Auto",
            options="HybridOptions",
            max_iterations=100_000,
        ),
        SolverInfo(
            name="reference",
            summary="Clarabel, posed in velocities; exact law by a fixed point on the shift",
            module="rollcone.solvers.reference",
            method="Reference",
            options="ReferenceOptions",
            max_iterations=200,
            unsymmetric=False,
            coupled=False,
            comparison=True,
        ),
    )
}


def solver_info(name: str) -> SolverInfo:
    """The entry called `name`; an unknown name lists the known ones."""
    if isinstance(name, str) and name in SOLVERS:
        return SOLVERS[name]
    from rollcone.lcp.registry import SOLVERS as LINEAR_SOLVERS

    if isinstance(name, str) and name in LINEAR_SOLVERS:
        raise InputError(
            f"solver = {name!r}: solves linear complementarity problems; choose a friction_model "
            f"as well, such as 'polygonal', or one of {', '.join(SOLVERS)}"
        )
    return SOLVERS[one_of("solver", name, SOLVERS)]


def check_support(info: SolverInfo, problem: ContactProblem) -> None:
    """Refuse by name what a solver cannot do, before it starts."""
    if problem.law not in info.laws:
        raise InputError(f"solver {info.name!r} does not support the {problem.law} law")
    for kind, number in problem.extra_row_kinds().items():
        if number and kind not in info.extra_rows:
            raise InputError(f"solver {info.name!r} does not support {kind} rows")
    if not info.polygons and np.any(problem.cone.kinds >= FEWEST_FACETS):
        raise InputError(
            f"solver {info.name!r} does not support polygons as friction sets: they make no "
            "second-order cone; take 'newton'"
        )
    names = coupled_names(problem.cone.kinds)
    if names and not info.coupled:
        raise InputError(
            f"solver {info.name!r} does not support {names} as a friction set: it takes sets that "
            "bound sliding, rolling and spinning each by itself; take 'newton'"
        )
    if problem.asymmetry > 1e-9 and not info.unsymmetric:
        raise InputError(
            f"solver {info.name!r} needs a symmetric W; this one is off by "
            f"{problem.asymmetry:.1e} of its largest entry"
        )


def make_options(info: SolverInfo, given: dict[str, Any]) -> Any:
    """The solver's options object; an unknown option lists the valid ones."""
    return options_of(info.name, info.load()[1], given, COMMON)
