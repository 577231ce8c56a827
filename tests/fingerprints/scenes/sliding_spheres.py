"""Spheres that slide: three rows per contact, schemes, friction models, solvers, joints."""

from __future__ import annotations

import rollcone as rc
from fingerprints.scenes.making import (
    GRAVITY,
    SLIDING,
    Arrays,
    arrays_of,
    bed,
    by_two_threads,
    floor,
    resumed,
    scene,
    several,
    simulated,
    thrown_balls,
)


@scene
def ball_that_slides_until_it_rolls() -> Arrays:
    world = floor()
    world.add_sphere(radius=0.5, density=2500, position=(0, 0, 0.5), velocity=(2.5, 0.3, 0))
    return simulated(world, 100, 0.01)


@scene
def balls_thrown_on_a_floor() -> Arrays:
    return simulated(thrown_balls(12, SLIDING), 200)


@scene
def column_of_forty_balls() -> Arrays:
    """More than 30 bodies: the coarse default tolerance."""
    return simulated(thrown_balls(40, SLIDING, seed=3), 200, record_every=10, contacts="summary")


@scene
def rebounds() -> Arrays:
    """A cradle of touching balls and a ball that hops, with restitution."""
    world = floor(rc.ContactLaw(sliding=0.3, restitution=0.8))
    for k in range(4):
        world.add_sphere(radius=0.1, mass=1.0, position=(0.2 * k, 0, 2.0))
    world.add_sphere(radius=0.1, mass=1.0, position=(-0.4, 0, 2.0), velocity=(3, 0, 0))
    world.add_sphere(radius=0.1, mass=2.0, position=(0.1, 2, 0.3), angular_velocity=(0, 20, 0))
    return simulated(world, 180)


@scene
def dvi_exact() -> Arrays:
    return simulated(thrown_balls(8, SLIDING, seed=5), 160, scheme=rc.DVI())


@scene
def moreau_jean() -> Arrays:
    cases = {
        "theta 0.5": simulated(thrown_balls(8, SLIDING, seed=6), 160, scheme=rc.MoreauJean()),
        "theta 1": simulated(
            thrown_balls(8, rc.ContactLaw(sliding=0.4, restitution=0.5), seed=6), 160,
            scheme=rc.MoreauJean(theta=1.0),
        ),
    }  # fmt: skip
    return several(cases)


@scene
def moreau_midpoint() -> Arrays:
    return several(
        {
            metric: simulated(
                thrown_balls(6, SLIDING, seed=7), 120, scheme=rc.MoreauMidpoint(metric=metric)
            )
            for metric in ("mass", "coordinates")
        }
    )


@scene
def regularised_lcp() -> Arrays:
    return simulated(thrown_balls(6, SLIDING, seed=8), 120, scheme=rc.RegularisedLCP())


@scene
def friction_models() -> Arrays:
    models = ("cone", "polygonal", "box", "regularised", rc.PolygonalFriction(facets=12))
    return several(
        {
            str(model): simulated(thrown_balls(5, SLIDING, seed=9), 100, friction_model=model)
            for model in models
        }
    )


@scene
def linear_solvers_in_a_run() -> Arrays:
    return several(
        {
            solver: simulated(
                thrown_balls(4, SLIDING, seed=10), 80, friction_model="polygonal", solver=solver
            )
            for solver in ("lemke", "pivoting")
        }
    )


@scene
def solvers_in_a_run() -> Arrays:
    names = ("gauss-seidel", "newton", "apgd", "interior-point", "admm", "jacobi", "hybrid")
    return several(
        {
            name: simulated(thrown_balls(5, SLIDING, seed=11, speed=0.2), 100, solver=name)
            for name in names
        }
    )


@scene
def driven_floor_and_forces() -> Arrays:
    """A floor that follows a function, forces and torques that are functions, damping."""
    world = floor(motion=lambda t: ((0.5 * t, 0, 0.2 * t), (0, 0, 0.3)))
    ball = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), linear_damping=0.1)
    ball.force = lambda t, body: -4.0 * body.position + (0, 0, t)
    other = world.add_sphere(radius=0.1, mass=1.0, position=(0, 1, 0.1), angular_damping=0.01)
    other.torque = lambda t, body: (0.02 * t, 0.1, -0.01 * body.angular_velocity[2])
    world.add_sphere(radius=0.1, fixed=True, velocity=(0, 0.2, 0), position=(0.3, 0, 0.1))
    return simulated(world, 120)


