"""The contact problem at the level of accelerations (Pang and Trinkle 1996, section 2).

Bodies with velocities v touch at c contacts, none of which closes or opens at present. With the
velocities H v of the contacts, the applied forces f (gravity, torques of joints, velocity products)
and rows E of joints whose accelerations e are given,

    M v' = f + H^T p + E^T q,     E v' = e                              (1), (2)
    a    = H v' + dH/dt v                                               (3) to (5)

are all that mechanics asks; v' are accelerations, a those of the contacts, p their forces, q
those of the given rows. Without v' and q,

    a = A p + b,   A = H N H^T,   b = dH/dt v + H (N f + M^-1 E^T (E M^-1 E^T)^+ e)    (20) to (22)

with N = M^-1 - M^-1 E^T (E M^-1 E^T)^+ E M^-1. A is symmetric and positive semidefinite.

A contact has 2, 3, 5 or 6 rows, as everywhere: the normal, tangents, turning about tangents,
turning about the normal. Friction acts in blocks of them: sliding, rolling, spinning, each a disc
(an interval, if it has one row) of a radius times the normal force: mu, rho (m), sigma (m). The
paper has sliding alone; its proofs hold for blocks as they stand: more balls of the same kind.
A block moves if its velocity is not zero, and then its force is known, or it rests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve

from rollcone._check import FloatArray, bounded_array, positive_number
from rollcone.analysis.acceleration.places import Places
from rollcone.errors import InputError

if TYPE_CHECKING:
    from rollcone.mechanics.world import World

BLOCKS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: (),
    2: ((1,),),
    3: ((1, 2),),
    5: ((1, 2), (3, 4)),
    6: ((1, 2), (3, 4), (5,)),
}
_SYMMETRIC = 1e-9  # of the largest entry
_LOST = 1e-11  # of the parts of a difference: rounding
_RANK = 1e-10  # of the largest singular value: given rows that depend on others
_CONTRADICTS, _ROUNDED = 1e-8, 1e-14  # of the largest given acceleration
_CLOSING = 1e-6  # of the largest speed of contacts, of normal velocities that count as none


@dataclass(frozen=True, eq=False)
class AccelerationProblem:
    """mass       M (n, n), symmetric and positive definite
    rows       H (c, d, n), d = 1, 2, 3, 5 or 6 rows per contact
    force      f (n,)
    friction   (c, k) radii of the blocks, sliding, rolling, spinning as far as d has them; (c,)
               or a number for sliding alone
    velocity   H v (c, d) at present, zero if not given; the normal rows must be zero
    bias       dH/dt v (c, d), zero if not given
    held       E (m, n), none if not given
    held_acceleration  e (m,), zero if not given
    speed_tolerance    blocks that are no faster rest: m/s, for turning in rad/s
    places     where contacts are and what they are called, for reports and pictures
    """

    mass: FloatArray
    rows: FloatArray
    force: FloatArray
    friction: FloatArray
    velocity: FloatArray = None  # type: ignore[assignment]
    bias: FloatArray = None  # type: ignore[assignment]
    held: FloatArray = None  # type: ignore[assignment]
    held_acceleration: FloatArray = None  # type: ignore[assignment]
    speed_tolerance: float = 1e-9
    places: Places | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        M = bounded_array("mass", self.mass)
        if M.ndim != 2 or M.shape[0] != M.shape[1]:
            raise InputError(f"mass of shape {M.shape}: must be a square matrix")
        n = len(M)
        H = bounded_array("rows", self.rows)
        if H.ndim != 3 or H.shape[2] != n or H.shape[1] not in BLOCKS:
            raise InputError(
                f"rows of shape {H.shape}: must be (contacts, rows, {n}) with 1, 2, 3, 5 or 6 rows "
                "per contact"
            )
        c, d, _ = H.shape
        put = object.__setattr__
        put(self, "mass", _definite(M))
        put(self, "rows", H)
        put(self, "force", _shaped("force", self.force, (n,)))
        put(self, "friction", _radii(self.friction, c, len(BLOCKS[d])))
        put(self, "velocity", _shaped("velocity", self.velocity, (c, d)))
        put(self, "bias", _shaped("bias", self.bias, (c, d)))
        E = np.zeros((0, n)) if self.held is None else bounded_array("held", self.held)
        if E.ndim != 2 or E.shape[1] != n:
            raise InputError(f"held of shape {E.shape}: must be (given rows, {n})")
        put(self, "held", E)
        put(
            self,
            "held_acceleration",
            _shaped("held_acceleration", self.held_acceleration, (len(E),)),
        )
        positive_number("speed_tolerance", self.speed_tolerance, zero=True)
        self._check_normals()
        self._check_held()

    @classmethod
    def from_world(
        cls,
        world: World,
        *,
        time: float = 0.0,
        torques: Mapping[str, float] | None = None,
        accelerations: Mapping[str, float] | None = None,
        speed_tolerance: float = 1e-6,
    ) -> AccelerationProblem:
        """Of a world at a moment; `problem_of` in from_world.py tells of the arguments."""
        from rollcone.analysis.acceleration.from_world import problem_of

        return problem_of(
            world, time=time, torques=torques, accelerations=accelerations,
            speed_tolerance=speed_tolerance,
        )  # fmt: skip

    def _check_normals(self) -> None:
        """The paper's problem is that of contacts that last."""
        speed = np.abs(self.velocity[:, 0])
        most = max(self.speed_tolerance, _CLOSING * float(np.abs(self.velocity).max(initial=0.0)))
        if np.any(speed > most):
            i = int(np.argmax(speed))
            raise InputError(
                f"velocity[{i}, 0] = {self.velocity[i, 0]:g}: must be zero, contacts neither close "
                "nor open at the moment of the analysis; an impact comes before it"
            )

    def _check_held(self) -> None:
        e, E = self.held_acceleration, self.held
        if not len(E):
            return
        agreed = self.agreed(e)
        left = np.abs(agreed - e)
        most = max(np.abs(e).max(), 1e-300)
        if np.any(left > _CONTRADICTS * most):
            i = int(np.argmax(left))
            raise InputError(
                f"held_acceleration[{i}] = {e[i]:g}: contradicts other given rows, on which row "
                f"{i} depends; it is off by {left[i]:g}"
            )
        if np.any(left > _ROUNDED * most):  # redundant rows that agree but for noise: no noise
            object.__setattr__(self, "held_acceleration", agreed)

    @property
    def contacts(self) -> int:
        return len(self.rows)

    @property
    def rows_per_contact(self) -> int:
        return int(self.rows.shape[1])

    @property
    def size(self) -> int:
        """Of v."""
        return len(self.mass)

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The rows of each block of friction."""
        return BLOCKS[self.rows_per_contact]

    @cached_property
    def slip(self) -> FloatArray:
        """(c, k): the speed of each block."""
        parts = [np.linalg.norm(self.velocity[:, list(rows)], axis=1) for rows in self.blocks]
        return np.array(parts).reshape(len(self.blocks), self.contacts).T

    @cached_property
    def moves(self) -> NDArray[np.bool_]:
        """(c, k): blocks whose velocity is not zero: of friction only the size is unknown."""
        return np.asarray(self.slip > self.speed_tolerance)

    @property
    def slides(self) -> NDArray[np.bool_]:
        """(c,): the sliding contacts S of the paper; the others are its rolling ones, R."""
        return self.moves[:, 0] if self.blocks else np.zeros(self.contacts, dtype=bool)

    @property
    def all_rest(self) -> bool:
        """The all-rolling problem of section 4: no block with friction moves."""
        return not np.any(self.moves & (self.friction > 0.0))

    @property
    def planar(self) -> bool:
        """Is every resting block an interval, so that pyramid and cone are the same?"""
        wide = [len(rows) > 1 for rows in self.blocks]
        return not np.any(~self.moves & (self.friction > 0.0) & np.array(wide, dtype=bool))

    @cached_property
    def _mass_factor(self) -> tuple[FloatArray, bool]:
        return cho_factor(self.mass, lower=True)  # type: ignore[no-any-return]

    def solve_mass(self, right: FloatArray) -> FloatArray:
        """M^-1 times a vector or matrix."""
        return np.asarray(cho_solve(self._mass_factor, right))

    @cached_property
    def _held_inverse(self) -> FloatArray:
        """M^-1 E^T (E M^-1 E^T)^+ (n, m)."""
        E = self.held
        X = self.solve_mass(E.T)
        size = np.sqrt(np.maximum(np.einsum("ij,ji->i", E, X), 1e-300))
        S = (E @ X) / size[:, None] / size
        inverse = np.linalg.pinv(S, rcond=_RANK, hermitian=True) / size[:, None] / size
        return np.asarray(X @ inverse)

    def agreed(self, e: FloatArray) -> FloatArray:
        """Given accelerations that are possible, near e (m,): e itself unless rows depend on each
        other and disagree."""
        return np.asarray(self.held @ (self._held_inverse @ e))

    @cached_property
    def mobility(self) -> FloatArray:
        """N (n, n): accelerations by forces, given rows obeyed."""
        inverse = self.solve_mass(np.eye(self.size))
        N = inverse - self._held_inverse @ (self.held @ inverse)
        return 0.5 * (N + N.T)

    @cached_property
    def A(self) -> FloatArray:
        """(c d, c d), eq. (21)."""
        H = self.flat_rows
        A = H @ self.mobility @ H.T
        A[self.stuck] = A[:, self.stuck] = 0.0
        return 0.5 * (A + A.T)

    @cached_property
    def b(self) -> FloatArray:
        """(c d,), eq. (22)."""
        H, v, bias = self.flat_rows, self.free_accelerations, self.bias.reshape(-1)
        b = bias + H @ v
        parts = np.abs(bias) + np.abs(H) @ np.abs(v)
        b[self.stuck & (np.abs(b) <= _LOST * parts)] = 0.0
        return np.asarray(b)

    @cached_property
    def ease(self) -> FloatArray:
        """(c d,): the diagonal of A if no row were given."""
        H = self.flat_rows
        return np.asarray(np.einsum("ij,ji->i", H, self.solve_mass(H.T)))

    @cached_property
    def stuck(self) -> NDArray[np.bool_]:
        """(c d,): rows that given rows leave no acceleration of their own, but for rounding: no
        force changes it."""
        H = self.flat_rows
        left = np.einsum("ij,jk,ik->i", H, self.mobility, H)
        return np.asarray(left <= _LOST * self.ease)

    @cached_property
    def free_accelerations(self) -> FloatArray:
        """v' (n,) without contact forces."""
        return self._given_rows_obeyed(self.mobility @ self.force)

    @cached_property
    def flat_rows(self) -> FloatArray:
        """H (c d, n)."""
        return self.rows.reshape(-1, self.size)

    def accelerations(self, p: FloatArray) -> FloatArray:
        """v' (n,) with the contact forces p (c, d)."""
        load = self.force + self.flat_rows.T @ p.ravel()
        return self._given_rows_obeyed(self.mobility @ load)

    def _given_rows_obeyed(self, v: FloatArray) -> FloatArray:
        """v with E v = e: twice, since digits are lost where large parts cancel out."""
        for _ in range(2 if len(self.held) else 0):
            v = v + self._held_inverse @ (self.held_acceleration - self.held @ v)
        return np.asarray(v)

    def held_forces(self, p: FloatArray) -> FloatArray:
        """q (m,) with the contact forces p: the least ones, where given rows are redundant."""
        if not len(self.held):
            return np.zeros(0)
        load = self.force + self.flat_rows.T @ p.ravel()
        return np.asarray(np.linalg.lstsq(self.held.T, self.mass @ self.accelerations(p) - load)[0])

    @cached_property
    def row_scale(self) -> FloatArray:
        """(c, d): 1 for rows of forces, a length for rows of moments, by which forces and moments
        become comparable: that at which the contact is as easy to turn as to move."""
        d = self.rows_per_contact
        scale = np.ones((self.contacts, d))
        if d > 3:
            ease = self.ease.reshape(-1, d)
            move, turn = ease[:, :3].mean(axis=1), ease[:, 3:].mean(axis=1)
            known = (move > 0.0) & (turn > 0.0)
            scale[known, 3:] = np.sqrt(move[known] / turn[known])[:, None]
        return scale


