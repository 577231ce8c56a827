"""Short scenes whose results are fingerprinted; they use the public interface alone.

Each scene is a function without arguments that returns a dictionary of arrays in a fixed order.
Together the scenes cover every shape, contact law, scheme, kind of joint, friction model and
solver. Nothing in the arrays depends on the wall clock.

The compiled steps of earlier versions came in many forms, by the shapes in a world, the rows of
its contacts and its friction laws. The scenes are chosen so that they need about a dozen of them.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse

import rollcone as rc

Arrays = dict[str, np.ndarray]
STATES = ("position", "orientation", "velocity", "angular_velocity")
COLUMNS = (
    "residual", "residual_speed", "iterations", "contact_count", "unconverged", "overlap", "drift",
    "limits", "passes", "unfinished", "tempered",
)  # fmt: skip
ENERGIES = (
    "kinetic", "potential", "applied", "damping", "drive", "sliding", "rolling", "contour",
    "spinning", "impact", "gained", "joints", "correction",
)  # fmt: skip
CONTACTS = ("bodies", "gap", "normal", "point", "impulse", "velocity", "mode")

SLIDING = rc.ContactLaw(sliding=0.4)
ROLLING = rc.ContactLaw(sliding=0.4, rolling=0.004, spinning=0.002)
GRAVITY = (0, 0, -9.81)
CORNERS = np.array([(0, 0, 0), (0.3, 0, 0), (0, 0.25, 0), (0.05, 0.05, 0.28)])
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]

SCENES: dict[str, Callable[[], Arrays]] = {}


def scene(function: Callable[[], Arrays]) -> Callable[[], Arrays]:
    """Register a scene under the name of its function."""
    SCENES[function.__name__] = function
    return function


def arrays_of(run: rc.Run) -> Arrays:
    """Return all that a run has recorded, but for times by the clock; contacts of the last step."""
    found = {"time": run.time}
    found |= {name: run.states(name)[:] for name in STATES}
    found |= {name: getattr(run, name) for name in COLUMNS}
    found |= {name: getattr(run.energy, name) for name in ENERGIES}
    if run.contact_level == "full":
        contacts = run.contacts(-1)
        found |= {f"contact {name}": getattr(contacts, name) for name in CONTACTS}
    if run.contact_level == "summary":
        found |= {f"all {name}": values for name, values in run.contact_summary().items()}
    for name in (joint.name for _, joint in run.world.joints):
        track = run.joint(name)
        found |= {f"{name} {field}": getattr(track, field) for field in ("force", "torque")}
        for field in ("coordinate", "rate", "effort"):
            values = getattr(track, field)
            found |= {f"{name} {field} {key}": values[key] for key in sorted(values)}
    return found


def simulated(world: rc.World, steps: int, step: float = 5e-3, **settings: object) -> Arrays:
    """Simulate a number of steps and return the arrays of the run."""
    return arrays_of(rc.simulate(world, until=steps * step, step=step, **settings))


def several(cases: dict[str, Arrays]) -> Arrays:
    """Join the arrays of several cases, each name headed by that of its case."""
    return {
        f"{case}: {name}": array for case, found in cases.items() for name, array in found.items()
    }


# ------------------------------------------------------------------ worlds


def floor(law: rc.ContactLaw = SLIDING, **plane: object) -> rc.World:
    """Return a world with a floor at z = 0 in gravity along -z."""
    world = rc.World(gravity=GRAVITY)
    world.add_plane(name="floor", **plane)
    world.set_contact_law(law)
    return world


def thrown_balls(count: int, law: rc.ContactLaw, seed: int = 1, speed: float = 1.0) -> rc.World:
    """Return balls of different sizes in a column, thrown at random between four narrow walls."""
    rng = np.random.default_rng(seed)
    world = rc.World(gravity=GRAVITY)
    world.set_contact_law(law)
    world.add_container(shape="tray", size=(0.42, 0.42, 1.0), walls="planes")
    for k in range(count):
        world.add_sphere(
            radius=rng.uniform(0.05, 0.1), density=1000,
            position=(*rng.uniform(-0.1, 0.1, 2), 0.1 + 0.21 * k),
            velocity=speed * rng.normal(size=3), angular_velocity=5 * speed * rng.normal(size=3),
        )  # fmt: skip
    return world


def bed(law: rc.ContactLaw, counts: tuple[int, int, int]) -> rc.World:
    """Return a block of touching spheres on a floor, sheared by their velocities."""
    world = floor(law)
    world.add_grid(
        shape="sphere", radius=0.05, density=2500, counts=counts, spacing=0.1, origin=(0, 0, 0.05)
    )
    world.state.velocity[1:, 0] = np.linspace(-0.02, 0.02, math.prod(counts))
    return world


def every_shape(law: rc.ContactLaw, bowl: bool = False) -> rc.World:
    """Return one body of each shape above a floor, in two layers that meet as they fall.

    In a bowl there are only the shapes that can touch it.
    """
    world = rc.World(gravity=GRAVITY)
    world.set_contact_law(law)
    if bowl:
        world.add_bowl(radius=2.0)
    else:
        world.add_plane()
    add = [
        partial(world.add_sphere, radius=0.1),
        partial(world.add_box, size=(0.2, 0.16, 0.12)),
        partial(world.add_capsule, radius=0.06, length=0.2),
        partial(world.add_clump, spheres=[(0, 0, 0, 0.08), (0.1, 0, 0, 0.06), (0, 0.08, 0, 0.05)]),
        partial(world.add_disk, radius=0.12, thickness=0.04, edge_radius=0.01),
    ]
    if not bowl:
        parts = [
            {"shape": "box", "size": (0.2, 0.08, 0.08)},
            {"shape": "capsule", "radius": 0.03, "length": 0.2, "position": (0, 0, 0.12)},
        ]
        add += [
            partial(world.add_cylinder, radius=0.08, height=0.15),
            partial(world.add_cone, radius=0.1, height=0.2),
            partial(world.add_ellipsoid, semi_axes=(0.12, 0.08, 0.06)),
            partial(world.add_convex, points=CORNERS),
            partial(world.add_compound, parts=parts),
            partial(world.add_mesh, vertices=CORNERS, triangles=FACES),
        ]
    for k, body in enumerate(add):
        row, layer = divmod(k, 2)
        body(
            density=1000, position=(0.24 * (row - 1), 0.03 * k - 0.1, 0.22 + 0.3 * layer),
            orientation=rc.rotation((1, k, 2), 35 * k + 10), velocity=(0.3, -0.1 * layer, -1.0),
            angular_velocity=(1, 2 - k, 0.5 * k),
        )  # fmt: skip
    return world


def ground() -> dict[str, object]:
    """Return the arguments of a height field with two gentle hills."""
    x, y = np.meshgrid(np.linspace(-1, 1, 13), np.linspace(-1, 1, 13), indexing="ij")
    return {"heights": np.round(0.06 * np.cos(3 * x) * np.cos(2 * y), 4), "size": (2.4, 2.4)}


# ------------------------------------------------------------------ spheres, three rows


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
    return _resumed(swinging_chain(), 60)


def _resumed(world: rc.World, steps: int, step: float = 5e-3) -> Arrays:
    whole = simulated(world, steps, step)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        rc.simulate(world, until=(steps // 2) * step, step=step, output=path)
        again = arrays_of(rc.resume(path, until=steps * step))
    assert all(whole[name].tobytes() == again[name].tobytes() for name in whole)
    return again


@scene
def bed_of_spheres_by_two_threads() -> Arrays:
    """1,000 spheres in a block; one thread must give the same bits as two."""
    return _by_two_threads(bed(SLIDING, (10, 10, 10)), 6)


def _by_two_threads(world: rc.World, steps: int) -> Arrays:
    before = rc.threads()
    try:
        rc.set_threads(1)
        one = simulated(world, steps, 2e-3, tolerance=1e-6)
        rc.set_threads(2)
        two = simulated(world, steps, 2e-3, tolerance=1e-6)
    finally:
        rc.set_threads(before)
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    return two


# ------------------------------------------------------------------ spheres, six rows


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
    return _resumed(world, 100)


@scene
def bed_with_rolling_by_two_threads() -> Arrays:
    return _by_two_threads(bed(ROLLING, (10, 10, 10)), 6)


# ------------------------------------------------------------------ spheres, laws of a table


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


# ------------------------------------------------------------------ boxes


@scene
def stack_of_boxes() -> Arrays:
    world = floor(rc.ContactLaw(sliding=0.5))
    for k in range(8):
        world.add_box(size=(0.2, 0.2, 0.2), density=1000, position=(0.01 * k, 0, 0.2 * k + 0.1))
    world.add_box(size=(0.1, 0.1, 0.3), mass=2.0, position=(-1, 0, 0.9), velocity=(4, 0, 1),
                  angular_velocity=(1, 2, 3))  # fmt: skip
    return simulated(world, 100)


@scene
def spheres_in_a_hopper() -> Arrays:
    world = floor(rc.ContactLaw(sliding=0.3))
    world.add_container(
        shape="hopper", radius=0.3, height=0.3, outlet=0.12, sides=6, wall=0.3, position=(0, 0, 0.3)
    )
    world.add_packing(
        shape="sphere", radius=(0.03, 0.05), density=2000, low=(-0.15, -0.15, 0.65),
        high=(0.15, 0.15, 0.9), count=20, seed=3,
    )  # fmt: skip
    return simulated(world, 100, record_every=5)


@scene
def joint_of_each_kind() -> Arrays:
    """Pairs of boxes, held by a joint of each kind; some of them compliant."""
    rng = np.random.default_rng(5)
    world = rc.World(gravity=GRAVITY)
    with_axis = ("revolute", "prismatic", "cylindrical", "universal", "point-on-line",
                 "point-on-plane", "free")  # fmt: skip
    kinds = (*with_axis, "spherical", "fixed", "distance", "link")
    for k, kind in enumerate(kinds):
        place = np.array([3.0 * k, 0.0, 0.0])
        base = world.add_box(
            size=(0.6, 0.4, 0.2), mass=2.0, position=place, angular_velocity=rng.normal(size=3)
        )
        body = world.add_box(
            size=(0.2, 0.2, 0.5), mass=1.0, position=place + np.array([0.2, 0.1, 0.7])
        )
        options = {"point": place + np.array([0.1, 0, 0.3])} if kind != "fixed" else {}
        options |= {"axis": (2, 1, 2)} if kind in with_axis else {}
        options |= {"axis2": (1, -2, 0)} if kind == "universal" else {}
        options |= {"compliance": 1e-4} if kind == "spherical" else {}
        options |= {"angular_compliance": 1e-3} if kind == "fixed" else {}
        world.add_joint(kind=kind, body=body, base=base, name=kind, **options)
    swung = world.add_box(size=(0.1, 0.1, 1.0), mass=1.0, position=(3, 4, 0.5))
    world.add_joint(kind="revolute", body=swung, point=(3, 4, 0), axis=(0, 1, 0), name="swing",
                    angle=rc.Motor(speed=2.0))  # fmt: skip
    world.add_joint(kind="gear", joints=["swing", "revolute"], ratio=2.0, name="gear")
    return simulated(world, 40)


@scene
def elements_of_joints() -> Arrays:
    """Motors, limits, friction and springs on angles, slides and lengths, with contacts."""
    world = floor(rc.ContactLaw(sliding=0.5))
    sine = rc.Sine(amplitude=0.5, frequency=2.0)
    table = rc.TimeTable(times=[0.0, 0.1, 0.3], values=[0.0, 0.2, -0.3])
    cases = {
        "motor": [rc.Motor(speed=sine, limit=20.0), rc.Limits(lower=-0.2, upper=0.3)],
        "position": [rc.Motor(position=table)],
        "function": [rc.Motor(speed=lambda t: 3.0 * t), rc.JointFriction(limit=0.2)],
        "servo": [rc.Motor(position=0.5, limit=30.0, response=0.1)],
        "friction": [rc.JointFriction(limit=0.1, coefficient=0.3, radius=0.05)],
        "limits": [rc.Limits(lower=-0.05, upper=0.1, restitution=0.5)],
        "spring": [rc.Spring(stiffness=50.0, damping=0.5, rest=0.2)],
        "weak spring": [rc.Spring(stiffness=50.0, rest=sine, limit=2.0)],
    }
    for k, (name, elements) in enumerate(cases.items()):
        y = 2.0 * k
        rod = world.add_box(size=(0.6, 0.1, 0.1), mass=1.0, position=(0.3, y, 0.5))
        hinge = {"point": (0, y, 0.5), "axis": (0, 1, 0)}
        world.add_joint(kind="revolute", body=rod, name=f"{name} angle", angle=elements, **hinge)
        cart = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(2, y, 0.1))
        if name != "friction":  # its radius is that of a pin
            world.add_joint(kind="prismatic", body=cart, axis=(1, 0, 0), name=f"{name} slide",
                            slide=elements)  # fmt: skip
    hung = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(4, 0, 1.0))
    rope = [rc.Spring(stiffness=40.0, damping=1.0), rc.Limits(upper=1.1)]
    world.add_joint(kind="link", body=hung, point=(4, 0, 2), name="link", length=rope)
    return simulated(world, 60)


# ------------------------------------------------------------------ every shape


@scene
def every_shape_on_a_floor() -> Arrays:
    return simulated(every_shape(SLIDING), 80)


@scene
def every_shape_with_rolling_friction() -> Arrays:
    return simulated(every_shape(ROLLING), 80)


@scene
def every_shape_with_restitution_and_compliance() -> Arrays:
    laws = {
        "restitution": rc.ContactLaw(sliding=0.3, restitution=0.5),
        "compliance": rc.ContactLaw(sliding=0.3, compliance=1e-6),
    }
    return several({name: simulated(every_shape(law), 40) for name, law in laws.items()})


@scene
def every_shape_by_other_schemes() -> Arrays:
    schemes = {"dvi": rc.DVI(), "moreau-jean": rc.MoreauJean()}
    return several(
        {name: simulated(every_shape(ROLLING), 40, scheme=given) for name, given in schemes.items()}
    )


@scene
def shapes_in_a_bowl() -> Arrays:
    laws = {"sliding": SLIDING, "rolling": ROLLING}
    return several({name: simulated(every_shape(law, bowl=True), 60) for name, law in laws.items()})


@scene
def every_shape_on_a_height_field() -> Arrays:
    """Without the mesh, which cannot touch another."""
    world = every_shape(SLIDING)
    world.remove(11)
    world.body(0).position = (0, 0, -0.3)
    world.add_height_field(**ground())
    return simulated(world, 60)


@scene
def every_shape_moved_apart_in_a_periodic_box() -> Arrays:
    """Positions are moved apart after each step (projection)."""
    world = every_shape(ROLLING)
    world.set_periodic(x=(-1, 1), y=(-1, 1))
    return simulated(world, 40, scheme=rc.MoreauJean(projection=True))


@scene
def every_shape_with_laws_of_a_table() -> Arrays:
    laws = {
        "contensou": rc.ContactLaw(sliding=0.4, contact_radius=0.01, rolling=0.002),
        "stribeck": rc.ContactLaw(sliding=rc.Stribeck(static=0.5, kinetic=0.2, speed=0.3)),
    }
    return several({name: simulated(every_shape(law), 60) for name, law in laws.items()})


@scene
def cart_on_wheels() -> Arrays:
    """A box on four cylinders with driven axles, a capsule and a clump as freight."""
    world = floor(ROLLING)
    body = world.add_box(size=(0.8, 0.3, 0.1), mass=4.0, position=(0, 0, 0.15))
    for k, (x, y) in enumerate([(-0.3, -0.2), (-0.3, 0.2), (0.3, -0.2), (0.3, 0.2)]):
        wheel = world.add_cylinder(
            radius=0.12, height=0.06, mass=0.5, position=(x, y, 0.12),
            orientation=rc.rotation((1, 0, 0), 90),
        )  # fmt: skip
        drive = {"angle": rc.Motor(speed=4.0, limit=1.0)} if k < 2 else {}
        world.add_joint(
            kind="revolute", body=wheel, base=body, point=(x, y, 0.12), axis=(0, 1, 0),
            name=f"axle {k}", **drive,
        )  # fmt: skip
    world.add_capsule(radius=0.05, length=0.2, mass=0.5, position=(0.1, 0, 0.4))
    world.add_clump(
        spheres=[(0, 0, 0, 0.06), (0.07, 0, 0, 0.05)], mass=0.5, position=(-0.2, 0, 0.3)
    )
    return simulated(world, 80)


# ------------------------------------------------------------------ disks


@scene
def rolling_disk() -> Arrays:
    """A disk on its rim with contour friction and a patch, as steps are divided where it leans."""
    world = floor(rc.ContactLaw(sliding=0.3, contact_radius=0.005, contour=0.003))
    world.add_disk(
        radius=0.1, thickness=0.01, mass=0.5, position=(0, 0, 0.06), angular_velocity=(0.5, 4, 12),
        orientation=rc.rotation((1, 0, 0), 35), velocity=(0.2, 0, 0),
    )  # fmt: skip
    return simulated(world, 100, 2e-3)


@scene
def disks_with_laws_of_a_table() -> Arrays:
    law = rc.ContactLaw(sliding=rc.Stribeck(static=0.4, kinetic=0.2, speed=0.1), rolling=0.001)
    world = floor(law)
    world.add_cylinder(
        radius=0.1, height=0.3, mass=1.0, position=(0, 0, 0.1), velocity=(1, 0, 0),
        orientation=rc.rotation((1, 0, 0), 90), angular_velocity=(0, 3, 0),
    )  # fmt: skip
    world.add_disk(radius=0.1, mass=1.0, position=(0.1, 0, 0.35), angular_velocity=(0, 0, 9))
    world.add_sphere(radius=0.05, mass=0.2, position=(0.4, 0, 0.05), angular_velocity=(0, -9, 5))
    return simulated(world, 80)


# ------------------------------------------------------------------ periodic box


@scene
def periodic_box() -> Arrays:
    world = rc.World(gravity=(2, 0, -9.81))
    world.set_periodic(x=(0, 1), y=(0, 0.5))
    world.set_contact_law(rc.ContactLaw(sliding=0.1))
    world.add_plane()
    world.add_packing(
        shape="sphere", radius=(0.03, 0.05), density=2500, low=(0, 0, 0.06), high=(1, 0.5, 0.4),
        count=40,
    )  # fmt: skip
    return simulated(world, 80, record_every=4)


# ------------------------------------------------------------------ problems of one instant


def solution_arrays(solution: rc.Solution) -> Arrays:
    """Return reactions, velocities, residual history and contact modes of a solution."""
    found = {
        "reactions": solution.reactions,
        "velocities": solution.velocities,
        "row reactions": solution.row_reactions,
        "history": solution.history,
        "iterations": np.array(solution.iterations),
        "modes": solution.modes(),
        "message": np.array(solution.message),
    }
    if solution.body_velocities is not None:
        found["body velocities"] = solution.body_velocities
    return found


def solved(problem: rc.ContactProblem, solver: str, **options: object) -> Arrays:
    """Solve a problem with a limit on iterations that ends early those that converge slowly."""
    given = {"max_iterations": 200, "tolerance": 1e-9} | options
    return solution_arrays(rc.solve(problem, solver, **given))


@scene
def problems_of_all_rows() -> Arrays:
    """Both laws, both forms and all numbers of rows, by three kinds of solvers."""
    cases = {}
    for rows in (2, 3, 5, 6):
        for law in ("exact", "associated"):
            given = rc.problems.random_problem(6, rows=rows, seed=rows, law=law).problem
            for form, problem in (("body", given), ("delassus", given.to_delassus())):
                for solver in ("gauss-seidel", "apgd", "newton"):
                    cases[f"{rows} {law} {form} {solver}"] = solved(problem, solver)
    return several(cases)


@scene
def problems_by_every_solver() -> Arrays:
    """A heap at rest by every solver but the reference, which is another package's."""
    heap = rc.problems.heap(20, 1)
    names = [name for name in rc.solvers.SOLVERS if name != "reference"]
    return several({name: solved(heap, name) for name in names})


