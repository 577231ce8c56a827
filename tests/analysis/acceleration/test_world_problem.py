"""The problem of a world at a moment by closed forms: velocity products of contacts, loads, errors.

Biases are what the accelerations of contacts are if no body accelerates: dH/dt v.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.analysis.acceleration.analyze import analyze
from rollcone.analysis.acceleration.from_world import problem_of
from rollcone.mechanics.rotations import rotation_matrix

G = 9.81
cross = np.cross
seeds = st.integers(0, 10**6)


def floor_world(gravity=(0, 0, -G), motion=None, **law):
    world = rc.World(gravity=gravity)
    world.add_plane(**({} if motion is None else {"motion": motion}))
    world.set_contact_law(rc.ContactLaw(**law))
    return world


def axes_of(problem, contact=0):
    """Normal, tangents."""
    return problem.places.frames[contact]


def accelerations(world, **options):
    """Of all moving bodies (bodies, 6), where there is one motion."""
    answer = analyze(world, **options)
    assert answer.verdict == "one motion"
    return answer.motion.accelerations.reshape(-1, 6)


def quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def _tangential(vector, n):
    return vector - (vector @ n) * n


# ---- velocity products of contacts ----


@given(seeds)
def test_ball_over_ball(seed):
    """dn/dt = (v_B - v_A) / distance in the tangent plane; both balls move and turn. Six rows."""
    rng = np.random.default_rng(seed)
    R, r = rng.uniform(0.1, 2.0, size=2)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    common = rng.normal() * n
    vA, vB = (_tangential(rng.normal(size=3), n) + common for _ in range(2))
    wA, wB = rng.normal(size=(2, 3))
    world = rc.World()
    world.add_sphere(radius=R, mass=2.0, velocity=vA, angular_velocity=wA)
    world.add_sphere(radius=r, mass=1.0, position=(R + r) * n, velocity=vB, angular_velocity=wB)
    world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=0.01, spinning=0.01))
    problem = problem_of(world)
    normal, t1, t2 = axes_of(problem)
    assert np.allclose(normal, n)
    dn = (vB - vA) / (R + r)
    du = cross(wB, -r * dn) - cross(wA, R * dn)
    w = wB - wA
    expected = [
        (vB - vA) @ (vB - vA) / (R + r),
        t1 @ du,
        t2 @ du,
        -(t1 @ dn) * (n @ w),
        -(t2 @ dn) * (n @ w),
        dn @ w,
    ]
    # The normal one is dn.u + n.du, of which the turning of the balls cancels out.
    assert np.allclose(problem.bias[0], expected, atol=1e-7)


@given(seeds)
def test_capsule_end_on_a_plane(seed):
    """The centre c of an end goes round the middle: c'' = w x (w x c)."""
    rng = np.random.default_rng(seed)
    r, length = rng.uniform(0.05, 0.3), rng.uniform(0.5, 2.0)
    tilt, heading = rng.uniform(0.2, 1.2), rng.uniform(0, 2 * math.pi)
    axis = np.array(
        [math.cos(tilt) * math.cos(heading), math.cos(tilt) * math.sin(heading), math.sin(tilt)]
    )
    arm, n = -0.5 * length * axis, np.array([0.0, 0.0, 1.0])
    w = rng.normal(size=3)
    v = _tangential(rng.normal(size=3), n) - cross(w, arm)[2] * n
    turn = rc.rotation((-math.sin(heading), math.cos(heading), 0), 90 - math.degrees(tilt))
    world = floor_world(sliding=0.5, rolling=0.01)
    world.add_capsule(
        radius=r, length=length, mass=1.0, orientation=turn, velocity=v, angular_velocity=w,
        position=(0, 0, r - arm[2]),
    )  # fmt: skip
    problem = problem_of(world)
    assert problem.contacts == 1
    _, t1, t2 = axes_of(problem)
    du = cross(w, cross(w, arm))
    assert np.allclose(problem.bias[0], [du @ n, du @ t1, du @ t2, 0, 0, 0], atol=1e-6)
    arm_to_floor = arm - r * n
    u = v + cross(w, arm_to_floor)
    assert np.allclose(problem.velocity[0, 1:3], [u @ t1, u @ t2])


@given(seeds)
def test_box_corner_on_a_plane(seed):
    """A point of the box at the arm r: du = w x (w x r)."""
    rng = np.random.default_rng(seed)
    size, q = rng.uniform(0.3, 1.0, size=3), quaternion(rng)
    turn = rotation_matrix(q)
    corners = 0.5 * size * np.array(np.meshgrid(*[[-1, 1]] * 3)).T.reshape(-1, 3) @ turn.T
    low, next_low = np.sort(corners[:, 2])[:2]
    if next_low - low < 1e-2:
        return
    arm, n = corners[np.argmin(corners[:, 2])], np.array([0.0, 0.0, 1.0])
    w = rng.normal(size=3)
    v = _tangential(rng.normal(size=3), n) - cross(w, arm)[2] * n
    world = floor_world(sliding=0.5)
    world.add_box(
        size=size, mass=1.0, orientation=q, position=(0, 0, -low), velocity=v, angular_velocity=w
    )
    problem = problem_of(world)
    assert problem.contacts == 1
    assert np.allclose(problem.bias[0, :3], axes_of(problem) @ cross(w, cross(w, arm)), atol=1e-6)


def test_box_edge_on_a_plane():
    """Both ends of the edge that it tips over: each a point of the box."""
    tilt, w = 0.4, np.array([0.0, 1.3, 0.0])
    c, s = math.cos(tilt), math.sin(tilt)
    a, b = 0.5, 0.3  # half lengths along x and z
    arms = np.array([[a * c - b * s, y, -a * s - b * c] for y in (-0.2, 0.2)])
    v = -cross(w, arms[0]) + np.array([0.7, 0.0, 0.0])
    world = floor_world(sliding=0.5)
    world.add_box(
        size=(2 * a, 0.4, 2 * b), mass=1.0, orientation=rc.rotation((0, 1, 0), math.degrees(tilt)),
        position=(0, 0, -arms[0, 2]), velocity=v, angular_velocity=w,
    )  # fmt: skip
    problem = problem_of(world)
    assert problem.contacts == 2
    for k in range(2):
        arm = problem.places.point[k] - [0, 0, -arms[0, 2]]
        assert np.abs(arms - arm).sum(axis=1).min() < 1e-9
        assert np.allclose(
            problem.bias[k, :3], axes_of(problem, k) @ cross(w, cross(w, arm)), atol=1e-6
        )
        assert np.isclose(np.linalg.norm(problem.velocity[k, 1:3]), 0.7)


def test_edges_that_cross():
    """Gap m.(P - Q) / |m| with m = e x f: where it is zero and has no rate its second rate is
    (m''.(P - Q) + 2 m'.(P' - Q') + m.P'') / |m|; the lower box is fixed."""
    lower = rc.rotation((1, 0, 0), 45)  # edge along x at the top
    upper = rc.rotation((0, 1, 0), 45)  # edge along y at the bottom
    half = 0.5 * math.sqrt(2)
    e, f = np.array([1.0, 0, 0]), np.array([0.0, 1.0, 0])
    w = np.array([0.3, -0.8, 1.1])
    v = np.array([0.4, -0.2, 0.0])
    Q, arm = np.array([0.2, 0.0, half]), np.array([0.0, -0.3, -half])
    shift = np.array([0.1, 0.05, 2 * half])
    P = shift + arm
    meeting = np.array([shift[0], 0.0, half]) - shift  # where the edges cross, from the centre
    v[2] = -cross(w, meeting)[2]
    world = rc.World()
    world.add_box(size=(1, 1, 1), orientation=lower, fixed=True)
    world.add_box(
        size=(1, 1, 1), mass=1.0, orientation=upper, position=shift, velocity=v, angular_velocity=w
    )
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    problem = problem_of(world)
    assert problem.contacts == 1
    m, m1, m2 = cross(e, f), cross(e, cross(w, f)), cross(e, cross(w, cross(w, f)))
    P1, P2 = v + cross(w, arm), cross(w, cross(w, arm))
    second = (m2 @ (P - Q) + 2 * m1 @ P1 + m @ P2) / np.linalg.norm(m)
    assert axes_of(problem)[0] @ m > 0.999
    assert problem.bias[0, 0] == pytest.approx(second, abs=1e-6)


def test_ball_on_a_turntable():
    """It rolls without slip: dv/dt = 2/7 W x v, and goes round in circles."""
    W, r = np.array([0.0, 0.0, 2.0]), 0.1
    at, v = np.array([0.7, 0.2, 0.0]), np.array([0.3, -0.5, 0.0])
    world = floor_world(motion=lambda t: ((0, 0, 0), W), sliding=5.0)
    # v + w x (-r n) = W x at, no spin
    slip = cross(W, at) - v
    w = cross(slip, [0, 0, 1.0]) / r
    assert np.allclose(v + cross(w, [0, 0, -r]), cross(W, at))
    world.add_sphere(
        radius=r, mass=1.0, position=at + r * np.array([0, 0, 1]), velocity=v, angular_velocity=w
    )
    found = accelerations(world)[0]
    assert np.allclose(found[:3], 2 / 7 * cross(W, v), atol=1e-7)


def test_plane_that_accelerates():
    """A ball rolls with 2/7 of it; a plane that falls faster than g is left behind."""
    world = floor_world(motion=lambda t: ((3.0 * t, 0, 0), (0, 0, 0)), sliding=5.0)
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 0.2))
    assert accelerations(world)[0, 0] == pytest.approx(6 / 7)
    world = floor_world(motion=lambda t: ((0, 0, -12.0 * t), (0, 0, 0)), sliding=5.0)
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 0.2))
    answer = analyze(world)
    assert answer.motion.modes == "b"
    assert answer.motion.contact_accelerations[0, 0] == pytest.approx(12.0 - G)


