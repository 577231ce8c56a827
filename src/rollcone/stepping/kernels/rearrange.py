"""Contacts that are moved to other rows of their arrays."""

from __future__ import annotations

from rollcone._build.kernels import inlined, kernel


@kernel
def copy_candidate(to, j, source, i):
    """Copy row i of the contacts found in `source` to row j of `to`."""
    to.key[j], to.gap[j] = source.key[i], source.gap[i]
    to.bodies[j, 0], to.bodies[j, 1] = source.bodies[i, 0], source.bodies[i, 1]
    for k in range(3):
        to.normal[j, k] = source.normal[i, k]
        to.arms[j, k], to.arms[j, 3 + k] = source.arms[i, k], source.arms[i, 3 + k]


@inlined
def copy_marks(work, j, i):
    """Write what was decided on candidate i in this step to place j."""
    work.ahead[j], work.fresh[j] = work.ahead[i], work.fresh[i]
    work.temper[j], work.changed[j] = work.temper[i], work.changed[i]
    work.owed[j] = work.owed[i]


@kernel
def keep_candidate(near, work, j, i):
    """Candidate i moves up to place j."""
    if j < i:
        copy_candidate(near, j, near, i)
        copy_marks(work, j, i)
        for k in range(work.p.shape[1]):
            work.p[j, k] = work.p[i, k]
