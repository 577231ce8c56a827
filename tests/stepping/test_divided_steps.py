"""Steps that are divided at times of impact, `GapAhead(max_impacts=...)`: rebounds, rows of balls
and rocking blocks by closed forms, momenta of free bodies, the audit, records, failures."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_passive_steps import THIN, momenta, momentum_scales, thrown

import rollcone as rc
from rollcone.analysis.energy import TERMS
from rollcone.analysis.forces import contact_forces
from rollcone.errors import InputError
from rollcone.stepping.kernels.work import CUTS, STRIKES
from scenes import G, floor_world

DIVIDED = rc.GapAhead(max_impacts=16)


def heights_of_a_bounce(height: float, e: float, times: np.ndarray, h: float) -> np.ndarray:
    """Of a point mass; an approach that loads make in two steps is no impact."""
    found = []
    for time in times:
        left, speed, up = time, 0.0, height
        while True:
            fall = (speed + math.sqrt(speed**2 + 2 * G * up)) / G
            if left < fall:
                found.append(up + speed * left - 0.5 * G * left**2)
                break
            left, hit = left - fall, G * fall - speed
            speed, up = e * hit, 0.0
            if hit <= 2 * G * h:
                found.append(0.0)
                break
    return np.array(found)


@pytest.mark.parametrize("e", [0.3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("h", [0.02, 0.01, 0.003])
def test_a_ball_rebounds_exactly(e, h):
    """At any step, until it rests; the energy after each rebound is e^2 of that before."""
    world = floor_world(rc.ContactLaw(sliding=0.3, restitution=e))
    ball = world.add_sphere(radius=0.1, density=1000, position=(0, 0, 0.6))
    run = rc.simulate(world, until=1.2, step=h, scheme=DIVIDED)
    wanted = heights_of_a_bounce(0.5, e, run.time, h)
    np.testing.assert_allclose(run.body(ball).position[:, 2] - 0.1, wanted, atol=1e-10)
    assert run.overlap.max() < 1e-12
    assert run.divided.sum() >= 1


@pytest.mark.parametrize("gap", [1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("h", [0.02, 0.005, 0.001])
def test_balls_that_fall_above_each_other_strike_one_after_the_other(h, gap):
    """A light ball flies up at three times the speed of the heavy one below it, however small the
    gap between them is next to what gravity does in a step."""
    world = floor_world(rc.ContactLaw(restitution=1.0))
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1.1))
    light = world.add_sphere(radius=0.02, mass=1e-3, position=(0, 0, 1.22 + gap))
    run = rc.simulate(world, until=0.5, step=h)
    track = run.body(light)
    top = track.position[-1, 2] + track.velocity[-1, 2] ** 2 / (2 * G)
    fall = math.sqrt(2 * G)  # at the floor
    time = gap / (2 * fall)  # from there to the second impact
    speed = (3 - 1e-3) / (1 + 1e-3) * fall - G * time
    assert top == pytest.approx(
        0.22 + fall * time - 0.5 * G * time**2 + speed**2 / (2 * G), rel=1e-9
    )


@pytest.mark.parametrize("share", [0.05, 0.5, 1.5, 3.0])
@pytest.mark.parametrize("h", [0.02, 0.005])
@pytest.mark.parametrize("floor", [False, True])
def test_a_row_with_gaps_that_loads_could_close_hands_on_all(h, share, floor):
    """Gaps are a share of g h^2; loads are at right angles to the row, or all bodies fall."""
    gap = share * G * h**2
    world = rc.World(gravity=(0, 0, -G))
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    if floor:
        world.add_plane(point=(0, 0, -0.1))
    for k in range(3):
        world.add_sphere(
            radius=0.1, mass=1, position=(k * (0.2 + gap), 0, 0), velocity=(float(k == 0), 0, 0)
        )
    run = rc.simulate(world, until=3 * gap + 3 * h, step=h)
    np.testing.assert_allclose(run.states("velocity")[-1][-3:, 0], [0, 0, 1], atol=1e-9)


def test_slow_impacts_divide_steps_where_a_floor_carries_the_load():
    """At a twentieth of g h: the load has no part along the row."""
    h, speed = 0.02, 9e-3
    world = floor_world(rc.ContactLaw(restitution=1.0))
    for k in range(5):
        place = k * (0.2 + 0.37 * speed * h)
        world.add_sphere(
            radius=0.1, mass=1, position=(place, 0, 0.1), velocity=(speed * (k == 0), 0, 0)
        )
    run = rc.simulate(world, until=20 * h, step=h)
    np.testing.assert_allclose(run.states("velocity")[-1][1:, 0] / speed, [0] * 4 + [1], atol=1e-6)


@pytest.mark.parametrize("count", [3, 5, 10])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_row_of_balls_hands_on_all_it_has(count, share):
    """Elastic balls whose gaps are a share of a step's way: only the last one flies on."""
    h = 0.01
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    for k in range(count):
        place = k * (0.1 + share * h) - (0.37 * h if k == 0 else 0.0)
        world.add_sphere(
            radius=0.05, density=1000, position=(place, 0, 0), velocity=(float(k == 0), 0, 0)
        )
    run = rc.simulate(world, until=count * share * h + 5 * h, step=h, scheme=DIVIDED)
    np.testing.assert_allclose(run.states("velocity")[-1][:, 0], [0] * (count - 1) + [1], atol=1e-9)
    assert run.energy.kinetic[-1] == pytest.approx(run.energy.kinetic[0], rel=1e-12)
    assert run.overlap.max() < 1e-8


