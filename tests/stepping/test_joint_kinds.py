"""Each kind of joint holds what it should and nothing else, on any base: the world, a fixed body, a
driven one, a free one. What is held is looked at by plain vectors, what is free by closed forms."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix

TIGHT = 1e-10
KINDS = (
    "spherical", "revolute", "prismatic", "cylindrical", "universal", "fixed", "distance",
    "point-on-line", "point-on-plane",
)  # fmt: skip
# How many velocities of the body against its base each kind leaves free.
FREE = dict(zip(KINDS, (3, 1, 1, 2, 2, 0, 5, 4, 5), strict=True))
BASES = ("world", "fixed", "moved", "driven", "dynamic")
seeds = st.integers(0, 2**32)


@dataclass
class Scene:
    """A world with one joint and where it was put, in the axes of base and body."""

    world: rc.World
    base: rc.Body | None
    body: rc.Body
    point: tuple[np.ndarray, np.ndarray]
    axis: tuple[np.ndarray, np.ndarray]
    axis2: np.ndarray  # on the body
    turn: np.ndarray  # of the body against the base, at the start
    inertia: np.ndarray  # of the body, in its axes
    length: float


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def motion(t: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of a base that is driven: it shakes and rolls."""
    return (0.3 * math.cos(3 * t), 0.2, -0.4 * math.sin(2 * t)), (0.5, math.sin(4 * t), -0.8)


def body_options(rng: np.random.Generator, where: np.ndarray) -> dict:
    A = rng.normal(size=(3, 3))
    return {
        "radius": 0.05,
        "mass": float(rng.uniform(0.5, 3)),
        "inertia": 0.02 * (A @ A.T) + 0.05 * np.eye(3),
        "position": where,
        "orientation": rc.rotation(unit(rng), float(rng.uniform(0, 180))),
        "velocity": rng.normal(size=3),
        "angular_velocity": 2 * rng.normal(size=3),
        "force": 3 * rng.normal(size=3),
        "torque": rng.normal(size=3),
    }


def pose(body: rc.Body | None) -> tuple[np.ndarray, np.ndarray]:
    if body is None:
        return np.zeros(3), np.eye(3)
    return body.position.copy(), rotation_matrix(body.orientation)


def scene(kind: str, base: str, rng: np.random.Generator) -> Scene:
    world = rc.World(gravity=(1.0, -2.0, -9.0))
    other = None
    if base != "world":
        options = body_options(rng, np.array([0.0, 3.0, 0.0]))
        if base != "dynamic":
            del options["force"], options["torque"]
        if base == "fixed":
            del options["velocity"], options["angular_velocity"]
        if base == "driven":
            options["motion"] = motion
        other = world.add_sphere(**options, fixed=base in ("fixed", "moved"))
    options = body_options(rng, rng.normal(size=3))
    body = world.add_sphere(**options)
    axis = unit(rng)
    axis2 = np.cross(axis, unit(rng))
    axis2 /= np.linalg.norm(axis2)
    point = body.position + 0.5 * rng.normal(size=3)
    given = {"point": point} if kind != "fixed" else {}
    if kind == "distance":
        given["point2"] = body.position + 0.2 * unit(rng)
    if kind not in ("spherical", "fixed", "distance"):
        given["axis"] = axis
    if kind == "universal":
        given["axis2"] = axis2
    world.add_joint(kind=kind, body=body, base=other, name="joint", **given)
    allowed = rc.simulate(world, until=1e-12, step=1e-12).world.state  # by the joint
    world.state.velocity[:] = allowed.velocity
    world.state.angular_velocity[:] = allowed.angular_velocity
    places, turns = zip(pose(other), pose(body), strict=True)
    at_body = given.get("point2", point)
    if kind == "fixed":
        point = at_body = body.position.copy()
    return Scene(
        world, other, body,
        (turns[0].T @ (point - places[0]), turns[1].T @ (at_body - places[1])),
        (turns[0].T @ axis, turns[1].T @ axis),
        turns[1].T @ axis2, turns[0].T @ turns[1], options["inertia"],
        float(np.linalg.norm(at_body - point)),
    )  # fmt: skip


