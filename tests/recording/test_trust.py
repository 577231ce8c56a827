"""`run.trusted`: converged, and no energy from nowhere."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.recording.summary import facts
from scenes import G, ball_on_floor, floor_world, heap

SCHEMES = [rc.GapAhead(), rc.MoreauJean(), rc.MoreauMidpoint(), rc.DVI()]


def name(value) -> str:
    return type(value).__name__


def hanging_box() -> tuple[rc.World, rc.Body]:
    world = rc.World(gravity=(0, 0, -G))
    return world, world.add_box(size=(0.2, 0.2, 0.2), density=1000, name="box")


def verdict(run: rc.Run) -> str:
    """Return the verdict of the summary, without line breaks."""
    text = " ".join(run.summary().split())
    return text.partition("verdict ")[2].partition(" wall time ")[0]


def test_a_healthy_run_is_trusted(tmp_path):
    world, _ = ball_on_floor(rc.ContactLaw(sliding=0.3, restitution=0.5), height=0.1)
    path = tmp_path / "ball.h5"
    run = rc.simulate(world, until=0.5, step=0.005, output=path)
    assert run.trusted
    assert verdict(run) == "trusted: converged, no spurious energy"
    told = facts(rc.open_run(path))
    assert (told["converged"], told["trusted"], told["doubts"]) == (True, True, [])


def test_steps_that_do_not_converge_are_not_trusted():
    world, _ = heap(4, rc.ContactLaw(sliding=0.3))
    run = rc.simulate(world, until=0.5, step=0.01, solver="gauss-seidel", max_iterations=1)
    assert not run.converged
    assert not run.trusted
    assert "steps did not converge" in verdict(run)
    assert facts(run)["doubts"]


@pytest.mark.parametrize("scheme", [rc.DVI(), rc.RegularisedLCP()], ids=name)
def test_energy_of_overlaps_is_not_trusted(scheme):
    """A ball that begins within the floor is thrown out at overlap / h = 10 m/s."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.3), height=-0.1)
    run = rc.simulate(world, until=0.3, step=0.01, scheme=scheme)
    assert run.converged
    assert np.abs(run.body(ball).velocity[:, 2]).max() > 5.0
    assert not run.trusted
    assert "J that no load or drive gave" in verdict(run)
    assert run.energy.rise > 0.3 * run.energy.turnover


def test_overlap_that_is_undone_gently_is_trusted():
    """A ball of 1 m in the floor by 3 um rises by as much: a hundredth of what a fall of a
    thousandth of its radius gives would be 5 um."""
    world, ball = ball_on_floor(rc.ContactLaw(sliding=0.3), height=-3e-6)
    run = rc.simulate(world, until=0.3, step=0.01)
    assert run.body(ball).position[-1, 2] > 0.5 - 1e-6
    assert run.trusted


@pytest.mark.parametrize("solver", ["auto", "newton"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=name)
@pytest.mark.parametrize("kind", ["fixed", "spherical"])
def test_joints_that_hold_a_body_in_two_places(kind, scheme, solver):
    """Velocities meet both joints, positions cannot: the run has not converged."""
    world, box = hanging_box()
    for x in (0.0, 0.1):
        box.position = (x, 0, 0)
        point = {} if kind == "fixed" else {"point": (x, 0, 0)}
        world.add_joint(kind=kind, body=box, **point)
    run = rc.simulate(world, until=0.1, step=0.01, scheme=scheme, solver=solver)
    assert run.drift.max() > 0.01
    assert not run.converged
    assert not run.trusted
    assert "steps did not converge" in run.summary()
    with pytest.raises(rc.NotConvergedError):
        rc.simulate(world, until=0.2, step=0.01, scheme=scheme, solver=solver, strict=True)


@pytest.mark.parametrize("floor", [False, True], ids=["in the air", "on a floor"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=name)
def test_a_motor_against_a_fixed_joint(scheme, floor):
    world, box = hanging_box()
    if floor:
        world.add_plane(point=(0, 0, -0.1))
        world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_joint(kind="fixed", body=box)
    motor = rc.Motor(speed=1.0)
    world.add_joint(kind="revolute", body=box, point=(0, 0, 0), axis=(0, 0, 1), angle=motor)
    run = rc.simulate(world, until=0.1, step=0.01, scheme=scheme)
    assert run.unconverged[1:].all()
    assert not run.trusted


def test_bodies_that_begin_apart_are_no_contradiction():
    """One joint, open at the start: it is closed in the first step."""
    world, box = hanging_box()
    world.add_joint(kind="spherical", body=box, point=(0.3, 0, 0))
    box.position = (0.01, 0, 0)
    run = rc.simulate(world, until=0.1, step=0.01)
    assert run.drift[1] > 0.005
    assert run.converged


def test_a_gain_that_the_remainder_shows_is_not_trusted():
    """Energy that no term explains counts from a thousandth of the turnover on."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    world.add_sphere(radius=0.5, mass=1, position=(0, 0, 1.0))
    run = rc.simulate(world, until=0.1, step=0.01)
    audit = run.energy
    assert audit.unexplained < 1e-13 * audit.turnover
    assert not audit.doubts()
    audit.kinetic[-1] += 2e-3 * audit.turnover
    audit.sliding[-1] = 0.0
    assert audit.unexplained > 1e-3 * audit.turnover
    assert "unexplained" in audit.doubts()[0]
