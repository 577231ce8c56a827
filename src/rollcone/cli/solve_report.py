"""What `rollcone solve` tells: one report, printed as JSON, as tables or, where those do not
fit, as lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcone._words import count, seconds, three_digits
from rollcone.cli.console import console, problem_words

if TYPE_CHECKING:
    from rich.console import Console

    from rollcone.problem.contact_problem import ContactProblem
    from rollcone.problem.infeasibility import Infeasibility
    from rollcone.solvers.relaxation import RelaxationPrice
    from rollcone.solvers.solution import Solution

_MODES_SHOWN = 5
_NOTES = (
    ("residual", "how far the law is from being met, no unit; 0 is an exact answer"),
    ("speed", "the largest error of one contact, m/s"),
    ("us per contact, iter.", "microseconds per contact and iteration, setup left out"),
    ("FCLIB", "the error as the FCLIB collection measures it, in the units of the data"),
    ("gap, off cone, off dual cone", "parts of the law, each zero at an exact answer"),
)
_PRICE = "price of the associated law"
_PRICE_NOTES = (
    (_PRICE, "how far its answer is from the exact law"),
    ("difference", "of velocities from an answer of the exact law; ~ is approximate"),
    ("lift", "speed at which moving contacts part; in a step h a gap grows by h x lift"),
)


def report(
    file: Path,
    problem: ContactProblem,
    tolerance: float,
    solutions: list[Solution],
    prices: dict[str, RelaxationPrice],
    not_run: dict[str, str],
) -> dict[str, Any]:
    """All that is printed; units: seconds, m/s, J, microseconds where the name says us."""
    from rollcone.laws.names import coupled_names
    from rollcone.problem.bodies import BodyForm

    return {
        "file": str(file),
        "problem": {
            "contacts": problem.contacts,
            "rows": problem.rows,
            "extra_rows": problem.extra_rows,
            "form": "body" if isinstance(problem.form, BodyForm) else "Delassus",
            "law": problem.law,
            "coupled": coupled_names(problem.cone.kinds),
        },
        "tolerance": tolerance,
        "solvers": [
            {**_row(problem, solution), "price": _price(prices.get(solution.solver))}
            for solution in solutions
        ],
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
        "modes": (
            dict(Counter(solution.modes().tolist()).most_common())
            if solution.infeasibility is None
            else {}
        ),
        "infeasibility": _infeasibility(solution.infeasibility),
        "history": solution.history.tolist(),
    }


def _infeasibility(proof: Infeasibility | None) -> dict[str, Any] | None:
    if proof is None:
        return None
    return {
        "imbalance": proof.imbalance,
        "descent": proof.descent,
        "cone_violation": proof.cone_violation,
        "contacts": proof.carriers.tolist(),
        "extra_rows": proof.carrying_rows.tolist(),
        "reactions": proof.reactions.tolist(),
    }


def _price(price: RelaxationPrice | None) -> dict[str, Any] | None:
    if price is None:
        return None
    exact = price.exact
    return {
        "residual": price.residual,
        "residual_speed": price.residual_speed,
        "velocity_difference": price.velocity_difference,
        "relative_difference": price.relative_difference,
        "largest_lift": price.largest_lift,
        "mean_lift": price.mean_lift,
        "exact": {
            "solver": exact.solver,
            "converged": exact.converged,
            "message": exact.message,
            "iterations": exact.iterations,
            "residual": exact.residual,
            "time": exact.time,
        },
    }


def show(report: dict[str, Any]) -> None:
    """The report for people."""
    out = console()
    name = Path(report["file"]).name
    out.print(f"[bold]{_literal(name)}[/]: {problem_words(report['problem'])}")
    out.print(f"tolerance {report['tolerance']:g} on the residual\n", style="dim")
    rows = report["solvers"]
    priced = [row for row in rows if row["price"]]
    tables = [_results(rows), _certificates(rows)] if rows else []
    tables += [_prices(priced)] if priced else []
    if all(_fits(out, table) for table in tables):
        for table in tables:
            out.print(table, "")
    else:
        for row in rows:
            out.print(f"{_literal(row['solver'])}: {_status(row)}", _lines(row), "")
    for names, modes in _alike(rows, "modes"):
        if modes:
            out.print(f"contacts, by {_literal(names)}:", _modes(modes), "")
    for row in rows:
        if row["converged"] and "(" in row["message"]:  # which methods it made use of
            out.print(f"{row['solver']}: {_literal(row['message'])}", style="dim")
    for names, message in _alike([row for row in rows if not row["converged"]], "message"):
        out.print(f"[red]{names}[/]: {_literal(message)}")
    if priced and not priced[0]["price"]["exact"]["converged"]:
        exact = priced[0]["price"]["exact"]
        words = f"not converged, residual {_small(exact['residual'])} ({exact['solver']})"
        out.print(f"[yellow]exact law[/], for the price: {words}")
    for entry in report["not_run"]:
        out.print(f"[yellow]{entry['solver']}[/] not run: {_literal(entry['reason'])}")
    if rows:
        notes = _NOTES + (_PRICE_NOTES if priced else ())
        out.print("\n".join(f"{term}: {meaning}" for term, meaning in notes), style="dim")


def _alike(rows: list[dict[str, Any]], key: str) -> list[tuple[str, Any]]:
    """Every value of `key` once, with the names of the solvers that have it."""
    values: list[Any] = []
    for row in rows:
        if row[key] not in values:
            values.append(row[key])
    return [
        (", ".join(row["solver"] for row in rows if row[key] == value), value) for value in values
    ]


def show_plot(picture: Path) -> None:
    console().print(f"convergence drawn in {_literal(str(picture))}", soft_wrap=True)


def _fits(out: Console, table: Any) -> bool:
    return out.measure(table, options=out.options.update_width(1000)).maximum <= out.width


def _results(rows: list[dict[str, Any]]) -> Any:
    headers = ("iter-\nations", "residual", "speed\nm/s", "time", "us per\ncontact,\niter.")
    table = _table("solver", "status", numbers=headers)
    for row in rows:
        table.add_row(row["solver"], _status(row), *(words for _, words in _result_words(row)))
    return table


def _certificates(rows: list[dict[str, Any]]) -> Any:
    headers = ("FCLIB", "dissipation\ngap, J", "reactions\noff cone", "off dual\ncone, m/s")
    table = _table("solver", numbers=headers)
    for row in rows:
        table.add_row(row["solver"], *(words for _, words in _certificate_words(row)))
    return table


def _prices(rows: list[dict[str, Any]]) -> Any:
    headers = (
        "residual,\nexact law",
        "speed\nm/s",
        "difference\nm/s",
        "relative",
        "largest\nlift, m/s",
        "mean\nlift, m/s",
    )
    table = _table(_PRICE.replace("of the ", "of the\n"), numbers=headers)
    for row in rows:
        table.add_row(row["solver"], *(words for _, words in _price_words(row["price"])))
    return table


def _lines(row: dict[str, Any]) -> Any:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(no_wrap=True)
    for name, words in (*_result_words(row), *_certificate_words(row)):
        grid.add_row(name, words)
    if row["price"]:
        grid.add_row(_PRICE, "")
        for name, words in _price_words(row["price"]):
            grid.add_row(f"  {name}", words)
    return grid


def _result_words(row: dict[str, Any]) -> list[tuple[str, str]]:
    pace = row["us_per_contact_iteration"]
    return [
        ("iterations", str(row["iterations"])),
        ("residual", _small(row["residual"])),
        ("speed, m/s", _small(row["residual_speed"])),
        ("time", seconds(row["time"])),
        ("us per contact, iter.", "-" if pace is None else three_digits(pace)),
    ]


def _certificate_words(row: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("FCLIB", _small(row["residual_fclib"])),
        ("dissipation gap, J", _small(row["dissipation_gap"])),
        ("reactions off cone", _small(row["cone_violation"])),
        ("off dual cone, m/s", _small(row["dual_violation"])),
    ]


def _price_words(price: dict[str, Any]) -> list[tuple[str, str]]:
    about = "" if price["exact"]["converged"] else "~"
    difference, relative = price["velocity_difference"], price["relative_difference"]
    return [
        ("residual, exact law", _small(price["residual"])),
        ("speed, m/s", _small(price["residual_speed"])),
        ("difference, m/s", "-" if difference is None else about + _small(difference)),
        ("relative", "-" if relative is None else about + _small(relative)),
        ("largest lift, m/s", _small(price["largest_lift"])),
        ("mean lift, m/s", _small(price["mean_lift"])),
    ]


def _modes(modes: dict[str, int]) -> Any:
    """The most frequent kinds of contact, one line each."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    for mode, number in list(modes.items())[:_MODES_SHOWN]:
        grid.add_row(f"  {number}", _literal(mode))
    more = len(modes) - _MODES_SHOWN
    if more > 0:
        grid.add_row("  ...", f"and {count(more, 'more kind')}")
    return grid


def _status(row: dict[str, Any]) -> str:
    if row["infeasibility"]:
        return "[red]no solution[/]"
    if row["status"] == "rounding":
        return "[yellow]rounding[/]"
    return "[green]converged[/]" if row["converged"] else "[red]not converged[/]"


def _table(*words: str, numbers: tuple[str, ...]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for header in words:
        table.add_column(header, no_wrap=True)
    for header in numbers:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def _small(value: float) -> str:
    return "0" if value == 0 else f"{value:.1e}"


def _literal(text: str) -> str:
    from rich.markup import escape

    return escape(text)
