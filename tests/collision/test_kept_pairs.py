"""Pairs that are kept from look to look give the contacts of pairs that are found anew."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from test_room import ANEW, TOUCH, equal

import rollcone as rc
from rollcone.collision import detect
from rollcone.collision.grid import Grid, make_found, outlines
from rollcone.collision.kernels.detect import Found, find_all
from rollcone.mechanics.bodies import REMOVED

BALLS = [(0.08, 0, 0, 0.06), (-0.05, 0, 0, 0.1)]
H = 0.01


def crowd(random: np.random.Generator, n: int, speed: float) -> rc.World:
    """Bodies of all shapes, so close that many touch."""
    world = rc.World()
    world.add_plane(point=(0, 0, -0.2))
    for k in range(n):
        turn = Rotation.random(rng=random).as_quat(scalar_first=True)
        place = {
            "mass": 1.0,
            "position": random.uniform(0, 1, 3),
            "orientation": turn,
            "velocity": speed * random.normal(size=3),
            "angular_velocity": speed * random.normal(size=3),
        }
        if k % 5 == 0:
            world.add_clump(spheres=BALLS, **place)
        elif k % 5 == 1:
            world.add_box(size=random.uniform(0.1, 0.25, 3), **place)
        elif k % 5 == 2:
            world.add_capsule(radius=0.06, length=0.1, **place)
        else:
            world.add_sphere(radius=random.uniform(0.05, 0.15), **place)
    return world


def look(world: rc.World, grid: Grid, reach: float, horizon: float = H) -> Found:
    """A copy of all contacts."""
    state, found = world.state, make_found(2000)
    margin = np.full(len(state), 1e-4)
    while True:
        count = find_all(
            detect.solids(state), outlines(state), state.velocity, state.angular_velocity, horizon,
            reach, margin, TOUCH, grid.work, found,
        )  # fmt: skip
        if count >= 0:
            return Found(*(array[:count].copy() for array in found))
        assert grid.grow() == 0


def move(world: rc.World, random: np.random.Generator, change: str) -> None:
    """A step ahead, and something that the list of pairs may not survive."""
    state = world.state
    there = state.kind != REMOVED
    state.position[there] += H * state.velocity[there]
    turn = Rotation.from_rotvec(H * state.angular_velocity)
    state.orientation[:] = (
        turn * Rotation.from_quat(state.orientation, scalar_first=True)
    ).as_quat(scalar_first=True)
    some = int(random.integers(1, len(state)))
    if change == "push":
        state.velocity[some] += random.normal(size=3)
    elif change == "remove":
        state.kind[some] = REMOVED
    elif change == "jump":
        state.position[some] = random.uniform(0, 1, 3)
    elif change == "wrap":
        state.position[some] += state.period * random.integers(-2, 3, 3)
    elif change == "period":
        ends = {axis: (0.0, random.uniform(1.2, 1.6)) for axis in "xy" if random.random() < 0.5}
        world.set_periodic(**ends)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 30),
    speed=st.sampled_from([0.0, 0.1, 3.0]),
    periodic=st.booleans(),
    changes=st.lists(
        st.sampled_from(["", "push", "remove", "jump", "wrap", "period"]), min_size=4, max_size=8
    ),
)
def test_as_found_anew(seed, n, speed, periodic, changes):
    random = np.random.default_rng(seed)
    world = crowd(random, n, speed)
    if periodic:
        world.set_periodic(x=(0.0, 1.2), y=(-0.3, 1.0))
    kept = Grid(len(world.state))
    for change in ["", *changes]:
        move(world, random, change)
        for horizon in (H, 0.5 * H):
            found = look(world, kept, H, horizon)
            equal(found, look(world, Grid(len(world.state)), ANEW, horizon))


def lists(world: rc.World, grid: Grid) -> bool:
    """Does a look make a list of pairs?"""
    grid.work.first[:] = -7  # cells of bodies: whoever makes a list fills them first
    look(world, grid, H)
    return bool((grid.work.first != -7).any())


def test_when_lists_are_made():
    """One serves while bodies stay near where they were, not after a change of what is there."""
    world = crowd(np.random.default_rng(3), 25, 0.01)
    world.set_periodic(x=(0.0, 1.2))
    grid = Grid(len(world.state))
    assert lists(world, grid)
    for _ in range(10):
        world.state.position[1:] += H * world.state.velocity[1:]
        assert not lists(world, grid)
    world.set_periodic(x=(0.0, 1.3))
    assert lists(world, grid)
    world.set_periodic()
    assert lists(world, grid)
    assert not lists(world, grid)
    world.state.position[4, 0] += 1.3
    assert lists(world, grid)
    world.remove(4)
    assert lists(world, grid)
    grid.fit(len(world.state))
    assert lists(world, grid)
    look(world, grid, ANEW)
    assert lists(world, grid)
    assert not lists(world, grid)