def held_errors(kind: str, s: Scene) -> np.ndarray:
    """How far off what the kind holds is, by plain vectors."""
    base, turn = (m[0] for m in (pose(s.base), pose(s.base)[1:]))
    body, own = (m[0] for m in (pose(s.body), pose(s.body)[1:]))
    gap = body + own @ s.point[1] - base - turn @ s.point[0]
    axis, carried = turn @ s.axis[0], own @ s.axis[1]
    across = gap - (gap @ axis) * axis
    tilt = np.cross(axis, carried)
    twist = (turn.T @ own - s.turn).ravel()
    parts = {
        "spherical": (gap,),
        "revolute": (gap, tilt),
        "prismatic": (across, twist),
        "cylindrical": (across, tilt),
        "universal": (gap, [axis @ own @ s.axis2]),
        "fixed": (gap, twist),
        "distance": ([np.linalg.norm(gap) - s.length],),
        "point-on-line": (across,),
        "point-on-plane": ([gap @ axis],),
    }
    return np.concatenate([np.ravel(part) for part in parts[kind]])


def run_of(s: Scene, steps: int = 15, h: float = 0.01, **settings) -> rc.Run:
    """The scene's bodies become those at the end."""
    run = rc.simulate(s.world, until=steps * h, step=h, **settings)
    assert run.converged
    s.world, s.body = run.world, run.world.body(s.body)
    s.base = None if s.base is None else run.world.body(s.base)
    return run


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_held(kind, base):
    rng = np.random.default_rng([KINDS.index(kind), BASES.index(base)])
    s = scene(kind, base, rng)
    before = [s.body.position.copy(), s.body.orientation.copy()]
    assert np.abs(held_errors(kind, s)).max() < 1e-14
    run = run_of(s)
    assert np.abs(held_errors(kind, s)).max() < TIGHT
    assert run.drift.max() < TIGHT
    if FREE[kind]:
        after = [s.body.position, s.body.orientation]
        assert max(np.abs(b - a).max() for a, b in zip(before, after, strict=True)) > 0.01


@given(st.sampled_from(KINDS), st.sampled_from(BASES), seeds)
def test_what_is_held_whatever_happens(kind, base, seed):
    s = scene(kind, base, np.random.default_rng(seed))
    run_of(s, steps=5, h=0.02)
    assert np.abs(held_errors(kind, s)).max() < TIGHT


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_free(kind):
    """A joint of rank r takes r velocities from the body and leaves 6 - r: from rest, pushes in all
    directions lead to motions that span just so many, and all of them are done with no reaction
    against: v = P v_free, P a projection in the metric of the masses (Gauss's principle)."""
    rng = np.random.default_rng(5)
    s = scene(kind, "world", rng)
    s.world.gravity = (0, 0, 0)
    mass, own = s.body.mass, rotation_matrix(s.body.orientation)
    J = own @ s.inertia @ own.T
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = mass * np.eye(3), J
    h, columns = 1e-6, []
    for k in range(6):
        world = s.world.copy()
        body = world.body(s.body)
        body.velocity = body.angular_velocity = (0, 0, 0)
        push = np.zeros(6)
        push[k] = 1.0
        body.force, body.torque = push[:3], push[3:]
        end = rc.simulate(world, until=h, step=h).world.body(body)
        columns.append(np.concatenate([end.velocity, end.angular_velocity]) / h)
    P = np.array(columns).T @ M  # of the velocities that pushes would give
    np.testing.assert_allclose(P @ P, P, atol=1e-5)
    np.testing.assert_allclose(M @ P, (M @ P).T, atol=1e-5)
    assert np.trace(P) == pytest.approx(FREE[kind], abs=1e-5)


