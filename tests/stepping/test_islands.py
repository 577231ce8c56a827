"""Islands against SciPy, and their mean velocities: as little of v+ as lets nothing overlap."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rollcone.stepping.kernels.contact import FIRST_TOUCH, LASTING
from rollcone.stepping.kernels.island import island_weights, mean_velocities

H = 0.1
SMALL = 1e-6


class Touches:
    """Contacts between n bodies with velocities before and after a step in which nothing has to
    overlap: gap + h u_n+ >= 0."""

    def __init__(self, n: int, seed: int, share: float, first: float) -> None:
        rng = np.random.default_rng(seed)
        self.joined, self.joint_theta = np.zeros((0, 2), dtype=np.int32), np.zeros(0)
        c = int(rng.integers(0, 2 * n)) if n > 1 else 0
        self.n, self.dynamic = n, rng.random(n) < 0.8
        self.bodies = np.zeros((c, 2), dtype=np.int32)
        for pair in self.bodies:
            pair[:] = rng.choice(n, 2, replace=False)
        normal = rng.normal(size=(c, 3))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        self.frames = np.concatenate([normal[:, None], np.full((c, 2, 3), np.nan)], axis=1)
        self.arms = 0.3 * rng.normal(size=(c, 6))
        self.v, self.w, self.v_new, self.w_new = rng.normal(size=(4, n, 3))
        self.v_new[~self.dynamic] = self.v[~self.dynamic]
        self.w_new[~self.dynamic] = self.w[~self.dynamic]
        self.state = np.where(rng.random(c) < first, FIRST_TOUCH, LASTING).astype(np.int8)
        self.acts = rng.random(c) < share
        room = np.where(self.acts, 0.0, rng.choice([0.0, 0.05], c))
        self.gap = np.maximum(-H * self.speed(self.v_new, self.w_new), 0.0) + room

    def sort(self, order) -> None:
        """Put the contacts in another order."""
        for name in ("bodies", "frames", "arms", "gap", "state", "acts"):
            setattr(self, name, getattr(self, name)[list(order)])

    def speed(self, v, w) -> np.ndarray:
        """u_n of bodies that move so."""
        A, B = self.bodies.T
        u = v[B] + np.cross(w[B], self.arms[:, 3:]) - v[A] - np.cross(w[A], self.arms[:, :3])
        return (self.frames[:, 0] * u).sum(axis=1)

    def weights(self) -> np.ndarray:
        """theta by the kernel."""
        c, theta = len(self.bodies), np.full(self.n, np.nan)
        movers = np.where(self.dynamic[self.bodies], self.bodies, self.n).astype(np.int32)
        before, after, p = np.full((3, c, 3), np.nan)
        before[:, 0], after[:, 0] = self.speed(self.v, self.w), self.speed(self.v_new, self.w_new)
        p[:, 0] = self.acts
        island_weights(
            H, self.bodies, movers, self.state, np.zeros(c, dtype=np.int8), self.gap,
            np.full(c, SMALL), self.frames, self.arms, self.v, self.w, self.v_new, self.w_new,
            before, after, p, self.joined, self.joint_theta, np.empty(self.n, dtype=np.int64),
            theta,
        )  # fmt: skip
        return theta

    def overlap(self, theta) -> np.ndarray:
        """How deep each first touch overlaps at the mean velocities of these theta."""
        v, w = (
            (1 - theta[:, None]) * before + theta[:, None] * after
            for before, after in ((self.v, self.v_new), (self.w, self.w_new))
        )
        deep = np.maximum(-self.gap - H * self.speed(v, w), 0.0)
        return np.where(self.state == FIRST_TOUCH, deep, 0.0)

    def islands(self, joins) -> np.ndarray:
        """Labels of bodies joined by these contacts; those that are not dynamic join nothing."""
        inner = self.bodies[joins & self.dynamic[self.bodies].all(axis=1)]
        graph = coo_array((np.ones(len(inner)), tuple(inner.T)), shape=(self.n, self.n))
        return connected_components(graph, directed=False)[1]

    def least(self, label, counts) -> np.ndarray:
        """Of every body the least theta from 1/2 on at which none of the first touches that
        count overlaps, if its island moves as one; by bisection, since none does at 1."""
        theta = np.full(self.n, 0.5)
        for island in range(label.max(initial=-1) + 1):
            members = self.dynamic & (label == island)
            hit = counts & members[self.bodies].any(axis=1)
            low, high = 0.0, 1.0  # the first trial is 1/2
            while high - low > 1e-9:
                middle = max(0.5 * (low + high), 0.5)
                trial = np.where(members, middle, theta)
                if self.overlap(trial)[hit].max(initial=0.0) > 1e-14:
                    low = middle
                elif middle == 0.5:
                    break
                else:
                    high = middle
            theta[members] = middle
        return theta


touches = st.builds(
    Touches, st.integers(1, 12), st.integers(0, 2**20), st.floats(0, 1), st.floats(0, 1)
)


@given(touches)
def test_nothing_overlaps(case):
    """At the kernel's theta, which are from 1/2 to 1 and alike in an island."""
    theta = case.weights()
    assert ((theta >= 0.5) & (theta <= 1.0)).all()
    assert (theta[~case.dynamic] == 0.5).all()
    assert case.overlap(theta).max(initial=0.0) <= 1e-6 * SMALL + 1e-14
    label = case.islands(case.acts)
    for island in range(label.max() + 1):
        assert np.ptp(theta[label == island]) == 0.0


