"""Limits of friction that depend on contact, shape and speed: coupled sets, contour friction,
viscosity and Stribeck's curve in whole simulations, against closed forms and plain integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rollcone as rc
from scenes import DENSITY, RADIUS, G, ball_on_floor, floor_world

MASS = 4 / 3 * np.pi * RADIUS**3 * DENSITY
INERTIA = 0.4 * MASS * RADIUS**2
STILL = 1e-12
SCHEMES = {
    "GapAhead": rc.GapAhead(),
    "MoreauJean": rc.MoreauJean(theta=0.5),
    "MoreauMidpoint": rc.MoreauMidpoint(),
    "DVI": rc.DVI(),
}
# sliding speed / (eps spin): force and torque / eps over mu N, by the Hertzian pressure
LIMIT = {0.5: (0.55223308, 0.45559229), 1.0: (9 * np.pi / 32, 9 * np.pi / 128)}
LIMIT |= {2.0: (0.97427858, 0.10190933), 4.0: (0.99370740, 0.05022679)}


def track(law, until=1.0, step=1e-2, velocity=(0, 0, 0), omega=(0, 0, 0), other=None, **settings):
    """`other` is the law of two materials that are not there."""
    world, ball = ball_on_floor(law, velocity=velocity, angular_velocity=omega)
    if other is not None:
        world.set_contact_law(other, "ice", "steel")
    run = rc.simulate(world, until=until, step=step, **settings)
    assert not run.unconverged.any()
    return run, run.body(ball)


@pytest.mark.parametrize("ratio", LIMIT)
def test_force_and_torque_of_a_patch_that_slides_and_spins(ratio):
    mu, eps, spin = 0.3, 0.01, 40.0
    law = rc.ContactLaw(sliding=mu, contact_radius=eps)
    speed = ratio * eps * spin
    run, _ = track(law, until=1e-9, step=1e-9, velocity=(speed, 0, 0), omega=(0, 0, spin))
    reaction = run.contacts(-1).reaction[0]
    force, torque = LIMIT[ratio]
    assert np.hypot(reaction[1], reaction[2]) == pytest.approx(force * mu * reaction[0], rel=1e-5)
    assert abs(reaction[5]) == pytest.approx(torque * eps * mu * reaction[0], rel=1e-5)


@pytest.mark.parametrize(("pressure", "share"), [("hertz", 3 * np.pi / 16), ("uniform", 2 / 3)])
@pytest.mark.parametrize("name", SCHEMES)
def test_a_patch_that_spins_stops_it(name, pressure, share):
    mu, eps, spin = 0.3, 0.02, 2.0
    law = rc.ContactLaw(sliding=mu, contact_radius=eps, pressure=pressure)
    fall = share * mu * eps * MASS * G / INERTIA
    step = 0.01
    run, body = track(law, 1.5 * spin / fall, step, omega=(0, 0, spin), scheme=SCHEMES[name])
    rate = body.angular_velocity[:, 2]
    assert np.allclose(rate, np.maximum(spin - fall * run.time, 0), atol=1e-9)
    assert abs(rate[-1]) < STILL


@pytest.mark.parametrize("solver", ["auto", "newton"])
def test_a_patch_without_sliding_friction_is_smooth(solver):
    """The end of a sweep over mu. To the last bit where contacts of both have six rows."""
    given = {"until": 0.1, "velocity": (1, 0.2, 0), "omega": (3, 1, 8), "solver": solver}
    _, patch = track(rc.ContactLaw(contact_radius=0.02), **given)
    _, smooth = track(rc.ContactLaw(), other=rc.ContactLaw(rolling=0.01), **given)
    for name in ("position", "velocity", "angular_velocity"):
        np.testing.assert_array_equal(getattr(patch, name), getattr(smooth, name))


def test_spinning_takes_hold_off_sliding():
    """The polishing machine of Le Saux, Leine and Glocker: a push that sliding friction would
    resist moves a body that spins."""
    law = rc.ContactLaw(sliding=0.3, contact_radius=0.05)
    away = []
    for spin in (0.0, 20.0):
        unturned = (1e9, 1e9, INERTIA)  # it does not roll
        world, ball = ball_on_floor(
            law, inertia=unturned, angular_velocity=(0, 0, spin), force=(0.2 * MASS * G, 0, 0)
        )
        away.append(rc.simulate(world, until=0.05, step=1e-3).body(ball).position[-1, 0])
    assert abs(away[0]) < 1e-8
    assert away[1] > 1e-3


@pytest.mark.parametrize(
    ("given", "exact", "more"),
    [
        ((2.5, 5.0, 0.2), 21875 / 3924, 0.069),
        ((2.5, 2.5, 0.2), 8125 / 1962, 0.115),
        ((2.5, 5.0, 0.05), 6250 / 981, 0.501),
    ],
)
def test_one_ellipsoid_goes_too_far(given, exact, more):
    speed, spin, mu = given
    law = rc.ContactLaw(sliding=mu, rolling=0.04, coupling="ellipsoid")
    _, body = track(law, 12.0, 2e-3, (speed, 0, 0), (0, spin, 0), record_every=6000)
    assert body.position[-1, 0] / exact - 1 == pytest.approx(more, abs=1.5e-3)
    assert np.abs(body.velocity[-1]).max() < STILL


@pytest.mark.parametrize("name", SCHEMES)
def test_contour_friction_of_a_ball_is_rolling_friction(name):
    """The contact point moves by R w: mu_c of the one is mu_c R of the other."""
    velocity, omega = (1.0, 0.3, 0), (-0.6, 2.0, 0.5)
    laws = (
        rc.ContactLaw(sliding=0.2, contour=0.05, spinning=0.01),
        rc.ContactLaw(sliding=0.2, rolling=0.05 * RADIUS, spinning=0.01),
    )
    first, second = (
        track(law, 3.0, 1e-2, velocity, omega, scheme=SCHEMES[name])[1] for law in laws
    )
    assert np.allclose(first.position, second.position, atol=1e-8)
    assert np.allclose(first.angular_velocity, second.angular_velocity, atol=1e-8)
    assert np.abs(first.angular_velocity[-1]).max() < STILL


def test_contour_friction_between_balls_has_the_radius_of_both():
    """1 / l = 1 / R1 + 1 / R2, by the motion of the contact point weighted by curvature."""
    small, large = 0.1, 0.3
    both = small * large / (small + large)
    ways = []
    for law in (
        rc.ContactLaw(sliding=1, contour=0.02),
        rc.ContactLaw(sliding=1, rolling=0.02 * both),
    ):
        world = rc.World(gravity=(0, 0, -G))
        world.add_sphere(radius=large, fixed=True)
        world.add_sphere(
            radius=small, mass=1.0, position=(0, 0, small + large), velocity=(0.1, 0, 0),
            angular_velocity=(0, 1.0, 0),
        )  # fmt: skip
        world.set_contact_law(law)
        ways.append(rc.simulate(world, until=0.2, step=1e-3).body(1).position)
    assert np.allclose(ways[0], ways[1], atol=1e-9)
    assert ways[0][-1, 0] > 0.005


@pytest.mark.parametrize(
    "law", [{"rolling_viscosity": 20.0}, {"contour_viscosity": 20.0 / RADIUS**2}]
)
def test_viscous_rolling_dies_out(law):
    """(m R^2 + J) dw/dt = -c w without slip."""
    rate = 20.0 / (MASS * RADIUS**2 + INERTIA)
    run, body = track(rc.ContactLaw(sliding=1.0, **law), 8.0, 0.02, (1, 0, 0), (0, 1 / RADIUS, 0))
    exact = np.exp(-rate * run.time)
    assert np.abs(body.velocity[:, 0] - exact).max() < 5e-6
    assert run.limits.max() < 1e-9


def test_viscosity_and_dry_friction_add_up():
    """(m R^2 + J) dw/dt = -c w - rho m g, to a stop in finite time."""
    c, rho, w0 = 100.0, 0.002, 2.0
    moment = MASS * RADIUS**2 + INERTIA
    dry = rho * MASS * G
    stop = moment / c * np.log(1 + c * w0 / dry)
    law = rc.ContactLaw(sliding=1.0, rolling=rho, rolling_viscosity=c)
    run, body = track(law, 1.2 * stop, 0.01, (w0 * RADIUS, 0, 0), (0, w0, 0))
    rate = np.maximum((w0 + dry / c) * np.exp(-c * run.time / moment) - dry / c, 0)
    assert np.abs(body.angular_velocity[:, 1] - rate).max() < 1e-4
    assert np.abs(body.angular_velocity[-1]).max() < STILL


@pytest.mark.parametrize("name", SCHEMES)
def test_viscosity_without_measure_stops_at_once(name):
    """h c W = 1e6: implicit, no overshoot."""
    law = rc.ContactLaw(sliding=1.0, rolling_viscosity=1e10)
    _, body = track(law, 0.1, 0.01, (1, 0, 0), (0, 1 / RADIUS, 0), scheme=SCHEMES[name])
    rate = body.angular_velocity[:, 1]
    assert np.all(rate >= -1e-12)
    assert rate[-1] < 1e-4


BLOCK = rc.Stribeck(static=0.5, kinetic=0.2, speed=0.1)


def block(law, angle=0.0, speed=0.0):
    world = floor_world(law)
    world.gravity = (G * np.sin(angle), 0, -G * np.cos(angle))
    body = world.add_box(
        size=(0.4, 0.4, 0.1), mass=2.0, position=(0, 0, 0.05), velocity=(speed, 0, 0)
    )
    return world, body


def test_stribeck_slows_a_block_down():
    """dv/dt = -g mu(v)."""
    world, body = block(rc.ContactLaw(sliding=BLOCK), speed=0.5)
    run = rc.simulate(world, until=0.3, step=1e-3)
    path = solve_ivp(
        lambda t, v: -G * BLOCK.at(v), (0, 0.3), [0.5], rtol=1e-10, atol=1e-12, dense_output=True,
        events=lambda t, v: v[0],
    )  # fmt: skip
    stop = path.t_events[0][0]
    moving = run.time < stop - 1e-3
    error = run.body(body).velocity[moving, 0] - path.sol(run.time[moving])[0]
    assert np.abs(error).max() < 2e-5
    assert np.abs(run.body(body).velocity[run.time > stop + 1e-3]).max() < 1e-12
    assert run.limits.max() < 1e-9


def test_between_kinetic_and_static_friction_both_rest_and_motion_go_on():
    angle = np.arctan(0.35)
    law = rc.ContactLaw(sliding=BLOCK)
    world, body = block(law, angle)
    rest = rc.simulate(world, until=0.3, step=1e-3)
    assert np.abs(rest.body(body).position[-1, 0]) < 1e-9
    world, body = block(law, angle, speed=1.0)
    gone = rc.simulate(world, until=0.3, step=1e-3).body(body).velocity[-1, 0]
    assert gone == pytest.approx(1.0 + 0.3 * G * (np.sin(angle) - 0.2 * np.cos(angle)), rel=1e-4)


def test_viscosity_of_a_light_ball_far_from_a_heavy_box():
    """Small forces count as nothing only next to larger ones on the same bodies."""
    ends = []
    for heavy in (False, True):
        world = rc.World(gravity=(0, 0, -G))
        world.add_plane(material="floor")
        world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling_viscosity=5e-9), "floor", "light")
        falls = rc.Stribeck(static=0.4, kinetic=0.1, speed=1.0)
        world.set_contact_law(rc.ContactLaw(sliding=falls), "floor", "heavy")
        world.set_contact_law(rc.ContactLaw(), "light", "heavy")
        ball = world.add_sphere(
            radius=0.01, mass=1e-4, position=(0, 0, 0.01), velocity=(0.1, 0, 0),
            angular_velocity=(0, 10, 0), material="light",
        )  # fmt: skip
        if heavy:
            world.add_box(
                size=(0.2, 0.2, 0.2), mass=1000, position=(5, 5, 0.1), velocity=(0, 3, 0),
                material="heavy",
            )  # fmt: skip
        ends.append(rc.simulate(world, until=0.2, step=1e-3).body(ball).velocity[-1, 0])
    # 1.4 m R^2 w' = -c w
    assert ends[0] == pytest.approx(0.1 * np.exp(-0.2 * 5e-9 / (1.4 * 1e-4 * 1e-4)), rel=1e-6)
    assert ends[1] == pytest.approx(ends[0], rel=1e-9)


def test_friction_that_is_not_found_is_told():
    """A cylinder that falls on the slope of a bowl, with steps that are not divided: the rounds of
    the step in which it lands do not end, and nothing is hidden."""
    world = rc.World(gravity=(0, 0, -G))
    world.add_bowl(radius=2.0)
    world.set_contact_law(rc.ContactLaw(sliding=rc.Stribeck(static=0.4, kinetic=0.2, speed=0.05)))
    world.add_cylinder(
        radius=0.05, height=0.2, density=1000, position=(0.4, 0, 0.35),
        orientation=rc.rotation((1, 0, 0), 90),
    )  # fmt: skip
    run = rc.simulate(world, until=0.3, step=1e-3, scheme=rc.GapAhead(max_impacts=0))
    failed = run.limits > 1e-9
    assert failed.sum() == 1
    assert np.array_equal(failed, run.unconverged > 0)
    assert f"coefficients by speed off by {run.limits.max():.1e} of themselves" in run.summary()


def test_a_scheme_with_its_own_friction_model_is_named():
    world, _ = block(rc.ContactLaw(sliding=0.3, contact_radius=0.01), 0.1, speed=0.1)
    for given, words in (
        ({}, "give 'cone' with RegularisedLCP"),
        ({"friction_model": "box"}, "leave it"),
    ):
        with pytest.raises(rc.InputError, match=words):
            rc.simulate(world, until=0.01, step=0.01, scheme=rc.RegularisedLCP(), **given)
    assert rc.simulate(
        world, until=0.01, step=0.01, scheme=rc.RegularisedLCP(), friction_model="cone"
    ).converged


@pytest.mark.parametrize("solver", ["apgd", "newton", "modified-newton"])
def test_other_solvers_take_these_laws(solver):
    law = rc.ContactLaw(sliding=0.3, contact_radius=0.02, contour=0.01, contour_viscosity=5.0)
    given = {"until": 0.02, "step": 1e-3, "velocity": (1, 0, 0), "omega": (0, 1, 8)}
    _, one = track(law, **given)
    _, two = track(law, **given, solver=solver, tolerance=1e-11)
    assert np.allclose(one.velocity, two.velocity, atol=1e-9)
    assert np.allclose(one.angular_velocity, two.angular_velocity, atol=1e-8)


def test_energy_is_accounted_for():
    law = rc.ContactLaw(sliding=0.3, contact_radius=0.02, contour=0.01, contour_viscosity=5.0)
    run, _ = track(law, 1.0, 1e-3, (1, 0, 0), (0, 1, 8))
    work = run.energy
    assert work.sliding[-1] < 0
    assert work.contour[-1] < 0
    assert not work.rolling.any()
    assert work.spinning[-1] < 0
    assert abs(work.remainder[-1]) < 1e-6 * work.kinetic[0]


def test_what_does_not_go_together_is_refused():
    for given, word in (
        ({"contact_radius": 0.1, "spinning": 0.1}, "spinning = 0.1"),
        ({"contour": 0.1, "rolling": 0.1}, "contour = 0.1"),
        ({"contour_viscosity": 0.1, "rolling_viscosity": 0.1}, "rolling_viscosity = 0.1"),
        ({"coupling": "ellipsoid", "contact_radius": 0.1}, "contact_radius = 0.1"),
        ({"coupling": "box"}, "coupling = 'box'"),
        ({"pressure": "flat"}, "pressure = 'flat'"),
        ({"contour": -1}, "contour = -1"),
        ({"rolling_viscosity": np.nan}, "rolling_viscosity = nan"),
    ):
        with pytest.raises(rc.InputError, match=word):
            rc.ContactLaw(**given)
    with pytest.raises(rc.InputError, match="speed = 0"):
        rc.Stribeck(static=0.4, kinetic=0.3, speed=0)
    with pytest.raises(rc.InputError, match="kinetic = -1"):
        rc.Stribeck(static=0.4, kinetic=-1, speed=1)


def test_what_cannot_have_these_laws_says_so():
    world, _ = ball_on_floor(rc.ContactLaw(sliding=0.3, contour=0.1))
    with pytest.raises(rc.InputError, match="associated"):
        rc.simulate(world, until=0.1, step=0.01, scheme=rc.DVI(), law="associated")
    with pytest.raises(rc.InputError, match="polygonal"):
        rc.simulate(world, until=0.1, step=0.01, friction_model="polygonal")
    with pytest.raises(rc.InputError, match="contour"):
        rc.analyze(world)
    world.set_contact_law(rc.ContactLaw(sliding=0.3, contact_radius=0.01))
    with pytest.raises(rc.InputError, match="solver = 'interior-point'"):
        rc.simulate(world, until=0.1, step=0.01, solver="interior-point")
    clump = floor_world(rc.ContactLaw(sliding=0.3, contour=0.1))
    clump.add_clump(spheres=[(0, 0, 0, 0.1), (0.1, 0, 0, 0.1)], mass=1.0, position=(0, 0, 1))
    with pytest.raises(rc.InputError, match="clump"):
        rc.simulate(clump, until=0.1, step=0.01)


def test_a_heap_with_viscosity_goes_on():
    """Contacts that hardly touch have no share of viscosity; what is not found is told."""
    world = floor_world(rc.ContactLaw(sliding=0.5, rolling_viscosity=1e-4))
    random = np.random.default_rng(1)
    for place in np.ndindex(3, 3, 3):
        at = np.array([0.05, 0.05, 0.048]) * place + [0, 0, 0.03]
        at[:2] += 0.004 * random.random(2)
        world.add_sphere(radius=0.0225, mass=0.12, position=at)
    run = rc.simulate(world, until=0.3, step=2e-3)
    assert run.unconverged.sum() < 0.05 * run.steps
    assert run.limits[run.unconverged == 0].max() <= 1e-10
    assert run.energy.rolling[-1] < 0
