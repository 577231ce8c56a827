"""Siconos' text files (.dat): numbers with white space between them.

    rows per contact d (2, 3, or 5 with rolling), number of contacts n
    local:    W, q, mu (n,), with rolling mu_r (n,)           u = W r + q
    global:   M, H, f, w, mu, with rolling mu_r               M v = H r + f,  u = H^T v + w
    perhaps one 0 or 1 more, which older versions write; nothing here depends on it

Matrices: see siconos_matrix.py. No word says whether a file is local or global, but the
count does: after a W there are just q, mu and mu_r, with at most one number more; after an M
there are at least three more than that, the beginning of H. The law is the exact one.
"""

from __future__ import annotations

from pathlib import Path

from rollcone.errors import FileError
from rollcone.laws.cone import FrictionCone
from rollcone.problem.contact_problem import ContactProblem
from rollcone.problem.file_forms import SIX_DIGITS, global_problem, local_problem
from rollcone.problem.mass import ROUNDED
from rollcone.problem.siconos_matrix import SPARSE, Tokens, read_matrix

NAME = "Siconos text file"
DIMENSIONS = (2, 3, 5)


def read(path: Path) -> tuple[ContactProblem, str]:
    """The problem and, in words, the format."""
    tokens = Tokens(path.read_bytes())
    rows, contacts = tokens.integer("rows per contact"), tokens.integer("number of contacts")
    if rows not in DIMENSIONS:
        raise FileError(f"{rows} rows per contact: must be 2, 3 or 5")
    size = rows * contacts
    tail = contacts * (2 if rows == 5 else 1)  # mu, mu_r
    kind = ", rolling" if rows == 5 else ""
    first, storage = read_matrix(tokens, "the first matrix")
    if first.shape == (size, size) and tokens.left <= size + tail + 1:
        q = tokens.floats("q", size)
        problem = local_problem(first, q, _last(tokens, rows, contacts), rows)
        return problem, f"{NAME}, local{kind}"
    dofs = first.shape[0]
    try:
        H, _ = read_matrix(tokens, "H", (dofs, size))
    except FileError as error:
        raise FileError(
            f"neither local, with W of shape {(size, size)} before q and mu, nor global, with "
            f"H of shape {(dofs, size)} after a matrix of shape {first.shape}: {error}"
        ) from error
    f, w = tokens.floats("f", dofs), tokens.floats("w", size)
    problem, note = global_problem(
        first, H, f, w, _last(tokens, rows, contacts), rows,
        symmetric_to=SIX_DIGITS if storage == SPARSE else ROUNDED,
    )  # fmt: skip
    return problem, f"{NAME}, global{kind}{'; ' if note else ''}{note}"


def _last(tokens: Tokens, rows: int, contacts: int) -> FrictionCone:
    """The coefficients, after which the file must end."""
    mu = tokens.floats("mu", contacts)
    mu_r = tokens.floats("mu_r", contacts) if rows == 5 else 0.0
    flag = tokens.integer("the number after mu") if tokens.left == 1 else 0
    if tokens.left or flag > 1:
        raise FileError("goes on after mu, where it must end, or with one 0 or 1")
    return FrictionCone(mu, mu_r)
