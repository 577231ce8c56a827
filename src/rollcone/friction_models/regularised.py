"""Regularised friction: bristles where a contact sticks, a viscous drift where it slides (Peiret,
Gholami, Kövecses and Font-Llagunes 2016).

v and r_T are the sliding velocity and the friction of the step before, r_n a normal force that is
known, forces as impulses h lambda of a step; |r_T1|, |r_T2| <= mu r_n in all cases (12).

Sticking, |v| <= v_th: t1 along the friction of the step before, bristles of stiffness k_T (11),

    r_T+ = r_T - h^2 k_T u_T+

Sliding: t1 along v; friction along it is mu r_n unless sliding turns back (18), and across it is
viscous (19), (20), so that friction turns with the velocity:

    r_T1+ = -mu r_n - h^2 k_T u_T1+,    r_T2+ = -(mu r_n / v) u_T2+

k_T may be infinite. A contact whose friction was well below its limit sticks here, however fast it
moves: soft bristles swing faster than v_th, and friction at its limit would keep them swinging for
ever. Bristles make friction of redundant contacts unique and continuous, and nothing
creeps: at rest they are stretched as far as the load asks.

The paper has sliding alone. Rolling has the same here, with v_th and k_T taken at the length L of
the contact (problem/scaling.py): rates count as speeds L w, bristles have the stiffness k_T L^2;
spinning, which has one direction, with bristles alone: they begin anew at the limit where it spins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, positive_number
from rollcone.friction_models.bounded import BoundedModel, Rows, coefficients
from rollcone.friction_models.model import Before
from rollcone.problem.contact_problem import ContactProblem

# Of its limit: friction that slides may lag behind a normal force that grows.
_WELL_BELOW = 0.7


@dataclass(frozen=True, kw_only=True)
class RegularisedFriction(BoundedModel):
    """stiffness  k_T of the bristles, N/m (1e10); infinite: none
    threshold  v_th, m/s (0.01): what slides no faster sticks
    rounds     in which bounds are taken anew from the normal force (10); 0: that of the step before
    """

    stiffness: float = 1e10
    threshold: float = 0.01

    name: ClassVar[str] = "regularised"
    mean_friction: ClassVar[bool] = False  # it has a rule of its own for the direction

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stiffness != np.inf:
            positive_number("stiffness", self.stiffness)
        positive_number("threshold", self.threshold, zero=True)

    @property
    def words(self) -> str:
        return (
            f"regularised friction (k_T = {self.stiffness:g} N/m, v_th = {self.threshold:g} m/s, "
            f"{self.rounds} rounds)"
        )

    def rows(self, problem: ContactProblem, before: Before, normal: FloatArray) -> Rows:
        n, d = problem.contacts, problem.rows
        limits = coefficients(problem) * normal[:, None]
        lengths = problem.scaling.units
        soft = 1.0 / (self.stiffness * (before.step * lengths) ** 2)
        soft[:, 0] = 0.0
        held = _WELL_BELOW * coefficients(problem) * before.reactions[:, :1]
        rest, axes = np.zeros((n, d)), np.zeros((n, d, 2))
        for k in (1, 3):
            if k + 1 < d:
                plane = slice(k, k + 2)
                axes[:, k], slides, speed = self._axes(before, plane, lengths[:, k], held[:, k])
                # of contacts that stick, in the new axes: all of it is along the first
                rest[:, k] = np.hypot.reduce(before.reactions[:, plane], axis=1)
                rest[slides, k] = -limits[slides, k]
                limit = limits[slides, k]
                soft[slides, k + 1] = np.divide(
                    speed[slides], limit, out=np.zeros_like(limit), where=limit > 0.0
                )
        for k in {2: (1,), 6: (5,)}.get(d, ()):
            v, r = before.velocities[:, k], before.reactions[:, k]
            slides = self._slides(np.abs(v) * lengths[:, k], np.abs(r), held[:, k])
            rest[:, k] = np.where(slides, -np.sign(v) * limits[:, k], r)
        return Rows(axes, limits, soft, rest)

    def _slides(self, speed: FloatArray, force: FloatArray, held: FloatArray) -> NDArray[np.bool_]:
        """Faster than the threshold, unless bristles hold it. (No friction at all is that of a
        contact whose bounds were zero.)"""
        return np.asarray((speed > self.threshold) & ((force >= held) | (force == 0.0)))

    def _axes(
        self, before: Before, plane: slice, length: FloatArray, held: FloatArray
    ) -> tuple[FloatArray, NDArray[np.bool_], FloatArray]:
        """(n, 2) cosine and sine of t1; which contacts slide; how fast (m/s or rad/s)."""
        v, r = before.velocities[:, plane], before.reactions[:, plane]
        speed, force = np.hypot.reduce(v, axis=1), np.hypot.reduce(r, axis=1)
        slides = self._slides(speed * length, force, held)
        along = np.where(slides[:, None], v, r)
        size = np.asarray(np.where(slides, speed, force)).reshape(-1, 1)
        axes = np.divide(along, size, out=np.zeros_like(along), where=size > 0.0)
        axes[size[:, 0] == 0.0, 0] = 1.0
        return axes, slides, speed
