"""Siconos' rolling NSGS on one problem; run by a Python that has Siconos, prints JSON.

    python3 siconos_rolling.py problem.npz sweeps tolerance turns

The archive holds W (CSR parts), q, mu and mu_r. CPU seconds are the best of `turns`.
"""

import ctypes
import json
import sys
import time

import numpy as np
import scipy.sparse as sp
import siconos.numerics as sn


def main(path: str, sweeps: int, tolerance: float, turns: int) -> None:
    data = np.load(path)
    parts = (data["W_data"], data["W_indices"], data["W_indptr"])
    W = sp.csr_matrix(parts, shape=data["W_shape"]).tocsc()
    W.indices, W.indptr = W.indices.astype(np.int64), W.indptr.astype(np.int64)
    q, mu, mu_r = (np.array(data[name]) for name in ("q", "mu", "mu_r"))
    problem = sn.RollingFrictionContactProblem()
    problem.dimension, problem.numberOfContacts = 5, len(mu)
    problem.M, problem.q, problem.mu = W, q, mu
    # The Python layer has no setter for mu_r: two ints and three pointers stand before it.
    address = int(problem.this) + 8 + 3 * ctypes.sizeof(ctypes.c_void_p)
    ctypes.c_void_p.from_address(address).value = mu_r.ctypes.data
    options = sn.SolverOptions(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
    best = np.inf
    for _ in range(turns):
        p, y = np.zeros(len(q)), np.zeros(len(q))
        options.iparam[0], options.dparam[0] = sweeps, tolerance
        clock = time.process_time()
        sn.rolling_fc3d_driver(problem, p, y, options)
        best = min(best, time.process_time() - clock)
    done = int(options.iparam[1])
    print(json.dumps({"seconds": best, "sweeps": done, "residual": float(options.dparam[1])}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
