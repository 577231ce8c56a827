"""Steps are the same to the last bit however they are cut into calls, and whoever is asked
between them; what goes wrong leaves the world at a whole step."""

import numpy as np
import pytest
from batch_cases import (
    FORCE,
    SCHEMES,
    STATE,
    STEP,
    STEPS,
    WORLDS,
    one_by_one,
    same,
    start,
    to_the_end,
)

import rollcone as rc
from rollcone import settings
from rollcone import simulation as loop
from rollcone.collision import grid
from rollcone.stepping import stages, step, workspace
from scenes import ball_on_floor, floor_world

cases = pytest.mark.parametrize("scheme", SCHEMES)
all_worlds = pytest.mark.parametrize("world", WORLDS)


@pytest.fixture(scope="module")
def whole():
    """Runs of one call per step, by world, scheme and settings; each made once."""
    known = {}

    def find(world: str, scheme: str, **settings) -> rc.Run:
        key = (world, scheme, repr(settings))
        if key not in known:
            known[key] = one_by_one(start(world, scheme, **settings))
            assert known[key].contact_count.max() >= 3
        return known[key]

    return find


class Calls:
    """Instead of simulation._Batch: always so many steps, and counts them."""

    def __init__(self, steps: int) -> None:
        self.steps, self.taken = steps, []

    def __call__(self) -> "Calls":
        return self

    def took(self, steps: int, seconds: float) -> None:
        self.taken.append(steps)


@all_worlds
@cases
@pytest.mark.parametrize(("every", "length"), [(1, 1000), (7, 4), (1000, 1000)])
def test_calls_of_any_length(world, scheme, every, length, whole, monkeypatch):
    calls = Calls(length)
    monkeypatch.setattr(loop, "_Batch", calls)
    run = to_the_end(start(world, scheme, record_every=every))
    assert max(calls.taken) == min(length, every, STEPS)
    assert sum(calls.taken) == STEPS
    same(run, whole(world, scheme))


def test_calls_grow_to_their_time(whole, monkeypatch):
    """Twice as long each time, up to the time that a call may take; the bits are those of
    single steps."""
    for time, most in ((1e9, 1000), (0.0, 1)):
        monkeypatch.setattr(loop, "_CALL_TIME", time)
        batch = loop._Batch()
        for _ in range(12):
            batch.took(batch.steps, 1.0)
        assert batch.steps >= most if time else batch.steps == 1
        same(to_the_end(start("mixed", "gap-ahead", record_every=11)), whole("mixed", "gap-ahead"))


@all_worlds
@cases
def test_a_function_that_is_called_after_each_step(world, scheme, whole):
    seen = []
    run = to_the_end(start(world, scheme), each_step=lambda now: seen.append(now.steps))
    assert seen == list(range(1, STEPS + 1))
    same(run, whole(world, scheme))


@all_worlds
@cases
def test_arrays_that_grow_on_the_way(world, scheme, whole, monkeypatch):
    """From no room at all, and never more than was asked for: steps begin anew, also in the
    middle of a call and after a first solve."""
    usual = whole(world, scheme)
    for module in (grid, workspace):
        monkeypatch.setattr(module, "roomy", lambda needed: max(int(needed), 1))
    grown = []
    grow = workspace.Workspace.grow

    def watched(space):
        grown.append(int(space.control[step.places.DONE]))
        grow(space)

    monkeypatch.setattr(workspace.Workspace, "grow", watched)
    monkeypatch.setattr(loop, "_Batch", Calls(1000))
    run = to_the_end(start(world, scheme, record_every=1000))
    assert len(grown) >= 3
    if scheme == "gap-ahead":
        assert max(grown) > 0  # in the middle of a call
    same(run, usual)


@all_worlds
@cases
def test_a_force_that_is_a_function_of_nothing(world, scheme, whole):
    simulation = start(world, scheme)
    pushed = [body for body in simulation.world.bodies if np.any(body.force != 0)]
    assert pushed
    for body in pushed:
        body.force = lambda time, body: FORCE
    same(to_the_end(simulation), whole(world, scheme))


