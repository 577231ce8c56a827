"""Rebounds that would make energy are lowered, and no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.passive import make_passive
from rollcone.stepping.kernels.work import (
    FREE,
    IMPLICIT,
    OPPOSED,
    OWED,
    PLACES,
    REFUSED,
    ROUNDS,
    BodyArrays,
    ContactWork,
    Motion,
    Settings,
)
from scenes import G, floor_world

TOLERANCE = 1e-3


ARRAYS = {
    "Float": np.float64, "Int": np.int64, "Short": np.int32, "Byte": np.int8,
}  # fmt: skip


def blank(group: type, **given):
    """A group of arguments of a kernel: arrays without rows, and zeros, but for what is given."""
    fields = {}
    for name, kind in group.__annotations__.items():
        kind = getattr(kind, "__forward_arg__", kind)
        if name in given:
            fields[name] = given[name]
        elif kind[:-1] in ARRAYS:
            fields[name] = np.zeros((0,) * int(kind[-1]), dtype=ARRAYS[kind[:-1]])
        else:
            fields[name] = {"float": 0.0, "int": 0, "bool": False}[kind]
    return group(**fields)


class Impacts:
    """Random contacts of n bodies in given islands, with velocities before and after. Some islands
    move at more than the mean velocity, where loads work on; some overlaps are undone, for nothing
    or at the cost of friction."""

    h, gravity = 0.01, np.array([0.0, 2.0, -9.81])

    def __init__(self, n: int, seed: int, rows: int) -> None:
        rng = np.random.default_rng(seed)
        c = int(rng.integers(1, 2 * n + 2))
        root = rng.integers(0, n, n)
        self.n, self.root = n, root[root]  # two levels deep
        self.root[root] = root
        first = rng.integers(0, n, c)
        other = [rng.choice(np.flatnonzero(self.root == self.root[a])) for a in first]
        self.movers = np.stack([first, other], axis=1).astype(np.int32)
        fixed = rng.random(c) < 0.5  # n stands for all that is not dynamic
        self.movers[fixed, rng.integers(0, 2, c)[fixed]] = n
        self.state = rng.choice([FIRST_TOUCH, LASTING], c).astype(np.int8)
        self.start, self.slow = rng.normal(size=c), rng.uniform(0, 0.5, c)
        self.y_before, self.y_after, self.p = rng.normal(size=(3, c, rows))
        self.p[:, 0] = rng.choice([0.0, 1.0], c) * rng.random(c)
        self.temper = rng.choice([1.0, 0.5, 0.25, 0.125, 0.0625, 0.0], c)
        self.restitution = rng.choice([0.0, 0.5, 1.0], c) * self.temper  # what is used now
        self.pushed = rng.choice([0.0, 0.0, 1.0], c) * rng.random(c)
        self.owed = rng.choice([FREE, FREE, FREE, OWED, REFUSED], c).astype(np.int8)
        theta = rng.choice([0.5, 1.0, 0.8], n)
        self.theta = theta[self.root]
        self.mass, self.inertia = rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, (n, 3))
        self.v, self.v_new, self.w = rng.normal(size=(3, n, 3))
        self.force, self.loads = rng.normal(size=(n, 3)), rng.uniform(0, 0.1, c)

    def call(self, tolerance=TOLERANCE, rounds=0):
        """Return how many are changed, the shares of restitution, and the marks `changed`, `ahead`
        and `owed`."""
        c, n = self.p.shape[0], self.n
        control = np.zeros(PLACES, dtype=np.int64)
        control[ROUNDS] = rounds
        marks = {name: np.zeros(c, dtype=np.int8) for name in ("ahead", "changed")}
        marks["owed"] = self.owed.copy()
        work = blank(
            ContactWork, movers=self.movers, touch_state=self.state, start=self.start,
            slow=self.slow, restitution=self.restitution, y_before=self.y_before,
            y_after=self.y_after, p=self.p, temper=self.temper.copy(), pushed=self.pushed,
            loads=self.loads, **marks,
        )  # fmt: skip
        bodies = blank(
            BodyArrays, kind=np.zeros(n, dtype=np.int64), mass=self.mass, inertia=self.inertia,
            velocity=self.v, gravity=self.gravity,
        )  # fmt: skip
        motion = blank(
            Motion, force=self.force, v_new=self.v_new, kick_rate=self.w, theta=self.theta,
            parent=self.root.copy(), gain=np.full((n, 3), np.nan),
        )  # fmt: skip
        settings = blank(Settings, h=self.h, tolerance=tolerance)
        count = make_passive(settings, bodies, motion, work, control)
        return count, work.temper, marks["changed"], marks["ahead"], marks["owed"]


@given(
    st.integers(1, 8), st.integers(0, 2**20), st.sampled_from([3, 6]), st.integers(0, 1),
    st.sampled_from([0.0, TOLERANCE, 0.2]),
)  # fmt: skip
def test_what_is_changed(n, seed, rows, rounds, tolerance):
    """In islands that gain more than the tolerance of what they turn over, where recovery that is
    free may give p_n c / 2 and p_n c, and positions beyond the mean miss work of the loads: first
    touches that rebound are lowered by four times the share that is gained, and again with each
    round; if there are none, recovery that friction owes is refused; if there is none, friction of
    all that lasts is opposed, or where something begins all become first touches."""
    case = Impacts(n, seed, rows)
    count, temper, changed, ahead, owed = case.call(tolerance, rounds)
    acts = case.p[:, 0] > 0
    island = case.root[np.where(case.movers[:, 0] < n, case.movers[:, 0], case.movers[:, 1])]
    lasts = case.state == LASTING
    load = case.h * (case.mass[:, None] * case.gravity + case.force)
    missed = (case.theta - 0.5) * np.sum(load * (case.v_new - case.v), axis=1)
    kinetic = case.mass * np.sum(case.v**2, axis=1)
    kinetic = 0.5 * (kinetic + case.inertia.max(axis=1) * np.sum(case.w**2, axis=1))
    expected, share = case.temper.copy(), np.zeros(len(acts))
    begins = np.zeros(len(acts), dtype=bool)
    for i in np.flatnonzero(acts):
        mine, bodies = acts & (island == island[i]), case.root == island[i]
        work = 0.5 * case.p[mine] * np.array([case.y_before[mine], case.y_after[mine]])
        given = np.where(lasts, 0.5, 1.0) * case.p[:, 0] * case.pushed * (case.owed == FREE)
        gain = work.sum() - given[mine].sum() - missed[bodies].sum()
        turned = np.abs(work).sum() + np.abs(missed[bodies]).sum()
        turned += case.p[mine, 0] @ case.loads[mine]
        if gain > max(1e-9, tolerance) * turned + 1e-12 * kinetic[bodies].sum():
            share[i] = gain / turned
            begins[i] = (mine & ~lasts).any() or case.theta[island[i]] > 0.5
    strikes = (case.start < -case.slow) & (case.restitution > 0) & ~lasts & (share > 0)
    expected[strikes] *= np.maximum(0.0, 1 - 4.0 ** (rounds + 1) * np.maximum(share[strikes], 1e-6))
    np.testing.assert_allclose(temper, expected, rtol=0, atol=1e-12)
    if strikes.any():
        assert count == strikes.sum()
        assert not (changed | ahead).any()
        return
    refused = (case.owed == OWED) & (case.pushed > 0) & (share > 0)
    np.testing.assert_array_equal(owed, np.where(refused, REFUSED, case.owed))
    if refused.any():
        assert count == refused.sum()
        assert not (changed | ahead).any()
        return
    wanted = np.where(share > 0, np.where(begins, IMPLICIT, OPPOSED), 0)
    np.testing.assert_array_equal(changed, wanted)
    np.testing.assert_array_equal(ahead, wanted == IMPLICIT)
    assert count == (changed != 0).sum()


def test_what_a_solve_leaves_is_no_gain():
    """An elastic impact and a contact that gains 1e-5 of what is turned over."""
    case = Impacts(1, 0, 3)
    case.movers, case.root = np.array([[0, 1], [1, 0]], dtype=np.int32), np.zeros(1, dtype=np.int64)
    case.state, case.start, case.slow = np.zeros(2, dtype=np.int8), -np.ones(2), np.zeros(2)
    case.restitution, case.temper, case.pushed = np.ones(2), np.ones(2), np.zeros(2)
    case.theta, case.loads = np.full(1, 0.5), np.zeros(2)
    case.p, case.y_before, case.y_after = np.zeros((3, 2, 3))
    case.p[:, 0], case.y_before[:, 0] = 1.0, -1.0
    case.y_after[:, 0] = 1.0, 1.0 + 4e-5
    assert case.call(1e-3)[0] == 0
    assert case.call(1e-6)[:2] == (2, pytest.approx([1 - 4e-5, 1 - 4e-5], abs=1e-8))
    case.y_after[:, 0] = 1.0 + 1e-11  # rounding, however small the tolerance
    assert case.call(0.0)[0] == 0


def energies(run: rc.Run) -> np.ndarray:
    return run.energy.kinetic + run.energy.potential


def column(gap: float, h: float, scheme: rc.GapAhead | None = None, count: int = 10) -> rc.Run:
    """Elastic balls of 50 mm radius one above the other, dropped on the floor."""
    world = floor_world(rc.ContactLaw(restitution=1.0))
    for k in range(count):
        world.add_sphere(radius=0.05, mass=1, position=(0, 0, 0.05 + (k + 1) * gap + 0.1 * k))
    return rc.simulate(world, until=1.5, step=h, scheme=scheme)


@pytest.mark.parametrize("h", [0.005, 0.002])
def test_a_column_of_elastic_balls_keeps_its_energy(h):
    """Where steps are divided each impact is that of two balls."""
    run = column(0.02, h)
    energy = energies(run)
    assert run.divided.sum() > 20
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-9
    assert run.overlap.max() < 1e-9


@pytest.mark.parametrize("h", [0.005, 0.002])
def test_a_column_of_elastic_balls_makes_no_energy_where_steps_are_not_divided(h):
    """Struck balls meet the next ones within the step, where the law taken at its word would.
    What steps can add by themselves is m g h (v+ - v) / 2 where positions move with more of v+
    than one half, and m (g h)^2 / 8 of a ball that would hop within a step."""
    run = column(0.02, h, rc.GapAhead(max_impacts=0))
    energy = energies(run)
    assert run.tempered.sum() > 0
    assert energy.max() <= (1 + 1e-9) * energy[0]
    rises = np.maximum(np.diff(energy), 0.0)
    assert rises.max() <= 0.5 * G * h
    assert rises.sum() <= 1e-3 * energy[0]
    assert run.overlap.max() < 1e-9
    heights = run.states("position")[:, 1:, 2]
    assert (np.diff(heights, axis=1) >= 0.1 - 1e-9).all()


@pytest.mark.parametrize("sliding", [0.0, 0.5])
def test_a_heap_that_bounces_with_friction_makes_no_energy(sliding):
    rng = np.random.default_rng(4)
    world = floor_world(rc.ContactLaw(sliding=sliding, restitution=0.9))
    for k in range(12):
        world.add_sphere(
            radius=0.05, mass=1, position=(*rng.uniform(-0.03, 0.03, 2), 0.1 + 0.11 * k),
            velocity=rng.normal(size=3), angular_velocity=20 * rng.normal(size=3),
        )  # fmt: skip
    run = rc.simulate(world, until=0.5, step=0.005)
    assert run.converged
    energy = energies(run)
    assert np.diff(energy).max() <= 1e-9 * energy[0]
    assert energy[-1] < energy[0]


@pytest.mark.parametrize("e", [0.3, 1.0])
def test_a_single_impact_is_left_alone(e):
    """Of two balls in line, of one with the floor, and of one that spins, with friction."""
    for sliding in (0.0, 0.4):
        world = floor_world(rc.ContactLaw(sliding=sliding, restitution=e))
        ball = world.add_sphere(
            radius=0.1, mass=1, position=(0, 0, 0.15), velocity=(1, 0, -3),
            angular_velocity=(0, 20, 0),
        )  # fmt: skip
        one = world.add_sphere(radius=0.1, mass=1, position=(0, 5, 9), velocity=(0, 2, 0))
        other = world.add_sphere(radius=0.1, mass=3, position=(0, 5.25, 9))
        run = rc.simulate(world, until=0.1, step=0.005)
        assert run.tempered.sum() == 0
        fall = run.body(ball).velocity[:, 2] + G * run.time
        assert fall[0] == pytest.approx(-3)
        speed = np.sqrt(9 + 2 * G * 0.05)  # at the floor
        assert fall[-1] == pytest.approx(e * speed + speed - 3, rel=1e-9)
        apart = run.body(other).velocity[-1, 1] - run.body(one).velocity[-1, 1]
        assert apart == pytest.approx(2 * e, rel=1e-9)


@pytest.mark.parametrize("struck", [1, 2, 4])
def test_cradles_are_left_alone(struck):
    """Equal balls with gaps of a step or more between them pass the velocity on."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(restitution=1.0))
    world.add_sphere(radius=0.05, mass=1, velocity=(1, 0, 0))
    for k in range(struck):
        world.add_sphere(radius=0.05, mass=1, position=(0.15 * (k + 1), 0, 0))
    run = rc.simulate(world, until=0.5, step=0.005)
    assert run.tempered.sum() == 0
    final = run.states("velocity")[-1, :, 0]
    np.testing.assert_allclose(final, [0] * struck + [1], atol=1e-9)
    np.testing.assert_allclose(run.energy.kinetic, 0.5, rtol=1e-12)


@pytest.mark.parametrize("scheme", [rc.DVI(), rc.MoreauJean()])
def test_other_schemes_lower_nothing(scheme):
    world = floor_world(rc.ContactLaw(sliding=0.3, restitution=1.0))
    world.add_box(
        size=(1, 0.02, 0.02), mass=1, orientation=(0.9, 0, 0.435889894354, 0),
        position=(0, 0, 0.45), velocity=(-1, 0, -1),
    )  # fmt: skip
    assert not rc.simulate(world, until=0.1, step=0.01, scheme=scheme).tempered.any()
