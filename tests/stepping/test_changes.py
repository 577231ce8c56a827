"""Bodies and laws that change between steps: the others do not feel it, and reactions are kept."""

import numpy as np
import pytest

import rollcone as rc
from scenes import G, floor_world

LAW = rc.ContactLaw(sliding=0.4)
STEP, STEPS, CHANGE = 0.01, 20, 10
COLUMN = 6
MANY, FEW = 250, 40  # sweeps from nothing, and for rounding's sake
FIELDS = ("position", "orientation", "velocity", "angular_velocity")


def column(**options) -> rc.World:
    """Balls at rest one on the other, heavy ones on top: from nothing, many sweeps to solve.
    `options` are those of one that stands before them."""
    world = floor_world(LAW)
    if options:
        world.add_sphere(radius=0.1, mass=1, name="first", **options)
    for k in range(COLUMN):
        world.add_sphere(radius=0.1, mass=1 + k, position=(0, 0, 0.1 + 0.2 * k), name=f"{k}")
    return world


def go(world: rc.World, change=None, **settings) -> rc.Run:
    def each_step(simulation):
        if change is not None and simulation.steps == CHANGE:
            change(simulation.world)

    return rc.simulate(world, until=STEPS * STEP, step=STEP, each_step=each_step, **settings)


def alike(run: rc.Run, usual: rc.Run, atol=0.0) -> None:
    """The column's motion, with no work to do after the change but for rounding."""
    for k in range(COLUMN):
        for name in FIELDS:
            one, other = (getattr(r.body(f"{k}"), name) for r in (run, usual))
            np.testing.assert_allclose(one, other, rtol=0, atol=atol)
    assert run.iterations[CHANGE + 1 :].max() <= FEW
    if atol == 0.0:
        np.testing.assert_array_equal(run.iterations, usual.iterations)


@pytest.fixture(scope="module")
def usual() -> rc.Run:
    """Without a change: no work to do after the first steps."""
    run = go(column())
    assert run.iterations[1] > MANY
    assert run.iterations[CHANGE:].max() <= FEW
    carried = G * STEP * np.cumsum(np.arange(COLUMN, 0, -1))[::-1]
    np.testing.assert_allclose(run.contacts(-1).impulse[:, 0], carried, rtol=1e-9)
    return run


def test_without_what_is_kept_there_is_work():
    """So that the others can fail."""
    cold = go(column(), warm_start=False)
    assert cold.iterations[CHANGE:].min() > MANY


@pytest.mark.parametrize("count", [1, 40])
def test_a_body_that_comes_far_away(count, usual):
    """Also if there are many of them: the same to the last bit."""

    def add(world):
        for k in range(count):
            world.add_sphere(radius=0.1, mass=1, position=(9 + k, 0, 5), name=f"new {k}")

    alike(go(column(), add, tolerance=1e-12), usual)


def test_a_body_that_comes_on_top(usual):
    """Only what is new has to be found: fewer sweeps than from nothing, and the right weight."""

    def add(world):
        world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1 + 0.2 * COLUMN), name="new")

    run, cold = go(column(), add), go(column(), add, warm_start=False)
    assert run.iterations[CHANGE + 1] < cold.iterations[CHANGE + 1]
    assert run.iterations[-1] <= FEW
    np.testing.assert_allclose(
        run.contacts(-1).impulse[:COLUMN, 0],
        usual.contacts(-1).impulse[:, 0] + G * STEP,
        rtol=1e-9,
    )


def test_a_body_that_goes():
    """It stood before the others: their numbers stay, and so does what is known of them."""
    usual = go(column(position=(9, 0, 0.1)))
    run = go(column(position=(9, 0, 0.1)), lambda world: world.remove("first"))
    assert np.isnan(run.body("first").position[-1]).all()
    assert run.contact_count[-1] == usual.contact_count[-1] - 1
    alike(run, usual, atol=1e-13)


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI(), rc.MoreauJean()])
def test_rows_that_come_and_go(scheme):
    """A law with rolling friction for bodies that are not there makes all contacts have six rows,
    and one without it three again: the reactions are those of the step before."""

    def more(world):
        world.set_contact_law(rc.ContactLaw(sliding=1, rolling=0.1), "rubber", "rubber")

    def less(world):
        world.set_contact_law(rc.ContactLaw(sliding=1), "rubber", "rubber")

    usual = go(column(), scheme=scheme)
    alike(go(column(), more, scheme=scheme), usual, atol=1e-12)
    world = column()
    more(world)
    alike(go(world, less, scheme=scheme), go(world, scheme=scheme), atol=1e-12)


def test_a_step_of_another_law_starts_from_the_force_of_the_last():
    """Friction that is switched off and on; a ball that slides on, with its weight known."""
    world = floor_world(LAW)
    ball = world.add_sphere(radius=0.1, mass=2, position=(0, 0, 0.1), velocity=(3, 0, 0))

    def ice(world):
        world.set_contact_law(rc.ContactLaw())

    run = go(world, ice)
    speed = run.body(ball).velocity[:, 0]
    np.testing.assert_allclose(speed[: CHANGE + 1], 3 - 0.4 * G * run.time[: CHANGE + 1])
    np.testing.assert_allclose(speed[CHANGE:], speed[CHANGE])
    assert run.iterations[CHANGE + 1 :].max() <= 2


def test_a_problem_stays_as_it_is_while_the_simulation_goes_on():
    world = floor_world(LAW)
    ball = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1))
    simulation = rc.Simulation(world, step=STEP)
    simulation.take_step()
    one, other = simulation.problem, simulation.problem
    expected = one.q.copy()
    ball.velocity = (0, 0, -3)  # a first touch, and then not at rest
    ball.position = (0, 0, 0.11)
    simulation.take_step()
    assert not np.array_equal(simulation.problem.q, expected)
    np.testing.assert_array_equal(other.q, expected)  # not asked for before


def test_reactions_are_the_answer_to_the_problem():
    """Certified from the raw numbers; and they stay as they are."""
    world = floor_world(LAW)
    ball = world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1), velocity=(1, 0, 0))
    simulation = rc.Simulation(world, step=STEP)
    assert simulation.problem is None
    assert len(simulation.reactions) == 0
    simulation.take_step()
    problem, reactions = simulation.problem, simulation.reactions
    found = rc.solve(problem, warm_start=reactions, tolerance=1e-10)
    assert found.iterations == 0
    assert reactions[0, 0] == pytest.approx(G * STEP)
    expected = reactions.copy()
    ball.velocity = (0, 0, 3)
    simulation.take_step()
    assert not simulation.reactions.any()
    np.testing.assert_array_equal(reactions, expected)


def test_a_step_that_fails_with_more_bodies_leaves_no_problem_of_other_ones():
    world = column()
    simulation = rc.Simulation(world, step=STEP)
    simulation.take_step()

    def fail(time, body):
        raise ValueError("no force")

    for k in range(50):
        world.add_sphere(radius=0.1, mass=1, position=(1 + k, 0, 5))
    world.add_sphere(radius=0.1, mass=1, position=(-1, 0, 5), name="last").force = fail
    with pytest.raises(ValueError, match="no force"):
        simulation.take_step()
    assert simulation.problem is None
    world.remove("last")
    simulation.take_step()
    assert simulation.problem.contacts == COLUMN