@scene
def compliant_contacts() -> Arrays:
    softness = {
        "one": 1e-5,
        "two": (1e-5, 4e-5),
        "hertz": rc.HertzMindlin(young=1e7, poisson=0.3),
    }
    return several(
        {
            name: simulated(
                thrown_balls(4, rc.ContactLaw(sliding=0.4, compliance=given), seed=12), 150
            )
            for name, given in softness.items()
        }
    )


@scene
def emitter_and_changes() -> Arrays:
    """Balls are poured; one is added by hand and one removed on the way."""
    world = floor()
    world.add_emitter(
        shape="sphere", radius=(0.04, 0.06), density=1000, low=(-0.2, -0.2, 0.3),
        high=(0.2, 0.2, 0.5), rate=60, count=12, seed=5, velocity=(0, 0, -1),
    )  # fmt: skip
    simulation = rc.Simulation(world, step=5e-3)
    simulation.advance(0.2)
    world.add_sphere(radius=0.08, mass=1.0, position=(0, 0, 1.0), velocity=(0, 0, -3))
    simulation.advance(0.4)
    world.remove(3)
    return arrays_of(simulation.advance(0.6))


@scene
def gyroscope() -> Arrays:
    """Two rings and a rotor, held by revolute joints; no contact."""
    world = rc.World(gravity=GRAVITY)
    inertia = ((2e-3, 3e-3, 2e-3), (1e-3, 2e-3, 1e-3), (2e-3, 2e-3, 3e-3))
    rings = [
        world.add_sphere(
            radius=0.01,
            mass=1.0,
            inertia=inertia[k],
            position=(0, 0, 0.1 * (k == 2)),
            angular_velocity=(0, 0, 80.0 * (k == 2)),
        )
        for k in range(3)
    ]
    axes = (0, 0, 1), (1, 0, 0), (0, 0, 1)
    for k, name in enumerate(("outer", "inner", "spin")):
        base = {"base": rings[k - 1]} if k else {}
        world.add_joint(
            kind="revolute", body=rings[k], point=(0, 0, 0), axis=axes[k], name=name, **base
        )
    return simulated(world, 100, 2e-3)


@scene
def chain_over_a_ball() -> Arrays:
    """Distance and spherical joints with contacts and friction."""
    world = floor()
    world.add_sphere(radius=0.3, fixed=True, position=(0, 0, 0.6))
    before = None
    for k in range(7):
        body = world.add_sphere(radius=0.06, mass=0.2, position=(0.13 * (k - 2), 0.01 * k, 1.0))
        if before is not None:
            kind, x = ("spherical", 0.13 * (k - 2.5)) if k % 2 else ("distance", 0.13 * (k - 3))
            world.add_joint(kind=kind, body=body, base=before, point=(x, 0.01 * k, 1.0))
        before = body
    return simulated(world, 120)


def swinging_chain() -> rc.World:
    """Return three balls on revolute joints with a motor and a spring, over a floor."""
    world = floor()
    before = None
    elements = (rc.Motor(speed=3.0, limit=2.0), rc.Spring(stiffness=5.0, damping=0.1),
                rc.JointFriction(limit=0.05))  # fmt: skip
    for k, element in enumerate(elements):
        body = world.add_sphere(radius=0.1, mass=1.0, position=(0.3 * k + 0.3, 0, 0.5))
        base = {} if before is None else {"base": before}
        world.add_joint(
            kind="revolute", body=body, point=(0.3 * k, 0, 0.5), axis=(0, 1, 0), angle=element,
            name=element.word, **base,
        )  # fmt: skip
        before = body
    return world


@scene
def joints_by_every_scheme_and_solver() -> Arrays:
    cases = {
        "gap ahead": {},
        "dvi": {"scheme": rc.DVI()},
        "moreau-jean": {"scheme": rc.MoreauJean()},
        "moreau midpoint": {"scheme": rc.MoreauMidpoint()},
        "regularised lcp": {"scheme": rc.RegularisedLCP()},
        "newton": {"solver": "newton"},
        "gauss-seidel": {"solver": "gauss-seidel"},
        "polygonal": {"friction_model": "polygonal"},
    }
    return several(
        {name: simulated(swinging_chain(), 80, **given) for name, given in cases.items()}
    )


@scene
def resumed_mechanism() -> Arrays:
    """A run with joints ends halfway and is resumed from its file: the same bits."""
    return resumed(swinging_chain(), 60)


@scene
def bed_of_spheres_by_two_threads() -> Arrays:
    """1,000 spheres in a block; one thread must give the same bits as two."""
    return by_two_threads(bed(SLIDING, (10, 10, 10)), 6)