@scene
def options_of_solvers() -> Arrays:
    problem = rc.problems.random_problem(5, rows=6, seed=7).problem
    cases = {
        "exact local": ("gauss-seidel", {"local": "exact"}),
        "symmetric": ("gauss-seidel", {"order": "symmetric"}),
        "shuffled": ("gauss-seidel", {"order": "shuffled", "seed": 3}),
        "block": ("jacobi", {"B": "block", "K": "gauss-seidel"}),
        "cone": ("fixed-point", {"projection": "cone"}),
        "plain admm": ("admm", {"memory": 0}),
    }
    return several({name: solved(problem, one, **given) for name, (one, given) in cases.items()})


@scene
def problems_with_other_sets() -> Arrays:
    """Friction sets other than discs, extra rows with bounds, and compliance."""
    sets = {
        "box": {"sliding": rc.Box(0.3, 0.2)},
        "ellipse": {"sliding": rc.Ellipse(0.3, 0.2)},
        "polygon": {"sliding": rc.Polygon(0.3, 6)},
        "contensou": {"sliding": rc.Contensou(0.3, 0.02), "rolling": 0.01},
        "coupled": {"sliding": 0.3, "rolling": 0.02, "spinning": 0.01, "coupling": "ellipsoid"},
        "soft": {"sliding": 0.3, "rolling": 0.02, "spinning": 0.01, "compliance": 1e-3},
    }
    given = rc.problems.random_problem(4, rows=6, seed=8).problem.form
    cases = {}
    for name, laws in sets.items():
        problem = rc.ContactProblem.from_bodies(
            given.mass.blocks, given.H, given.v_free, given.b, rows=6, **laws
        )
        for solver in ("gauss-seidel", "apgd", "newton"):
            cases[f"{name} {solver}"] = solved(problem, solver)
    chain = rc.problems.chain(5)
    cases |= {f"chain {name}": solved(chain, name) for name in ("gauss-seidel", "newton")}
    cases["arch"] = solved(rc.problems.arch(7), "newton")
    cases["stack"] = solved(rc.problems.stack(3, push=0.5), "auto")
    return several(cases)


