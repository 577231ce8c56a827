"""The friction cone of a contact, for any number of contacts at once.

    K = { p : r_n >= 0, (r_t1, r_t2) in r_n C_sliding, (m_t1, m_t2) in r_n C_rolling,
          |m_n| <= spinning * r_n }

or with sets that couple these rows (kernels/contensou.py, kernels/ellipsoid.py),
with the rows of a point in the order (n, t1, t2, w_t1, w_t2, w_n); points have
2, 3, 5 or 6 of them (Tasora and Anitescu 2013, (31); Acary and Bourrier 2021, (20)). The dual is
K* = { y : u_n >= S(y) }, S the sum of the support functions, `shift`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollcone._check import FloatArray, IntArray, finite_array, one_of
from rollcone.errors import InputError
from rollcone.laws import modes as _modes
from rollcone.laws.contensou import Contensou
from rollcone.laws.disc import Disc
from rollcone.laws.friction_set import FrictionSet, coefficient, span
from rollcone.laws.kernels.box import BOX
from rollcone.laws.kernels.disc import DISC
from rollcone.laws.kernels.ellipse import ELLIPSE
from rollcone.laws.kernels.ellipsoid import ELLIPSOID
from rollcone.laws.kernels.interval import INTERVAL
from rollcone.laws.names import COUPLED, PATCHES, coupled_names, set_name
from rollcone.laws.polygon import FEWEST_FACETS, MOST_FACETS

ROWS = (2, 3, 5, 6)
Coupling = Literal["none", "ellipsoid"]
COUPLINGS: tuple[Coupling, ...] = ("none", "ellipsoid")


class FrictionCone:
    """Reactions that dry friction admits.

    sliding   mu, no unit: a number, an array with one per contact, or a set
              (`Disc`, `Ellipse`, `Box`, `Polygon`; `Contensou` bounds spinning as well)
    rolling   rho, a length in metres: likewise
    spinning  sigma, a length in metres: a number or an array
    coupling  "none", or "ellipsoid": (|r_T|/mu)^2 + (|m_R|/rho)^2 + (m_n/sigma)^2 <= r_n^2

    Methods take one point, shape (d,), or one per contact, shape (n, d).
    """

    kinds: IntArray  # (n, 2): sliding set, rolling set; shape (2,) for numbers
    radii: FloatArray  # (n, 5): sliding a, b, rolling a, b, spinning

    def __init__(
        self,
        sliding: ArrayLike | FrictionSet = 0.0,
        rolling: ArrayLike | FrictionSet = 0.0,
        spinning: ArrayLike = 0.0,
        coupling: Coupling = "none",
    ) -> None:
        slide, roll = _as_set("sliding", sliding), _as_set("rolling", rolling)
        spin = coefficient("spinning", spinning)
        if isinstance(slide, Contensou):
            spin = _own_spinning(slide, spin)
        _check_coupling(coupling, slide, roll)
        parts = [slide.kind, roll.kind, slide.first, slide.second, roll.first, roll.second, spin]
        try:
            shape = np.broadcast_shapes(*(part.shape for part in parts))
        except ValueError:
            raise InputError(
                f"sliding, rolling and spinning have shapes {slide.first.shape}, "
                f"{roll.first.shape}, {spin.shape}: must be numbers or arrays of one length"
            ) from None
        if len(shape) > 1:
            raise InputError(f"coefficients of shape {shape}: must be numbers or one-dimensional")
        full = [np.broadcast_to(part, shape) for part in parts]
        self.kinds = np.stack(full[:2], axis=-1).astype(np.int64)
        if coupling == "ellipsoid":
            self.kinds[..., 0] = ELLIPSOID
        self.radii = np.stack(full[2:], axis=-1)

    @classmethod
    def from_arrays(cls, kinds: ArrayLike, radii: ArrayLike) -> FrictionCone:
        """From the numbers themselves, such as a file holds: kinds (n, 2), radii (n, 5)."""
        sets = np.asarray(kinds)
        lengths = coefficient("radii", radii)
        if sets.ndim != 2 or sets.shape[1] != 2 or lengths.shape != (len(sets), 5):
            raise InputError(
                f"kinds {sets.shape} and radii {lengths.shape}: must be (n, 2) and (n, 5)"
            )
        polygons = (sets >= FEWEST_FACETS) & (sets <= MOST_FACETS) & (sets % 2 == 0)
        coupled = np.isin(sets, COUPLED) & [True, False]
        bad = ~(np.isin(sets, (DISC, ELLIPSE, BOX, INTERVAL)) | polygons | coupled)
        if bad.any():
            known = [f"{kind} ({set_name(kind)})" for kind in (DISC, ELLIPSE, BOX, INTERVAL)]
            known += [f"of sliding {kind} ({set_name(kind)})" for kind in COUPLED]
            raise InputError(
                f"kind {sets[bad][0]} of a set: must be {', '.join(known)} "
                f"or an even number of facets >= {FEWEST_FACETS}"
            )
        if np.any((sets[:, 0] == ELLIPSOID) & (sets[:, 1] != DISC)):
            raise InputError(f"kind of rolling beside an ellipsoid: must be {DISC} (disc)")
        first, second = lengths[:, 0:4:2], lengths[:, 1:4:2]
        round_sets = (sets == DISC) | polygons | coupled
        if np.any(second != np.where(round_sets, first, np.where(sets == INTERVAL, 0.0, second))):
            raise InputError(
                "radii of a disc, a polygon or a coupled set: must be twice the same; "
                "the second of an interval must be 0"
            )
        return cls._unchecked(sets, lengths)

    @classmethod
    def _unchecked(cls, kinds: IntArray, radii: FloatArray) -> FrictionCone:
        cone = cls.__new__(cls)
        cone.kinds = np.ascontiguousarray(kinds, dtype=np.int64)
        cone.radii = np.ascontiguousarray(radii)
        return cone

    @classmethod
    def of_discs(cls, radii: FloatArray) -> FrictionCone:
        """Of discs alone, radii (n, 5) as they stand: nothing is checked or copied."""
        return cls._unchecked(np.full((len(radii), 2), DISC), radii)

    def __repr__(self) -> str:
        n = f"{self.radii.shape[0]} contacts" if self.radii.ndim == 2 else "one law"
        names = ("sliding", "rolling", "spinning")
        spans = (self.radii[..., :2], self.radii[..., 2:4], self.radii[..., 4])
        parts = [f"{k} {span(v)}" for k, v in zip(names, spans, strict=True) if np.any(v > 0)]
        coupled = coupled_names(self.kinds)
        return f"FrictionCone({', '.join([n, *parts, *([coupled] if coupled else [])])})"

    def per_contact(self, contacts: int, rows: int) -> FrictionCone:
        """The same cone with arrays for `contacts` contacts, checked to fit `rows` rows."""
        if self.radii.ndim == 2 and len(self.radii) != contacts:
            raise InputError(
                f"{len(self.radii)} friction coefficients for {contacts} contacts: must be as many"
            )
        check_rows(self, rows)
        return FrictionCone._unchecked(
            np.broadcast_to(self.kinds, (contacts, 2)), np.broadcast_to(self.radii, (contacts, 5))
        )

    def project(self, points: ArrayLike) -> FloatArray:
        """Nearest point of K (Euclidean); exact to rounding for any size of the point."""
        from rollcone.laws.kernels.sets import project_points

        x, cone = self._prepared(points)
        out = np.empty_like(x)
        project_points(cone.kinds, cone.radii, x, out)
        return out.reshape(np.shape(points))

    def project_dual(self, points: ArrayLike) -> FloatArray:
        """Nearest point of K*, by Moreau's decomposition y = P_K*(y) - P_K(-y)."""
        x = finite_array("points", points)
        return x + self.project(-x)

    def shift(self, velocities: ArrayLike) -> FloatArray:
        """S(y) = mu |u_T| + rho |w_R| + sigma |w_n| (m/s), for discs; in general the
        sum of the support functions. The power dissipated per unit of normal force."""
        from rollcone.laws.kernels.sets import shift_points

        y, cone = self._prepared(velocities, "velocities")
        out = np.empty(len(y))
        shift_points(cone.kinds, cone.radii, y, out)
        return out.reshape(np.shape(velocities)[:-1])

    def dissipation(self, velocities: ArrayLike, reactions: ArrayLike) -> FloatArray:
        """r_n S(y): the most power that friction can take out (Acary and Bourrier 2021, (46))."""
        y, p = finite_array("velocities", velocities), finite_array("reactions", reactions)
        if p.shape != y.shape:
            raise InputError(f"velocities {y.shape} and reactions {p.shape}: must have one shape")
        return np.asarray(p[..., 0] * self.shift(y))

    def contains(self, points: ArrayLike, tolerance: float = 1e-12) -> NDArray[np.bool_]:
        """Is each point in K, up to `tolerance` times its norm?"""
        x = finite_array("points", points)
        away = np.hypot.reduce(x - self.project(x), axis=-1)
        return np.asarray(away <= tolerance * np.hypot.reduce(x, axis=-1))

    def dual_contains(self, points: ArrayLike, tolerance: float = 1e-12) -> NDArray[np.bool_]:
        """Is each point in K*, up to `tolerance` times its norm?"""
        y = finite_array("points", points)
        away = np.hypot.reduce(self.project(-y), axis=-1)
        return np.asarray(away <= tolerance * np.hypot.reduce(y, axis=-1))

    def modes(
        self, velocities: ArrayLike, reactions: ArrayLike, tolerance: float = 1e-9
    ) -> NDArray[np.str_]:
        """What each contact does, in words; see `rollcone.laws.modes`."""
        y, _ = self._prepared(velocities, "velocities")
        p, _ = self._prepared(reactions, "reactions")
        names = _modes.classify(y, p, tolerance)
        return names.reshape(np.shape(velocities)[:-1])

    def _prepared(self, points: ArrayLike, name: str = "points") -> tuple[FloatArray, FrictionCone]:
        x = finite_array(name, points)
        if x.ndim not in (1, 2) or x.shape[-1] not in ROWS:
            raise InputError(f"{name} of shape {x.shape}: must be (d,) or (n, d), d = 2, 3, 5 or 6")
        flat = x.reshape(-1, x.shape[-1])
        return flat, self.per_contact(len(flat), flat.shape[1])


