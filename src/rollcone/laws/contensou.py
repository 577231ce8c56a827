"""Sliding coupled with spinning over a circular patch: the Coulomb-Contensou set.

    C = { (l_T, l_n) : (|l_T| / a, |l_n| / s) within the limit curve (xi, eta) },   a = mu,
    s = mu * contact radius

The limit curve is that of the pressure over the patch (kernels/patch.py): a patch that spins is
moved by the smallest force, and one that slides is turned by the smallest torque (Contensou 1963;
Le Saux, Leine and Glocker 2005, section 2.3.2 with the Hertzian pressure).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rollcone._check import FloatArray, IntArray, one_of
from rollcone.errors import InputError
from rollcone.laws.friction_set import FrictionSet, coefficient, scale_array, span
from rollcone.laws.kernels.patch import HERTZ, QUADRATIC, UNIFORM

PRESSURES = {"hertz": HERTZ, "uniform": UNIFORM, "quadratic": QUADRATIC}


class Contensou(FrictionSet):
    """Sliding and spinning share one limit, that of a circular patch under a pressure.

    sliding          mu, no unit
    contact_radius   of the patch, a length in metres; 0 is a disc without spinning friction
    pressure         "hertz" (of an elastic sphere), "uniform" or "quadratic", 1 - (r / radius)^2

    Given as `sliding` to `FrictionCone` and `ContactProblem`; the spinning row is then its own.
    """

    _width = 3

    def __init__(
        self, sliding: ArrayLike, contact_radius: ArrayLike, pressure: str = "hertz"
    ) -> None:
        mu = coefficient("sliding", sliding)
        radius = coefficient("contact_radius", contact_radius)
        one_of("pressure", pressure, PRESSURES)
        try:
            mu, radius = np.broadcast_arrays(mu, radius)
        except ValueError:
            raise InputError(
                f"Contensou: sliding of shape {mu.shape} and contact_radius of shape "
                f"{radius.shape} do not match"
            ) from None
        super().__init__(PRESSURES[pressure], mu, mu)
        self.pressure = pressure
        self.spinning = coefficient("sliding * contact_radius", mu * radius)

    def __repr__(self) -> str:
        slides = self.first > 0.0
        radius = span(self.spinning[slides] / self.first[slides])
        return f"Contensou({span(self.first)}, {radius}, pressure={self.pressure!r})"

    def project(self, points: ArrayLike, scale: ArrayLike = 1.0) -> FloatArray:
        """Nearest point of `scale * C` to each (l_t1, l_t2, l_n), shape (..., 3); scale >= 0."""
        from rollcone.laws.kernels.sets import project_contensou_points

        x, parts = self._per_point("points", points, scale_array(scale))
        out = np.empty_like(x)
        project_contensou_points(*parts, x, out)
        return out.reshape(np.shape(points))

    def support(self, vectors: ArrayLike) -> FloatArray:
        """max { c . v : c in C } for each v = (u_t1, u_t2, w_n), shape (..., 3) -> (...)."""
        from rollcone.laws.kernels.sets import support_contensou_points

        x, parts = self._per_point("vectors", vectors, np.ones(()))
        out = np.empty(len(x))
        support_contensou_points(*parts[:3], x, out)
        return out.reshape(np.shape(vectors)[:-1])

    @property
    def _parameters(self) -> tuple[IntArray, FloatArray, FloatArray]:
        return self.kind, self.first, self.spinning
