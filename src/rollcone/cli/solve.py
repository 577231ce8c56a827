"""`rollcone solve`: one discrete problem, by one solver or by all that can."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

if TYPE_CHECKING:
    from rollcone.problem.contact_problem import ContactProblem, Law
    from rollcone.solvers.relaxation import RelaxationPrice
    from rollcone.solvers.solution import Solution

DEFAULT_SOLVER = "auto"
COMPARE_LIMIT = 10.0  # seconds: the interior point alone could take half an hour on a heap


def solve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A problem file.")],
    solver: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"Name of a solver; may be repeated (default: {DEFAULT_SOLVER}).",
            show_default=False,
        ),
    ] = None,
    law: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="exact or associated (default: the file's).", show_default=False
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(metavar="X", help="Stop at this residual (no unit).")
    ] = 1e-8,
    max_iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="For each solver (default: its own).", show_default=False
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="For each solver, checked now and then "
            f"(default: none; with --compare {COMPARE_LIMIT:g}).",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Run every solver that can, and draw their convergence."),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the convergence here: .png, .pdf or .svg "
            "(default with --compare: FILE-convergence.png in the current folder).",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Solve one contact problem and show how well the law is met.

    For the associated law also how far the answer is from the exact one, which is solved too; or
    the proof that there is none.
    Exit code 0 if every solver converged (with --compare: at least one), else 3.
    """
    from rollcone._check import positive_number
    from rollcone.cli import solve_report
    from rollcone.cli.console import NOT_CONVERGED, print_json, problem_words, working
    from rollcone.errors import InputError
    from rollcone.problem.files import load_problem
    from rollcone.solvers.registry import SOLVERS, check_support, solver_info
    from rollcone.view.convergence import check_path

    positive_number("--tolerance", tolerance, zero=True)
    if time_limit is not None:
        positive_number("--time-limit", time_limit, zero=True)
    if compare and solver:
        raise InputError("--compare runs every solver: it does not go with --solver")
    if compare and time_limit is None:
        time_limit = COMPARE_LIMIT
    names = list(SOLVERS) if compare else list(dict.fromkeys(solver or [DEFAULT_SOLVER]))
    infos = [solver_info(name) for name in names]
    if plot is not None:
        check_path(plot)
    picture = plot or (Path(f"{file.stem}-convergence.png") if compare else None)
    with working(f"reading {file.name}"):
        problem = load_problem(file)
    if law is not None:
        problem = problem.with_law(cast("Law", law))
    if not compare:
        for info in infos:
            check_support(info, problem)

    limits = {"tolerance": tolerance, "max_iterations": max_iterations, "time_limit": time_limit}
    solutions, not_run = _run(problem, names, limits, go_on=compare)
    prices = _prices(solutions, limits) if problem.law == "associated" else {}
    report = solve_report.report(file, problem, tolerance, solutions, prices, not_run)
    if not as_json:
        solve_report.show(report)
    if picture is not None and solutions:
        title = f"{file.name}: {problem_words(report['problem'])}"
        if _draw(solutions, picture, tolerance, title):
            report["plot"] = str(picture)
            if not as_json:
                solve_report.show_plot(picture)
    if as_json:
        print_json(report)
    converged = [solution.converged for solution in solutions]
    if not (any(converged) if compare else all(converged)):
        raise typer.Exit(NOT_CONVERGED)


def _draw(solutions: list[Solution], picture: Path, tolerance: float, title: str) -> bool:
    """Whether the picture could be written; if not, one line says why and the answer counts."""
    from rollcone.errors import FileError
    from rollcone.view.convergence import save_convergence

    try:
        save_convergence(solutions, picture, tolerance, title)
    except FileError as error:
        typer.echo(f"warning: {' '.join(str(error).split())}", err=True)
        return False
    return True


def _run(
    problem: ContactProblem, names: list[str], limits: dict[str, Any], *, go_on: bool
) -> tuple[list[Solution], dict[str, str]]:
    """The solutions and, if one failure is not the end, why the other solvers gave none."""
    solutions: list[Solution] = []
    not_run: dict[str, str] = {}
    for name in names:
        try:
            solutions.append(_timed(problem, name, limits))
        except Exception as error:
            if not go_on:
                raise
            not_run[name] = _reason(error)
    return solutions, not_run


def _timed(problem: ContactProblem, name: str, limits: dict[str, Any]) -> Solution:
    """Solve with kernels that are already loaded, on data that no other solve has prepared."""
    from rollcone.cli.console import working
    from rollcone.solvers import driver

    with working(f"{name}: preparing"):
        driver.solve(problem.fresh(), name, **{**limits, "max_iterations": 1})
    with working(f"{name}: solving"):
        return driver.solve(problem.fresh(), name, **limits)


def _prices(solutions: list[Solution], limits: dict[str, Any]) -> dict[str, RelaxationPrice]:
    """By solver, the distance to the exact law; one exact answer, from the best, serves all. Where
    there is no solution there is no price."""
    from rollcone.cli.console import working
    from rollcone.solvers.relaxation import relaxation_price

    solutions = [solution for solution in solutions if solution.infeasibility is None]
    if not solutions:
        return {}
    best = min(solutions, key=lambda solution: solution.residual)
    with working("price of the associated law: solving the exact one"):
        exact = relaxation_price(best, **limits).exact
    return {solution.solver: relaxation_price(solution, exact) for solution in solutions}


def _reason(error: Exception) -> str:
    from rollcone.errors import RollconeError

    text = " ".join(str(error).split())
    return (
        text if isinstance(error, RollconeError) else f"failed with {type(error).__name__}: {text}"
    )
