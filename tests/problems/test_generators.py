"""Generated problems are what they claim: geometry, mass, gravity, known solutions."""

import numpy as np
import pytest

import rollcone as rc
from rollcone.problem.residual import residuals
from rollcone.problems.heap import GRAVITY, STEP, heap_geometry


@pytest.mark.parametrize("spheres", [1, 2, 30, 600])
def test_heap_lies_on_the_floor_without_overlap(spheres):
    geometry = heap_geometry(spheres, seed=4)
    centers, radii = geometry.centers, geometry.radii
    assert (centers[:, 2] >= radii - 1e-12).all()
    away = np.linalg.norm(centers[:, None] - centers[None], axis=2) - radii[:, None] - radii[None]
    away[np.diag_indices(spheres)] = 1.0
    assert away.min() > -0.05 * radii.min()
    assert np.quantile(away[away < 1e-3], 0.02) > -1e-3 * radii.min() if spheres > 2 else True


def test_contacts_of_a_heap_are_the_touching_pairs():
    geometry = heap_geometry(200, seed=4)
    centers, radii = geometry.centers, geometry.radii
    expected = set()
    for i in range(200):
        if centers[i, 2] - radii[i] < 5e-3 * radii[i]:
            expected.add((-1, i))
        for j in range(i + 1, 200):
            gap = np.linalg.norm(centers[i] - centers[j]) - radii[i] - radii[j]
            if gap < 5e-3 * min(radii[i], radii[j]):
                expected.add((i, j))
    assert {tuple(pair) for pair in geometry.pairs.tolist()} == expected
    assert 1.8 * 200 < len(expected) < 3.5 * 200
    normals, points = geometry.contact_frames()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-14)
    second = geometry.pairs[:, 1]
    np.testing.assert_allclose(
        np.linalg.norm(points - centers[second], axis=1), radii[second], rtol=1e-12
    )


@pytest.mark.parametrize("mass_ratio", [1.0, 1e6])
def test_heap_carries_its_weight(mass_ratio):
    """The floor's vertical reactions sum to the weight, whatever the friction inside."""
    problem = rc.problems.heap(60, 2, mass_ratio=mass_ratio)
    solution = rc.solve(problem, "newton", tolerance=1e-9, max_iterations=2_000)
    assert solution.converged
    floor = heap_geometry(60, 2).pairs[:, 0] < 0
    mass = problem.form.mass.blocks[:, 0, 0]
    momentum = mass @ solution.body_velocities.reshape(-1, 6)[:, 2]
    assert solution.reactions[floor, 0].sum() == pytest.approx(
        mass.sum() * GRAVITY * STEP + momentum, rel=1e-9
    )


def test_rows_of_the_contact_matrix():
    """H v is the relative velocity of the two bodies at the contact point, from vectors."""
    problem = rc.problems.heap(30, 2, state="shake")
    geometry = heap_geometry(30, 2)
    normals, points = geometry.contact_frames()
    v = problem.form.v_free.reshape(-1, 6)
    y = problem.q.reshape(-1, 6)
    for i, (a, b) in enumerate(geometry.pairs):
        linear, angular = np.zeros(3), np.zeros(3)
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body >= 0:
                arm = points[i] - geometry.centers[body]
                linear += sign * (v[body, :3] + np.cross(v[body, 3:], arm))
                angular += sign * v[body, 3:]
        assert y[i, 0] == pytest.approx(linear @ normals[i])
        assert y[i, 5] == pytest.approx(angular @ normals[i])
        assert np.hypot(*y[i, 1:3]) == pytest.approx(np.linalg.norm(np.cross(linear, normals[i])))
        assert np.hypot(*y[i, 3:5]) == pytest.approx(np.linalg.norm(np.cross(angular, normals[i])))


def test_same_seed_same_heap():
    first, second, other = (rc.problems.heap(50, seed).q for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert len(first) != len(other) or not np.array_equal(first, other)


@pytest.mark.parametrize("units", ["SI", "scaled"])
def test_heavy_spheres_on_light_ones(units):
    """Density grows with height, from that of the plain heap to mass_ratio times as much."""
    plain = rc.problems.heap(80, 3, units=units).form.mass.blocks
    heavy = rc.problems.heap(80, 3, units=units, mass_ratio=1e6).form.mass.blocks
    factor = heavy[:, 0, 0] / plain[:, 0, 0]
    np.testing.assert_allclose(heavy, plain * factor[:, None, None], rtol=1e-12)
    order = np.argsort(heap_geometry(80, 3).centers[:, 2])
    assert (np.diff(factor[order]) >= 0).all()
    assert factor[order[[0, -1]]] == pytest.approx([1.0, 1e6])


def test_scaled_units():
    """Unit mean radius, mass and gravity; the same heap otherwise."""
    problem = rc.problems.heap(50, 1, units="scaled")
    radii = heap_geometry(50, 1).radii
    mass = problem.form.mass.blocks[:, 0, 0]
    assert mass.mean() == pytest.approx(1.0)
    inertia = problem.form.mass.blocks[:, 3, 3]
    np.testing.assert_allclose(np.sqrt(inertia / mass / 0.4), radii / radii.mean())
    step = STEP * np.sqrt(GRAVITY / radii.mean())
    np.testing.assert_allclose(problem.form.v_free.reshape(-1, 6)[:, 2], -step)


def test_stack_stands():
    """A tower at rest: floor reactions are its weight, nothing moves."""
    problem = rc.problems.stack(4)
    solution = rc.solve(problem, tolerance=1e-10, max_iterations=100_000)
    assert solution.converged
    assert solution.reactions[:4, 0].sum() == pytest.approx(4 * 9.81 * 5e-3, rel=1e-8)
    assert np.abs(solution.body_velocities).max() < 1e-8
    heavy = rc.problems.stack(4, mass_ratio=1000.0)
    np.testing.assert_allclose(heavy.form.mass.blocks[:, 0, 0], [1, 10, 100, 1000])


@pytest.mark.parametrize("law", ["exact", "associated"])
@pytest.mark.parametrize("rows", [2, 3, 5, 6])
def test_known_solution_obeys_the_law(rows, law):
    for seed in range(3):
        known = rc.problems.random_problem(15, rows=rows, seed=seed, law=law)
        p, y = known.reactions, known.velocities
        np.testing.assert_allclose(
            known.problem.velocities(p.reshape(-1)), y.reshape(-1), atol=1e-12
        )
        assert residuals(known.problem, p.reshape(-1)).residual < 1e-14
        names = known.problem.cone.modes(y, p)
        assert len(set(names)) >= 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rc.problems.heap(0), ["spheres", "0"]),
        (lambda: rc.problems.heap(5, state="flow"), ["state", "flow", "rest", "shake"]),
        (lambda: rc.problems.heap(5, units="feet"), ["units", "feet", "SI"]),
        (lambda: rc.problems.heap(5, mass_ratio=0.0), ["mass_ratio", "0.0", "> 0"]),
        (lambda: rc.problems.heap(5, rows=3.0), ["rows", "3.0", "2, 3, 5, 6"]),
        (lambda: rc.problems.stack(0), ["boxes", "0"]),
        (lambda: rc.problems.stack(3, push="hard"), ["push", "hard", "number"]),
        (lambda: rc.problems.random_problem(3, rows="three"), ["rows", "three", "2, 3, 5, 6"]),
        (lambda: rc.problems.stack(3, mass_ratio=-1.0), ["mass_ratio", "-1.0"]),
    ],
)
def test_wrong_arguments(call, words):
    with pytest.raises(rc.InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
