"""Coordination numbers of crystals, distributions of forces that are known."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.analysis.granular import coordination, normal_forces, touching_pairs

FACES = [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]


@pytest.mark.parametrize(
    ("motif", "radius", "neighbours"),
    [
        ([(0, 0, 0)], 0.5, 6),
        (FACES, np.sqrt(0.125), 12),
        ([(0, 0, 0), (0.5, 0.5, 0.5)], np.sqrt(3) / 4, 8),
    ],
)
def test_crystals(motif, radius, neighbours):
    """Grains inside; those at the surface have fewer."""
    cell = np.stack(np.meshgrid(*[np.arange(5)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    position = (cell + np.array(motif)).reshape(-1, 3)
    pairs = touching_pairs(position, np.full(len(position), radius), slack=1e-6)
    found = coordination(pairs, np.ones(len(pairs)), len(position))
    inside = ((position > 0.9) & (position < 3.1)).all(axis=1)
    assert set(found.count[inside]) == {neighbours}
    assert found.mean < neighbours
    assert found.of_all == pytest.approx(2 * len(pairs) / len(position))


def test_rattlers_are_apart():
    """A ring of four on the floor; one more leans on it with next to nothing, one flies."""
    pairs = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, -1], [1, -1], [2, -1], [3, -1], [3, 4]])
    force = np.array([1.0] * 8 + [1e-9])
    found = coordination(pairs, force, 6)
    assert found.count.tolist() == [3, 3, 3, 3, 0, 0]
    assert (found.mean, found.of_all, found.rattlers) == (3.0, 2.0, 2)
    force[-1] = 1.0
    assert coordination(pairs, force, 6).count.tolist() == [3, 3, 3, 4, 1, 0]
    none = coordination(np.zeros((0, 2), dtype=int), np.zeros(0), 2)
    assert np.isnan(none.mean)
    assert none.rattlers == 2


def test_exponential_forces():
    force = np.random.default_rng(0).exponential(3.0, 200_000)
    found = normal_forces(np.concatenate([force, np.zeros(1000)]), bins=40, largest=8.0)
    assert found.mean == pytest.approx(3.0, rel=0.01)
    assert found.decay == pytest.approx(1.0, abs=4 * found.error)
    assert found.error < 0.01
    middle = 0.5 * (found.edges[1:] + found.edges[:-1])
    np.testing.assert_allclose(found.density[:20], np.exp(-middle[:20]), rtol=0.06)
    assert (found.density * np.diff(found.edges)).sum() == pytest.approx(1 - np.exp(-8), abs=1e-4)


def test_equal_forces_have_no_tail():
    found = normal_forces(np.full(10, 2.0), bins=4, largest=2.0)
    assert (found.mean, found.largest) == (2.0, 1.0)
    assert found.density.tolist() == [0, 0, 2, 0]
    assert np.isnan(found.decay)
    assert np.isnan(normal_forces(np.zeros(5)).mean)


def test_wrong_contacts():
    one = np.array([[0, 1]])
    for pairs, force, grains, word in (
        (one, np.ones(2), 2, "force"),
        (one, np.ones(1), 1, "pairs"),
        (one - 2, np.ones(1), 2, "pairs"),
        (np.array([0, 1]), np.ones(2), 2, "pairs"),
        (one, np.ones(1), 0, "grains"),
    ):
        with pytest.raises(rc.InputError, match=word):
            coordination(pairs, force, grains)
