"""How much the convex relaxation changes: the same problems under the exact and the associated law.

- velocities: |v_associated - v_exact| / |v_exact - v_free| with the kinetic energy as norm; where
  there is only W, contact velocities in the norm of the residual. Above 1 where bodies slide fast
  under small loads: the associated law alone, without gap / h in the normal row, throws them up.
- lift: the largest speed S(y) at which a closed contact parts under the associated law, over the
  largest free speed of a contact.
- energy: what the reactions take away, -p.(y + q) / 2; how much more under the associated law.
- ground, normal: likewise the sum of normal reactions, of contacts that have one body alone and of
  all.
- spread: the mean distance between the sorted normal reactions of the two laws, over their mean:
  blind to which contact carries what.

What is unique? Velocities of the associated law are, and with them its lift, energy and, where the
ground is a plane, the sum on the ground. Reactions inside a structure are not, under either law.
The exact law may have several answers. So it is solved twice, from no reactions and from those of
the associated law: "twice" is how far these two answers are apart, and a figure that is no larger
than its twin there says nothing about the laws. Without lift the answer of the associated law is
one of the exact law as well, and another one where velocities differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import NamedTuple

import numpy as np

import rollcone as rc
from benchmarks.collection import UNLIMITED, files
from benchmarks.table import Table
from rollcone.problem.bodies import BodyForm

SOLVERS = ("newton", "apgd", "gauss-seidel")
TOLERANCE, LIMIT = 1e-8, 20.0  # of the residual; seconds per solver
SMALL = 1e-5  # what the tolerance cannot tell from zero
Cells = tuple[str, ...]


class Changes(NamedTuple):
    """What an answer differs by from another one to the same problem; no units."""

    velocities: float
    energy: float
    ground: float | None  # None: no bodies
    normal: float
    spread: float


@dataclass(frozen=True)
class Entry:
    """One problem: answers under both laws, and a second one under the exact law."""

    name: str
    associated: rc.Solution
    exact: rc.Solution
    again: rc.Solution

    @property
    def solved(self) -> bool:
        return self.associated.converged and self.exact.converged

    @property
    def twice(self) -> bool:
        return self.exact.converged and self.again.converged

    @property
    def lift(self) -> float:
        problem = self.exact.problem
        free = problem.split(problem.q)[0] * problem.scaling.units
        price = rc.relaxation_price(self.associated, self.exact)
        return price.largest_lift / (np.linalg.norm(free, axis=1).max(initial=0.0) or 1.0)


def solve(problem: rc.ContactProblem, start: rc.Solution | None = None) -> rc.Solution:
    """By the first solver that gets to the tolerance; if none does, the nearest."""
    found: list[rc.Solution] = []
    for solver in SOLVERS:
        found.append(
            rc.solve(
                problem,
                solver,
                tolerance=TOLERANCE,
                max_iterations=UNLIMITED,
                warm_start=start,
                time_limit=LIMIT,
            )
        )
        if found[-1].converged:
            return found[-1]
    return min(found, key=lambda solution: solution.residual)


def compare(name: str, problem: rc.ContactProblem) -> Entry:
    associated = solve(problem.with_law("associated"))
    exact = solve(problem.with_law("exact"))
    return Entry(name, associated, exact, solve(exact.problem, associated))


def changes(found: rc.Solution, exact: rc.Solution) -> Changes:
    """What `found` has more than `exact`, relative to it."""
    here, there = found.reactions[:, 0], exact.reactions[:, 0]
    ground = _grounded(exact.problem)
    apart = np.abs(np.sort(here) - np.sort(there)).sum()
    return Changes(
        velocities=_velocity_change(found, exact),
        energy=_more(_taken(found), _taken(exact)),
        ground=None if ground is None else _more(here[ground].sum(), there[ground].sum()),
        normal=_more(here.sum(), there.sum()),
        spread=float(apart / (there.sum() or 1.0)),
    )


def _velocity_change(found: rc.Solution, exact: rc.Solution) -> float:
    problem = exact.problem
    if isinstance(problem.form, BodyForm):
        mass, v = problem.form.mass.matrix(), exact.body_velocities
        away, done = found.body_velocities - v, v - problem.form.v_free
        top, bottom = away @ (mass @ away), done @ (mass @ done)
    else:
        weights = problem.scaling.units / np.sqrt(problem.scaling.lambdas)[:, None]
        free = problem.split(problem.q)[0]
        top = np.sum(((found.velocities - exact.velocities) * weights) ** 2)
        bottom = np.sum(((exact.velocities - free) * weights) ** 2)
    return float(np.sqrt(top / (bottom or 1.0)))


def _taken(solution: rc.Solution) -> float:
    """The kinetic energy that reactions take away: -p.(y + q) / 2."""
    y = np.concatenate([solution.velocities.reshape(-1), solution.row_velocities])
    return float(-0.5 * solution.all_reactions() @ (y + solution.problem.q))


def _grounded(problem: rc.ContactProblem) -> np.ndarray | None:
    """Numbers of the contacts that have one body alone; None where bodies are not known."""
    form = problem.form
    pairs = form.pairs(0, problem.contacts, problem.rows) if isinstance(form, BodyForm) else None
    if pairs is None:
        return None
    return np.flatnonzero((pairs.bodies == form.mass.bodies).any(axis=1))


def _more(here: float, there: float) -> float:
    return float((here - there) / (abs(there) or 1.0))


@cache
def entries() -> list[Entry]:
    """Everything, once: files, then the collection."""
    found = []
    for name, problem in problems():
        found.append(compare(name, problem))
        print(f"{len(found)} {name}: {solved_cell(found[-1])}", file=sys.stderr, flush=True)
    return found


def problems() -> Iterator[tuple[str, rc.ContactProblem]]:
    for path in files():
        try:
            yield f"{path.parent.name}/{path.name}", rc.load_problem(path)
        except rc.FileError as error:
            print(error, file=sys.stderr, flush=True)
    yield from rc.problems.collection()


def family(name: str) -> str:
    """The folder of a file; of a generated problem its first words."""
    folder, found, _ = name.partition("/")
    if found:
        return f"files: {folder}"
    kind = name.split("-")[0]
    states = [state for state in ("rest", "shake", "sliding", "pushed") if f"-{state}" in name]
    return "heavy heap" if kind == "heavy" else " ".join([kind, *states])


def family_rows() -> Iterator[Cells]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries():
        groups.setdefault(family(entry.name), []).append(entry)
    for name, members in groups.items():
        done = [entry for entry in members if entry.solved]
        figures = [changes(entry.associated, entry.exact) for entry in done]
        twice = [changes(entry.again, entry.exact) for entry in done if entry.twice]
        yield (
            name,
            str(len(members)),
            str(len(done)),
            range_cell([change.velocities for change in figures]),
            range_cell([entry.lift for entry in done]),
            range_cell([abs(change.energy) for change in figures]),
            range_cell([change.spread for change in figures]),
            range_cell([change.velocities for change in twice]),
            range_cell([change.spread for change in twice]),
        )


def range_cell(values: list[float]) -> str:
    """Median and largest."""
    return f"{number(median(values))} ({number(max(values))})" if values else ""


def problem_rows() -> Iterator[Cells]:
    for entry in entries():
        change, twice = (changes(found, entry.exact) for found in (entry.associated, entry.again))
        figures = (change.velocities, entry.lift, *change[1:])
        second = (twice.velocities, twice.spread)
        yield (
            entry.name,
            str(entry.exact.problem.contacts),
            str(entry.exact.problem.rows),
            solved_cell(entry),
            *(bracketed(value, entry.solved) for value in figures),
            *(bracketed(value, entry.twice) for value in second),
        )


def solved_cell(entry: Entry) -> str:
    """Yes, or which answers are not and their residuals."""
    answers = {"associated": entry.associated, "exact": entry.exact, "exact again": entry.again}
    missed = [
        f"{name} {found.residual:.0e}" for name, found in answers.items() if not found.converged
    ]
    return ", ".join(missed) or "yes"


def bracketed(value: float | None, sure: bool) -> str:
    """Brackets where an answer that it comes from is not solved."""
    if value is None:
        return ""
    return number(value) if sure else f"({number(value)})"


def number(value: float) -> str:
    """Two digits; 0 is what cannot be told from it."""
    return "0" if abs(value) < SMALL else f"{value:.2g}"


TABLES = [
    Table(
        "Exact law against associated law",
        f"{(__doc__ or '').strip()}\n\nSolved to a residual of {TOLERANCE:g} by the first of "
        f"{', '.join(SOLVERS)} that gets there, {LIMIT:g} s each. Cells: the\nmedian and, in "
        "brackets, the largest of the problems that were solved under both laws; 0: below "
        f"{SMALL:g}.",
        (
            "problems",
            "number",
            "solved",
            "velocities",
            "lift",
            "energy",
            "spread",
            "twice: velocities",
            "twice: spread",
        ),
        family_rows,
    ),
    Table(
        "Exact law against associated law: problem by problem",
        "Columns as above. Solved: yes, or the residuals of what is not; figures that come from it "
        "are in brackets.",
        (
            "problem",
            "contacts",
            "rows",
            "solved",
            "velocities",
            "lift",
            "energy",
            "ground",
            "normal",
            "spread",
            "twice: velocities",
            "twice: spread",
        ),
        problem_rows,
    ),
]
