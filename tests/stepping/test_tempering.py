"""Rebounds that would make energy are lowered, and no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.island import temper_rebounds
from scenes import G, floor_world

TOLERANCE = 1e-3


class Impacts:
    """Random contacts of n bodies in given islands, with velocities before and after."""

    def __init__(self, n: int, seed: int, rows: int) -> None:
        rng = np.random.default_rng(seed)
        c = int(rng.integers(1, 2 * n + 2))
        root = rng.integers(0, n, n)
        self.n, self.root = n, root[root]  # two levels deep
        self.root[root] = root
        first = rng.integers(0, n, c)
        other = [rng.choice(np.flatnonzero(self.root == self.root[a])) for a in first]
        self.movers = np.stack([first, other], axis=1).astype(np.int32)
        fixed = rng.random(c) < 0.5  # n stands for all that is not dynamic
        self.movers[fixed, rng.integers(0, 2, c)[fixed]] = n
        self.state = rng.choice([FIRST_TOUCH, LASTING], c).astype(np.int8)
        self.start, self.slow = rng.normal(size=c), rng.uniform(0, 0.5, c)
        self.y_before, self.y_after, self.p = rng.normal(size=(3, c, rows))
        self.p[:, 0] = rng.choice([0.0, 1.0], c) * rng.random(c)
        self.temper = rng.choice([1.0, 0.5, 0.25, 0.125, 0.0625, 0.0], c)
        self.restitution = rng.choice([0.0, 0.5, 1.0], c) * self.temper  # what is used now

    def call(self, tolerance=TOLERANCE) -> tuple[int, np.ndarray]:
        """How many were lowered, and the shares."""
        temper = self.temper.copy()
        count = temper_rebounds(
            tolerance, 4.0, self.movers, self.state, self.start, self.slow, self.restitution,
            self.y_before, self.y_after, self.p, self.root.copy(), np.full((self.n, 2), np.nan),
            temper,
        )  # fmt: skip
        return count, temper


@given(st.integers(1, 8), st.integers(0, 2**20), st.sampled_from([3, 6]))
def test_what_is_lowered(n, seed, rows):
    """First touches that rebound, in islands whose contacts do more work than they turn over
    times the tolerance: by four times the share that is gained."""
    case = Impacts(n, seed, rows)
    count, temper = case.call()
    acts = case.p[:, 0] > 0
    island = case.root[np.where(case.movers[:, 0] < n, case.movers[:, 0], case.movers[:, 1])]
    expected = case.temper.copy()
    for i in np.flatnonzero(acts):
        mine = acts & (island == island[i])
        work = 0.5 * case.p[mine] * np.array([case.y_before[mine], case.y_after[mine]])
        makes = work.sum() > TOLERANCE * np.abs(work).sum()
        strikes = case.start[i] < -case.slow[i] and case.restitution[i] > 0
        if makes and strikes and case.state[i] == FIRST_TOUCH:
            share = work.sum() / np.abs(work).sum()
            expected[i] *= max(0.0, 1.0 - 4.0 * max(share, 1e-6))
    np.testing.assert_allclose(temper, expected, rtol=0, atol=1e-12)
    assert count == (temper != case.temper).sum()


def test_what_a_solve_leaves_is_no_gain():
    """An elastic impact and a contact that gains 1e-5 of what is turned over."""
    case = Impacts(1, 0, 3)
    case.movers, case.root = np.array([[0, 1], [1, 0]], dtype=np.int32), np.zeros(1, dtype=np.int64)
    case.state, case.start, case.slow = np.zeros(2, dtype=np.int8), -np.ones(2), np.zeros(2)
    case.restitution, case.temper = np.ones(2), np.ones(2)
    case.p, case.y_before, case.y_after = np.zeros((3, 2, 3))
    case.p[:, 0], case.y_before[:, 0] = 1.0, -1.0
    case.y_after[:, 0] = 1.0, 1.0 + 4e-5
    assert case.call(1e-3)[0] == 0
    assert case.call(1e-6) == (2, pytest.approx([1 - 4e-5, 1 - 4e-5], abs=1e-8))
    case.y_after[:, 0] = 1.0 + 1e-11  # rounding, however small the tolerance
    assert case.call(0.0)[0] == 0


def energies(run: rc.Run) -> np.ndarray:
    return run.energy.kinetic + run.energy.potential


def column(gap: float, h: float, count: int = 10) -> rc.Run:
    """Elastic balls of 50 mm radius one above the other, dropped on the floor."""
    world = floor_world(rc.ContactLaw(restitution=1.0))
    for k in range(count):
        world.add_sphere(radius=0.05, mass=1, position=(0, 0, 0.05 + (k + 1) * gap + 0.1 * k))
    return rc.simulate(world, until=1.5, step=h)


@pytest.mark.parametrize("h", [0.005, 0.002])
def test_a_column_of_elastic_balls_makes_no_energy(h):
    """Struck balls meet the next ones within the step, where the law taken at its word would.
    What steps can add by themselves is m g h (v+ - v) / 2 where positions move with more of v+
    than one half, and m (g h)^2 / 8 of a ball that would hop within a step."""
    run = column(0.02, h)
    energy = energies(run)
    assert run.tempered.sum() > 0
    assert energy.max() <= (1 + 1e-9) * energy[0]
    rises = np.maximum(np.diff(energy), 0.0)
    assert rises.max() <= 0.5 * G * h
    assert rises.sum() <= 1e-3 * energy[0]
    assert run.overlap.max() < 1e-9
    heights = run.states("position")[:, 1:, 2]
    assert (np.diff(heights, axis=1) >= 0.1 - 1e-9).all()


@pytest.mark.parametrize("sliding", [0.0, 0.5])
def test_a_heap_that_bounces_with_friction_makes_no_energy(sliding):
    rng = np.random.default_rng(4)
    world = floor_world(rc.ContactLaw(sliding=sliding, restitution=0.9))
    for k in range(12):
        world.add_sphere(
            radius=0.05, mass=1, position=(*rng.uniform(-0.03, 0.03, 2), 0.1 + 0.11 * k),
            velocity=rng.normal(size=3), angular_velocity=20 * rng.normal(size=3),
        )  # fmt: skip
    run = rc.simulate(world, until=0.5, step=0.005)
    assert run.converged
    energy = energies(run)
    assert np.diff(energy).max() <= 1e-9 * energy[0]
    assert energy[-1] < energy[0]


@pytest.mark.parametrize("e", [0.3, 1.0])
def test_a_single_impact_is_left_alone(e):
    """Of two balls in line, of one with the floor, and of one that spins, with friction."""
    for sliding in (0.0, 0.4):
        world = floor_world(rc.ContactLaw(sliding=sliding, restitution=e))
        ball = world.add_sphere(
            radius=0.1, mass=1, position=(0, 0, 0.15), velocity=(1, 0, -3),
            angular_velocity=(0, 20, 0),
        )  # fmt: skip
        one = world.add_sphere(radius=0.1, mass=1, position=(0, 5, 9), velocity=(0, 2, 0))
        other = world.add_sphere(radius=0.1, mass=3, position=(0, 5.25, 9))
        run = rc.simulate(world, until=0.1, step=0.005)
        assert run.tempered.sum() == 0
        fall = run.body(ball).velocity[:, 2] + G * run.time
        assert fall[0] == pytest.approx(-3)
        assert fall[-1] == pytest.approx(e * (3 + G * 0.015) + G * 0.02, rel=1e-9)
        apart = run.body(other).velocity[-1, 1] - run.body(one).velocity[-1, 1]
        assert apart == pytest.approx(2 * e, rel=1e-9)


@pytest.mark.parametrize("struck", [1, 2, 4])
def test_cradles_are_left_alone(struck):
    """Equal balls with gaps of a step or more between them pass the velocity on."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    world.add_sphere(radius=0.05, mass=1, velocity=(1, 0, 0))
    for k in range(struck):
        world.add_sphere(radius=0.05, mass=1, position=(0.15 * (k + 1), 0, 0))
    run = rc.simulate(world, until=0.5, step=0.005)
    assert run.tempered.sum() == 0
    final = run.states("velocity")[-1, :, 0]
    np.testing.assert_allclose(final, [0] * struck + [1], atol=1e-9)
    np.testing.assert_allclose(run.energy.kinetic, 0.5, rtol=1e-12)


@pytest.mark.parametrize("scheme", [rc.DVI(), rc.MoreauJean()])
def test_other_schemes_lower_nothing(scheme):
    world = floor_world(rc.ContactLaw(sliding=0.3, restitution=1.0))
    world.add_box(
        size=(1, 0.02, 0.02), mass=1, orientation=(0.9, 0, 0.435889894354, 0),
        position=(0, 0, 0.45), velocity=(-1, 0, -1),
    )  # fmt: skip
    assert not rc.simulate(world, until=0.1, step=0.01, scheme=scheme).tempered.any()
