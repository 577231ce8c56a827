"""Many impacts in one step: columns that fall, balls struck against balls, rows of elastic balls,
and a pour seen from a train. Gaps are measured from the positions after every step."""

import itertools

import numpy as np
import pytest

import rollcone as rc
from overlaps import ball_gaps
from scenes import G, floor_world

EVEN = np.full(10, 0.0225)
UNEVEN = np.random.default_rng(1).uniform(0.01, 0.04, 10)


def column(radii, gap, e=0.0, sideways=0.0, mu=0.0, fall=1.0):
    """Balls above each other, the lowest `fall` above the floor, each a little off the axis, of
    densities that differ where radii do."""
    rng = np.random.default_rng(0)
    world = floor_world(rc.ContactLaw(sliding=mu, restitution=e))
    z = fall
    for r in radii:
        density = 1000 if radii is EVEN else 1000 * rng.uniform(0.3, 3)
        place = (*(sideways * r * rng.uniform(-1, 1, 2)), z + r)
        world.add_sphere(radius=r, density=density, position=place)
        z += 2 * r + gap
    return world


def energy(run):
    return run.energy.kinetic + run.energy.potential


@pytest.mark.parametrize("h", [5e-3, 1e-3])
@pytest.mark.parametrize("gap", [0.005, 0.02, 0.06])
@pytest.mark.parametrize("radii", [EVEN, UNEVEN], ids=["even", "uneven"])
@pytest.mark.parametrize("impacts", [None, 0])
def test_a_straight_column_lands(radii, gap, h, impacts):
    """Without rebound nothing goes up and nothing overlaps, however many are met in a step, which
    is divided or is not; in the end each stands on the one below."""
    scheme = rc.GapAhead(max_impacts=impacts)
    run = rc.simulate(column(radii, gap), until=0.85, step=h, scheme=scheme)
    assert run.divided.max() > 0 if impacts is None else run.passes.max() > 1
    assert ball_gaps(run).min() > -1e-12 * 2 * radii.min()
    assert run.states("velocity")[..., 2].max() < 1e-10
    assert np.diff(energy(run)).max() < 1e-12 * energy(run)[0]
    heights = np.cumsum(2 * radii) - radii
    np.testing.assert_allclose(run.states("position")[-1, 1:, 2], heights, atol=2e-6 * radii.max())


