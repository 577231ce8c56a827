"""One of Siconos' solvers on one problem; run by a Python that has Siconos.

    python3 siconos_collection.py problem.npz SOLVER seconds answers.npz

The problem holds W (CSR parts), q, mu, mu_r and the rows per contact. The solver is asked for
ever smaller residuals of its own, in rounds of growing length, each from the reactions of the
round before. After every round the answers so far are written: reactions, CPU seconds,
iterations, own residual. So there is something to look at, whenever it is stopped.
"""

import ctypes
import os
import sys
import time

import numpy as np
import scipy.sparse as sp
import siconos.numerics as sn

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
FIRST_ROUND = 20


def problem_of(data):
    """Siconos' problem, its driver, and the arrays that must outlive it."""
    rows, mu, q = int(data["rows"]), np.array(data["mu"]), np.array(data["q"])
    parts = (data["W_data"], data["W_indices"], data["W_indptr"])
    W = sp.csr_matrix(parts, shape=data["W_shape"]).tocsc()
    W.indices, W.indptr = W.indices.astype(np.int64), W.indptr.astype(np.int64)
    kind = sn.RollingFrictionContactProblem if rows == 5 else sn.FrictionContactProblem
    problem = kind()
    problem.dimension, problem.numberOfContacts = rows, len(mu)
    problem.M = W.toarray() if rows == 2 else W  # plane drivers want a dense matrix
    problem.q, problem.mu = q, mu
    mu_r = np.array(data["mu_r"])
    if rows == 5:
        # The Python layer has no setter for mu_r: two ints and three pointers stand before it.
        address = int(problem.this) + 8 + 3 * ctypes.sizeof(ctypes.c_void_p)
        ctypes.c_void_p.from_address(address).value = mu_r.ctypes.data
    driver = {2: sn.fc2d_driver, 3: sn.fc3d_driver, 5: sn.rolling_fc3d_driver}[rows]
    return problem, driver, (W, mu, q, mu_r)


def main(path: str, solver: str, limit: float, answers: str) -> None:
    problem, driver, (_, _, q, _) = problem_of(np.load(path))
    options = sn.SolverOptions(getattr(sn, f"SICONOS_{solver}"))
    p, y = np.zeros(len(q)), np.zeros(len(q))
    kept = {"reactions": [], "seconds": [], "iterations": [], "residual": []}
    done, spent, count, residual = 0, 0.0, FIRST_ROUND, np.inf
    for tolerance in TOLERANCES:
        while not residual <= tolerance:
            options.iparam[0], options.dparam[0] = count, tolerance
            clock = time.process_time()
            driver(problem, p, y, options)
            spent += time.process_time() - clock
            done += max(1, int(options.iparam[1]))
            residual = float(options.dparam[1])
            for name, value in zip(kept, (p.copy(), spent, done, residual), strict=True):
                kept[name].append(value)
            np.savez(f"{answers}.part.npz", **kept)
            os.replace(f"{answers}.part.npz", answers)
            left = (limit - spent) * done / spent
            if left < 1 or not np.isfinite(residual):
                return
            count = int(min(max(FIRST_ROUND, done // 2), left + 1))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