@given(seeds)
def test_a_cylinder_obeys_newton_along_and_about_its_axis(seed):
    """On an axis through the centre of mass, a principal one: m s'' = F.axis, I th'' = T.axis."""
    rng = np.random.default_rng(seed)
    axis, moment, mass = unit(rng), float(rng.uniform(0.1, 1)), float(rng.uniform(0.5, 3))
    # A body whose own z axis is the joint's.
    tilt = np.cross((0, 0, 1), axis)
    angle = math.degrees(math.atan2(np.linalg.norm(tilt), axis[2]))
    rate, speed = rng.normal(size=2)
    force, torque = rng.normal(size=(2, 3))
    world = rc.World(gravity=(0, 0, -9.81))
    body = world.add_sphere(
        radius=0.1, mass=mass, inertia=(0.3, 0.3, moment), orientation=rc.rotation(tilt, angle),
        velocity=speed * axis, angular_velocity=rate * axis, force=force, torque=torque,
    )  # fmt: skip
    world.add_joint(kind="cylindrical", body=body, point=(0, 0, 0), axis=axis, name="joint")
    run = rc.simulate(world, until=0.1, step=0.01)
    t, track = run.time, run.joint("joint")
    push = (force @ axis + mass * -9.81 * axis[2]) / mass
    np.testing.assert_allclose(track.coordinate["slide"], speed * t + push * t**2 / 2, atol=1e-10)
    np.testing.assert_allclose(track.rate["slide"], speed + push * t, atol=1e-10)
    turn = torque @ axis / moment  # (the first step does not know reactions across the axis)
    np.testing.assert_allclose(track.coordinate["angle"], rate * t + turn * t**2 / 2, atol=1e-6)
    np.testing.assert_allclose(track.rate["angle"], rate + turn * t, atol=1e-6)


@pytest.mark.parametrize("base", BASES)
def test_coordinates_and_rates_agree(base):
    """The rate of each coordinate is the slope of its values: of second order in the step."""
    for kind in ("revolute", "prismatic", "cylindrical", "universal", "distance", "point-on-line"):
        off = []
        for h in (0.004, 0.002):
            s = scene(kind, base, np.random.default_rng(2))
            run = run_of(s, steps=round(0.04 / h), h=h)
            track = run.joint("joint")
            worst = 0.0
            for name, values in track.coordinate.items():
                slope = (values[3:] - values[1:-2]) / (2 * h)
                worst = max(worst, np.abs(slope - track.rate[name][2:-1]).max())
                assert s.world.joint("joint").coordinate(name) == pytest.approx(values[-1])
                assert s.world.joint("joint").rate(name) == pytest.approx(track.rate[name][-1])
            off.append(worst)
        assert off[0] < 0.1
        assert off[1] < 0.35 * off[0] + 1e-10, kind


def test_a_universal_joint_turns_unevenly():
    """Hooke's joint between two shafts at an angle b: tan(out) = tan(in) / cos(b)."""
    bend = math.radians(35)
    world = rc.World()
    drive, axis = (0.0, 0.0, 1.0), (math.sin(bend), 0.0, math.cos(bend))
    first = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, -1))
    second = world.add_sphere(radius=0.1, mass=1.0, position=np.array(axis))
    cross = world.add_sphere(radius=0.1, mass=0.5)
    world.add_joint(
        kind="revolute", body=first, point=(0, 0, -1), axis=drive,
        angle=rc.Motor(position=lambda t: 2.0 * t), name="in",
    )  # fmt: skip
    world.add_joint(kind="revolute", body=second, point=axis, axis=axis, name="out")
    # The cross turns about y on the first shaft and about its own x' on the second.
    world.add_joint(kind="revolute", body=cross, base=first, point=(0, 0, 0), axis=(0, 1, 0))
    across = np.cross((0, 1, 0), axis)
    world.add_joint(kind="revolute", body=cross, base=second, point=(0, 0, 0), axis=across)
    run = rc.simulate(world, until=4.0, step=0.02)
    angle, out = 2.0 * run.time, run.joint("out").coordinate["angle"]
    # From the start, the first shaft's pin along y is at right angles to the plane of both shafts.
    exact = np.unwrap(np.arctan2(np.sin(angle) * math.cos(bend), np.cos(angle)))
    np.testing.assert_allclose(out, exact, atol=1e-9)


@given(st.sampled_from(KINDS), seeds)
def test_base_and_body_exchanged(kind, seed):
    """The same motion where what is held does not depend on which of the two has the axes."""
    if kind in ("point-on-line", "point-on-plane", "universal"):
        kind = "revolute"
    apart = [_exchanged(kind, seed, h) for h in (0.01, 0.005)]
    # Where the axes are across differs by what the two turn in a step: of second order.
    assert apart[0] < 1e-4
    assert apart[1] < 0.4 * apart[0] + 1e-8


