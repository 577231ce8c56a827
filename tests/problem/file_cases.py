"""What the tests of problem files share: random problems, and what must come back."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rollcone as rc
from rollcone.problem.bodies import BodyForm
from rollcone.problem.mass import BlockMass

SETS = ("disc", "ellipse", "box", "interval", "polygon")
COUPLED = ("hertz", "uniform", "quadratic", "ellipsoid")  # of contacts with six rows


def friction_set(rng: np.random.Generator, kind: str, n: int) -> Any:
    a, b = rng.uniform(0, 1, (2, n))
    if kind == "polygon":
        return rc.Polygon(a, 2 * rng.integers(2, 6, n))
    makers = {"disc": rc.Disc, "interval": rc.Interval}
    return makers[kind](a) if kind in makers else {"ellipse": rc.Ellipse, "box": rc.Box}[kind](a, b)


def coupled_friction(rng: np.random.Generator, kind: str, n: int) -> dict[str, Any]:
    """What takes the place of sliding and spinning, or is added to them."""
    if kind == "ellipsoid":
        return {"coupling": "ellipsoid"}
    if kind not in COUPLED:
        return {}
    return {"sliding": rc.Contensou(*rng.uniform(0, 1, (2, n)), kind), "spinning": 0.0}


def random_problem(
    seed: int,
    form: str = "body",
    rows: int = 5,
    contacts: int = 3,
    extra: int = 2,
    sets: tuple[str, str] = ("disc", "disc"),
    law: str = "exact",
) -> rc.ContactProblem:
    rng = np.random.default_rng(seed)
    plain = rows == 2 or sets[0] in COUPLED
    sliding = friction_set(rng, "disc" if plain else sets[0], contacts)
    ends = np.array([[-np.inf, np.inf], [0.0, np.inf], [-1.5, 2.5], [0.0, 0.0]])
    total = contacts * rows + extra
    others = {
        "sliding": sliding,
        "rolling": friction_set(rng, sets[1], contacts) if rows > 3 else 0.0,
        "spinning": rng.uniform(0, 0.1, contacts) if rows > 5 else 0.0,
        **coupled_friction(rng, sets[0], contacts),
        "law": law,
        "rows": rows,
        "bounds": ends[rng.integers(0, 4, extra)],
        "compliance": rng.uniform(0, 1e-3, total) * rng.integers(0, 2, total),
    }
    if form == "delassus":
        A = rng.normal(size=(total, max(total, 1)))
        skew = rng.normal(size=(total, total))
        W = A @ A.T + 1e-3 * (skew - skew.T)
        return rc.ContactProblem.from_delassus(W, rng.normal(size=total), **others)
    bodies = 4
    G = rng.uniform(-0.3, 0.3, size=(bodies, 6, 6))
    M: Any = G @ G.transpose(0, 2, 1) + 4 * np.eye(6)
    if form == "sparse mass":
        M = sp.block_diag(list(M), format="lil")
        M[0, 23] = M[23, 0] = 0.01
    H = rng.normal(size=(total, bodies * 6)) * (rng.random((total, bodies * 6)) < 0.4)
    v, b = rng.normal(size=bodies * 6), rng.normal(size=total)
    return rc.ContactProblem.from_bodies(M, sp.csr_matrix(H), v, b, **others)


def parts(problem: rc.ContactProblem) -> dict[str, Any]:
    """Every number of a problem, as bytes."""
    form = problem.form
    arrays = {
        "kinds": problem.cone.kinds,
        "radii": problem.cone.radii,
        "bounds": problem.bounds,
        "compliance": problem.compliance,
        "q": problem.q,
    }
    matrix = form.H if isinstance(form, BodyForm) else form.W
    matrices = {"matrix": matrix}
    if isinstance(form, BodyForm):
        arrays |= {"v_free": form.v_free, "b": form.b}
        if isinstance(form.mass, BlockMass):
            arrays["blocks"] = form.mass.blocks
        else:
            matrices["mass"] = form.mass.matrix()
    for name, value in matrices.items():
        arrays |= {f"{name}.{part}": getattr(value, part) for part in ("data", "indices", "indptr")}
    found: dict[str, Any] = {k: (v.shape, v.dtype.str, v.tobytes()) for k, v in arrays.items()}
    more = (problem.law, problem.rows, problem.contacts, problem.asymmetry, matrix.shape)
    return found | {"more": more, "form": type(form)}


def round_trip(problem: rc.ContactProblem) -> rc.ContactProblem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a problem.bin"
        rc.save_problem(problem, path)
        assert [file.name for file in Path(folder).iterdir()] == [path.name]
        return rc.load_problem(path)


def refuse(path: Path, match: str) -> None:
    """Loading is a FileError; `match` must be found in the reason, after the file's name."""
    with pytest.raises(rc.FileError) as caught:
        rc.load_problem(path)
    name, reason = str(caught.value).split(": ", 1)
    assert name == str(path)
    assert re.search(match, reason), reason


def load_or_refuse(path: Path) -> rc.ContactProblem | None:
    try:
        return rc.load_problem(path)
    except rc.FileError:
        return None
