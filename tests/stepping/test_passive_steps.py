"""Impulses at one orientation: thin bodies that spin by radians per step tumble as they should,
keep their momenta when they meet, gain no energy, and the audit explains each step to rounding."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import rollcone as rc
from scenes import G, angular_momentum, floor_world, inertia_tensors

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.passive_runs import audit_remainder, masses
from benchmarks.passive_worlds import passive_world

UP = np.array([0.0, 0.0, 1.0])
NEEDLE = (2e-3, 2e-3, 0.3)  # m; its moments differ by 11,250
THIN = {
    "needle": {"size": NEEDLE},
    "lath": {"size": (2e-3, 3e-3, 0.3)},
    "plate": {"size": (0.2, 0.2, 2e-3)},
    "box": {"size": (0.1, 0.2, 0.15)},
}


@pytest.mark.parametrize("h", [0.002, 0.005, 0.02])
def test_a_needle_that_spins_by_radians_per_step_tumbles_at_its_true_rate(h):
    """R(t) = exp(t L / J) R exp(t (1 - J_a / J) Omega_a e_a): 2 rad per step about its axis, and
    across at some rad/s, which the mean of rates before and after would halve."""
    world = rc.World(gravity=(0, 0, -G))
    turn = Rotation.from_rotvec([0.4, -1.1, 0.3])
    own = np.array([3.0, -1.0, 2.0 / h])
    needle = world.add_box(
        size=NEEDLE, density=7800, orientation=turn.as_quat(scalar_first=True),
        velocity=(1, 0, 2), angular_velocity=turn.apply(own),
    )  # fmt: skip
    across, along = needle.inertia[0], needle.inertia[2]
    momentum = turn.apply(np.array([across, across, along]) * own)
    run = rc.simulate(world, until=50 * h, step=h)
    track = run.body(needle)
    axis = Rotation.from_quat(track.orientation, scalar_first=True).apply(UP)
    for k, t in enumerate(run.time):
        exact = Rotation.from_rotvec(t * momentum / across) * turn
        spin = Rotation.from_rotvec([0, 0, t * (1 - along / across) * own[2]])
        np.testing.assert_allclose(axis[k], exact.apply(UP), atol=1e-11)
        found = Rotation.from_quat(track.orientation[k], scalar_first=True)
        assert ((exact * spin).inv() * found).magnitude() < 1e-11 * (1 + k)
    assert np.linalg.norm(momentum / across) * run.time[-1] > 0.3  # it does tumble
    kinetic = run.energy.kinetic + run.energy.potential
    np.testing.assert_allclose(kinetic, kinetic[0], rtol=1e-12)


def thrown(names, seed: int, h: float, e: float, mu: float) -> rc.World:
    """Bodies that fly at the first one, and turn by up to 1.5 rad per step, without gravity."""
    rng = np.random.default_rng(seed)
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=e))
    for k, name in enumerate(names):
        place = 0.25 * k * np.array([np.cos(2 * k), np.sin(2 * k), 0.2])
        world.add_box(
            **THIN[name], density=1000, position=place, velocity=-5.0 * place,
            orientation=Rotation.random(random_state=seed + k).as_quat(scalar_first=True),
            angular_velocity=rng.normal(size=3) * rng.choice([1.0, 10.0, 0.5 / h]),
        )  # fmt: skip
    return world


def momenta(world: rc.World, run: rc.Run, k: int):
    states = ("position", "orientation", "velocity", "angular_velocity")
    x, q, v, w = (run.states(name)[k] for name in states)
    return world.state.mass @ v, angular_momentum(world, x, q, v, w)


@given(
    names=st.lists(st.sampled_from(sorted(THIN)), min_size=2, max_size=3),
    seed=st.integers(0, 2**20), h=st.sampled_from([0.005, 0.01, 0.02]),
    e=st.sampled_from([0.0, 0.5]), mu=st.sampled_from([0.0, 0.3, 1.0]),
)  # fmt: skip
@settings(max_examples=15)
def test_free_bodies_that_meet_keep_their_momentum_and_gain_nothing(names, seed, h, e, mu):
    """Linear momentum in all steps, the angular one where nothing touches; kinetic energy but for
    what undoing overlaps gives."""
    world = thrown(names, seed, h, e, mu)
    run = rc.simulate(world, until=0.3, step=h)
    linear, angular = zip(*(momenta(world, run, k) for k in range(len(run.time))), strict=True)
    speed, turning = momentum_scales(world, run)
    assert np.abs(np.array(linear) - linear[0]).max() < 1e-11 * speed
    free = run.contact_count[1:] == 0
    assert np.abs(np.diff(angular, axis=0)[free]).max() < 1e-12 * turning
    audit = run.energy
    rises = np.diff(audit.kinetic) - np.maximum(np.diff(audit.correction), 0.0)
    assert rises.max() < 1e-9 * audit.kinetic[0]


def momentum_scales(world: rc.World, run: rc.Run) -> tuple[float, float]:
    """The largest sums of m |v|, and of m |v| r and the turning of each body."""
    states = ("position", "velocity", "orientation", "angular_velocity")
    mass, x, v, q, w = world.state.mass, *(run.states(name) for name in states)
    speeds, far = np.linalg.norm(v, axis=2), np.linalg.norm(x, axis=2)
    spins = [np.einsum("nij,nj->ni", inertia_tensors(world, q[k]), w[k]) for k in range(len(x))]
    turning = np.linalg.norm(spins, axis=2).sum(axis=1)
    return (mass * speeds).sum(axis=1).max(), ((mass * speeds * far).sum(axis=1) + turning).max()


def test_thrown_bodies_do_meet():
    """What the test above says is not empty."""
    hit = 0
    for seed in range(12):
        world = thrown(["needle", "plate", "lath"], seed, 0.01, 0.5, 0.3)
        hit += rc.simulate(world, until=0.3, step=0.01).contact_count.max() > 0
    assert hit >= 6


def strikes(name: str, seed: int, h: float, e: float, mu: float, spin: float):
    """A body that comes down with a corner on a free plate which it touches already, for one step:
    changes of both momenta, relative, and whether that corner is all that touched in it."""
    rng = np.random.default_rng(seed)
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=mu, restitution=e))
    world.add_box(**THIN["plate"], density=1000, position=(0, 0, -1e-3))
    turn = Rotation.random(random_state=seed)
    signs = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
    corners = turn.apply(signs * THIN[name]["size"])
    world.add_box(
        **THIN[name], density=1000, position=(0.01, 0.02, 0) - corners[corners[:, 2].argmin()],
        orientation=turn.as_quat(scalar_first=True), velocity=(0.5, 0.2, -2),
        angular_velocity=spin * rng.normal(size=3),
    )  # fmt: skip
    run = rc.simulate(world, until=h, step=h)
    (linear, angular), (after, turned) = (momenta(world, run, k) for k in (0, 1))
    speed, turning = momentum_scales(world, run)
    last = run.contacts(-1)
    alone = len(last) == 1 and abs(last.gap[0]) < 1e-12 and last.reaction[0, 0] > 0
    off = np.abs(after - linear).max() / speed, np.abs(turned - angular).max() / turning
    return (*off, alone)


@pytest.mark.parametrize("mu", [0.0, 0.5])
@pytest.mark.parametrize("h", [0.005, 0.02])
def test_an_impact_between_bodies_that_touch_keeps_both_momenta(h, mu):
    """At the one point of an inelastic impact, with friction and spin, at any step."""
    found = 0
    for name in THIN:
        for seed in range(6):
            for spin in (0.0, 10.0, 100.0):
                linear, angular, alone = strikes(name, seed, h, 0.0, mu, spin)
                assert linear < 1e-13
                found += alone
                assert not alone or angular < 1e-11, (name, seed, spin)
    assert found >= 15


def test_a_rebound_between_bodies_that_touch_keeps_both_momenta():
    for seed in range(6):
        _, angular, alone = strikes("box", seed, 0.005, 0.5, 0.0, 0.0)
        assert not alone or angular < 1e-11


def test_free_bodies_that_meet_within_a_step_keep_their_angular_momentum():
    for seed in range(6):
        world = thrown(["box", "box"], seed, 0.005, 0.0, 0.0)
        run = rc.simulate(world, until=0.3, step=0.005)
        _, angular = zip(*(momenta(world, run, k) for k in range(len(run.time))), strict=True)
        assert np.ptp(angular, axis=0).max() < 1e-11 * momentum_scales(world, run)[1]


class Sliding:
    """A capsule whose lower end slides on the floor, or a disk that rolls: Newton and Euler with
    the force that keeps the lowest point on the floor, or at rest."""

    def __init__(self, inertia, mass: float, lowest, mu: float | None) -> None:
        self.inertia, self.mass, self.lowest, self.mu = np.diag(inertia), mass, lowest, mu

    def slope(self, _, y):
        q, v, w = y[3:7], y[7:10], y[10:]
        turn = Rotation.from_quat(q, scalar_first=True).as_matrix()
        tensor = turn @ self.inertia @ turn.T
        r, dr = self.lowest(turn, w)
        lever = np.cross(np.eye(3), r)  # lever @ w = w x r
        inverse = np.linalg.inv(tensor)
        # u' = v' + w' x r + w x dr, with the force f at r.
        free = -G * UP + np.cross(inverse @ -np.cross(w, tensor @ w), r) + np.cross(w, dr)
        gives = np.eye(3) / self.mass + lever @ inverse @ lever.T
        if self.mu is None:  # at rest
            force = np.linalg.solve(gives, -free)
        else:
            slip = v + np.cross(w, r)
            slip[2] = 0.0
            way = UP - (self.mu * slip / np.linalg.norm(slip) if self.mu else 0.0)
            force = -(UP @ free) / (UP @ gives @ way) * way
        dq = 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])])
        dw = inverse @ (np.cross(r, force) - np.cross(w, tensor @ w))
        return np.concatenate([v, dq, force / self.mass - G * UP, dw])


def end_of_capsule(length: float, radius: float):
    def lowest(turn, w):
        end = 0.5 * length * turn[:, 2]
        end = end if end[2] < 0 else -end
        return end - radius * UP, np.cross(w, end)

    return lowest


def rim_of_disk(radius: float):
    def lowest(turn, w):
        a = turn[:, 2]
        da, sine = np.cross(w, a), np.hypot(a[0], a[1])
        up = (UP - a[2] * a) / sine
        dup = (da[2] * a + a[2] * da - up * a[2] * da[2] / sine) / -sine
        return -radius * up, -radius * dup

    return lowest


def smooth_case(name: str):
    """World, equations, until (s): one contact that lasts; nothing changes its mode."""
    if name == "disk":
        R, mass, w = 0.25, 1.0, np.array([0.3, 3.0, 2.0])
        inertia = np.array([0.25, 0.25, 0.5]) * mass * R**2
        q = rc.rotation((1, 0, 0), 60)
        equations = Sliding(inertia, mass, rim_of_disk(R), None)
        world, until = floor_world(rc.ContactLaw(sliding=50.0)), 0.32
        add, size = world.add_disk, {"radius": R}
    else:
        mu, spin = (0.0, 0.8) if name == "rod" else (0.1, 3.0)
        radius, length, mass, w = 0.02, 0.46, 0.3, np.array([0.6, -0.4, spin])
        inertia = mass * np.array([length**2 / 12, length**2 / 12, 0.5 * radius**2])
        q = rc.rotation((1, 0.3, 0), 35)
        equations = Sliding(inertia, mass, end_of_capsule(length, radius), mu)
        world, until = floor_world(rc.ContactLaw(sliding=mu)), 0.16
        add, size = world.add_capsule, {"radius": radius, "length": length}
    turn = Rotation.from_quat(q, scalar_first=True).as_matrix()
    r, _ = equations.lowest(turn, w)
    v = -np.cross(w, r)
    if name != "disk":
        v[:2] = (1.0, 0.5) if mu else 0.0
    body = add(
        **size, mass=mass, inertia=tuple(inertia), position=-r[2] * UP, orientation=q, velocity=v,
        angular_velocity=w,
    )  # fmt: skip
    return world, body, equations, np.concatenate([-r[2] * UP, q, v, w]), until


@pytest.mark.parametrize(("name", "most"), [("rod", 2e-5), ("spinning rod", 1e-4), ("disk", 2e-4)])
def test_smooth_phases_are_of_second_order(name, most):
    """A rod falls while its tip slides, without friction, and spinning with it; a disk wobbles."""
    errors = []
    for h in (8e-3, 4e-3, 2e-3, 1e-3):
        world, body, equations, start, until = smooth_case(name)
        run = rc.simulate(world, until=until, step=h)
        exact = solve_ivp(
            equations.slope, (0, until), start, method="DOP853", rtol=1e-11, atol=1e-12
        ).y[:, -1]
        track = run.body(body)
        turned = Rotation.from_quat(track.orientation[-1], scalar_first=True)
        turned = turned * Rotation.from_quat(exact[3:7], scalar_first=True).inv()
        off = np.linalg.norm(track.position[-1] - exact[:3]) + 0.125 * turned.magnitude()
        errors.append(off)
        assert (run.contact_count[1:] == 1).all()
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert errors[0] < most, errors
    assert np.abs(orders - 2.0).max() < 0.3, (errors, orders)
    assert np.log2(errors[0] / errors[-1]) / 3 > 1.9, errors


def leaning_block(share: float) -> rc.World:
    """1 x 0.25 m on a slope, at a share of the angle at which it tips over its lower edge."""
    angle = share * np.arctan(0.25)
    world = rc.World(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=2.0))
    world.add_box(size=(0.25, 0.4, 1.0), density=1000, position=(0, 0, 0.5))
    return world


def moved(world: rc.World, until: float) -> float:
    run = rc.simulate(world, until=until, step=5e-3, record_every=20)
    assert run.converged
    return max(
        np.abs(run.states(name) - run.states(name)[0]).max() for name in ("position", "orientation")
    )


def test_a_block_stands_just_below_its_angle_and_falls_above():
    assert moved(leaning_block(0.99), 2.0) < 1e-13
    assert moved(leaning_block(1.01), 2.0) > 1e-2


@pytest.mark.slow
def test_a_block_stands_just_below_its_angle_for_a_minute():
    assert moved(leaning_block(0.99), 60.0) < 1e-12


@pytest.mark.parametrize("name", ["cube", "plate", "needle", "capsule"])
@pytest.mark.parametrize("drop", [0.0, 0.05])
def test_what_lies_is_at_rest(name, drop):
    """Laid down, or dropped while it slides: rest to rounding, on the floor."""
    world = floor_world(rc.ContactLaw(sliding=0.5))
    lying = rc.rotation((0, 1, 0), 90)
    given_by = {
        "cube": lambda z: world.add_box(size=(0.1,) * 3, density=1000, position=(0, 0, 0.05 + z)),
        "plate": lambda z: world.add_box(**THIN["plate"], density=1000, position=(0, 0, 1e-3 + z)),
        "needle": lambda z: world.add_box(
            size=NEEDLE, density=1000, position=(0, 0, 1e-3 + z), orientation=lying
        ),
        "capsule": lambda z: world.add_capsule(
            radius=2e-3, length=0.3, density=1000, position=(0, 0, 2e-3 + z), orientation=lying
        ),
    }
    body = given_by[name](drop)
    body.velocity = (0, 0.5, 0) if drop and name != "capsule" else (0, 0, 0)
    run = rc.simulate(world, until=1.0, step=5e-3)
    track = run.body(body)
    assert np.abs(track.velocity[-1]).max() < 1e-13
    assert np.abs(track.angular_velocity[-1]).max() < 1e-12
    assert run.overlap.max() < 1e-6 * 2e-3
    assert abs(track.position[-1, 2] - track.position[0, 2] + drop) < 1e-8


@pytest.mark.parametrize(("drop", "heals"), [(5.0, True), (0.0, False)])
def test_what_rests_in_overlap_uses_what_contacts_have_taken(drop, heals):
    """A box is set half a millimetre into the floor: it is lifted if it has fallen before, which
    takes less than 2e-4 of the energy of the fall, and else stays where it is."""
    world = floor_world(rc.ContactLaw(sliding=0.5))
    box = world.add_box(size=(0.1,) * 3, density=1000, position=(0, 0, 0.05 + drop))
    simulation = rc.Simulation(world, step=5e-3)
    simulation.advance(2.0)
    box.position = (0, 0, 0.05 - 5e-4)
    run = simulation.advance(4.0)
    assert box.position[2] - 0.05 == pytest.approx(0.0 if heals else -5e-4, abs=1e-6)
    assert run.energy.correction[-1] < 2e-4 * G * drop + 1e-12
    assert np.abs(box.velocity).max() < 1e-12


def unexplained(seeds) -> dict[int, float]:
    """Return the seeds of random worlds in which some step has a remainder, and how large: rounding
    counts as 1e-10 of what the step turns over. Joints leave up to 1e-8 of it, 1e-13 of K; each
    part of a divided step has rounding of its own. (Steps are not divided where coins roll.)"""
    wrong = {}
    for seed in seeds:
        made = passive_world(seed)
        try:
            run = rc.simulate(made.world, until=40 * made.step, step=made.step, max_substeps=1)
        except rc.RollconeError:
            continue  # told, not hidden
        left = audit_remainder(run.energy, masses(made) * G * made.size)
        parts = 1e-9 if run.divided.any() else 1.000001e-10
        if left > (1e-8 if made.joined else parts):
            wrong[seed] = left
    return wrong


@pytest.mark.parametrize("block", range(4))
def test_the_audit_of_random_worlds_leaves_rounding(block):
    """Thin bodies of all shapes, from 1 mm to 10 m, on planes, in bowls, on meshes, joined too."""
    assert not unexplained(range(12 * block, 12 * block + 12))


@pytest.mark.slow
def test_the_audit_of_hundreds_of_random_worlds_leaves_rounding():
    assert not unexplained(range(300))
