"""The loop: arguments, whole steps, changes on the way, going on, and what must not matter."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rollcone as rc
from rollcone.simulation import steps_between
from scenes import RADIUS, G, ball_on_floor, floor_world, heap

LAW = rc.ContactLaw(sliding=0.3, rolling=0.01, spinning=0.01)
STATE = ("position", "orientation", "velocity", "angular_velocity")


def same(one: rc.Run, other: rc.Run, atol: float = 0.0) -> None:
    np.testing.assert_allclose(one.time, other.time, rtol=1e-12)
    for name in STATE:
        np.testing.assert_allclose(one.states(name), other.states(name), rtol=0, atol=atol)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": 0}, r"step = 0: must be one number > 0"),
        ({"step": -0.1}, r"step = -0\.1"),
        ({"step": math.nan}, r"step = nan: must be finite"),
        ({"step": (0.1, 0.2)}, r"step = \(0\.1, 0\.2\): must be one number"),
        ({"until": -1}, r"until = -1: it is t = 0 s already"),
        ({"until": math.inf}, r"until = inf: must be finite"),
        ({"until": math.nan}, r"until = nan: must be finite"),
        ({"law": "assoc"}, r"law = 'assoc': must be one of .*did you mean 'associated'"),
        ({"tolerance": -1e-9}, r"tolerance = -1e-09: must be one number >= 0"),
        ({"speed_tolerance": "low"}, r"speed_tolerance = 'low'"),
        ({"max_iterations": 2.5}, r"max_iterations = 2\.5: must be a whole number >= 1"),
        ({"record_every": 0}, r"record_every = 0: must be a whole number >= 1"),
        ({"start_time": math.nan}, r"start_time = nan: must be finite"),
        ({"solver": "simplex"}, r"solver = 'simplex': must be one of"),
    ],
)
def test_no_setting(settings, message):
    world, _ = ball_on_floor(LAW)
    with pytest.raises(rc.InputError, match=message):
        rc.simulate(world, **({"until": 1, "step": 0.1} | settings))


def test_what_is_no_world_or_no_setting():
    for simulate in (
        lambda w: rc.simulate(w, until=1, step=0.1),
        lambda w: rc.Simulation(w, step=1),
    ):
        with pytest.raises(rc.InputError, match="world is a int: must be a World"):
            simulate(5)
    world, _ = ball_on_floor(LAW)
    with pytest.raises(TypeError, match="timestep"):
        rc.simulate(world, until=1, step=0.1, timestep=3)
    with pytest.raises(TypeError):
        rc.simulate(world, 1, 0.1)


@given(count=st.integers(0, 10**6), step=st.floats(1e-6, 10))
@example(count=3, step=0.1)
@example(count=60_000, step=1e-4)
def test_whole_steps(count, step):
    """As many as it takes, and none for rounding's sake."""
    assert steps_between(0.0, count * step, step) == count
    assert steps_between(0.0, (count + 0.5) * step, step) == count + 1
    assert steps_between(count * step, count * step, step) == 0
    if count:
        with pytest.raises(rc.InputError, match="already"):
            steps_between(count * step, 0.0, step)


def test_simulate_leaves_its_world_alone():
    world, ball = ball_on_floor(LAW, 1.0, velocity=(1, 0, 0))
    before = {name: getattr(world.state, name).copy() for name in STATE}
    run = rc.simulate(world, until=0.5, step=0.01)
    for name in STATE:
        np.testing.assert_array_equal(getattr(world.state, name), before[name])
    assert run.world is not world
    assert run.world.body(ball).position[0] == run.body(ball).position[-1, 0]
    simulation = rc.Simulation(world, step=0.01)
    simulation.take_step()
    assert ball.position[0] == pytest.approx(0.01)  # but this one moves it


def test_time_does_not_drift():
    simulation = rc.Simulation(rc.World(), step=0.1, start_time=5.0)
    run = simulation.advance(105.0)
    assert simulation.steps == 1000
    np.testing.assert_allclose(run.time, 5 + 0.1 * np.arange(1001), rtol=1e-15)
    assert simulation.advance(105.0).time.shape == (1001,)
    assert simulation.advance(105.05).time[-1] == pytest.approx(105.1)


