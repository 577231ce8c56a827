"""Islands: bodies joined by acting contacts (r_n > 0), and with which mean velocity they move.

Bodies that are not dynamic join nothing: in `movers` they have the number n.
"""

from __future__ import annotations

from rollcone._build.kernels import entry, inlined, kernel
from rollcone._build.signatures import Byte1, Float1, Float2, Float3, Int1, Short2
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.work import IMPLICIT

# Overlap below this share of what counts as touching is rounding.
_TINY = 1e-6


@kernel
def find_root(parent, i):
    """The island's first body; the path is halved on the way."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@entry
def island_weights(
    h: float,
    bodies: Short2,
    movers: Short2,
    state: Byte1,
    changed: Byte1,
    gap: Float1,
    small: Float1,
    frames: Float3,
    arms: Float2,
    v: Float2,
    w: Float2,
    v_new: Float2,
    w_new: Float2,
    y_before: Float2,
    y_after: Float2,
    p: Float2,
    joined: Short2,
    joint_theta: Float1,
    parent: Int1,
    theta: Float1,
) -> None:
    """theta (n,) in the mean velocity (1 - theta) v + theta v+: 1/2, and in islands with a first
    touch as much more as it takes not to overlap there, gap + h u_mean >= 0.

    A first touch that does not act is met at v+, but not at mean velocities of two islands with
    thetas of their own: then the two move as one. So do bodies that are `joined` (pairs, 2);
    joints may ask for more than 1/2, `joint_theta` (n,), and contacts that are `changed` to
    IMPLICIT ask for 1.
    """
    n = theta.shape[0]
    for i in range(n):
        parent[i] = i
        theta[i] = 0.5
    for i in range(joined.shape[0]):
        join(parent, joined, i, n)
    for i in range(movers.shape[0]):
        if p[i, 0] > 0.0:
            join(parent, movers, i, n)
    for i in range(joint_theta.shape[0]):
        root = find_root(parent, i)
        theta[root] = max(theta[root], joint_theta[i])
    for i in range(movers.shape[0]):
        if changed[i] == IMPLICIT and p[i, 0] > 0.0:
            raise_weight(parent, movers, theta, i, n, 1.0)
    again = True
    while again:
        again = False
        for i in range(movers.shape[0]):
            if state[i] != FIRST_TOUCH:
                continue
            room = max(gap[i], 0.0)
            mean = 0.0
            for s in range(2):
                t = theta[find_root(parent, bodies[i, s])]
                side = (1.0 - t) * side_speed(bodies, frames, arms, i, s, v, w)
                side += t * side_speed(bodies, frames, arms, i, s, v_new, w_new)
                mean += side if s == 1 else -side
            if room + h * mean >= -_TINY * small[i]:
                continue
            share = 0.5
            before, after = y_before[i, 0], y_after[i, 0]
            if after > before:
                share = min(max((-before - room / h) / (after - before), share), 1.0)
            again = raise_weight(parent, movers, theta, i, n, share) or again
    for i in range(n):
        theta[i] = theta[find_root(parent, i)]


@inlined
def side_speed(bodies, frames, arms, i, s, v, w):
    """The velocity along n of the point of A (s = 0) or B (1) at contact i."""
    body, x, y, z = bodies[i, s], frames[i, 0, 0], frames[i, 0, 1], frames[i, 0, 2]
    a, b, c = arms[i, 3 * s], arms[i, 3 * s + 1], arms[i, 3 * s + 2]
    speed = x * (v[body, 0] + w[body, 1] * c - w[body, 2] * b)
    speed += y * (v[body, 1] + w[body, 2] * a - w[body, 0] * c)
    return speed + z * (v[body, 2] + w[body, 0] * b - w[body, 1] * a)


@inlined
def join(parent, movers, i, n):
    """Make the islands of the two bodies of contact i one; were they two?"""
    if max(movers[i, 0], movers[i, 1]) >= n:
        return False
    a, b = find_root(parent, movers[i, 0]), find_root(parent, movers[i, 1])
    parent[max(a, b)] = min(a, b)
    return a != b


@kernel
def raise_weight(parent, movers, theta, i, n, share):
    """One island with a theta of at least `share` for contact i; has anything changed?"""
    for s in range(2):
        if movers[i, s] < n:
            share = max(share, theta[find_root(parent, movers[i, s])])
    changed = join(parent, movers, i, n)
    for s in range(2):
        if movers[i, s] < n:
            root = find_root(parent, movers[i, s])
            changed = changed or share > theta[root]
            theta[root] = share
    return changed


@kernel
def end_lasting(h, movers, state, small, bend, p, parent, theta, ahead):
    """Make first touches of contacts that last while their normals turn, in islands that move at
    more than the mean velocity: rows for the middle of the step would let them overlap there.
    Return how many."""
    n, ended = theta.shape[0], 0
    for i in range(movers.shape[0]):
        turns = state[i] == LASTING and h * abs(bend[i, 0]) > small[i]
        if turns and p[i, 0] > 0.0 and theta[island_of(parent, movers, i, n)] > 0.5:
            ahead[i] = 1
            ended += 1
    return ended


@entry
def mean_velocities(
    theta: Float1,
    v: Float2,
    w: Float2,
    v_new: Float2,
    w_new: Float2,
    v_mean: Float2,
    w_mean: Float2,
) -> None:
    """(1 - theta) v + theta v+ of every body, and likewise w."""
    for i in range(theta.shape[0]):
        for k in range(3):
            v_mean[i, k] = (1.0 - theta[i]) * v[i, k] + theta[i] * v_new[i, k]
            w_mean[i, k] = (1.0 - theta[i]) * w[i, k] + theta[i] * w_new[i, k]


@inlined
def island_of(parent, movers, i, n):
    """The root of the island that contact i belongs to."""
    return find_root(parent, movers[i, 0] if movers[i, 0] < n else movers[i, 1])
