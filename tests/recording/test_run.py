"""What a run keeps: tracks, contacts, statistics, summary, and what it tells of failures."""

from itertools import pairwise

import numpy as np
import pytest

import rollcone as rc
from scenes import RADIUS, G, ball_on_floor, heap

LAW = rc.ContactLaw(sliding=0.2, rolling=0.04, spinning=0.01)


def test_tracks_begin_with_the_start():
    world, ball = ball_on_floor(LAW, 1.0, velocity=(1, 2, 3), angular_velocity=(4, 5, 6))
    run = rc.simulate(world, until=0.3, step=0.1)
    np.testing.assert_allclose(run.time, [0, 0.1, 0.2, 0.3], rtol=1e-15)
    for which in (ball, "ball", 1):
        track = run.body(which)
        assert track.position.shape == track.velocity.shape == (4, 3)
        assert track.orientation.shape == (4, 4)
        assert track.velocity[0].tolist() == [1, 2, 3]
        assert track.angular_velocity[0].tolist() == [4, 5, 6]
    np.testing.assert_array_equal(run.states("position")[:, 1], run.body(ball).position)
    np.testing.assert_allclose(np.linalg.norm(run.body(ball).orientation, axis=1), 1, atol=1e-15)
    assert repr(run) == "Run(3 steps of 0.1 s to t = 0.3 s, World(1 dynamic and 1 fixed bodies))"
    with pytest.raises(rc.InputError, match="there is none of that name"):
        run.body("bal")


def test_a_track_is_a_copy():
    world, ball = ball_on_floor(LAW)
    run = rc.simulate(world, until=0.2, step=0.1)
    run.body(ball).position[:] = 7
    assert run.body(ball).position[0, 0] == 0


def test_bodies_that_come_and_go_have_nan():
    world, ball = ball_on_floor(LAW)

    def meddle(simulation):
        if simulation.steps == 2:
            simulation.world.add_sphere(radius=0.1, mass=1, position=(3, 0, 2), name="late")
        if simulation.steps == 4:
            simulation.world.remove("late")
            simulation.world.remove(ball)

    run = rc.simulate(world, until=0.6, step=0.1, each_step=meddle)
    there = np.isfinite(run.body("late").position).all(axis=1)
    # Recorded before `each_step`: the newcomer is first seen after the step that follows.
    assert there.tolist() == [False, False, False, True, True, False, False]
    assert np.isfinite(run.body(ball).velocity).all(axis=1).tolist() == [True] * 5 + [False] * 2
    assert not ball.removed  # the world that was given is left alone
    late = run.body("late")
    assert late.position[3, 2] == pytest.approx(2 - G * 0.1**2 / 2)
    assert run.contact_count.tolist() == [0, 1, 1, 1, 1, 0, 0]


def test_the_fields_of_a_contact():
    """A ball that slides: forces as Coulomb says, rows in the frame (n, t1, t2) of the contact."""
    world, ball = ball_on_floor(LAW, velocity=(3, 4, 0), angular_velocity=(0, 0, 2))
    run = rc.simulate(world, until=0.05, step=0.01)
    found, weight = run.contacts(-1), ball.mass * G
    assert len(found) == 1
    assert found.bodies.tolist() == [[0, 1]]
    np.testing.assert_allclose(found.normal, [[0, 0, 1]], atol=1e-15)
    assert abs(found.gap[0]) < 1e-12
    track = run.body(ball)
    np.testing.assert_allclose(found.point[0], track.position[-2] - [0, 0, RADIUS], atol=1e-12)
    assert found.reaction[0, 0] == pytest.approx(weight, rel=1e-10)
    assert np.hypot(*found.reaction[0, 1:3]) == pytest.approx(0.2 * weight, rel=1e-10)
    assert np.hypot(*found.reaction[0, 3:5]) == pytest.approx(0.04 * weight, rel=1e-10)
    assert found.reaction[0, 5] == pytest.approx(-0.01 * weight, rel=1e-10)
    np.testing.assert_allclose(found.impulse, 0.01 * found.reaction, rtol=1e-14)
    v, w = track.velocity[-1], track.angular_velocity[-1]
    slip = v + np.cross(w, [0, 0, -RADIUS])
    u = found.velocity[0]
    assert abs(u[0]) < 1e-12
    assert np.hypot(u[1], u[2]) == pytest.approx(np.hypot(*slip[:2]), rel=1e-12)
    assert np.hypot(u[3], u[4]) == pytest.approx(np.hypot(*w[:2]), rel=1e-12)
    assert u[5] == pytest.approx(w[2], rel=1e-12)
    assert u[1:3] @ found.reaction[0, 1:3] < 0
    assert found.mode.tolist() == ["sliding, rolling, spinning"]


