"""Redundant and compliant joints: loads are shared evenly, whatever has been before, and turning
does not feed their springs. Speeds that are prescribed, ropes of other schemes, servos at rest."""

import math

import numpy as np
import pytest

import rollcone as rc

G, MASS = 9.81, 2.0
PLACES = (-0.2, 0.0, 0.2)


def swinging(places, spin=0.0, gravity=G, **options) -> rc.World:
    """A rod on hinges along one axis, from the side."""
    world = rc.World(gravity=(0, 0, -gravity))
    rod = world.add_box(
        size=(1, 0.05, 0.05), mass=MASS, position=(0.5, 0, 0), velocity=(0, 0, -0.5 * spin),
        angular_velocity=(0, spin, 0),
    )  # fmt: skip
    for k, y in enumerate(places):
        world.add_joint(
            kind="revolute", body=rod, point=(0, y, 0), axis=(0, 1, 0), name=f"hinge {k}", **options
        )
    return world


def add_a_resting_ball(world: rc.World) -> None:
    """Far away: then rows are solved by methods for contacts."""
    world.add_plane(point=(0, 0, -3))
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    world.add_sphere(radius=0.1, mass=1.0, position=(3, 0, -2.9))


def forces(run: rc.Run, count: int) -> np.ndarray:
    return np.array([run.joint(f"hinge {k}").force[1:] for k in range(count)])


@pytest.mark.parametrize(
    "compliance", [0.0, *(pytest.param(c, marks=pytest.mark.slow) for c in (1e-12, 1e-8))]
)
def test_three_hinges_carry_a_third_each(compliance):
    """For 2000 steps of swinging; two that are not symmetric carry, together, no more than one."""
    run = rc.simulate(swinging(PLACES, compliance=compliance), until=20.0, step=0.01)
    assert run.converged
    one = rc.simulate(swinging([0.0]), until=20.0, step=0.01)
    found, whole = forces(run, 3), forces(one, 1)[0]
    settled = slice(100, None)  # springs begin without a load
    close = 1e-3 if compliance < 1e-9 else 0.02
    np.testing.assert_allclose(found[:, settled], found[:1, settled].repeat(3, axis=0), atol=close)
    np.testing.assert_allclose(
        np.linalg.norm(found, axis=2).sum(axis=0)[-500:].max(),
        np.linalg.norm(whole, axis=1)[-500:].max(), rtol=1e-2,
    )  # fmt: skip


@pytest.mark.slow
def test_forces_do_not_grow_beside_contacts():
    world = swinging(PLACES)
    add_a_resting_ball(world)
    run = rc.simulate(world, until=10.0, step=0.01)
    sums = np.linalg.norm(forces(run, 3), axis=2).sum(axis=0)
    assert sums.max() < 1.02 * 2.5 * MASS * G  # 5/2 m g at the bottom


@pytest.mark.parametrize("hinges", [3, 5])
def test_friction_by_load_is_that_of_one_hinge(hinges):
    places = np.linspace(-0.2, 0.2, hinges)
    friction = rc.JointFriction(coefficient=0.1, radius=0.05)
    ends = []
    for chosen in ([0.0], places):
        run = rc.simulate(swinging(chosen, angle=friction), until=5.0, step=0.01)
        assert run.converged
        ends.append((run.energy.kinetic + run.energy.potential)[-1])
    assert ends[1] == pytest.approx(ends[0], rel=1e-5)


@pytest.mark.parametrize("kind", ["revolute", "spherical"])
@pytest.mark.parametrize("compliance", [1e-4, 1e-6, 1e-8, 1e-12])
def test_stiff_joints_of_what_turns_do_not_gain_energy(kind, compliance):
    """0.2 rad per step, for 500 steps; the spring's energy is F^2 C / 2 when it has settled."""
    world = swinging([], spin=20.0, gravity=0.0)
    axis = {"axis": (0, 1, 0)} if kind == "revolute" else {}
    world.add_joint(
        kind=kind, body=0, point=(0, 0, 0), name="hinge 0", compliance=compliance, **axis
    )
    run = rc.simulate(world, until=5.0, step=0.01)
    assert run.converged
    energy = run.energy
    total = energy.kinetic + energy.potential
    assert total.max() < 1.01 * total[0]
    assert total[-1] > 0.85 * total[0]
    if compliance <= 1e-8:
        force = np.linalg.norm(forces(run, 1)[0][-1])
        assert energy.potential[-1] == pytest.approx(force**2 * compliance / 2, rel=0.05)
        assert np.abs(energy.remainder).max() < 0.05 * total[0]


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("speed", [10.0, 100.0])
def test_a_prescribed_speed_is_kept(speed, beside):
    """Also at a radian per step, and beside contacts."""
    world = swinging([0.0], gravity=0.0, angle=rc.Motor(speed=speed))
    if beside:
        add_a_resting_ball(world)
    run = rc.simulate(world, until=0.5, step=0.01)
    track = run.joint("hinge 0")
    np.testing.assert_allclose(track.rate["angle"][1:], speed, rtol=1e-12)
    assert track.coordinate["angle"][-1] == pytest.approx(0.5 * speed, rel=0.03)
    work = 0.5 * MASS * (1 / 3) * speed**2
    if speed == 10.0:
        assert run.energy.drive[-1] == pytest.approx(work, rel=0.02)


