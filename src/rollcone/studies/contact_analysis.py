"""What happens next, where it is known: a pushed block, a ladder, a grasp, fixtures, an arm.

Boundaries are found by halving, so that a row tells both sides of each (contact_cases.py); the arm
is set up twice, by bodies and by joint angles (pushing_arm.py). The problems are those of Pang
and Trinkle 1996.
"""

from __future__ import annotations

from dataclasses import dataclass

from rollcone.studies.contact_cases import (
    block_rows,
    fixture_rows,
    grasp_rows,
    ladder_rows,
    map_rows,
    push_map,
)
from rollcone.studies.pushing_arm import arm_rows
from rollcone.studies.study import Progress, Study, Table
from rollcone.view.studies.contact_analysis import draw

SOURCE = "closed form; equations of Pang and Trinkle 1996"


@dataclass(frozen=True)
class Plan:
    """points   of the map of pushes, each way"""

    points: int


DEFAULT = Plan(points=16)
FULL = Plan(points=30)


def study(plan: Plan, progress: Progress) -> Study:
    table, sketches = Table("contact-analysis", SOURCE), []
    cases = (block_rows, ladder_rows, grasp_rows, fixture_rows, arm_rows)
    for number, rows in enumerate(cases):
        sketches.append(rows(table))
        progress(rows.__name__.removesuffix("_rows"), number + 1, len(cases) + 1)
    found = push_map(plan.points)
    map_rows(table, found)
    progress("map of pushes", len(cases) + 1, len(cases) + 1)
    return Study("contact-analysis", table.rows, {"contact-analysis": draw(sketches, found)})