def test_the_start_has_no_contacts_and_moments_have_bounds():
    world, _ = ball_on_floor(LAW)
    run = rc.simulate(world, until=0.2, step=0.1)
    assert len(run.contacts(0)) == 0
    assert len(run.contacts(-3)) == 0
    assert run.contacts(0).mode.shape == (0,)
    for moment in (3, -4):
        with pytest.raises(rc.InputError, match=rf"moment = {moment}: must be from -3 to 2"):
            run.contacts(moment)


@pytest.mark.parametrize(
    ("law", "start", "mode"),
    [
        (LAW, {}, "sticking, no-rolling, no-spinning"),
        (LAW, {"angular_velocity": (0, 0, 9)}, "sticking, no-rolling, spinning"),
        (LAW, {"velocity": (2, 0, 0), "angular_velocity": (0, 4, 0)}, "sticking, rolling, no-sp"),
        (LAW, {"velocity": (9, 0, 0), "angular_velocity": (0, 4, 5)}, "sliding, rolling, spinning"),
        (LAW, {"velocity": (0, 0, 1)}, "take-off"),
        # Without rolling friction the ball rolls all the same.
        (
            rc.ContactLaw(sliding=0.2),
            {"velocity": (2, 0, 0), "angular_velocity": (0, 4, 0)},
            "sticking, rolling, no-spinning",
        ),
        (rc.ContactLaw(), {"velocity": (2, 0, 0)}, "sliding, no-rolling, no-spinning"),
    ],
)
def test_modes(law, start, mode):
    world, _ = ball_on_floor(law, **start)
    run = rc.simulate(world, until=0.01, step=0.01)
    assert run.contacts(1).mode[0].startswith(mode)


def test_a_ball_that_rolls_over_a_ball_sticks():
    world = rc.World(gravity=(0, 0, -G))
    world.add_sphere(radius=1, fixed=True)
    place = 1.25 * np.array([np.sin(0.3), 0, np.cos(0.3)])
    world.add_sphere(radius=0.25, mass=1, position=place)
    world.set_contact_law(rc.ContactLaw(sliding=5))
    run = rc.simulate(world, until=0.3, step=0.01)
    words = {run.contacts(k).mode[0] for k in range(2, 31)}
    assert words == {"sticking, rolling, no-spinning"}


def test_records_at_intervals_keep_the_worst_and_the_sum():
    """Every step's residual is in the record, whichever steps are kept; so is the end."""
    world, _ = heap(5, LAW)
    settings = {"until": 0.25, "step": 0.01, "tolerance": 1e-6}
    every = rc.simulate(world, **settings)
    some = rc.simulate(world, **settings, record_every=7)
    assert every.contact_count.max() >= 2
    np.testing.assert_allclose(some.time, [0, 0.07, 0.14, 0.21, 0.25], rtol=1e-12)
    kept = [0, 7, 14, 21, 25]
    np.testing.assert_array_equal(some.states("position"), every.states("position")[kept])
    np.testing.assert_array_equal(some.contacts(-1).impulse, every.contacts(25).impulse)
    for name, join in (
        ("residual", np.max),
        ("residual_speed", np.max),
        ("overlap", np.max),
        ("iterations", np.sum),
        ("unconverged", np.sum),
    ):
        steps = getattr(every, name)
        expected = [join(steps[a + 1 : b + 1]) for a, b in pairwise(kept)]
        np.testing.assert_array_equal(getattr(some, name), [0, *expected])
    for name in ("kinetic", "potential", "sliding", "impact", "gained"):
        np.testing.assert_array_equal(getattr(some.energy, name), getattr(every.energy, name)[kept])