@pytest.mark.parametrize("kind", ["empty", "fixed", "free", "removed"])
def test_worlds_with_nothing_to_solve(kind):
    world = rc.World(gravity=(0, 0, -G))
    if kind != "empty":
        world.add_plane()
        world.add_sphere(radius=1, fixed=True)
        world.add_box(size=(1, 1, 1), fixed=True, position=(0.5, 0, 0))
    if kind == "free":
        world.add_sphere(radius=0.1, mass=1, position=(0, 0, 9))
    if kind == "removed":
        for body in world.bodies:
            world.remove(body)
    run = rc.simulate(world, until=0.5, step=0.1)
    assert run.steps == 5
    assert run.converged
    assert not run.contact_count.any()
    assert run.residual.tolist() == [0] * 6
    assert run.summary()
    assert len(run.contacts(-1)) == 0


def test_each_step_is_called_after_every_step_and_may_push():
    world = rc.World()
    ball = world.add_sphere(radius=0.5, mass=1)
    seen = []

    def push(simulation):
        seen.append((simulation.steps, simulation.time))
        simulation.world.body(ball).velocity = (simulation.steps, 0, 0)

    run = rc.simulate(world, until=0.3, step=0.1, each_step=push)
    assert [steps for steps, _ in seen] == [1, 2, 3]
    np.testing.assert_allclose([time for _, time in seen], [0.1, 0.2, 0.3])
    np.testing.assert_allclose(run.body(ball).position[:, 0], [0, 0, 0.1, 0.3], atol=1e-15)


