"""Siconos' rolling NSGS on one problem; run by a Python that has Siconos, prints JSON.

    python3 siconos_rolling.py problem.npz sweeps tolerance turns

The folder of siconos_solver.py, which knows the archive, is on the path of modules. CPU seconds
are the best of `turns`.
"""

import json
import sys

import numpy as np
from siconos_solver import Local, call


def main(path: str, sweeps: int, tolerance: float, turns: int) -> None:
    peer = Local(np.load(path), "ROLLING_FRICTION_3D_NSGS")
    answers = []
    for _ in range(turns):
        peer.start()
        answers.append(call(peer, sweeps, tolerance))
    best, last = min(answer["seconds"] for answer in answers), answers[-1]
    print(json.dumps({"seconds": best, "sweeps": last["iterations"], "residual": last["residual"]}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