@all_worlds
@cases
def test_gauss_seidel_within_the_step_and_outside(world, scheme, whole):
    """Options that change nothing (a seed, for a fixed order) make the step ask for a solve. The
    two visit contacts in other orders: where both converge, bodies are at the same places."""
    settings = {"solver": "gauss-seidel", "tolerance": 1e-10}
    outside = start(world, scheme, **settings, solver_options={"seed": 2}, record_every=7)
    assert not outside._stepper.solver.stages[0].compiled
    one, two = to_the_end(outside), whole(world, scheme, **settings)
    if not (one.unconverged.any() or two.unconverged.any()):
        position = [run.states("position")[-1] for run in (one, two)]
        np.testing.assert_allclose(*position, atol=1e-6)


@all_worlds
@cases
def test_other_solvers_in_calls_of_any_length(world, scheme, whole):
    settings = {"solver": "apgd"}
    run = to_the_end(start(world, scheme, **settings, record_every=1000))
    same(run, whole(world, scheme, **settings))


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "apgd"])
@cases
def test_steps_that_count_as_unconverged(scheme, solver, whole):
    """Those whose residual is above the tolerance, and no others."""
    run = whole("boxes", scheme, solver=solver, max_iterations=3 if solver == "auto" else 30)
    assert 0 < run.unconverged.sum() <= (STEPS if scheme == "explicit" else STEPS - 1)
    np.testing.assert_array_equal(run.unconverged, run.residual > 1e-6)


def test_many_contacts(monkeypatch):
    """Candidates are then looked for with rough solves; the answer is not rough."""

    def crowd(**settings) -> rc.Simulation:
        world = floor_world(rc.ContactLaw(sliding=0.3))
        for i, j, k in np.ndindex(5, 5, 3):
            world.add_sphere(
                radius=0.05, mass=1, position=(0.101 * i, 0.1 * j, 0.05 + 0.102 * k),
                velocity=(0.5 - 0.3 * i, 0, -0.2 * k),
            )  # fmt: skip
        return rc.Simulation(world, step=0.005, tolerance=1e-4, **settings)

    one, batch = crowd(), crowd(record_every=1000)
    for _ in range(10):
        one.take_step()
    run = one.run
    assert run.contact_count[1:].min() >= 50
    assert run.passes.max() > 2
    assert run.converged
    assert run.residual.max() <= 1e-4
    monkeypatch.setattr(loop, "_Batch", Calls(1000))
    same(batch.advance(0.05), run)


def test_where_gauss_seidel_hands_over(whole, monkeypatch):
    """With few sweeps the second solver is needed in many steps."""
    monkeypatch.setattr(settings, "_SWEEPS", 3)
    usual = one_by_one(start("boxes", "gap-ahead"))
    assert (usual.iterations > 3 * usual.passes).sum() > 10
    monkeypatch.setattr(loop, "_Batch", Calls(1000))
    same(to_the_end(start("boxes", "gap-ahead", record_every=1000)), usual)


def test_rebounds_are_counted_once(monkeypatch):
    """Also if the step that lowers them begins anew."""

    def column() -> rc.Run:
        world = floor_world(rc.ContactLaw(restitution=1.0))
        for k in range(10):
            world.add_sphere(radius=0.05, mass=1, position=(0, 0, 0.07 + 0.12 * k))
        return rc.simulate(world, until=0.6, step=0.005, scheme=rc.GapAhead(max_impacts=0))

    usual = column()
    assert usual.tempered.sum() > 0
    for module in (grid, workspace):
        monkeypatch.setattr(module, "roomy", lambda needed: max(int(needed), 1))
    same(column(), usual)