def check_rows(cone: FrictionCone, rows: int) -> None:
    """A coefficient without rows to act on is a mistake, not something to drop."""
    needs = {
        "rolling": (np.any(cone.radii[..., 2:4] > 0), 5),
        "spinning": (np.any(cone.radii[..., 4] > 0), 6),
    }
    for name, (used, least) in needs.items():
        if used and rows < least:
            raise InputError(
                f"{name} friction needs contacts with {least} rows or more; these have {rows}"
            )
    patches = np.isin(cone.kinds[..., 0], PATCHES)
    if rows < 6 and np.any(patches):
        raise InputError(
            f"{coupled_names(cone.kinds)} friction needs contacts with 6 rows; these have {rows}"
        )
    if rows == 2 and np.any(cone.kinds[..., 0] != DISC):
        raise InputError(
            "plane contacts (2 rows) slide along one line: sliding must be a number, without "
            "coupling"
        )


def _own_spinning(slide: Contensou, spin: FloatArray) -> FloatArray:
    """The half-axis along the spinning row, where no other spinning friction may be."""
    if np.any(spin > 0):
        raise InputError(
            f"spinning = {span(spin)} beside sliding = {slide}: must be 0, since a Contensou set "
            "has its own spinning friction, sliding * contact_radius"
        )
    return slide.spinning + spin  # in the shape of both


def _check_coupling(coupling: str, slide: FrictionSet, roll: FrictionSet) -> None:
    one_of("coupling", coupling, COUPLINGS)
    if isinstance(roll, Contensou):
        raise InputError(f"rolling = {roll}: a Contensou set is one of sliding and spinning")
    if coupling == "ellipsoid" and not (type(slide) is type(roll) is Disc):
        raise InputError(
            f"coupling = 'ellipsoid' with sliding = {slide} and rolling = {roll}: must be numbers"
        )


def _as_set(name: str, value: ArrayLike | FrictionSet) -> FrictionSet:
    return value if isinstance(value, FrictionSet) else Disc(coefficient(name, value))
