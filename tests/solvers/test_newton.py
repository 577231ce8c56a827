"""Newton's method where first-order methods are slow: rest, redundant contacts, mass ratios."""

import numpy as np
import pytest
from solver_cases import LAWS, iterates, started, twin_residual

import rollcone as rc


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("state", ["rest", "shake"])
@pytest.mark.parametrize("seed", [0, 1])
def test_heaps_to_rounding(law, state, seed):
    """Hyperstatic: W is singular, reactions are not unique; certified by the slow twin."""
    problem = rc.problems.heap(60, seed, law=law, state=state)
    s = rc.solve(problem, "newton", tolerance=1e-12)
    assert s.converged
    assert s.iterations <= 60
    assert twin_residual(problem, s) <= 1.01e-12


@pytest.mark.parametrize("law", LAWS)
def test_the_last_steps_are_quick(law):
    """Near a solution that is not degenerate: from four digits to all of them in four steps, and
    the last of these gains more digits than the first."""
    problem = rc.problems.random_problem(20, rows=6, seed=3, law=law).problem
    p = rc.solve(problem, "newton", tolerance=1e-14).all_reactions()
    off = 1 + 1e-4 * np.random.default_rng(1).standard_normal(len(p))
    method = started(problem, "newton", off * p, {"sweeps": 0})
    found = [method.reactions(), *iterates(method, 4)]
    distances = [np.linalg.norm(one - p) / np.linalg.norm(p) for one in found]
    assert 1e-5 < distances[0] < 1e-3
    assert distances[4] <= 1e-13
    assert distances[4] / distances[3] < 0.1 * distances[1] / distances[0]


@pytest.mark.parametrize("ratio", [1.0, 1e2, 1e4])
@pytest.mark.parametrize("law", LAWS)
def test_heavy_boxes_on_light_ones(law, ratio):
    """A box on four corners is redundant, too. First-order methods take thousands of iterations."""
    problem = rc.problems.stack(10, mass_ratio=ratio, law=law)
    s = rc.solve(problem, "newton", tolerance=1e-9)
    assert s.converged
    assert s.iterations <= 40
    assert twin_residual(problem, s) <= 1.01e-9


def test_in_both_forms():
    """By bodies and by the matrix W: the same velocities."""
    problem = rc.problems.heap(20, 3)
    by_bodies, by_matrix = (
        rc.solve(one, "newton", tolerance=1e-12) for one in (problem, problem.to_delassus())
    )
    assert by_bodies.converged
    assert by_matrix.converged
    np.testing.assert_allclose(by_bodies.velocities, by_matrix.velocities, atol=1e-9)


@pytest.mark.parametrize("friction", [rc.Ellipse(0.5, 0.2), rc.Box(0.5, 0.2), rc.Polygon(0.4, 6)])
def test_other_sets(friction):
    """Joints, seals and soft rows beside contacts whose friction is not the same all round."""
    rng = np.random.default_rng(5)
    B = rng.standard_normal((12 * 3 + 4, 60))
    W, q = B @ B.T / 60, rng.standard_normal(40)
    q[:36:3] -= 1.0
    problem = rc.ContactProblem.from_delassus(
        W, q, sliding=friction, rows=3, compliance=1e-3,
        bounds=[(-np.inf, np.inf), (-0.1, 0.1), (0.0, np.inf), (-0.02, 0.0)],
    )  # fmt: skip
    s = rc.solve(problem, "newton", tolerance=1e-12)
    other = rc.solve(problem, "apgd", tolerance=1e-12)
    assert s.converged
    assert other.converged
    np.testing.assert_allclose(s.all_reactions(), other.all_reactions(), atol=1e-8)


def test_a_frame_of_spheres_in_time_steps():
    """Rolling coefficients of ten radii make a frame of a pile: Gauss-Seidel alone does not get to
    1e-8 in all steps, the default solver does, by Newton's method."""

    def pile(**settings) -> rc.Run:
        world = rc.World(gravity=(0, 0, -9.81))
        world.add_plane()
        world.set_contact_law(rc.ContactLaw(sliding=0.5, rolling=0.1))
        rng = np.random.default_rng(2)
        for k in range(20):
            x, y = rng.uniform(-0.004, 0.004, 2)
            world.add_sphere(radius=0.01, density=1300, position=(x, y, 0.01 + 0.0201 * k))
        return rc.simulate(
            world, until=0.3, step=1e-3, scheme=rc.MoreauJean(theta=1.0), tolerance=1e-8, **settings
        )

    assert pile(solver="gauss-seidel", max_iterations=1000).unconverged.sum() > 0
    run = pile()
    assert run.unconverged.sum() == 0
    assert run.residual.max() <= 1e-8
