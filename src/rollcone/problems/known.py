"""Random problems with a known solution.

Choose each contact's mode, then velocity y and reaction p that obey the law in that
mode, then random bodies and contact matrix, and last the offset b that makes
y = H v + b true. Under the associated law y is the only solution; under the exact
law there may be others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from rollcone._check import FloatArray, whole_number
from rollcone.laws.cone import FrictionCone
from rollcone.problem.contact_problem import ContactProblem, Law, rows_per_contact


class KnownProblem(NamedTuple):
    """A problem with one of its solutions, velocities and reactions (n, d)."""

    problem: ContactProblem
    velocities: FloatArray
    reactions: FloatArray


def random_problem(
    contacts: int = 10, *, rows: int = 6, seed: int = 0, law: Law = "exact"
) -> KnownProblem:
    """Random bodies (three velocities in the plane, else six), each contact between two
    of them or one and the ground; mu from 0.1 to 1, rho and sigma from 0.01 to 0.3 m."""
    whole_number("contacts", contacts)
    whole_number("seed", seed)
    rows_per_contact(rows)
    rng = np.random.default_rng([seed, contacts, rows])
    size = 3 if rows == 2 else 6
    bodies = max(1, int(np.ceil(1.2 * contacts * rows / size)))
    mu = rng.uniform(0.1, 1.0, contacts)
    rho = rng.uniform(0.01, 0.3, contacts) if rows > 3 else np.zeros(contacts)
    sigma = rng.uniform(0.01, 0.3, contacts) if rows > 5 else np.zeros(contacts)
    y, p = _complementary(rng, np.stack([mu, rho, sigma], axis=1), rows)
    if law == "associated":
        y[:, 0] += FrictionCone(mu, rho, sigma).shift(y)
    H = _joins(rng, contacts, rows, bodies, size)
    roots = rng.normal(size=(bodies, size, size))
    M = np.eye(size) + roots @ roots.transpose(0, 2, 1) / size
    v_free = rng.normal(size=bodies * size)
    inverse = sp.block_diag(np.linalg.inv(M), format="csr")
    b = y.reshape(-1) - H @ (v_free + inverse @ (H.T @ p.reshape(-1)))
    problem = ContactProblem.from_bodies(
        M, H, v_free, b, sliding=mu, rolling=rho, spinning=sigma, rows=rows, law=law
    )
    return KnownProblem(problem, y, p)


def _complementary(
    rng: np.random.Generator, radii: FloatArray, rows: int
) -> tuple[FloatArray, FloatArray]:
    """y and p (n, d) of contacts in random modes, with u_n = 0 where they touch."""
    n = len(radii)
    y, p = np.zeros((n, rows)), np.zeros((n, rows))
    touch = rng.random(n) < 0.75
    normal = np.where(touch, rng.uniform(0.5, 2.0, n), 0.0)
    p[:, 0] = normal
    y[:, 0] = np.where(touch, 0.0, rng.uniform(0.1, 1.0, n))
    for number, group in enumerate((slice(1, min(rows, 3)), slice(3, 5), slice(5, 6))):
        width = len(range(rows)[group])
        if width == 0:
            continue
        direction = rng.normal(size=(n, width))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        moves = ~touch | (rng.random(n) < 0.5)
        speed = np.where(moves, rng.uniform(0.1, 1.0, n), 0.0)
        share = np.where(moves, 1.0, rng.uniform(0.0, 0.9, n))
        y[:, group] = direction * speed[:, None]
        p[:, group] = -direction * (share * radii[:, number] * normal)[:, None]
    return y, p


def _joins(
    rng: np.random.Generator, contacts: int, rows: int, bodies: int, size: int
) -> sp.csr_matrix:
    """H with random blocks: two bodies per contact, or one and the ground."""
    first = rng.integers(0, bodies, contacts)
    second = rng.integers(0, bodies, contacts)
    H = np.zeros((contacts, rows, bodies, size))
    for i in range(contacts):
        for body in {int(first[i]), int(second[i])}:
            H[i, :, body] = rng.normal(size=(rows, size))
    return sp.csr_matrix(H.reshape(contacts * rows, bodies * size))