@pytest.mark.parametrize(("h", "gap"), [(5e-3, 0.005), (5e-3, 0.02), (5e-3, 0.06), (1e-3, 0.02)])
@pytest.mark.parametrize("radii", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_a_straight_column_rebounds(radii, gap, h):
    """e = 0.5: no overlap. Energy does not grow, but for what theta > 1/2 does to the potential
    one while islands close their gaps: less than the balls gain in a step of fall from rest."""
    run = rc.simulate(column(radii, gap, e=0.5), until=0.8, step=h)
    assert run.states("velocity")[..., 2].max() > 1.0
    assert ball_gaps(run).min() > -1e-6 * 2 * radii.min()
    assert np.diff(energy(run)).max() < 0.5 * run.world.state.mass.sum() * (G * h) ** 2


@pytest.mark.parametrize("e", [0.0, 0.5])
@pytest.mark.parametrize(("h", "deepest"), [(5e-3, 0.005), (1e-3, 2e-4)])
@pytest.mark.parametrize("radii", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_a_column_off_its_axis_collapses(radii, h, deepest, e):
    """Balls that run over each other sideways. First touches do not overlap, nor do contacts that
    last while their island meets others; those of long steps do, by what normals turn in one."""
    for gap in (0.005, 0.02, 0.06):
        run = rc.simulate(column(radii, gap, e=e, sideways=0.1, mu=0.3), until=0.8, step=h)
        # With e = 0.5 balls fly apart, and hardly any contact lasts.
        allowed = deepest if e == 0.0 else 1e-6
        assert ball_gaps(run).min() > -allowed * 2 * radii.min()
        assert np.diff(energy(run)).max() < 0.5 * run.world.state.mass.sum() * (G * h) ** 2
        assert run.unfinished.sum() == 0


def test_the_way_is_looked_at_once_only():
    """max_passes=1: contacts that a column meets on the way are left out, and that is told."""
    runs = [
        rc.simulate(column(EVEN, 0.005, fall=0.1), until=0.3, step=5e-3, scheme=scheme)
        for scheme in (rc.GapAhead(max_passes=1), rc.GapAhead())
    ]
    assert runs[0].unfinished.sum() > 0
    assert "ended before all contacts on the way were found" in runs[0].summary()
    assert runs[0].passes.max() == 1
    assert ball_gaps(runs[0]).min() < -0.01 * EVEN[0]
    assert runs[1].unfinished.sum() == 0
    assert "on the way" not in runs[1].summary()


def row(masses, speeds, gaps, e=1.0, until=2.0, h=0.01, radius=0.05):
    """Balls in a row along x, without gravity."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=e))
    x = 0.0
    for mass, speed, gap in zip(masses, speeds, (*gaps, 0.0), strict=True):
        world.add_sphere(radius=radius, mass=mass, position=(x, 0, 0), velocity=(speed, 0, 0))
        x += 2 * radius + gap
    return rc.simulate(world, until=until, step=h)


@pytest.mark.parametrize("masses", [(1, 1, 1), (1, 3, 0.2), (0.5, 0.1, 5)])
@pytest.mark.parametrize("phase", np.arange(8) / 8)
def test_a_struck_ball_meets_the_next_one_in_the_same_step(masses, phase):
    """1 mm apart, at 4 m/s and h = 5 ms: all go on with the velocity of the centre of mass."""
    run = row(masses, (4, 0, 0), (0.02 * (0.05 + phase), 0.001), e=0.0, until=0.1, h=5e-3)
    v = run.states("velocity")[..., 0]
    assert ball_gaps(run).min() > -1e-13
    np.testing.assert_allclose(v @ masses, 4 * masses[0], rtol=1e-12)
    np.testing.assert_allclose(v[-1], 4 * masses[0] / sum(masses), rtol=1e-10)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_cradle_with_gaps(count):
    """Wider than the way of a step: as many go off as came, by impacts of two balls each."""
    run = row([2] * 5, [1] * count + [0] * (5 - count), [0.02] * 4)
    np.testing.assert_allclose(
        run.states("velocity")[-1, :, 0], [0] * (5 - count) + [1] * count, atol=1e-10
    )
    np.testing.assert_allclose(run.energy.kinetic, count, rtol=1e-10)
    assert ball_gaps(run).min() > -1e-13
    assert run.tempered.sum() == 0


def test_a_cradle_of_unequal_masses():
    """Each impact leaves (m1 - m2, 2 m1) / (m1 + m2) of the speed; from heavy to light all go on
    forwards, each slower than the next."""
    masses, speed = (3.0, 2.0, 1.5, 0.4), 1.0
    run = row(masses, (speed, 0, 0, 0), [0.03] * 3, until=0.5)
    expected = []
    for one, two in itertools.pairwise(masses):
        expected.append((one - two) / (one + two) * speed)
        speed *= 2 * one / (one + two)
    np.testing.assert_allclose(run.states("velocity")[-1, :, 0], [*expected, speed], atol=1e-10)
    np.testing.assert_allclose(run.energy.kinetic, 1.5, rtol=1e-10)


@pytest.mark.parametrize("others", [2, 4])
def test_a_ball_against_a_row_that_touches(others):
    """Moreau's law: the row goes on as one body of its mass, (1 - k, 2, ..., 2) / (1 + k)."""
    run = row([1] * (others + 1), [1] + [0] * others, [0.02] + [0] * (others - 1))
    expected = np.array([1 - others] + [2] * others) / (1 + others)
    np.testing.assert_allclose(run.states("velocity")[-1, :, 0], expected, atol=1e-10)
    np.testing.assert_allclose(run.energy.kinetic, 0.5, rtol=1e-10)


def test_a_gap_however_small_hands_on_all():
    """Two that part at 1e-5 m/s have one that is crossed in time, as in Newton's cradle."""
    run = row([1] * 3, [1, 0, 1e-5], [0.02, 0], h=1e-3, until=0.2)
    np.testing.assert_allclose(run.states("velocity")[-1, :, 0], [0, 1e-5, 1], atol=1e-11)
    np.testing.assert_allclose(run.energy.kinetic, run.energy.kinetic[0], rtol=1e-11)


@pytest.mark.parametrize("parting", [0.0, 1e-9, 1e-8, 1e-6])
def test_what_rebounds_lose_is_as_small_as_what_they_would_gain(parting):
    """A ball against two that touch, the last of which moves away a little: with Newton's law at
    its word the three would gain about as much."""
    run = row([1] * 3, [1, 0, parting], [0.02, 0], h=1e-3, until=0.2)
    np.testing.assert_allclose(
        run.states("velocity")[-1, :, 0], [-1 / 3, 2 / 3, 2 / 3], atol=1e-5 + 100 * parting
    )
    kinetic = run.energy.kinetic / run.energy.kinetic[0]
    assert 1 - 2e-5 - 100 * parting < kinetic[-1] < 1 + 2 * parting + 1e-12


@pytest.mark.parametrize("h", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("speed", [0.01, 1.0])
def test_a_touching_ball_that_approaches_rebounds(h, speed):
    """However little it moves in a step."""
    run = row([1, 1], [speed, 0], [0.0], h=h, until=5 * h)
    np.testing.assert_allclose(run.states("velocity")[-1, :, 0], [0, speed], atol=1e-10 * speed)


def pour(boost):
    """Twenty balls of different sizes that come to lie on a plane, all moving with `boost`."""
    rng = np.random.default_rng(3)
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane(velocity=boost)
    world.set_contact_law(rc.ContactLaw(sliding=0.3, rolling=0.002, restitution=0.3))
    for k in range(20):
        corner = 0.11 * np.array([k % 2, k // 2 % 2]) + rng.uniform(-0.004, 0.004, 2)
        world.add_sphere(
            radius=rng.uniform(0.03, 0.05),
            density=1000,
            position=(*corner, 0.06 + 0.11 * (k // 4)),
            velocity=boost + 0.2 * rng.normal(size=3),
            angular_velocity=rng.normal(size=3),
        )
    return rc.simulate(world, until=0.5, step=5e-3)


@pytest.mark.parametrize("boost", [(50, 0, 0), (0, 0, 50), (30, 0, -40)])
def test_a_pour_from_a_train(boost):
    """Galileo, at ten times the way per step: the same candidates, the same motion."""
    here, there = pour(np.zeros(3)), pour(np.array(boost, float))
    assert here.contact_count.max() > 15
    moved = there.time[:, None, None] * np.array(boost)
    np.testing.assert_allclose(there.states("position") - moved, here.states("position"), atol=1e-9)
    assert np.array_equal(there.contact_count, here.contact_count)