def test_more_impacts_than_are_allowed_close_gaps():
    """Ten balls, 9 impacts in a step, 4 allowed: energy is lost, none is made, none overlap."""
    h = 0.01
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    for k in range(10):
        world.add_sphere(
            radius=0.05, density=1000, position=(k * 0.101, 0, 0), velocity=(float(k == 0), 0, 0)
        )
    run = rc.simulate(world, until=0.1, step=h, scheme=rc.GapAhead(max_impacts=4))
    kinetic = run.energy.kinetic
    assert np.diff(kinetic).max() < 1e-12 * kinetic[0]
    assert 0.1 < kinetic[-1] / kinetic[0] < 0.99
    assert run.overlap.max() < 1e-8
    assert run.converged


def rocking_block(h: float) -> tuple[float, float]:
    """The angles (degrees) at the first two peaks after impacts of a block of 1 x 0.25 m that is
    let go at 8 degrees."""
    world = floor_world(rc.ContactLaw(sliding=5.0))
    tilt, half = math.radians(8), np.array([-0.125, 0, 0.5])
    sine, cosine = math.sin(tilt), math.cos(tilt)
    place = (0.125 + cosine * half[0] + sine * half[2], 0, -sine * half[0] + cosine * half[2])
    block = world.add_box(
        size=(0.25, 0.4, 1), density=1000, position=place, orientation=rc.rotation((0, 1, 0), 8)
    )
    run = rc.simulate(world, until=1.9, step=h, scheme=DIVIDED)
    q = run.body(block).orientation
    angle = np.degrees(2 * np.arctan2(q[:, 2], q[:, 0]))
    ends = np.flatnonzero(np.diff(np.sign(angle)) != 0)
    return tuple(np.abs(angle[a + 1 : b + 1]).max() for a, b in itertools.pairwise(ends[:3]))


def test_a_block_rocks_as_housner_has_it():
    """At an impact without rebound its rate falls by 1 - 3/2 sin^2 a, a the angle of its diagonal
    (Housner 1963); between them its energy is kept."""
    diagonal = math.atan(0.25)
    lost = (1 - 1.5 * math.sin(diagonal) ** 2) ** 2
    height = math.cos(diagonal - math.radians(8)) - math.cos(diagonal)
    wanted = []
    for _ in range(2):
        height *= lost
        wanted.append(math.degrees(diagonal - math.acos(height + math.cos(diagonal))))
    np.testing.assert_allclose(rocking_block(5e-3), wanted, rtol=2e-3)


