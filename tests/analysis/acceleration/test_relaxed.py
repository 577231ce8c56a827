"""The relaxed model against scans of all forces that it admits."""

import numpy as np
import pytest

from acceleration_cases import rod
from rollcone.analysis.acceleration.enumeration import enumerate_motions
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.relaxed import relaxed_motion


@pytest.mark.parametrize("model", ["pyramid", "cone"])
@pytest.mark.parametrize("mu", [1.4, 2.0, 5.0])
def test_the_rod_that_has_no_motion_goes_without_friction(mu, model):
    """Any friction towards the foot would need more normal force: p_n = m g / (1 + 3 cos^2)."""
    angle = np.arctan(2.0)
    found = relaxed_motion(rod(mu, angle, 0.0, -1.0), model)
    normal = 9.81 / (1.0 + 3.0 * np.cos(angle) ** 2)
    assert found.complete
    assert found.motion.certified
    assert found.motion.forces[0] == pytest.approx([normal, 0.0], abs=1e-7)
    assert found.distance == pytest.approx((mu * normal) ** 2)
    assert found.bound == pytest.approx(found.distance)
    assert found.departure == pytest.approx(1.0)


@pytest.mark.parametrize("model", ["pyramid", "cone"])
def test_a_motion_by_coulombs_law_is_at_no_distance(model):
    for mu, turn, slip in ((1.0, 0.0, 1.0), (2.0, 5.0, -1.0)):
        problem = rod(mu, np.arctan(2.0), turn, slip)
        found = relaxed_motion(problem, model)
        assert found.distance == pytest.approx(0.0, abs=1e-20)
        assert found.departure == pytest.approx(0.0, abs=1e-9)
        assert any(
            np.allclose(found.motion.accelerations, motion.accelerations, atol=1e-8)
            for motion in enumerate_motions(problem).motions
        )


def one_sliding_contact(seed):
    """In space, without a motion by Coulomb's law."""
    rng = np.random.default_rng(seed)
    while True:
        root = np.tril(rng.normal(size=(5, 5))) + np.eye(5)
        problem = AccelerationProblem(
            mass=root @ root.T, rows=rng.normal(size=(1, 3, 5)), force=rng.normal(size=5),
            friction=rng.uniform(1.0, 4.0), velocity=[[0.0, *rng.normal(size=2)]],
        )  # fmt: skip
        if enumerate_motions(problem).verdict == "none":
            return problem


@pytest.mark.parametrize("seed", range(6))
def test_no_admitted_force_is_nearer_to_coulombs_law(seed):
    """p = p_n (1, k), k in the half disc: a_n = 0 gives p_n, and f is scanned over all k."""
    problem = one_sliding_contact(seed)
    found = relaxed_motion(problem, "cone")
    A, b, mu = problem.A, problem.b[0], problem.friction[0, 0]
    v = problem.velocity[0, 1:]
    speed = np.linalg.norm(v)
    radius, angle = np.meshgrid(np.linspace(0, mu, 400), np.linspace(0, 2 * np.pi, 721))
    k = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).reshape(-1, 2)
    k = k[k @ v <= 0.0]
    normal = -b / (A[0, 0] + k @ A[0, 1:])
    k, normal = k[normal >= 0.0], normal[normal >= 0.0]
    f = np.sum((mu * normal[:, None] * v + speed * normal[:, None] * k) ** 2, axis=1)
    assert found.complete
    assert found.motion is not None
    assert found.distance <= f.min() * (1.0 + 1e-9)
    assert found.distance == pytest.approx(f.min(), rel=2e-2)
    assert found.motion.residual < 1e-8


def test_resting_contacts_keep_their_law():
    """A rod without a motion beside a mass that friction holds: only the rod departs."""
    alone = rod(2.0, np.arctan(2.0), 0.0, -1.0)
    n = alone.size
    rows, mass = np.zeros((2, 2, n + 2)), np.eye(n + 2)
    rows[0, :, :n], mass[:n, :n] = alone.rows[0], alone.mass
    rows[1, 0, n + 1], rows[1, 1, n] = 1.0, 1.0
    problem = AccelerationProblem(
        mass=mass, rows=rows, force=np.concatenate([alone.force, [3.0, -9.81]]),
        friction=np.array([2.0, 0.5]), velocity=[[0.0, -1.0], [0.0, 0.0]],
    )  # fmt: skip
    for model in ("pyramid", "cone"):
        found = relaxed_motion(problem, model)
        assert found.complete
        assert found.motion.modes == "sr"
        assert found.motion.forces[1] == pytest.approx([9.81, -3.0], abs=1e-7)
        assert found.motion.certified


def test_a_search_that_ends_early_has_a_bound():
    problem = one_sliding_contact(1)
    found = relaxed_motion(problem, most_cells=1)
    best = relaxed_motion(problem)
    assert not found.complete
    assert found.bound <= best.distance * (1.0 + 1e-6)