def test_time_of_a_motion():
    """sin t: at t the plane has the acceleration cos t."""
    t = 0.6
    world = floor_world(motion=lambda t: ((0, math.sin(t), 0), (0, 0, 0)), sliding=5.0)
    slip = math.sin(t)
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 0.2), velocity=(0, slip, 0))
    assert accelerations(world, time=t)[0, 1] == pytest.approx(2 / 7 * math.cos(t), abs=1e-7)


def test_tilting_plate_lifts_its_ball():
    """A fixed plate begins to turn about y at W': a block at x > 0 is left or carried."""
    for rate, carried in ((0.5, True), (40.0, False)):
        world = floor_world(motion=lambda t, k=rate: ((0, 0, 0), (0, k * t, 0)))
        world.add_sphere(radius=0.1, mass=1.0, position=(0.5, 0, 0.1))
        found = analyze(world).motion
        # the surface falls at rate * 0.5
        assert found.modes == ("r" if carried else "b")
        assert found.accelerations[2] == pytest.approx(-0.5 * rate if carried else -G)


# ---- loads ----


def test_gyroscopic_torque():
    J, w, q = np.array([1.0, 2.0, 3.5]), np.array([0.4, -1.1, 2.0]), rc.rotation((1, 2, 3), 40)
    world = rc.World()
    world.add_box(size=(1, 1, 1), mass=1.0, inertia=J, orientation=q, angular_velocity=w)
    R = rotation_matrix(q)
    local = R.T @ w
    euler = -cross(local, J * local) / J
    assert np.allclose(accelerations(world)[0, 3:], R @ euler)