@given(touches)
def test_no_more_than_it_takes(case):
    """Islands of acting contacts have the least theta by themselves, if no other first touch
    is in the way; else islands that such touches join may have more, up to what the worst of
    all of them asks."""
    theta, acting = case.weights(), case.islands(case.acts)
    alone = case.least(acting, case.acts)
    met = case.overlap(alone) > 1e-9  # more than the bisection leaves
    assert (theta >= alone - 1e-8).all()
    joined = case.islands(case.acts | (case.state == FIRST_TOUCH))
    most = case.least(joined, np.full(len(case.bodies), True))
    for island in range(joined.max() + 1):
        here = joined == island
        assert theta[here].max() <= max(alone[here].max(), most[here].max()) + 1e-8
        if not (met & here[case.bodies].any(axis=1)).any():
            np.testing.assert_allclose(theta[here], alone[here], atol=1e-8)


@pytest.fixture
def column() -> Touches:
    """Ball 1 lands on the fixed body 0 with all of v+; 2 follows close behind it and would not
    touch it at v+; 3 follows 2 at a distance that is enough."""
    case = Touches(4, 0, 0.0, 0.0)
    case.dynamic = np.array([False, True, True, True])
    case.v, case.w, case.v_new, case.w_new = np.zeros((4, 4, 3))
    case.v[1:, 2], case.v_new[1:, 2] = -1.0, -0.5
    case.bodies = np.array([[0, 1], [1, 2], [2, 3]], dtype=np.int32)
    case.frames, case.arms = np.tile(np.eye(3)[::-1], (3, 1, 1)), np.zeros((3, 6))
    case.gap = np.array([0.05, 0.0, 0.03])
    case.state = np.full(3, FIRST_TOUCH, dtype=np.int8)
    case.acts = np.array([True, False, False])
    return case


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_first_touch_that_does_not_act_joins_islands(order, column):
    """2 at (v + v+) / 2 = -0.75 m/s would go 25 mm into 1, which moves at -0.5 m/s."""
    column.sort(order)
    above, below = order.index(2), order.index(1)
    np.testing.assert_array_equal(column.weights(), [0.5, 1.0, 1.0, 0.5])
    column.gap[above] = 0.02  # 3 would then go 5 mm into 2
    np.testing.assert_array_equal(column.weights(), [0.5, 1.0, 1.0, 1.0])
    column.gap[below] = 0.025  # just enough
    np.testing.assert_array_equal(column.weights(), [0.5, 1.0, 0.5, 0.5])


def test_islands_that_are_joined_stay_so(column):
    """1 flies up to 0, the ceiling, with all of v+ = 0.5 m/s; before that is known, 2 was joined to
    it with a theta of (1 - 0.2) / 1.1. Alone it might keep that, with 0.44 m/s against 0.5 m/s
    and 20 mm of room."""
    column.v[:, 2], column.v_new[:, 2] = (0, 1.0, 0, 0), (0, 0.5, 0.6, 0)
    column.frames[0] *= -1.0
    column.gap[:] = 0.05, 0.02, 1.0
    column.sort((1, 2, 0))
    np.testing.assert_array_equal(column.weights(), [0.5, 1.0, 1.0, 0.5])
    column.acts[:] = False
    column.gap[2] = 1.0
    np.testing.assert_allclose(column.weights(), [0.5, 8 / 11, 8 / 11, 0.5])


def test_lasting_contacts_do_not_ask_for_more(column):
    column.state[1] = LASTING
    np.testing.assert_array_equal(column.weights(), [0.5, 1.0, 0.5, 0.5])


def test_a_full_rebound_moves_by_the_middle(column):
    """v+ = -v from a gap of zero, and half of what is left of the step from a gap."""
    column.v_new[1, 2], column.gap[:] = 1.0, (0.0, 1.0, 1.0)
    np.testing.assert_array_equal(column.weights(), 0.5)
    column.v_new[1, 2] = 0.5
    assert column.weights()[1] == pytest.approx(2 / 3)
    column.gap[0] = 0.025
    assert column.weights()[1] == pytest.approx(0.5)


def test_mean_velocities():
    rng = np.random.default_rng(0)
    theta, (v, w, v_new, w_new) = rng.random(5), rng.normal(size=(4, 5, 3))
    v_mean, w_mean = np.full((2, 5, 3), np.nan)
    mean_velocities(theta, v, w, v_new, w_new, v_mean, w_mean)
    np.testing.assert_allclose(v_mean, v + theta[:, None] * (v_new - v), atol=1e-15)
    np.testing.assert_allclose(w_mean, w + theta[:, None] * (w_new - w), atol=1e-15)
