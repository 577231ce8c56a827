"""What `rollcone solve` tells: one report, printed as JSON or as tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcone.cli.console import console, problem_words, seconds, three_digits

if TYPE_CHECKING:
    from rollcone.problem.contact_problem import ContactProblem
    from rollcone.solvers.solution import Solution


def report(
    file: Path,
    problem: ContactProblem,
    tolerance: float,
    solutions: list[Solution],
    not_run: dict[str, str],
) -> dict[str, Any]:
    """All that is printed; units: seconds, m/s, W, microseconds where the name says us."""
    from rollcone.problem.bodies import BodyForm

    return {
        "file": str(file),
        "problem": {
            "contacts": problem.contacts,
            "rows": problem.rows,
            "extra_rows": problem.extra_rows,
            "form": "body" if isinstance(problem.form, BodyForm) else "Delassus",
            "law": problem.law,
        },
        "tolerance": tolerance,
        "solvers": [_row(problem, solution) for solution in solutions],
        "not_run": [{"solver": name, "reason": reason} for name, reason in not_run.items()],
        "plot": None,
    }


def _row(problem: ContactProblem, solution: Solution) -> dict[str, Any]:
    measures = solution.residuals
    steps = solution.iterations * problem.contacts
    return {
        "solver": solution.solver,
        "converged": solution.converged,
        "status": solution.status.name.lower(),
        "message": solution.message,
        "iterations": solution.iterations,
        "residual": measures.residual,
        "residual_speed": measures.residual_speed,
        "residual_fclib": measures.residual_fclib,
        "dissipation_gap": measures.dissipation_gap,
        "cone_violation": measures.cone_violation,
        "dual_violation": measures.dual_violation,
        "time": solution.time,
        "setup_time": solution.setup_time,
        "us_per_contact_iteration": (
            1e6 * (solution.time - solution.setup_time) / steps if steps else None
        ),
        "modes": dict(Counter(solution.modes().tolist()).most_common()),
        "history": solution.history.tolist(),
    }


def show(report: dict[str, Any]) -> None:
    """The report as tables for people."""
    out = console()
    name = Path(report["file"]).name
    out.print(f"[bold]{_literal(name)}[/]: {problem_words(report['problem'])}")
    out.print(f"tolerance {report['tolerance']:g} on the residual\n", style="dim")
    rows = report["solvers"]
    if rows:
        out.print(_results(rows))
        out.print()
        out.print(_certificates(rows))
        out.print()
    for row in rows:
        if not row["converged"]:
            out.print(f"[red]{row['solver']}[/]: {_literal(row['message'])}")
    for entry in report["not_run"]:
        out.print(f"[yellow]{entry['solver']}[/] not run: {_literal(entry['reason'])}")
    if report["plot"]:
        out.print(f"convergence drawn in {_literal(report['plot'])}", soft_wrap=True)


def _results(rows: list[dict[str, Any]]) -> Any:
    table = _table()
    table.add_column("solver", no_wrap=True)
    table.add_column("status")
    headers = (
        "iter-\nations",
        "residual",
        "speed\nm/s",
        "FCLIB",
        "time",
        "us per\ncontact,\niter.",
    )
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows:
        pace = row["us_per_contact_iteration"]
        table.add_row(
            row["solver"],
            "[green]converged[/]" if row["converged"] else "[red]not converged[/]",
            str(row["iterations"]),
            *(_small(row[key]) for key in ("residual", "residual_speed", "residual_fclib")),
            seconds(row["time"]),
            "-" if pace is None else three_digits(pace),
        )
    return table


def _certificates(rows: list[dict[str, Any]]) -> Any:
    table = _table()
    table.add_column("solver", no_wrap=True)
    headers = ("dissipation\ngap, W", "reactions\noff cone", "off dual\ncone, m/s")
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("contacts")
    for row in rows:
        modes = [f"{number} {_literal(mode)}" for mode, number in row["modes"].items()]
        keys = ("dissipation_gap", "cone_violation", "dual_violation")
        table.add_row(row["solver"], *(_small(row[key]) for key in keys), "\n".join(modes))
    return table


def _table() -> Any:
    from rich import box
    from rich.table import Table

    return Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )


def _small(value: float) -> str:
    return "0" if value == 0 else f"{value:.1e}"


def _literal(text: str) -> str:
    from rich.markup import escape

    return escape(text)
