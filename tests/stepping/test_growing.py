"""A world that grows: arrays with room to spare give the bits of arrays made anew."""

import numpy as np
import pytest
from batch_cases import STEPS, same, start

import rollcone as rc
from rollcone.analysis.memory import BODY, CONTACT, ONCE, array_sizes
from rollcone.collision.grid import Grid
from rollcone.stepping.kernels import work as places
from rollcone.stepping.kernels.work import Known
from rollcone.stepping.step_solver import StepSolver
from rollcone.stepping.workspace import Workspace

STEP = 2e-3


def pouring() -> rc.Simulation:
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=0.01))
    world.add_emitter(
        shape="sphere", radius=(0.04, 0.06), density=1000, rate=700, count=90, seed=2,
        low=(-0.2, -0.2, 0.1), high=(0.2, 0.2, 0.6), velocity=(0, 0, -2),
    )  # fmt: skip
    return rc.Simulation(world, step=STEP, tolerance=1e-2)


def make_anew(simulation: rc.Simulation) -> None:
    """The workspace of the next step, with nothing in it but what steps know of each other."""
    step = simulation._stepper
    old, step.space = step.space, Workspace()
    count = int(old.control[places.KNOWN])
    step.space.know(Known(*(values[:count] for values in old.known)))
    step.space.numbers[:] = old.numbers


def test_the_same_bits_as_with_new_arrays():
    whole, other = pouring(), pouring()
    lengths = set()
    for _ in range(120):
        whole.take_step()
        other.take_step()
        make_anew(other)
        lengths.add(len(whole.world.state))
    assert len(lengths) > 15  # it grew step by step
    assert whole.last.contacts > 50
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        a, b = getattr(whole.world.state, name), getattr(other.world.state, name)
        assert a.tobytes() == b.tobytes(), name


def test_bodies_find_room():
    """Most of the time no array is made when bodies are added, and those of contacts stay."""
    simulation = pouring()
    bodies, contacts, grown = set(), set(), 0
    for _ in range(120):
        simulation.take_step()
        space = simulation._stepper.space
        bodies.add(space.motion.v_free.ctypes.data)
        contacts.add((space.contacts.p.ctypes.data, len(space.contacts.p)))
        grown = max(grown, len(simulation.world.state))
    assert grown > 60
    assert len(bodies) < 10
    assert len(contacts) < 12


@pytest.mark.parametrize("sizes", [(50, 80, 20, 300), (1, 2, 3, 1000)])
def test_a_grid_for_other_numbers_of_bodies(sizes):
    """Finds what a new one finds, and keeps no pairs of before."""
    grid = Grid(0)
    for n in sizes:
        world = rc.World()
        world.add_grid(
            shape="sphere", radius=0.3, mass=1, counts=(n, 1, 1), spacing=0.5, jitter=0.4
        )
        state, still = world.state, np.zeros((n, 3))
        grid.work.kept[0] = 5
        grid.fit(n)
        assert grid.work.kept[0] == -1
        found = [
            g.pairs(state, still, still, 0.0, np.zeros(n), 0.0).tolist() for g in (grid, Grid(n))
        ]
        assert found[0] == found[1]
        assert len(found[0]) >= n // 3


@pytest.mark.slow
def test_memory_grows_with_bodies_and_contacts():
    """What is counted for bodies and contacts is in proportion to their number."""
    sums = []
    for count in (1200, 3600):
        world = rc.World(gravity=(0, 0, -9.81))
        world.add_plane()
        world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=0.01))
        world.add_grid(
            shape="sphere", radius=0.1, mass=1, counts=(20, count // 20, 1), spacing=0.2,
            origin=(0, 0, 0.1),
        )  # fmt: skip
        simulation = rc.Simulation(world, step=STEP, tolerance=1e-2)
        simulation.take_step()
        sizes = array_sizes(simulation)
        by = {each: sum(s.bytes for s in sizes if s.each == each) for each in (BODY, CONTACT, ONCE)}
        sums.append((by[BODY] / count, by[CONTACT] / simulation.last.contacts, by[ONCE]))
    (body, contact, once), (more_body, more_contact, more_once) = sums
    assert more_body == pytest.approx(body, rel=0.2)
    assert more_contact == pytest.approx(contact, rel=0.3)
    assert more_once == pytest.approx(once, rel=0.1)  # blocks of the solver are few


@pytest.mark.parametrize("solver", ["gauss-seidel", "apgd"])
@pytest.mark.parametrize("scheme", ["gap-ahead", "dvi", "moreau-jean", "projected"])
def test_what_stages_share_outlasts_none(monkeypatch, scheme, solver):
    """Whatever is in their memory when a call begins, and before and after each solve outside of
    it, the bits are the same."""
    whole, other = start("spheres", scheme, solver=solver), start("spheres", scheme, solver=solver)
    solve, solves = StepSolver.solve, []

    def spoilt(solver, settings):
        spoil(solver.space)
        solve(solver, settings)
        spoil(solver.space)
        solves.append(solver)

    def spoil(space):
        if space is other._stepper.space and hasattr(space, "motion"):
            space._memory._block[:] = 255  # NaN, and -1

    monkeypatch.setattr(StepSolver, "solve", spoilt)
    for _ in range(STEPS):
        whole.take_step()
        spoil(other._stepper.space)
        other.take_step()
    assert solves or solver != "apgd"
    same(other.run, whole.run)