def at_a_whole_step(simulation: rc.Simulation, whole: rc.Run) -> None:
    """World, time and run say the same."""
    k = simulation.steps
    assert simulation.time == k * STEP
    assert simulation.run.steps == k
    for name in STATE:
        np.testing.assert_array_equal(
            getattr(simulation.world.state, name), whole.states(name)[k], name
        )


class Trouble:
    """Calls `function`, but raises once instead, or right after the call."""

    def __init__(self, function, error: BaseException, call: int, after: bool = False) -> None:
        self.function, self.error, self.call, self.after = function, error, call, after

    def __call__(self, *arguments, **options):
        self.call -= 1
        if self.call == 0 and not self.after:
            raise self.error
        result = self.function(*arguments, **options)
        if self.call == 0:
            raise self.error
        return result


@all_worlds
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no")])
def test_a_force_that_fails(world, error, whole):
    """In the tenth step, when the bodies stand half a step ahead."""
    simulation = start(world, "gap-ahead")
    body = next(body for body in simulation.world.bodies if np.any(body.force != 0))
    body.force = Trouble(lambda time, body: FORCE, error, call=10)
    with pytest.raises(type(error)):
        to_the_end(simulation)
    assert simulation.steps == 9
    at_a_whole_step(simulation, whole(world, "gap-ahead"))
    same(to_the_end(simulation), whole(world, "gap-ahead"))


def test_a_force_that_is_none(whole):
    simulation = start("spheres", "gap-ahead")
    body = next(body for body in simulation.world.bodies if np.any(body.force != 0))
    body.force = lambda time, body: FORCE if time < 0.05 else (1, np.nan, 2)
    with pytest.raises(rc.SimulationError, match=r"^at t = 0\.05 s: force of .* must be finite"):
        to_the_end(simulation)
    assert simulation.steps == 5
    at_a_whole_step(simulation, whole("spheres", "gap-ahead"))
    body.force = FORCE
    same(to_the_end(simulation), whole("spheres", "gap-ahead"))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no")])
def test_a_function_after_the_step_that_fails(error, whole):
    simulation = start("boxes", "gap-ahead")
    with pytest.raises(type(error)):
        to_the_end(simulation, each_step=Trouble(lambda now: None, error, call=10))
    assert simulation.steps == 10
    at_a_whole_step(simulation, whole("boxes", "gap-ahead"))
    same(to_the_end(simulation), whole("boxes", "gap-ahead"))


@all_worlds
@cases
def test_an_interrupt_after_some_steps(world, scheme, whole, monkeypatch):
    """Ctrl-C is heard when a call ends: its steps count."""
    usual = whole(world, scheme)
    monkeypatch.setattr(loop, "_Batch", Calls(3))
    trouble = Trouble(step.run_steps, KeyboardInterrupt(), call=6, after=True)
    simulation = start(world, scheme, record_every=100)
    monkeypatch.setattr(step, "run_steps", trouble)
    with pytest.raises(KeyboardInterrupt):
        to_the_end(simulation)
    assert 0 < simulation.steps < STEPS
    at_a_whole_step(simulation, usual)
    run = to_the_end(simulation)
    assert run.time.tolist() == [0.0, STEPS * STEP]
    same(run, usual)


def test_an_interrupted_step_is_recorded(whole, monkeypatch):
    """Where every step is, the one that was under way at Ctrl-C is, too."""
    usual = whole("spheres", "dvi")
    trouble = Trouble(step.run_steps, KeyboardInterrupt(), call=12, after=True)
    simulation = start("spheres", "dvi")
    monkeypatch.setattr(step, "run_steps", trouble)
    with pytest.raises(KeyboardInterrupt):
        to_the_end(simulation)
    at_a_whole_step(simulation, usual)
    run = to_the_end(simulation)
    assert len(run.time) == STEPS + 1
    same(run, usual)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), rc.InputError("no"), ValueError("no")])
