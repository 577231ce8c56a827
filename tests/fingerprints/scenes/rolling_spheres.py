"""Spheres with rolling and spinning friction: contacts of six rows, laws of a table."""

from __future__ import annotations

import rollcone as rc
from fingerprints.scenes.making import (
    ROLLING,
    Arrays,
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
def ball_that_rolls_to_rest() -> Arrays:
    world = floor(rc.ContactLaw(sliding=0.2, rolling=0.04, spinning=0.02))
    world.add_sphere(
        radius=0.5, density=2500, position=(0, 0, 0.5), velocity=(2.5, 0, 0),
        angular_velocity=(0, 5, 3),
    )  # fmt: skip
    return simulated(world, 200, 0.03)


@scene
def balls_with_rolling_friction() -> Arrays:
    return simulated(thrown_balls(14, ROLLING, seed=2), 200)


@scene
def associated_law() -> Arrays:
    world = thrown_balls(8, ROLLING, seed=4)
    return simulated(world, 160, scheme=rc.DVI(), law="associated")


@scene
def rolling_by_other_schemes_and_solvers() -> Arrays:
    world = thrown_balls(6, ROLLING, seed=13, speed=0.3)
    cases = {
        "dvi": {"scheme": rc.DVI()},
        "moreau-jean": {"scheme": rc.MoreauJean()},
        "regularised lcp": {"scheme": rc.RegularisedLCP()},
        "newton": {"solver": "newton"},
        "apgd": {"solver": "apgd"},
        "exact local solves": {"solver": "gauss-seidel", "solver_options": {"local": "exact"}},
        "cold start": {"warm_start": False, "speed_tolerance": 1e-6},
        "polygonal": {"friction_model": "polygonal"},
    }
    return several({name: simulated(world, 100, **given) for name, given in cases.items()})


@scene
def resumed_run() -> Arrays:
    """A run with an emitter ends halfway and is resumed from its file: the same bits."""
    world = floor(ROLLING)
    world.add_emitter(
        shape="sphere", radius=(0.04, 0.06), density=1000, low=(-0.2, -0.2, 0.3),
        high=(0.2, 0.2, 0.5), rate=60, count=10, seed=6,
    )  # fmt: skip
    return resumed(world, 100)


@scene
def bed_with_rolling_by_two_threads() -> Arrays:
    return by_two_threads(bed(ROLLING, (10, 10, 10)), 6)


@scene
def laws_of_a_table() -> Arrays:
    """Laws whose limits depend on speed, are coupled, or act along the contour."""
    laws = {
        "stribeck": {"sliding": rc.Stribeck(static=0.5, kinetic=0.2, speed=0.3), "rolling": 0.002},
        "contensou": {"sliding": 0.4, "contact_radius": 0.02},
        "uniform patch": {"sliding": 0.4, "contact_radius": 0.02, "pressure": "uniform"},
        "contour": {"sliding": 0.4, "contour": 0.01, "contour_viscosity": 0.1},
        "viscosity": {"sliding": 0.4, "rolling": 0.001, "rolling_viscosity": 0.01},
        "ellipsoid": {
            "sliding": 0.4, "rolling": 0.004, "spinning": 0.002, "coupling": "ellipsoid"
        },
    }  # fmt: skip
    return several(
        {
            name: simulated(thrown_balls(4, rc.ContactLaw(**given), seed=14), 100)
            for name, given in laws.items()
        }
    )


@scene
def materials_of_several_laws() -> Arrays:
    """Pairs of materials with laws of their own, plain ones and others."""
    world = rc.World(gravity=(1.0, 0, -9.81))
    world.add_plane(material="ice")
    world.set_contact_law(ROLLING)
    world.set_contact_law(rc.ContactLaw(sliding=0.05), "ice", "steel")
    world.set_contact_law(rc.ContactLaw(sliding=0.6, contact_radius=0.01), "ice", "rubber")
    world.set_contact_law(rc.ContactLaw(restitution=0.7), "steel", "steel")
    for k, material in enumerate(("steel", "rubber", "steel", "rubber", "steel")):
        world.add_sphere(
            radius=0.1, mass=1.0, position=(0.05 * k, 0.02 * k, 0.1 + 0.21 * k), material=material,
            angular_velocity=(k, 0, 9),
        )  # fmt: skip
    return simulated(world, 100)
