"""The grid finds what comparing all swept boxes with all others finds, each pair once."""

from dataclasses import replace

import numpy as np
import pytest
from collision_cases import DYNAMIC, FIXED, REMOVED, Scene, body, scene, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcone.collision.grid import Grid
from rollcone.collision.shapes import BOX, PLANE, SPHERE


def random_bodies(seed, n, spread, sizes, speed, far, clusters) -> Scene:
    """Spheres, boxes and a few planes; radii over 10^sizes, some fast, some in the same place."""
    rng = np.random.default_rng(seed)
    middle = rng.normal(size=(clusters, 3)) * spread * 10.0
    position = middle[rng.integers(clusters, size=n)] + rng.normal(size=(n, 3)) * spread
    position[rng.random(n) < 0.1] = middle[0]
    shape = rng.choice([SPHERE, BOX, PLANE], p=[0.7, 0.28, 0.02], size=n)
    radius = 10.0 ** rng.uniform(-sizes, 0.0, n)
    size = np.where(shape[:, None] == BOX, radius[:, None] * rng.uniform(0.3, 1, (n, 3)), 1.0)
    size[shape == SPHERE] = radius[shape == SPHERE, None]
    size[shape == PLANE] = np.inf
    quaternion = rng.normal(size=(n, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    velocity = speed * rng.normal(size=(n, 3)) * rng.choice([0, 0.1, 10], size=(n, 1))
    kind = rng.choice([DYNAMIC, FIXED, REMOVED], p=[0.7, 0.2, 0.1], size=n)
    margin = rng.choice([0.0, 0.01], size=n)
    omega = rng.normal(size=(n, 3))
    return Scene(kind, shape, size, position + far, quaternion, velocity, omega, margin)


def pairs_of(bodies: Scene, horizon: float, touch=1e-6, grid=None):
    """The arrays that the grid works on, and the pairs it finds."""
    grid = Grid(len(bodies.kind)) if grid is None else grid
    found = grid.pairs(bodies, bodies.velocity, bodies.omega, horizon, bodies.margin, touch)
    return grid.work, found


def all_pairs(bodies: Scene, lower, upper) -> set[tuple[int, int]]:
    """By comparing everything."""
    meet = (lower[:, None] <= upper[None]).all(axis=2)
    return pairs_among(bodies, meet & meet.T)


def pairs_among(bodies: Scene, meet) -> set[tuple[int, int]]:
    """Of those that `meet` (n, n), one of which can move."""
    dynamic, there = bodies.kind == DYNAMIC, bodies.kind != REMOVED
    meet &= (dynamic[:, None] | dynamic) & there[:, None] & there
    plane = bodies.shape == PLANE
    meet &= ~(plane[:, None] & plane)
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(meet, 1))}


def plain_boxes(bodies: Scene, horizon: float, touch: float, frame):
    """Boxes of the corners at the start and at the end of the way, seen from the frame."""
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    lower, upper = np.full((2, len(bodies.kind), 3), np.inf)
    lower *= -1
    for i in np.flatnonzero(bodies.shape != PLANE):
        corners = signs * bodies.size[i]
        wider = bodies.margin[i] + touch * bodies.size[i].min()
        if bodies.shape[i] == BOX:
            corners = turns(bodies)[i].apply(corners)
            wider += horizon * np.linalg.norm(bodies.omega[i]) * np.linalg.norm(bodies.size[i])
        ends = bodies.position[i] + np.array([np.zeros(3), horizon * (bodies.velocity[i] - frame)])
        places = ends[:, None] + corners
        lower[i] = places.min(axis=(0, 1)) - wider
        upper[i] = places.max(axis=(0, 1)) + wider
    return lower, upper


def same_pairs(found, expected) -> None:
    listed = [tuple(pair) for pair in found.tolist()]
    assert len(set(listed)) == len(listed)
    assert set(listed) == expected


@settings(max_examples=100)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 120),
    spread=st.sampled_from([0.0, 0.01, 1.0, 30.0]),
    sizes=st.sampled_from([0, 1, 4]),
    speed=st.sampled_from([0.0, 1.0, 1e3, 1e12, 1e40]),
    far=st.sampled_from([0.0, -1e3, 1e12, 1e60]),
    clusters=st.sampled_from([1, 5]),
)
def test_all_overlapping_boxes_once(seed, n, spread, sizes, speed, far, clusters):
    bodies = random_bodies(seed, n, spread, sizes, speed, far, clusters)
    work, found = pairs_of(bodies, horizon=0.01)
    same_pairs(found, all_pairs(bodies, work.lower, work.upper))
    lower, upper = plain_boxes(bodies, 0.01, 1e-6, work.frame)
    unit = 1e-14 * (1.0 + abs(bodies.position) + abs(bodies.velocity) + abs(work.frame))
    for boxes, expected, sign in ((work.lower, lower, -1.0), (work.upper, upper, 1.0)):
        here = np.isfinite(expected)
        assert (boxes[~here] == expected[~here]).all()
        out = sign * (boxes[here] - expected[here])
        assert (out >= -1e-15 * abs(expected[here])).all()  # never too small
        assert (out <= unit[here]).all()