def test_loads_and_laws_may_change_on_the_way():
    """A force that is switched off, and a floor that turns to ice."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.5), velocity=(5, 0, 0))

    def meddle(simulation):
        if simulation.steps == 5:
            simulation.world.set_contact_law(rc.ContactLaw())
            simulation.world.body(ball).force = (0, ball.mass, 0)
        if simulation.steps == 10:
            simulation.world.set_contact_law(LAW)  # six rows instead of three

    track = rc.simulate(world, until=0.15, step=0.01, each_step=meddle).body(ball)
    np.testing.assert_allclose(track.velocity[5:11, 0], 5 - 0.5 * G * 0.05, rtol=1e-12)
    assert track.velocity[10, 1] == pytest.approx(0.05, rel=1e-12)
    assert track.velocity[15, 0] < track.velocity[10, 0]


def test_a_body_that_is_taken_away_is_felt_no_more():
    world = floor_world(LAW)
    world.add_sphere(radius=0.5, mass=1, position=(0, 0, 0.5), name="below")
    top = world.add_sphere(radius=0.5, mass=1, position=(0, 0, 1.5))

    def take(simulation):
        if simulation.steps == 3:
            simulation.world.remove("below")

    run = rc.simulate(world, until=0.1, step=0.01, each_step=take)
    fall = np.maximum(run.time - 0.03, 0)
    np.testing.assert_allclose(run.body(top).position[:, 2], 1.5 - G * fall**2 / 2, atol=1e-6)


def halves(world: rc.World) -> tuple[rc.Run, rc.Run]:
    """The second half of a run in one go, and after a stop in the middle."""
    whole = rc.simulate(world, until=0.4, step=0.01)
    first = rc.simulate(world, until=0.2, step=0.01)
    return whole, rc.simulate(first.world, until=0.2, step=0.01)


def test_going_on_is_as_one_long_run():
    world, ball = ball_on_floor(LAW, velocity=(2, 1, 0), angular_velocity=(1, 2, 3))
    whole, second = halves(world)
    for name in STATE:
        np.testing.assert_allclose(second.states(name), whole.states(name)[20:], atol=1e-12)
    assert second.body(ball).velocity[-1, 0] < 2


def test_going_on_over_curved_contacts():
    world, _ = heap(4, LAW, speed=0.5)
    whole, second = halves(world)
    assert whole.contact_count[20:].max() >= 2
    off = np.abs(second.states("position") - whole.states("position")[20:]).max(axis=(1, 2))
    # Of the step before, which says where friction goes on sliding, the second run knows nothing.
    assert off[1] < 1e-7
    assert off.max() < 2e-6


def test_a_simulation_that_goes_on_is_the_same_to_the_bit():
    world, _ = heap(4, LAW)
    whole = rc.simulate(world, until=0.3, step=0.01, tolerance=1e-6)
    simulation = rc.Simulation(world.copy(), step=0.01, tolerance=1e-6)
    for until in (0.1, 0.15, 0.3):
        run = simulation.advance(until)
    same(run, whole)
    same(rc.simulate(world, until=0.3, step=0.01, tolerance=1e-6), whole)


def test_going_on_in_time_with_a_function_of_time():
    world = rc.World()
    ball = world.add_sphere(radius=0.1, mass=1, force=lambda t, body: (math.cos(t), 0, 0))
    whole = rc.simulate(world, until=2, step=0.01)
    first = rc.simulate(world, until=1, step=0.01)
    second = rc.simulate(first.world, until=2, step=0.01, start_time=1.0)
    np.testing.assert_allclose(second.time[[0, -1]], [1, 2], rtol=1e-12)
    np.testing.assert_allclose(
        second.body(ball).position[-1], whole.body(ball).position[-1], rtol=1e-12
    )


@given(boost=st.tuples(*[st.floats(-5, 5)] * 3))
@settings(max_examples=5)
def test_a_world_that_moves_as_a_whole(boost):
    """Galileo: the same seen from a train, floor included."""
    ends = []
    for v in (np.zeros(3), np.array(boost)):
        world = rc.World(gravity=(0, 0, -G))
        world.add_plane(velocity=v)
        for k in range(2):
            world.add_sphere(
                radius=0.1, mass=1 + k, position=(0.02 * k, 0, 0.12 + 0.21 * k),
                velocity=np.add(v, (0.5, 0.1 * k, 0)), angular_velocity=(1, 2, 3),
            )  # fmt: skip
        world.set_contact_law(LAW)
        run = rc.simulate(world, until=0.2, step=0.005)
        assert run.contact_count.max() == 2
        ends.append(run.states("position")[-1] - run.time[-1] * v)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-8)


def test_the_order_of_bodies_does_not_matter():
    def add(world, k):
        world.add_sphere(
            radius=0.1, mass=1 + k, position=(0.05 * k, 0.01, 0.12 + 0.21 * k),
            velocity=(0.5, k, 0), angular_velocity=(1, 2, 3), name=f"{k}",
        )  # fmt: skip

    ends = []
    for order in ((0, 1, 2), (2, 0, 1)):
        world = rc.World(gravity=(0, 0, -G))
        for k in order:
            add(world, k)
        world.add_plane()
        world.set_contact_law(LAW)
        run = rc.simulate(world, until=0.3, step=0.005)
        ends.append([run.body(f"{k}").position[-1] for k in range(3)])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_strict_says_when():
    world, _ = ball_on_floor(LAW, velocity=(1, 2, 0), angular_velocity=(1, 2, 3))
    simulation = rc.Simulation(
        world, step=0.01, strict=True, solver="jacobi", max_iterations=1, start_time=2.0
    )
    with pytest.raises(rc.SimulationError, match=r"^at t = 2\.01 s: "):
        simulation.advance(3.0)
    assert simulation.run.unconverged.sum() == 1


def test_a_state_that_ceases_to_be_finite_is_told():
    world = rc.World()
    world.add_sphere(radius=0.5, mass=1e-150, force=(1e150, 0, 0), name="fly")
    with pytest.raises(rc.SimulationError, match=r"at t = 0 s: the velocity of body 'fly'"):
        rc.simulate(world, until=1e10, step=1e10)


def test_a_bar_is_shown_on_stderr(capsys):
    world, ball = ball_on_floor(LAW)
    calls = []
    run = rc.simulate(world, until=0.05, step=0.01, progress=True, each_step=calls.append)
    assert len(calls) == 5
    assert capsys.readouterr().out == ""
    assert run.body(ball).position[-1, 2] == pytest.approx(RADIUS)
