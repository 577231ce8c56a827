"""One of Siconos' solvers on one problem; run by a Python that has Siconos, NumPy and SciPy.

    python3 siconos_solver.py problem.npz SOLVER seconds folder

The problem holds rows per contact, mu, mu_r, q and W (CSR parts); for global solvers M, H, f and b.
The solver is asked for ever smaller residuals of its own, in two ways, since either is the
quicker one at times: in rounds of growing length, each from the reactions of the round before, and
anew from zero for every residual. After each call its answer is written, a file for each:
reactions, CPU and wall seconds (of all rounds so far, or of the call), iterations, own residual.
So there is something to look at, whenever it is stopped.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from typing import Any

import numpy as np
import scipy.sparse as sp
import siconos.numerics as sn

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14)
# Mostly out of reach: no more than three times the iterations of the one before.
ROUNDING, SOME_MORE = 1e-16, 3
FIRST_ROUND, MOST = 20, 10**6  # iterations
QUICK, TURNS = 0.1, 5  # calls that take less (s) are made so often; the quickest counts
ALL_AT_ONCE = ("FRICTION_2D_LEMKE", "GLOBAL_FRICTION_3D_IPM")  # do not begin from reactions


def matrix(data: Any, name: str) -> Any:
    """By columns, with indices as Siconos wants them."""
    parts = tuple(data[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    found = sp.csr_matrix(parts, shape=data[f"{name}_shape"]).tocsc()
    found.indices, found.indptr = found.indices.astype(np.int64), found.indptr.astype(np.int64)
    return found


class Local:
    """u = W r + q."""

    def __init__(self, data: Any, solver: str) -> None:
        rows, self.W = int(data["rows"]), matrix(data, "W")
        self.q, self.mu, self.mu_r = (np.array(data[name]) for name in ("q", "mu", "mu_r"))
        kind = sn.RollingFrictionContactProblem if rows == 5 else sn.FrictionContactProblem
        self.problem = kind()
        self.problem.dimension, self.problem.numberOfContacts = rows, len(self.mu)
        if rows == 2:  # plane drivers want a dense matrix
            self.W = self.W.toarray()
        elif solver == "FRICTION_3D_NSGS":  # a quarter quicker by blocks
            self.W = sn.SBM_from_csparse(rows, self.W)[1]
        self.problem.M, self.problem.q, self.problem.mu = self.W, self.q, self.mu
        if rows == 5:
            # The Python layer has no setter for mu_r: two ints and three pointers stand before it.
            address = int(self.problem.this) + 8 + 3 * ctypes.sizeof(ctypes.c_void_p)
            ctypes.c_void_p.from_address(address).value = self.mu_r.ctypes.data
        self.driver = {2: sn.fc2d_driver, 3: sn.fc3d_driver, 5: sn.rolling_fc3d_driver}[rows]
        self.number = getattr(sn, f"SICONOS_{solver}")

    def start(self) -> None:
        self.options = sn.SolverOptions(self.number)
        self.p, self.y = np.zeros(len(self.q)), np.zeros(len(self.q))

    def go_on(self) -> None:
        self.driver(self.problem, self.p, self.y, self.options)


class Global:
    """M v = H r + f, u = H^T v + b."""

    def __init__(self, data: Any, solver: str) -> None:
        self.M, self.H = matrix(data, "M"), matrix(data, "H")
        self.f, self.b, self.mu = (np.array(data[name]) for name in ("f", "b", "mu"))
        self.problem = sn.GlobalFrictionContactProblem()
        self.problem.dimension, self.problem.numberOfContacts = 3, len(self.mu)
        self.problem.M, self.problem.H, self.problem.mu = self.M, self.H, self.mu
        self.problem.q, self.problem.b = self.f, self.b
        self.number = getattr(sn, f"SICONOS_{solver}")

    def start(self) -> None:
        self.options = sn.SolverOptions(self.number)
        self.p, self.y = np.zeros(len(self.b)), np.zeros(len(self.b))
        self.v = np.zeros(len(self.f))

    def go_on(self) -> None:
        sn.gfc3d_driver(self.problem, self.p, self.y, self.v, self.options)


def call(peer: Any, count: int, tolerance: float) -> dict[str, Any]:
    """At most `count` iterations, down to its own `tolerance`."""
    peer.options.iparam[0], peer.options.dparam[0] = count, tolerance
    cpu, wall = time.process_time(), time.perf_counter()
    peer.go_on()
    return {
        "seconds": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "iterations": max(1, int(peer.options.iparam[1])),
        "residual": float(peer.options.dparam[1]),
        "reactions": peer.p.copy(),
    }


def write(folder: str, answer: dict[str, Any]) -> None:
    """Whole or not at all."""
    number = len(os.listdir(folder))
    beside = os.path.join(folder, "part.npz")
    np.savez(beside, **answer)
    os.replace(beside, os.path.join(folder, f"{number:06d}.npz"))


def rounds(peer: Any, limit: float, folder: str) -> int:
    """Until the smallest residual is reached or the time is up; how many iterations it allows."""
    peer.start()
    total: dict[str, Any] = {"seconds": 0.0, "wall": 0.0, "iterations": 0}
    count, residual = FIRST_ROUND, np.inf
    for tolerance in TOLERANCES:
        while not residual <= tolerance:
            answer = call(peer, count, tolerance)
            for name in total:
                total[name] += answer[name]
            write(folder, {**answer, **total})
            residual, done = answer["residual"], total["iterations"]
            left = (limit - total["wall"]) * done / total["wall"]
            if left < 1 or not np.isfinite(residual):
                return allowed(limit, total)
            count = int(min(max(FIRST_ROUND, done // 2), left + 1))

    return allowed(limit, total)


def allowed(limit: float, answer: dict[str, Any]) -> int:
    """Iterations that the time limit has room for."""
    return int(max(FIRST_ROUND, min(MOST, limit * answer["iterations"] / answer["wall"])))


def from_zero(peer: Any, limit: float, count: int, folder: str) -> None:
    """One call of at most `count` iterations for each residual, until one is not reached."""
    best: dict[str, Any] = {"residual": np.inf}
    for tolerance in (*TOLERANCES, ROUNDING):
        if best["residual"] <= tolerance:
            continue
        if tolerance == ROUNDING:
            count = min(count, SOME_MORE * best["iterations"])
        best = {}
        for _ in range(TURNS):
            peer.start()
            answer = call(peer, count, tolerance)
            if not best or answer["seconds"] < best["seconds"]:
                best = answer
            if answer["seconds"] >= QUICK:
                break
        write(folder, best)
        if not best["residual"] <= tolerance:
            return
        count = allowed(limit, best)


def main(path: str, solver: str, limit: float, folder: str) -> None:
    data = np.load(path)
    peer: Any = (Global if solver.startswith("GLOBAL") else Local)(data, solver)
    count = MOST if solver in ALL_AT_ONCE else rounds(peer, limit, folder)
    from_zero(peer, limit, count, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