@given(
    names=st.lists(st.sampled_from(list(THIN)), min_size=2, max_size=3),
    seed=st.integers(0, 2**20), h=st.sampled_from([0.005, 0.01]),
    e=st.sampled_from([0.5, 1.0]), mu=st.sampled_from([0.0, 0.3, 1.0]),
)  # fmt: skip
@settings(max_examples=15)
def test_free_bodies_keep_both_momenta_and_gain_nothing(names, seed, h, e, mu):
    """Needles, plates and boxes that meet within steps, at up to a radian per step."""
    world = thrown(names, seed, h, e, mu)
    run = rc.simulate(world, until=0.3, step=h, scheme=DIVIDED)
    linear, angular = zip(*(momenta(world, run, k) for k in range(len(run.time))), strict=True)
    speed, turning = momentum_scales(world, run)
    assert np.ptp(linear, axis=0).max() < 1e-11 * speed
    whole = run.unfinished.sum() == 0 and run.overlap.max() < 1e-7
    assert np.ptp(angular, axis=0).max() < (1e-9 if whole else 2e-2) * turning
    assert np.diff(run.energy.kinetic).max() < 1e-9 * run.energy.kinetic[0]


def test_most_of_them_keep_the_angular_one_to_rounding():
    """What the test above says of runs without overlap is not empty."""
    kept = 0
    for seed in range(12):
        world = thrown(["needle", "plate"], seed, 0.005, 0.5, 0.3)
        run = rc.simulate(world, until=0.3, step=0.005, scheme=DIVIDED)
        angular = [momenta(world, run, k)[1] for k in range(len(run.time))]
        scale = momentum_scales(world, run)[1]
        kept += run.divided.sum() > 0 and np.ptp(angular, axis=0).max() < 1e-12 * scale
    assert kept >= 10


def tumbling() -> rc.World:
    """Boxes, a capsule and balls that fall on each other, with friction of every kind."""
    world = floor_world(rc.ContactLaw(sliding=0.4, rolling=2e-3, spinning=1e-3, restitution=0.4))
    rng = np.random.default_rng(5)
    for k in range(5):
        place = (*rng.uniform(-0.1, 0.1, 2), 0.15 + 0.16 * k)
        turn = {"velocity": rng.normal(size=3), "angular_velocity": rng.normal(size=3)}
        if k % 2:
            world.add_box(size=(0.1, 0.12, 0.06), density=1000, position=place, **turn)
        else:
            world.add_sphere(radius=0.05, density=1000, position=place, **turn)
    world.add_capsule(radius=0.04, length=0.1, density=1000, position=(0, 0, 1), name="capsule")
    return world


def test_records_of_divided_steps_add_up():
    """Impulses of all pieces are those that changed the momentum; the audit of each step closes."""
    world = tumbling()
    run = rc.simulate(world, until=0.6, step=4e-3, scheme=DIVIDED)
    assert run.divided.sum() > 20
    velocity, mass, gravity = run.states("velocity"), world.state.mass, world.gravity
    for k in range(1, len(run.time)):
        contacts, total = run.contacts(k), np.zeros((len(mass), 3))
        force = contact_forces(contacts)
        np.add.at(total, contacts.bodies[:, 1], force)
        np.add.at(total, contacts.bodies[:, 0], -force)
        wanted = mass[:, None] * ((velocity[k] - velocity[k - 1]) / 4e-3 - gravity)
        np.testing.assert_allclose(total[1:], wanted[1:], atol=1e-7)
        assert len(np.unique(contacts.bodies, axis=0)) <= len(contacts)
    audit = run.energy
    turned = sum(np.abs(np.diff(getattr(audit, name))) for name in (*TERMS, "kinetic", "potential"))
    floor = 1e-14 * (audit.kinetic[1:] + np.abs(audit.potential[1:]))
    assert (np.abs(np.diff(audit.remainder)) < np.maximum(1e-10 * turned, 8 * floor)).all()
    assert "divided at their times" in run.summary()


def test_a_force_that_is_a_function_is_divided_too():
    """A constant given as a function moves bodies as the constant does."""
    runs = []
    for force in ((1.0, 0, 0), lambda t, body: (1.0, 0, 0)):
        world = floor_world(rc.ContactLaw(sliding=0.3, restitution=0.7))
        world.add_sphere(radius=0.1, density=1000, position=(0, 0, 0.5)).force = force
        runs.append(rc.simulate(world, until=1.0, step=0.01, scheme=DIVIDED))
    assert runs[0].divided.sum() > 1
    for state in ("position", "velocity"):
        np.testing.assert_allclose(runs[1].states(state), runs[0].states(state), atol=1e-12)