def _shaped(name: str, value: ArrayLike | None, shape: tuple[int, ...]) -> FloatArray:
    array = np.zeros(shape) if value is None else bounded_array(name, value)
    if array.shape != shape:
        raise InputError(f"{name} of shape {array.shape}: must be {shape}")
    return array


def _radii(friction: ArrayLike, contacts: int, blocks: int) -> FloatArray:
    given = bounded_array("friction", friction)
    if np.any(given < 0.0):
        raise InputError(f"friction = {given[given < 0.0][0]:g}: must be >= 0")
    if given.ndim < 2:
        if given.ndim == 1 and given.shape != (contacts,):
            raise InputError(f"friction of shape {given.shape}: must be ({contacts}, {blocks})")
        radii = np.zeros((contacts, blocks))
        radii[:, :1] = np.broadcast_to(given, (contacts,))[:, None]
        return radii
    if given.shape != (contacts, blocks):
        raise InputError(f"friction of shape {given.shape}: must be ({contacts}, {blocks})")
    return given


def _definite(M: FloatArray) -> FloatArray:
    if np.abs(M - M.T).max(initial=0.0) > _SYMMETRIC * np.abs(M).max(initial=0.0):
        raise InputError("mass: must be symmetric")
    M = 0.5 * (M + M.T)
    try:
        np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(M)[0])
        raise InputError(
            f"mass: must be positive definite, its least eigenvalue is {least:g}"
        ) from None
    return M
