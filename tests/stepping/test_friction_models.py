"""Friction models in time steps: closed forms, redundant contacts, joints, every scheme."""

from __future__ import annotations

import numpy as np
import pytest

import rollcone as rc
from scenes import RADIUS, G, ball_on_floor, floor_world

MODELS = ["polygonal", "box", "regularised"]
SCHEMES = [rc.GapAhead(), rc.DVI(), rc.MoreauJean(), rc.MoreauMidpoint(), rc.RegularisedLCP()]
# U0, Omega0, mu, rho, distance, time of stop, by Acary and Bourrier 2021, section 6.1
BALLS = {
    "rolls": (2.5, 5.0, 0.2, 0.04, 21875 / 3924, 4375 / 981),
    "slips, then rolls": (2.5, 2.5, 0.2, 0.04, 8125 / 1962, 1250 / 327),
    "slips": (2.5, 5.0, 0.05, 0.04, 6250 / 981, 5000 / 981),
}
THETA = {"DVI": 1.0, "RegularisedLCP": 0.0}


def name(value) -> str:
    return value if isinstance(value, str) else type(value).__name__


@pytest.mark.parametrize("scheme", SCHEMES, ids=name)
@pytest.mark.parametrize("case", BALLS)
@pytest.mark.parametrize("model", MODELS)
def test_ball_along_an_axis(model, case, scheme):
    """Along a corner of the polygon and an axis of the box all models are Coulomb's law."""
    speed, spin, mu, rho, distance, stop = BALLS[case]
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=mu, rolling=rho),
        velocity=(speed, 0, 0),
        angular_velocity=(0, spin, 0),
    )
    h = 0.043
    run = rc.simulate(world, until=stop + 0.5, step=h, scheme=scheme, friction_model=model)
    assert run.converged
    track, theta = run.body(ball), THETA.get(scheme.name, 0.5)
    off = track.position[-1, 0] - distance + (theta - 0.5) * h * speed
    # bounds of the regularised model lag in the first steps, and its bristles give way
    assert abs(off) <= 2e-3 * (2.0 if model == "regularised" else 1.0)
    still = run.time >= stop + 3 * h
    assert np.abs(track.velocity[still]).max() < (1e-5 if model == "regularised" else 1e-12)
    assert np.abs(track.velocity[-1]).max() < 1e-12
    assert np.abs(track.position[:, 1:] - [0, RADIUS]).max() < 1e-12


@pytest.mark.parametrize("scheme", SCHEMES, ids=name)
@pytest.mark.parametrize("model", MODELS)
def test_block_on_an_incline(model, scheme):
    """It rests below mu, and slides with g (sin a - mu cos a) above."""
    mu = 0.4
    for slope in (0.39, 0.6):
        angle = np.arctan(slope)
        world = rc.World(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
        world.add_plane()
        block = world.add_box(size=(0.4, 0.4, 0.2), mass=3.0, position=(0, 0, 0.1))
        world.set_contact_law(rc.ContactLaw(sliding=mu))
        run = rc.simulate(world, until=0.6, step=0.01, scheme=scheme, friction_model=model)
        assert run.converged
        v = run.body(block).velocity
        if slope < mu:
            assert np.abs(v[5:]).max() < 1e-12
        else:
            rate = np.diff(v[20:, 0]) / 0.01
            expected = G * (np.sin(angle) - mu * np.cos(angle))
            np.testing.assert_allclose(rate, expected, rtol=1e-8)


def test_spinning_ball_in_polygonal_form():
    """d omega / dt = -sigma g / (0.4 R^2), to rest."""
    world, ball = ball_on_floor(
        rc.ContactLaw(sliding=0.3, spinning=0.02), angular_velocity=(0, 0, 3)
    )
    run = rc.simulate(world, until=2.0, step=0.01, friction_model="polygonal")
    rate = 0.02 * G / (0.4 * RADIUS**2)
    expected = np.maximum(3.0 - rate * run.time, 0.0)
    np.testing.assert_allclose(run.body(ball).angular_velocity[:, 2], expected, atol=1e-10)


def table(legs: int, slope: float) -> tuple[rc.World, rc.Body]:
    """A table on so many balls as feet, on an incline: more contacts than it has freedoms."""
    angle, turn = np.arctan(slope), 2.0 * np.pi * np.arange(legs) / legs + 0.1
    world = rc.World(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    world.add_plane()
    feet = np.column_stack(
        [0.5 * np.cos(turn), 0.5 * np.sin(turn), np.full(legs, -0.3), np.full(legs, 0.05)]
    )
    body = world.add_clump(
        spheres=feet, center=(0, 0, 0), mass=10.0, inertia=(1.0, 1.0, 1.5), position=(0, 0, 0.35)
    )
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    return world, body


@pytest.mark.parametrize(
    "legs", [4, *(pytest.param(legs, marks=pytest.mark.slow) for legs in (6, 8))]
)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.RegularisedLCP()], ids=name)
def test_table(scheme, model, legs):
    """Redundant contacts: it stays, loads add up, and forces do not jump."""
    world, body = table(legs, slope=0.3)
    run = rc.simulate(world, until=0.6, step=5e-3, scheme=scheme, friction_model=model)
    assert run.converged
    track = run.body(body)
    assert np.abs(track.velocity[20:]).max() < 1e-12  # nothing creeps
    assert np.abs(track.position[-1] - track.position[20]).max() < 1e-13
    angle = np.arctan(0.3)
    forces = np.array([run.contacts(k).reaction for k in range(20, len(run.time))])
    assert forces.shape[1] == legs
    total = forces.sum(axis=1)
    np.testing.assert_allclose(total[:, 0], 10.0 * G * np.cos(angle), rtol=1e-10)
    np.testing.assert_allclose(np.hypot(*total[:, 1:3].T), 10.0 * G * np.sin(angle), rtol=1e-10)
    assert np.abs(np.diff(forces, axis=0)).max() < 1e-6 * 10.0 * G
    if model != "polygonal":  # the least forces that do: all feet carry
        assert forces[:, :, 0].min() > 0.2 * 10.0 * G / legs