@scene
def linear_complementarity() -> Arrays:
    """Dense and sparse problems, with and without bounds, by every solver."""
    rng = np.random.default_rng(2)
    root = np.round(rng.normal(size=(8, 8)), 2)
    matrix, q = root @ root.T + 0.5 * np.eye(8), np.round(rng.normal(size=8), 2)
    low, high = np.where(np.arange(8) < 2, -np.inf, 0.0), np.where(np.arange(8) > 5, 0.3, np.inf)
    cases = {}
    for kind, M in (("dense", matrix), ("sparse", sparse.csc_array(matrix))):
        for solver in rc.lcp.SOLVERS:
            found = rc.lcp.solve(rc.lcp.LCP(M, q), solver)
            cases[f"{kind} {solver}"] = {"z": found.z, "message": np.array(found.message)}
        found = rc.lcp.solve(rc.lcp.MLCP(M, q, low, high))
        cases[f"{kind} bounds"] = {"z": found.z, "w": found.w}
    every = rc.lcp.all_solutions(rc.lcp.LCP([[0.0, 1.0], [1.0, 0.0]], [-1.0, -1.0]))
    cases["all"] = {"z": np.array([one.z for one in every])}
    return several(cases)


# ------------------------------------------------------------------ analysis


@scene
def analysis_of_accelerations() -> Arrays:
    """A pushed block, a ball between driven walls, and a rod that slides on its end."""
    block = floor(rc.ContactLaw(sliding=0.5))
    block.add_box(size=(0.6, 0.4, 0.8), mass=2.0, position=(0, 0, 0.4), force=(8, 0, 0))
    ball = floor(rc.ContactLaw(sliding=0.2))
    ball.add_plane(normal=(1, 0, 0), point=(-0.2, 0, 0), motion=lambda t: ((2 * t, 0, 0), (0,) * 3))
    ball.add_sphere(radius=0.2, mass=1.5, position=(0, 0, 0.2))
    rod = floor(rc.ContactLaw(sliding=1.6))
    lean = math.radians(30)
    centre = (0.5 * math.sin(lean), 0, 0.5 * math.cos(lean) + 0.01)
    rod.add_capsule(
        radius=0.01, length=1.0, mass=1.0, position=centre, velocity=(-2, 0, 0),
        orientation=rc.rotation((0, 1, 0), 30),
    )  # fmt: skip
    cases = {}
    for name, world in (("block", block), ("ball", ball), ("rod", rod)):
        found = rc.analyze(world)
        motions = {f"forces {k}": motion.forces for k, motion in enumerate(found.motions)}
        cases[name] = {"verdict": np.array(found.verdict), "rows": found.problem.rows} | motions
    return several(cases)