def test_principal_axes_that_are_not_those_of_the_body():
    J, w = np.array([1.0, 2.0, 3.5]), np.array([0.4, -1.1, 2.0])
    q, p = rc.rotation((1, 2, 3), 40), rc.rotation((3, 0, -1), 70)
    world = rc.World()
    world.add_box(
        size=(1, 1, 1), mass=1.0, inertia=J, principal_axes=p, orientation=q, angular_velocity=w
    )
    R = rotation_matrix(q) @ rotation_matrix(p)
    local = R.T @ w
    assert np.allclose(accelerations(world)[0, 3:], R @ (-cross(local, J * local) / J))


def test_damping_and_loads():
    """Damping is per mass and per angular momentum; loads are constants or functions."""
    v, w, t = np.array([1.0, 2.0, 3.0]), np.array([-0.2, 0.5, 0.1]), 2.5
    world = rc.World(gravity=(0, 0, -G))
    world.add_sphere(
        radius=0.3, mass=2.0, inertia=(0.5, 0.5, 0.5), velocity=v, angular_velocity=w,
        linear_damping=0.7, angular_damping=0.4, force=lambda t, body: (t, body.velocity[1], 0),
        torque=(0, 0.25, 0),
    )  # fmt: skip
    found = accelerations(world, time=t)[0]
    assert np.allclose(found[:3], np.array([t, v[1], 0]) / 2.0 + [0, 0, -G] - 0.7 * v)
    assert np.allclose(found[3:], np.array([0, 0.25, 0]) / 0.5 - 0.4 * w)