@pytest.mark.slow
def test_regularised_forces_are_continuous_in_time():
    """A push that grows: friction of each foot follows it, in steps that shrink with h."""
    largest = []
    for h in (4e-3, 2e-3, 1e-3):
        world, body = table(8, slope=0.0)
        body.force = lambda t, _: (20.0 * t, 5.0 * t, 0.0)
        run = rc.simulate(world, until=0.4, step=h, scheme=rc.RegularisedLCP())
        assert run.converged
        force = np.array([run.contacts(k).reaction for k in range(int(0.1 / h), len(run.time))])
        largest.append(np.abs(np.diff(force, axis=0)).max())
        assert np.abs(run.body(body).velocity[int(0.1 / h) :]).max() < 1e-6
    assert largest[2] < 0.6 * largest[1] < 0.36 * largest[0]


@pytest.mark.parametrize("model", MODELS)
def test_joints_beside_contacts(model):
    """A hinged bar that rests on a ball: the same as with the cone."""
    law = rc.ContactLaw(sliding=0.6, rolling=0.01)
    runs = []
    for friction in ("cone", model):
        world = floor_world(law)
        bar = world.add_box(size=(1.0, 0.2, 0.1), mass=2.0, position=(0.5, 0, 0.25))
        world.add_joint(kind="revolute", body=bar, point=(0, 0, 0.25), axis=(0, 1, 0))
        world.add_sphere(radius=0.1, mass=0.5, position=(0.9, 0, 0.1))
        runs.append(rc.simulate(world, until=0.3, step=5e-3, friction_model=friction))
    assert runs[1].converged
    expected, found = (run.states("position") for run in runs)
    np.testing.assert_allclose(found, expected, atol=2e-4)


@pytest.mark.parametrize("model", MODELS)
def test_redundant_joints_beside_contacts(model):
    """A box that is screwed down twice does not keep a ball from lying on the floor."""
    world = floor_world(rc.ContactLaw(sliding=0.5))
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(2, 0, 0.5))
    for _ in range(2):
        world.add_joint(kind="fixed", body=box)
    ball = world.add_sphere(radius=0.1, mass=0.5, position=(0, 0, 0.1))
    run = rc.simulate(world, until=0.05, step=5e-3, friction_model=model)
    assert run.converged
    assert run.body(ball).position[-1, 2] == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_heavy_on_light(model):
    world = floor_world(rc.ContactLaw(sliding=0.5))
    for k, mass in enumerate((1.0, 1e6)):
        world.add_box(size=(0.2, 0.2, 0.2), mass=mass, position=(0, 0, 0.1 + 0.2 * k))
    run = rc.simulate(world, until=0.05, step=5e-3, friction_model=model)
    assert run.converged
    assert run.overlap.max() < 1e-9