def test_ropes_of_dvi_stretch_no_more_than_rods():
    lengths = []
    for kind in ("link", "distance"):
        world = rc.World(gravity=(0, 0, -G))
        ball = world.add_sphere(radius=0.05, mass=1.0, position=(1, 0, 0))
        limit = {"length": rc.Limits(upper=1.0)} if kind == "link" else {}
        world.add_joint(kind=kind, body=ball, point=(0, 0, 0), name="rope", **limit)
        run = rc.simulate(world, until=10.0, step=0.01, scheme=rc.DVI())
        lengths.append(run.joint("rope").coordinate["length"])
    np.testing.assert_allclose(lengths[0], lengths[1], atol=5e-6)
    assert lengths[0].max() < 1.001


@pytest.mark.parametrize("h", [1e-3, 7e-4, 1.1e-3, 1e-4])
def test_two_ropes_rebound(h):
    """However the end of the ropes lies in a step."""
    world = rc.World()
    ball = world.add_sphere(radius=0.05, mass=1.0, position=(0, 0, -0.99), velocity=(0, 0, -1))
    for x in (-0.1, 0.1):
        rope = rc.Limits(upper=math.hypot(x, 1), restitution=1.0)
        world.add_joint(kind="link", body=ball, point=(x, 0, 0), length=rope)
    run = rc.simulate(world, until=0.1, step=h)
    np.testing.assert_allclose(run.body(ball).velocity[-1], (0, 0, 1), atol=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    "other", [rc.JointFriction(limit=0.5), rc.Spring(stiffness=2.0, rest=0.0)], ids=lambda e: e.word
)
def test_a_servo_at_rest_converges(other, beside):
    """Its error dies out to nothing, while forces stay."""
    world = rc.World()
    box = world.add_box(size=(0.2, 0.2, 0.1), mass=1.0, inertia=(0.02, 0.02, 0.05))
    servo = rc.Motor(position=1.0, limit=5.0)
    world.add_joint(
        kind="revolute", body=box, point=(0, 0, 0), axis=(0, 0, 1), angle=[servo, other], name="j"
    )
    if beside:
        add_a_resting_ball(world)
    run = rc.simulate(world, until=8.0, step=0.01, strict=True)
    assert run.joint("j").coordinate["angle"][-1] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("drive", ["position", "speed"])
def test_functions_of_time_are_not_asked_for_what_was_before(drive):
    asked = []

    def root(t: float) -> float:
        asked.append(t)
        return 0.1 * math.sqrt(t)

    world = swinging([0.0], gravity=0.0, angle=rc.Motor(**{drive: root}))
    rc.simulate(world, until=0.05, step=0.01)
    assert min(asked) >= 0.0


@pytest.mark.parametrize("scheme", [rc.GapAhead(), rc.DVI()], ids=lambda s: s.name)
def test_what_unresolved_springs_take_is_told(scheme):
    """Let go at rest a weight sags by m g / k; half of its work is in the spring, half is gone."""
    world = rc.World(gravity=(0, 0, -10))
    box = world.add_box(size=(1, 1, 1), mass=5.0)
    world.add_joint(
        kind="prismatic", body=box, axis=(0, 0, 1), slide=rc.Spring(stiffness=1e7), name="guide"
    )
    run = rc.simulate(world, until=0.5, step=0.01, scheme=scheme)
    assert run.joint("guide").coordinate["slide"][-1] == pytest.approx(-5e-6, rel=1e-6)
    assert run.energy.joints[-1] == pytest.approx(-1.25e-4, rel=1e-6)
    assert abs(run.energy.remainder[-1]) < 1e-12
    assert "unexplained" not in run.summary()


def test_a_chain_that_falls_on_all_its_stops():
    """Twenty-four of them, one after the other: none is passed, and joints stay closed."""
    world, base = rc.World(gravity=(0, 0, -G)), None
    for k in range(24):
        link = world.add_capsule(
            radius=0.01, length=0.08, mass=1.0, position=((k + 0.5) * 0.1, 0, 0),
            orientation=rc.rotation((0, 1, 0), 90),
        )  # fmt: skip
        world.add_joint(
            kind="revolute", body=link, base=base, point=(k * 0.1, 0, 0), axis=(0, 1, 0),
            angle=rc.Limits(lower=-0.1, upper=0.1),
        )  # fmt: skip
        base = link
    run = rc.simulate(world, until=0.5, step=0.005)
    assert run.converged
    assert run.drift.max() < 1e-6
    angles = np.array([run.joint(k).coordinate["angle"] for k in range(24)])
    assert 0.1 - 1e-9 < np.abs(angles).max() < 0.1 + 1e-6