@pytest.mark.parametrize("h", [0.01, 0.03])
def test_a_wall_that_gets_faster_strikes_a_ball(h):
    """Elastic, the ball gets twice the speed that the wall has when it strikes, 2 a t."""
    world, a = rc.World(), 3.0
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    world.add_box(
        size=(0.1, 1, 1), fixed=True, position=(-0.05, 0, 0),
        motion=lambda t: ((a * t, 0, 0), (0, 0, 0)),
    )  # fmt: skip
    ball = world.add_sphere(radius=0.1, density=1000, position=(0.2, 0, 0))
    run = rc.simulate(world, until=0.3, step=h, scheme=DIVIDED)
    strike = math.sqrt(2 * 0.1 / a)
    assert run.body(ball).velocity[-1, 0] == pytest.approx(2 * a * strike, rel=1e-9)
    wanted = 0.2 + 2 * a * strike * (0.3 - strike)
    assert run.body(ball).position[-1, 0] == pytest.approx(wanted, rel=1e-9)


def test_calls_of_one_step_give_the_same_bits():
    """Also where bodies are poured, arrays grow on the way, and a run is continued."""
    runs = []
    for chunk in (1, 7, 60):
        with rc.Simulation(tumbling(), step=5e-3, scheme=DIVIDED) as simulation:
            for k in range(chunk, 61, chunk):
                simulation.advance(k * 5e-3)
            simulation.advance(0.3)
            runs.append(simulation.run)
    for other in runs[1:]:
        np.testing.assert_array_equal(other.states("position")[-1], runs[0].states("position")[-1])
        np.testing.assert_array_equal(other.states("velocity")[-1], runs[0].states("velocity")[-1])


def test_a_divided_run_is_continued_bit_by_bit(tmp_path):
    options = {"step": 5e-3, "scheme": DIVIDED}
    whole = rc.simulate(tumbling(), until=0.4, **options)
    rc.simulate(tumbling(), until=0.2, output=tmp_path / "run.h5", **options)
    going_on = rc.resume(tmp_path / "run.h5", until=0.4)
    np.testing.assert_array_equal(going_on.states("position")[-1], whole.states("position")[-1])
    np.testing.assert_array_equal(going_on.energy.remainder[-1], whole.energy.remainder[-1])


def test_a_step_that_fails_in_a_piece_is_taken_back(monkeypatch):
    """The solver raises in the second solve of a divided step: the world is where the last whole
    step ended, and what follows is what would have followed."""
    make = lambda: rc.Simulation(tumbling(), step=5e-3, scheme=DIVIDED, solver="apgd")  # noqa: E731
    with make() as simulation, make() as untouched:
        while True:
            before = {
                n: getattr(simulation.world.state, n).copy() for n in ("position", "velocity")
            }
            solver = simulation._stepper._solver
            solve, pieces = solver.solve, []

            def failing(given, solve=solve, pieces=pieces, simulation=simulation):
                control = simulation._stepper.space.control
                if control[STRIKES] + control[CUTS] > 1:
                    pieces.append(int(control[STRIKES]))
                    raise RuntimeError("no solution")
                return solve(given)

            monkeypatch.setattr(solver, "solve", failing)
            try:
                simulation.take_step()
            except RuntimeError:
                break
            finally:
                monkeypatch.setattr(solver, "solve", solve)
            untouched.take_step()
        assert pieces
        for name, values in before.items():
            np.testing.assert_array_equal(getattr(simulation.world.state, name), values)
        for _ in range(20):
            simulation.take_step()
            untouched.take_step()
        for name in before:
            np.testing.assert_array_equal(
                getattr(simulation.world.state, name), getattr(untouched.world.state, name)
            )
        assert simulation.run.energy.remainder[-1] == untouched.run.energy.remainder[-1]


def test_where_steps_cannot_be_divided_that_is_an_error():
    world = floor_world(rc.ContactLaw(sliding=0.3))
    ball = world.add_sphere(radius=0.1, density=1000, position=(0, 0, 0.5))
    world.add_joint(kind="spherical", body=ball, point=(0, 0, 1))
    with pytest.raises(InputError, match="max_impacts = 16: steps are not divided at impacts with"):
        rc.simulate(world, until=0.1, step=0.01, scheme=DIVIDED)
    with pytest.raises(InputError, match="max_impacts = -1"):
        rc.GapAhead(max_impacts=-1)