def test_failure_is_told_however_seldom_one_records():
    world, _ = ball_on_floor(LAW, velocity=(2.5, 1, 0), angular_velocity=(1, 2, 3))
    settings = {"until": 0.05, "step": 0.01, "solver": "jacobi", "max_iterations": 1}
    for every in (1, 3, 100):
        run = rc.simulate(world, **settings, record_every=every)
        assert not run.converged
        assert run.unconverged.sum() == 5
        assert run.time[-1] == pytest.approx(0.05)
        assert "5 of 5 steps did not converge to 1e-12" in run.summary()
    with pytest.raises(rc.SimulationError, match=r"at t = 0\.01 s: .*\(residual"):
        rc.simulate(world, **settings, strict=True)
    world.remove("floor")
    assert rc.simulate(world, **settings, strict=True).converged


def test_the_summary():
    world, _ = ball_on_floor(LAW, velocity=(2.5, 0, 0))
    run = rc.simulate(world, until=0.1, step=0.01)
    text = run.summary()
    for part in (
        "10 steps of 0.01 s to t = 0.1 s: GapAhead, exact law, auto",
        "1 dynamic, 1",
        "1 at the end, 1 at most",
        f"{run.residual.max():.1e} at worst (asked: 1e-12",
        f"{run.residual_speed.max():.1e} m/s",
        f"kinetic {run.energy.kinetic[0]:.6g} -> {run.energy.kinetic[-1]:.6g}",
        "iterations per step",
        "sliding -",
        "remainder",
        "s per step",
    ):
        assert part in text
    assert "warning" not in text
    assert "spinning" not in text  # nothing spun


def test_a_world_at_rest_has_nothing_to_warn_of():
    """Rounding is no gain of energy."""
    for radius in (0.5, 0.37):
        world = rc.World(gravity=(0, 0, -G))
        world.add_plane()
        world.add_sphere(radius=radius, density=2500, position=(0, 0, radius))
        world.set_contact_law(LAW)
        run = rc.simulate(world, until=0.3, step=0.01)
        assert "warning" not in run.summary()
        assert np.abs(run.states("velocity")).max() < 1e-11


def test_contacts_without_a_law_are_worth_a_warning():
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.add_sphere(radius=0.5, mass=1, position=(0, 0, 0.5))
    run = rc.simulate(world, until=0.05, step=0.01)
    assert "warning: no contact law was set" in run.summary()
    world.set_contact_law(rc.ContactLaw())
    assert "no contact law" not in rc.simulate(world, until=0.05, step=0.01).summary()


def test_a_run_without_a_step():
    world, ball = ball_on_floor(LAW)
    run = rc.simulate(world, until=0, step=0.01)
    assert run.time.tolist() == [0]
    assert run.body(ball).position.tolist() == [[0, 0, RADIUS]]
    assert "0 steps" in run.summary()
    assert run.converged


def test_materials_that_nobody_gave_a_law_are_told():
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_plane(material="stel")
    world.add_sphere(radius=0.1, mass=1, position=(0, 0, 0.1), material="rubber")
    world.set_contact_law(rc.ContactLaw(sliding=0.5), "rubber", "steel")
    text = rc.simulate(world, until=0.05, step=0.01).summary()
    assert "no contact law was set for 'stel' and 'rubber'" in text
    world.set_contact_law(rc.ContactLaw(sliding=0.5), "rubber", "stel")
    assert "no contact law" not in rc.simulate(world, until=0.05, step=0.01).summary()


def test_a_removed_body_is_not_counted():
    world = rc.World()
    world.add_sphere(radius=0.1, mass=1)
    world.remove(world.add_sphere(radius=0.1, mass=1, position=(1, 0, 0)))
    assert "1 dynamic, 0 fixed" in rc.simulate(world, until=0.1, step=0.1).summary()


def test_wrong_names_and_moments_are_told():
    run = rc.simulate(rc.World(), until=0.1, step=0.1)
    with pytest.raises(rc.InputError, match="did you mean 'position'"):
        run.states("positon")
    for moment in (0.05, "last"):
        with pytest.raises(rc.InputError, match=r"an index into run\.time"):
            run.contacts(moment)