def test_a_solver_that_fails_in_the_middle_of_a_step(scheme, error, whole, monkeypatch):
    """The steps before it count; the one that was begun is made anew."""
    settings = {"solver": "apgd"}
    usual = whole("spheres", scheme, **settings)
    monkeypatch.setattr(loop, "_Batch", Calls(1000))
    simulation = start("spheres", scheme, **settings, record_every=1000)
    monkeypatch.setattr(stages, "run_solver", Trouble(stages.run_solver, error, call=12))
    expected = rc.SimulationError if isinstance(error, rc.InputError) else type(error)
    with pytest.raises(expected):
        to_the_end(simulation)
    assert 0 < simulation.steps < STEPS
    at_a_whole_step(simulation, usual)
    same(to_the_end(simulation), usual)


def test_rebounds_of_a_step_that_was_not_made_do_not_count(monkeypatch):
    """A rod whose corner strikes while it slides; the second solve of that step fails once."""

    def strike() -> rc.Simulation:
        world = floor_world(rc.ContactLaw(sliding=0.3, restitution=1.0), gravity=0.0)
        world.add_box(
            size=(1, 0.02, 0.02), mass=1, position=(0, 0, 0.5 * np.sin(1.0) + 0.02),
            orientation=(np.cos(0.5), 0, np.sin(0.5), 0), velocity=(-1, 0, -1),
        )  # fmt: skip
        return rc.Simulation(world, step=0.02, solver="apgd", tolerance=1e-9)

    usual = strike().advance(0.06)
    assert usual.tempered.sum() > 0
    simulation = strike()
    trouble = Trouble(stages.run_solver, KeyboardInterrupt(), call=2)
    monkeypatch.setattr(stages, "run_solver", trouble)
    with pytest.raises(KeyboardInterrupt):
        simulation.advance(0.06)
    same(simulation.advance(0.06), usual)


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "apgd"])
@cases
def test_strict_stops_after_the_step_that_did_not_converge(scheme, solver, monkeypatch):
    few = {"solver": solver, "max_iterations": 3 if solver == "auto" else 6, "tolerance": 1e-9}
    monkeypatch.setattr(loop, "_Batch", Calls(1000))
    usual = one_by_one(start("boxes", scheme, **few))
    failed = int(np.argmax(usual.unconverged))
    assert failed > 0
    simulation = start("boxes", scheme, **few, strict=True, record_every=1000)
    with pytest.raises(
        rc.SimulationError,
        match=rf"^at t = {failed * STEP:g} s: .*residual {usual.residual[failed]:.2e}",
    ):
        to_the_end(simulation)
    assert simulation.steps == failed
    at_a_whole_step(simulation, usual)
    assert simulation.last.unconverged == 1


def test_a_velocity_that_is_not_finite(monkeypatch):
    """The third step is too much for 'fly': two count, and all are where these left them."""
    monkeypatch.setattr(loop, "_Batch", Calls(1000))

    def flight() -> rc.Simulation:
        world, _ = ball_on_floor(rc.ContactLaw(sliding=0.2), velocity=(5, 0, 0))
        fly = world.add_sphere(radius=0.1, mass=1, position=(9, 9, 9), name="fly")
        world.state.force[fly.id, 0] = 1.4e308  # more than a user may give
        scheme = rc.GapAhead(max_impacts=0)
        return rc.Simulation(world, step=0.5, record_every=1000, scheme=scheme)

    usual, simulation = flight(), flight()
    usual.take_step()
    usual.take_step()
    with pytest.raises(
        rc.SimulationError, match=r"^at t = 1 s: the velocity of body 'fly' is not finite"
    ):
        simulation.advance(100.0)
    assert simulation.steps == simulation.run.steps == 2
    for name in STATE:
        np.testing.assert_array_equal(
            getattr(simulation.world.state, name), getattr(usual.world.state, name)
        )
    simulation.world.remove("fly")
    run = simulation.advance(3.0)
    assert simulation.steps == 6
    assert run.body("ball").velocity[-1, 0] == pytest.approx(5 / 1.4, rel=1e-9)  # it rolls