def _exchanged(kind: str, seed: int, h: float) -> float:
    """Return how far the two paths of the same joint are apart after 0.05 s (m, m/s)."""
    paths = []
    for exchanged in (False, True):
        s = scene(kind, "dynamic", np.random.default_rng(seed))
        if exchanged:
            joint = s.world.joint("joint")
            given = {"point": joint.base_point} if kind != "fixed" else {}
            if kind == "distance":
                given |= {"point": joint.point, "point2": joint.base_point}
            if kind in ("revolute", "prismatic", "cylindrical"):
                given["axis"] = -joint.axis
            s.world.remove_joint(joint)
            s.world.add_joint(kind=kind, body=s.base, base=s.body, **given)
        run = rc.simulate(s.world, until=0.05, step=h)
        paths.append(np.concatenate([run.states("position")[-1], run.states("velocity")[-1]]))
    return float(np.abs(paths[0] - paths[1]).max())


def test_coordinates_of_exchanged_joints_are_the_same():
    """Along the axis turned round, both the angle and the slide keep their sign."""
    tracks = []
    for first, second, sign in ((0, 1, 1), (1, 0, -1)):
        world = rc.World()
        for k in range(2):
            world.add_sphere(
                radius=0.1, mass=1.0 + k, position=(0, 0, k), velocity=(0, 0, 0.3 * k),
                angular_velocity=(0, 0, 1.0 - 3 * k),
            )  # fmt: skip
        axis = (0, 0, sign)
        world.add_joint(
            kind="cylindrical", body=second, base=first, point=(0, 0, 0.5), axis=axis, name="j"
        )
        tracks.append(rc.simulate(world, until=3.0, step=0.01).joint("j"))
    for name in ("angle", "slide"):
        np.testing.assert_allclose(
            tracks[0].coordinate[name], tracks[1].coordinate[name], atol=1e-9
        )
    assert tracks[0].coordinate["angle"][-1] == pytest.approx(-9.0)  # more than a turn


@given(st.sampled_from(KINDS), st.sampled_from(BASES[1:]), seeds)
def test_the_frame_of_the_world_does_not_matter(kind, base, seed):
    """All turned and shifted: the same motion, turned and shifted. Gravity turns with it."""
    rng = np.random.default_rng(seed)
    s = scene(kind, base, np.random.default_rng(seed + 1))
    turn, shift = rc.rotation(unit(rng), float(rng.uniform(0, 180))), rng.normal(size=3)
    R = rotation_matrix(turn)
    other = turned_world(s, R, turn, shift, kind)
    runs = [rc.simulate(world, until=0.06, step=0.01) for world in (s.world, other)]
    a, b = (run.states("position") for run in runs)
    np.testing.assert_allclose(a @ R.T + shift, b, rtol=0, atol=1e-9)
    a, b = (run.states("angular_velocity") for run in runs)
    np.testing.assert_allclose(a @ R.T, b, rtol=0, atol=1e-9)
    a, b = (run.joint("joint").coordinate for run in runs)
    for name in a:
        np.testing.assert_allclose(a[name], b[name], rtol=0, atol=1e-9)


def turned_world(s: Scene, R: np.ndarray, turn, shift: np.ndarray, kind: str) -> rc.World:
    """The scene's world turned by R and shifted."""
    from rollcone.mechanics.kernels.rotation import multiply

    world, joint = s.world.copy(), s.world.joint("joint")
    world.gravity = R @ s.world.gravity
    world.remove_joint("joint")
    for body in world.bodies:
        body.position = R @ body.position + shift
        body.orientation = multiply(*turn, *body.orientation)
        body.velocity, body.angular_velocity = R @ body.velocity, R @ body.angular_velocity
        if body.id == s.body.id or (s.base is not None and s.base.id == body.id):
            for name in ("force", "torque"):
                value = getattr(s.world.body(body.id), name)
                setattr(body, name, R @ value)
    for number in world.motions:
        world.motions[number] = lambda t: tuple(R @ np.array(part) for part in motion(t))
    given = {}
    if kind != "fixed":
        given["point"] = R @ joint.base_point + shift
    if kind == "distance":
        given["point2"] = R @ joint.point + shift
    if kind not in ("spherical", "fixed", "distance"):
        given["axis"] = R @ joint.axis
    if kind == "universal":
        given["axis2"] = R @ joint.axes[0]
    base = None if s.base is None else s.base.id
    world.add_joint(kind=kind, body=s.body.id, base=base, name="joint", **given)
    return world
