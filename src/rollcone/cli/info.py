"""`rollcone info`: what is in a run file or a problem file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rollcone.problem.contact_problem import ContactProblem
    from rollcone.problem.fclib_file import FclibFile


def info(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A run file or a problem file.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
    pointed: Annotated[
        bool, typer.Option("--pointed", help="Of a problem: is its friction cone pointed?")
    ] = False,
) -> None:
    """Describe a run file, or a problem file.

    A run: what happened, what is in the file, whether it can go on. A problem file:
    size, coefficients, scales, free motion, and of an FCLIB file also its title and how good the
    stored solution and guesses are.
    """
    from rollcone.cli import run_info
    from rollcone.cli.console import print_json, working
    from rollcone.cli.inputs import refuse_scene
    from rollcone.errors import InputError
    from rollcone.problem.fclib_file import NAME as FCLIB
    from rollcone.problem.files import load_fclib, read_file

    refuse_scene(file)
    if run_info.is_run(file):
        if pointed:
            raise InputError(f"--pointed is for problem files, and {file} is a run")
        run_info.info(file, as_json=as_json)
        return
    with working(f"reading {file.name}"):
        problem, file_format = read_file(file)
        facts = {"file": str(file), "format": file_format, **describe(problem)}
        if file_format.startswith(FCLIB):
            facts |= stored(load_fclib(file))
        if pointed:
            facts["pointed"] = _pointed(problem)
    if as_json:
        print_json(facts)
    else:
        show(facts)


def describe(problem: ContactProblem) -> dict[str, Any]:
    """The facts of a problem, with ranges as [least, largest] or None."""
    from rollcone.laws.names import coupled_names

    q_normal = problem.split(problem.q)[0][:, 0]
    scale = problem.scaling
    return {
        "contacts": problem.contacts,
        "rows": problem.rows,
        "extra_rows": problem.extra_rows,
        "extra_row_kinds": problem.extra_row_kinds(),
        "compliance_rows": int((problem.compliance > 0).sum()),
        "law": problem.law,
        "coupled": coupled_names(problem.cone.kinds),
        **_form(problem),
        "friction": _friction(problem),
        "asymmetry": problem.asymmetry,
        "q_norm": float((problem.q**2).sum() ** 0.5),
        "lambda_range": _span(scale.lambdas),
        "length_range": _span(scale.units[:, 3:]) if problem.rows > 3 else None,
        "approaching": int((q_normal < 0).sum()),
        "fastest_approach": float(max(-q_normal.min(initial=0.0), 0.0)),
    }


def stored(content: FclibFile) -> dict[str, Any]:
    """What an FCLIB file holds beside the problem; reactions by their residual."""
    from rollcone.problem.residual import residuals

    problem, solution = content.problem, content.solution
    return {
        "title": content.title,
        "description": content.description,
        "math_info": content.math_info,
        "solution_residual": None if solution is None else residuals(problem, solution).residual,
        "guess_residuals": [residuals(problem, guess).residual for guess in content.guesses],
    }


def _pointed(problem: ContactProblem) -> dict[str, Any]:
    """The verdict, its figures, who carries the self-stress if there is one, and all in words."""
    found = problem.is_pointed()
    return {
        "verdict": found.verdict,
        "margin": found.margin,
        "imbalance": found.imbalance,
        "independence": found.independence,
        "tolerance": found.tolerance,
        "carriers": found.carriers.tolist(),
        "carrying_rows": found.carrying_rows.tolist(),
        "report": found.report(),
    }


def _form(problem: ContactProblem) -> dict[str, Any]:
    from rollcone.problem.bodies import BodyForm
    from rollcone.problem.mass import BlockMass

    form = problem.form
    if not isinstance(form, BodyForm):
        return {"form": "Delassus", "dofs": None, "bodies": None, "matrix": _matrix("W", form.W)}
    bodies = form.mass.bodies if isinstance(form.mass, BlockMass) else None
    return {
        "form": "body",
        "dofs": form.mass.dofs,
        "bodies": bodies,
        "matrix": _matrix("H", form.H),
    }


def _matrix(name: str, matrix: Any) -> dict[str, Any]:
    rows, columns = matrix.shape
    share = matrix.nnz / (rows * columns) if rows and columns else 0.0
    return {"name": name, "shape": [rows, columns], "entries": int(matrix.nnz), "density": share}


def _friction(problem: ContactProblem) -> dict[str, Any]:
    """Per resistance its unit and, per kind of set, how many contacts and the ranges."""
    import numpy as np

    from rollcone.laws.kernels.ellipsoid import ELLIPSOID
    from rollcone.laws.kernels.interval import INTERVAL

    (slide, roll), radii = problem.cone.kinds.T, problem.cone.radii
    roll = np.where(slide == ELLIPSOID, ELLIPSOID, roll)
    spin = np.where(slide < 0, slide, INTERVAL)  # a coupled set bounds spinning, too
    found = {"sliding": {"unit": "", "sets": _sets(slide, radii[:, 0:2])}}
    if problem.rows > 3:
        found["rolling"] = {"unit": "m", "sets": _sets(roll, radii[:, 2:4])}
    if problem.rows > 5:
        found["spinning"] = {"unit": "m", "sets": _sets(spin, radii[:, 4:])}
    return found


def _sets(kinds: Any, radii: Any) -> list[dict[str, Any]]:
    from rollcone.laws.kernels.box import BOX
    from rollcone.laws.kernels.ellipse import ELLIPSE
    from rollcone.laws.names import set_name

    rows = []
    for kind in sorted(set(kinds.tolist())):
        here = radii[kinds == kind]
        row = {
            "set": set_name(kind),
            "contacts": len(here),
            "first": _span(here[:, 0]),
        }
        if kind in (ELLIPSE, BOX):
            row["second"] = _span(here[:, 1])
        rows.append(row)
    return rows


def _span(values: Any) -> list[float] | None:
    return [float(values.min()), float(values.max())] if len(values) else None


def show(facts: dict[str, Any]) -> None:
    """The facts for people, one line each."""
    from rich.markup import escape
    from rich.table import Table

    from rollcone.cli.console import console, problem_words

    out = console()
    out.print(f"[bold]{escape(Path(facts['file']).name)}[/]: {problem_words(facts)}\n")
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, words in _lines(facts):
        table.add_row(name, escape(words))
    out.print(table)
    if "pointed" in facts:
        out.print(f"\n{escape(facts['pointed']['report'])}")


def _lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    from rollcone._words import count

    lines = [("format", facts["format"]), *_stored_lines(facts)]
    if facts["dofs"] is not None:
        bodies = facts["bodies"]
        of = (
            "one sparse mass matrix"
            if bodies is None
            else count(bodies, "body").replace("bodys", "bodies")
        )
        lines.append(("bodies", f"{of}, {facts['dofs']} degrees of freedom"))
    if facts["extra_rows"]:
        kinds = facts["extra_row_kinds"]
        lines.append(("extra rows", ", ".join(f"{n} {k}" for k, n in kinds.items() if n)))
    if facts["compliance_rows"]:
        lines.append(("compliance", f"in {count(facts['compliance_rows'], 'row')}"))
    for name, entry in facts["friction"].items():
        lines.append(
            (name, "; ".join(_set_words(row, entry["unit"]) for row in entry["sets"]) or "-")
        )
    matrix = facts["matrix"]
    rows, columns = matrix["shape"]
    lines.append(
        (
            matrix["name"],
            f"{rows} x {columns}, {matrix['entries']} entries ({matrix['density']:.2%})",
        )
    )
    lines.append(("symmetry of W", _symmetry(facts)))
    lines.append(("norm of q", f"{facts['q_norm']:.4g}"))
    lines.append(("lambda", _range_words(facts["lambda_range"], "1/kg")))
    if facts["length_range"] is not None:
        lines.append(("length L", _range_words(facts["length_range"], "m")))
    fastest = f", fastest at {facts['fastest_approach']:.3g} m/s" if facts["approaching"] else ""
    lines.append(
        (
            "free motion",
            f"{facts['approaching']} of {count(facts['contacts'], 'contact')} approach{fastest}",
        )
    )
    return lines


def _stored_lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    lines = []
    if facts.get("title"):
        lines.append(("title", facts["title"]))
    if facts.get("solution_residual") is not None:
        lines.append(("stored solution", f"residual {facts['solution_residual']:.1e}"))
    guesses = facts.get("guess_residuals", [])
    if guesses:
        shown = ", ".join(f"{residual:.1e}" for residual in guesses[:8])
        more = ", ..." if len(guesses) > 8 else ""
        lines.append(("stored guesses", f"{len(guesses)}, residual {shown}{more}"))
    return lines


def _symmetry(facts: dict[str, Any]) -> str:
    if facts["form"] == "body":
        return "symmetric by construction, H M^-1 H^T"
    off = facts["asymmetry"]
    return "symmetric" if off == 0 else f"off by {off:.1e} of its largest entry"


def _set_words(row: dict[str, Any], unit: str) -> str:
    words = f"{row['set']} {_range_words(row['first'], '' if 'second' in row else unit)}"
    if "second" in row:
        words += f" by {_range_words(row['second'], unit)}"
    return f"{words} ({row['contacts']})"


def _range_words(span: list[float] | None, unit: str) -> str:
    if span is None:
        return "-"
    low, high = (f"{value:.4g}" for value in span)
    return f"{low if low == high else f'{low} to {high}'} {unit}".rstrip()