def test_the_world_is_left_as_it_is():
    world = floor_world(motion=lambda t: ((0, 1 + t, 0), (0, 0, 0)), sliding=0.3)
    world.add_sphere(radius=0.2, mass=1.0, position=(0, 0, 0.2), velocity=(1, 0, 0))
    before = world.state.copy()
    analyze(world, time=2.0)
    for name in ("position", "orientation", "velocity", "angular_velocity", "force"):
        assert np.array_equal(getattr(world.state, name), getattr(before, name))


# ---- errors ----


def _ball(world, **options):
    return world.add_sphere(radius=0.2, mass=1.0, **({"position": (0, 0, 0.2)} | options))


def test_closing_contact_is_refused_and_an_opening_one_is_told():
    world = floor_world(sliding=0.3)
    ball = _ball(world, velocity=(0, 0, -0.1), name="ball")
    with pytest.raises(rc.InputError, match=r"'ball' close at 0\.1 m/s"):
        analyze(world)
    analyze(world, speed_tolerance=0.2)
    ball.velocity = (0, 0, 0.1)
    problem = problem_of(world)
    assert problem.contacts == 0
    assert problem.places.opening.tolist() == [[0, 1]]


@pytest.mark.parametrize("field", ["velocity", "position", "orientation"])
def test_state_that_is_not_finite(field):
    world = floor_world(sliding=0.3)
    _ball(world, name="ball")
    getattr(world.state, field)[1, 0] = math.nan
    with pytest.raises(rc.InputError, match=f"{field} of body 'ball'"):
        analyze(world)


def test_worlds_that_are_refused():
    with pytest.raises(rc.InputError, match="no body that forces can move"):
        analyze(floor_world())
    soft = floor_world(sliding=0.3, compliance=1e-6)
    _ball(soft)
    with pytest.raises(rc.InputError, match="compliance"):
        analyze(soft)
    with pytest.raises(rc.InputError, match="must be a World"):
        problem_of("world")
    world = floor_world(sliding=0.3)
    _ball(world)
    for bad in (math.nan, math.inf, "soon"):
        with pytest.raises(rc.InputError, match="time"):
            analyze(world, time=bad)
    with pytest.raises(rc.InputError, match="speed_tolerance"):
        analyze(world, speed_tolerance=-1.0)
    _ball(world, force=lambda t, body: (math.nan, 0, 0), position=(1, 0, 0.2), name="mad")
    with pytest.raises(rc.InputError, match="force of 'mad'"):
        analyze(world)


def test_motion_that_gives_nonsense():
    world = floor_world(motion=lambda t: (math.nan, 0, 0), sliding=0.3)
    _ball(world)
    with pytest.raises(rc.InputError, match="motion of"):
        analyze(world)


def test_a_bullet_elsewhere_does_not_spoil_velocity_products():
    """What is far and fast has no say in how far contacts are followed."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_sphere(radius=1.0, fixed=True, position=(100, 0, 0))
    world.add_sphere(radius=0.25, mass=1, position=(100, 0, 1.25), velocity=(2, 0, 0))
    world.add_sphere(radius=1e-6, mass=1e-9, position=(0, 0, 50), velocity=(1000, 0, 0))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    assert problem_of(world).bias[0, 0] == pytest.approx(2.0**2 / 1.25, rel=1e-6)
