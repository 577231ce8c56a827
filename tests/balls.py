"""A ball on the floor: the one contact whose answers are known by hand."""

import numpy as np

import rollcone as rc

MASS, RADIUS = 2.0, 0.5
INERTIA = 0.4 * MASS * RADIUS**2


def ball(velocity, spin, law="exact", rows=6, sliding=0.5, **coefficients):
    """A ball on the floor, all six rows of its one contact; velocities before the step."""
    n, t1, t2 = np.array([0, 0, 1.0]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    force = [np.concatenate([e, np.cross(-RADIUS * n, e)]) for e in (n, t1, t2)]
    moment = [np.concatenate([np.zeros(3), e]) for e in (t1, t2, n)]
    M = np.diag([MASS] * 3 + [INERTIA] * 3)
    v = np.concatenate([velocity, spin])
    H = np.array(force + moment)[:rows]
    return rc.ContactProblem.from_bodies(
        M[None], H, v, rows=rows, law=law, sliding=sliding, **coefficients
    )
