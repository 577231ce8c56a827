"""Box friction: each component within bounds of its own, +- mu r_n, with r_n known from before
(Lacoursière 2006).

    |r_t1|, |r_t2| <= mu r_n,   |m_t1|, |m_t2| <= rho r_n,   |m_n| <= sigma r_n

The axes are those of the contact. Friction is up to sqrt(2) too large, and points up to 45 degrees
aside, where a body slides between two axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rollcone._check import FloatArray
from rollcone.friction_models.bounded import BoundedModel, Rows, coefficients
from rollcone.friction_models.model import Before
from rollcone.laws.cone import FrictionCone
from rollcone.laws.kernels.box import BOX
from rollcone.laws.kernels.disc import DISC
from rollcone.problem.contact_problem import ContactProblem


@dataclass(frozen=True, kw_only=True)
class BoxFriction(BoundedModel):
    """rounds  in which bounds are taken anew from the normal force (10); 0: of the step before"""

    name: ClassVar[str] = "box"

    @property
    def words(self) -> str:
        return f"box friction ({self.rounds} rounds)"

    def law_of(self, problem: ContactProblem) -> ContactProblem:
        kinds = np.full((problem.contacts, 2), DISC if problem.rows == 2 else BOX)
        return replace(problem, cone=FrictionCone.from_arrays(kinds, problem.cone.radii))

    def rows(self, problem: ContactProblem, before: Before, normal: FloatArray) -> Rows:
        limits = coefficients(problem) * normal[:, None]
        none = np.zeros_like(limits)
        return Rows(None, limits, none, none)