@pytest.mark.parametrize(("mass", "stiffness"), [(1e6, 1e10), (1.0, 1e4)])
def test_soft_bristles_come_to_rest(mass, stiffness):
    """They swing as springs do, ever less; the stop is due after 0.11 s."""
    world = floor_world(rc.ContactLaw(sliding=0.3))
    block = world.add_box(
        size=(0.2, 0.2, 0.02), mass=mass, position=(0, 0, 0.01), velocity=(0.3, 0.1, 0)
    )
    model = rc.RegularisedFriction(stiffness=stiffness)
    run = rc.simulate(world, until=0.6, step=2e-3, friction_model=model)
    speed = np.linalg.norm(run.body(block).velocity, axis=1)
    early, late = (speed[(run.time > a) & (run.time < a + 0.1)].max() for a in (0.12, 0.5))
    assert early < 0.01
    assert late < 0.1 * early


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_explicit_positions_land_without_overlap(restitution):
    """Positions of a step are known when it begins: what lands is stopped in time."""
    law = rc.ContactLaw(sliding=0.3, restitution=restitution)
    world, ball = ball_on_floor(law, height=0.3, velocity=(1.0, 0, 0))
    run = rc.simulate(world, until=2.0, step=0.01, scheme=rc.RegularisedLCP())
    assert run.converged
    assert run.overlap.max() < 1e-12
    speed = run.body(ball).velocity[:, 2]
    impact = np.sqrt(2 * G * 0.3)
    assert speed.max() == pytest.approx(restitution * impact, abs=0.03 * impact)
    if restitution == 0.0:
        assert np.abs(speed[run.time > 0.3]).max() < 1e-12


def test_explicit_positions_are_of_first_order():
    """Free flight: x is behind by h g t / 2, and so on at every step."""
    errors = []
    for h in (0.02, 0.01):
        world = rc.World(gravity=(0, 0, -G))
        ball = world.add_sphere(radius=0.1, mass=1.0, velocity=(1, 0, 2))
        run = rc.simulate(world, until=1.0, step=h, scheme=rc.RegularisedLCP())
        errors.append(run.body(ball).position[-1, 2] - (2.0 - G / 2))
    np.testing.assert_allclose(errors, [0.5 * G * 0.02, 0.5 * G * 0.01], rtol=1e-9)


def test_summary_names_the_model():
    world, _ = ball_on_floor(rc.ContactLaw(sliding=0.3))
    run = rc.simulate(world, until=0.02, step=0.01, friction_model=rc.PolygonalFriction(facets=6))
    assert "GapAhead, polygonal friction (6 facets), auto" in run.summary()
    run = rc.simulate(world, until=0.02, step=0.01, scheme=rc.RegularisedLCP())
    assert "regularised friction (k_T = 1e+10 N/m" in run.summary()
    run = rc.simulate(world, until=0.02, step=0.01)
    assert "GapAhead, exact law, auto" in run.summary()


def test_refused():
    world, _ = ball_on_floor(rc.ContactLaw(sliding=0.3))
    given = {"until": 0.1, "step": 0.01}
    with pytest.raises(rc.InputError, match=r"associated.*is one of cones"):
        rc.simulate(world, **given, scheme=rc.DVI(), law="associated", friction_model="box")
    with pytest.raises(rc.InputError, match="friction_model = 'pyramid': must be one of cone"):
        rc.simulate(world, **given, friction_model="pyramid")
    with pytest.raises(rc.InputError, match="friction model 'polygonal' takes one of auto, lemke"):
        rc.simulate(world, **given, friction_model="polygonal", solver="sor")
    with pytest.raises(rc.InputError, match="'gauss-seidel': friction model 'box'"):
        rc.simulate(world, **given, friction_model="box", solver="gauss-seidel")
    with pytest.raises(rc.InputError, match="tries"):
        rc.simulate(
            world, **given, friction_model="box", solver="pivoting", solver_options={"x": 1}
        )
    soft = ball_on_floor(rc.ContactLaw(sliding=0.3, compliance=1e-6))[0]
    with pytest.raises(rc.InputError, match="RegularisedLCP"):
        rc.simulate(soft, **given, scheme=rc.RegularisedLCP())