@pytest.mark.parametrize("n", [200, 1000])
@pytest.mark.parametrize("sizes", [0.2, 2, 4])
def test_beds(n, sizes):
    """Beds in which each body has some neighbours, whatever the mix of sizes."""
    rng = np.random.default_rng(n)
    bodies = random_bodies(n, n, 0.0, sizes, 0.1, 0.0, 1)
    edge = (20.0 * np.mean(bodies.size[bodies.shape == SPHERE] ** 3) * n) ** (1 / 3)
    bodies = Scene(bodies.kind, bodies.shape, bodies.size, rng.uniform(0, edge, (n, 3)),
                   bodies.orientation, bodies.velocity, bodies.omega, bodies.margin)  # fmt: skip
    work, found = pairs_of(bodies, horizon=0.01)
    assert len(found) > n // 4
    same_pairs(found, all_pairs(bodies, work.lower, work.upper))


def test_arrays_grow_and_are_used_again():
    """Sparse, then all in one place, then sparse again: the same grid, never too small."""
    rng = np.random.default_rng(0)
    apart = scene(*(body(size=0.1, at=(i, 0, 0)) for i in range(200)))
    grid = Grid(200)
    assert len(pairs_of(apart, 0.0, grid=grid)[1]) == 0
    together = Scene(*(vars(apart) | {"position": rng.normal(size=(200, 3)) * 1e-3}).values())
    _, found = pairs_of(together, 0.0, grid=grid)
    same_pairs(found, {(i, j) for i in range(200) for j in range(i + 1, 200)})
    assert len(pairs_of(apart, 0.0, grid=grid)[1]) == 0


@pytest.mark.parametrize("speed", [1e3, 1e12, 1e40, -1e40])
def test_entries_stay_few(speed):
    """One small and one huge body, one very fast: no more cells than the limit for each."""
    bodies = scene(
        *(body(size=1e-3, at=(0.01 * i, 0, 0)) for i in range(100)),
        body(size=1e6),
        body(size=1e-3, at=(0, -5, 0), velocity=(speed, speed, speed)),
    )
    work, found = pairs_of(bodies, 1.0)
    same_pairs(found, all_pairs(bodies, work.lower, work.upper))
    assert len(found) >= 100
    assert len(work.cells) < 100 * 103


def test_many_large_and_many_small():
    """Cells grow when many bodies would be big: half of them a thousand times the others."""
    rng = np.random.default_rng(3)
    large = [body(size=1.0, at=rng.uniform(0, 20, 3)) for _ in range(150)]
    small = [body(size=1e-3, at=rng.uniform(0, 20, 3)) for _ in range(250)]
    bodies = scene(*large, *small)
    work, found = pairs_of(bodies, 0.0)
    same_pairs(found, all_pairs(bodies, work.lower, work.upper))
    assert (work.last < work.first).any(axis=1).sum() <= 16


@pytest.mark.parametrize("n", [1, 2, 101, 102, 203, 350])
def test_what_all_have_in_common_makes_no_box_longer(n):
    """Bodies that fly together, but for a few, at a hundred times their size in a step."""
    rng = np.random.default_rng(n)
    bodies = scene(
        body(PLANE, velocity=(7, 7, 7), kind=FIXED),
        *(body(size=0.1, at=x, velocity=0.1 * v) for x, v in rng.uniform(-1, 1, (n, 2, 3))),
    )
    fast = bodies.boosted([1e4, -2e4, 1e4])
    few = np.arange(n // 2 + 1 - n // 6, n // 2 + 1 + n // 6)
    fast.velocity[few] *= 1e6
    bodies.velocity[few] = fast.velocity[few] - [1e4, -2e4, 1e4]
    _, found = pairs_of(bodies, 1e-3)
    boosted, same = pairs_of(fast, 1e-3)
    assert abs(boosted.frame - [1e4, -2e4, 1e4]).max() <= 0.1
    same_pairs(found, {tuple(pair) for pair in same.tolist()})
    slow = np.setdiff1d(np.arange(1, n + 1), few)
    assert (boosted.upper - boosted.lower)[slow].max() < 0.21


@pytest.mark.parametrize("seed", range(12))
def test_periodic_boxes(seed):
    """Against comparing all boxes with all images of all others; bodies far outside, too."""
    rng = np.random.default_rng(seed)
    n, period = 300, np.array([2.0, rng.choice([0.0, 1.7]), rng.choice([0.0, 0.45])])
    bodies = random_bodies(seed, n, 1.0, 1, 0.1, 0.0, 1)
    radius = 10.0 ** rng.uniform(-2, np.log10(0.1), n)
    size = np.where(bodies.shape[:, None] == PLANE, np.inf, radius[:, None] * np.ones(3))
    place = rng.uniform(-1, 1, (n, 3)) + period * rng.integers(-3, 4, (n, 3))
    bodies = replace(bodies, size=size, position=place, period=period)
    work, found = pairs_of(bodies, horizon=0.01)
    lower, upper = work.lower, work.upper
    solid = np.isfinite(lower)
    middle = 0.5 * (np.where(solid, lower, 0.0) + np.where(solid, upper, 0.0))
    half = 0.5 * (upper - lower)
    apart = np.abs(middle[:, None] - middle[None])
    length = np.where(period > 0, period, 1e9)
    apart = np.minimum(np.fmod(apart, length), length - np.fmod(apart, length))
    expected = pairs_among(bodies, (apart <= half[:, None] + half[None]).all(axis=2))
    assert len(expected) > 100
    same_pairs(found, expected)
