"""The chain on a table against the mechanics of two masses and a rope."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.problems.geometry import GRAVITY, STEP

FALL = GRAVITY * STEP


def solved(problem):
    solution = rc.solve(problem, "newton", tolerance=1e-11, max_iterations=3_000)
    assert solution.residual < 1e-9
    return solution


def expected_speed(law, weight, mu):
    """Of the chain after a step, over that of free fall.

    Under the associated law the chain lifts at mu times its speed u: u makes the least of
    u^2 + (mu u + 1)^2 + weight (u - 1)^2, Gauss' principle with free fall 1.
    """
    lift = mu**2 if law == "associated" else 0.0
    return max(0.0, weight - mu) / (1.0 + lift + weight)


@pytest.mark.parametrize("law", ["exact", "associated"])
@given(
    links=st.integers(1, 12),
    mass_ratio=st.sampled_from([0.2, 1.0, 30.0, 1e3]),
    weight=st.floats(0.05, 3.0),
    mu=st.floats(0.0, 1.0),
)
def test_speed_and_tension(law, links, mass_ratio, weight, mu):
    problem = rc.problems.chain(links, mass_ratio=mass_ratio, weight=weight, sliding=mu, law=law)
    solution = solved(problem)
    v = solution.body_velocities.reshape(-1, 6) / FALL
    speed = expected_speed(law, weight, mu)
    lift = mu * speed if law == "associated" else 0.0
    np.testing.assert_allclose(v[:-1, :3], np.tile([speed, 0, lift], (links, 1)), atol=1e-6)
    np.testing.assert_allclose(v[-1], [0, 0, -speed, 0, 0, 0], atol=1e-6)
    np.testing.assert_allclose(v[:, 3:], 0.0, atol=1e-6)
    on_table = links - 1 + mass_ratio
    tension = weight * on_table * (1.0 - speed) * FALL
    assert solution.row_reactions[-1] == pytest.approx(tension, rel=1e-5)
    carried = on_table * (1.0 + lift) * FALL
    assert solution.reactions[:, 0].sum() == pytest.approx(carried, rel=1e-5)


def test_an_anchor_of_a_thousand_tons():
    """Light links between two heavy bodies, at rest and in motion."""
    for weight in (0.45, 0.55):
        problem = rc.problems.chain(10, mass_ratio=1e6, weight=weight)
        mass = problem.form.mass.blocks[:, 0, 0]
        np.testing.assert_allclose(mass, [1e6, *[1.0] * 9, weight * (1e6 + 9)])
        v = solved(problem).body_velocities.reshape(-1, 6) / FALL
        speed = expected_speed("exact", weight, 0.5)
        np.testing.assert_allclose(v[:-1, 0], speed, atol=1e-4)
        assert v[-1, 2] == pytest.approx(-speed, abs=1e-4)


def test_joints_hold_and_pull():
    """Velocities of both sides agree at each joint; friction and the tensions move each link."""
    links, mu = 6, 0.3
    problem = rc.problems.chain(links, weight=2.0, sliding=mu)
    assert (problem.contacts, problem.extra_rows) == (24, 16)
    assert problem.extra_row_kinds()["bilateral"] == 16
    solution = solved(problem)
    v = solution.body_velocities.reshape(-1, 6)
    for k in range(links - 1):
        ahead, behind = np.array([0.5, 0, 0]), np.array([-0.5, 0, 0])
        left = v[k, :3] + np.cross(v[k, 3:], ahead)
        right = v[k + 1, :3] + np.cross(v[k + 1, 3:], behind)
        np.testing.assert_allclose(left, right, atol=1e-9)
    normal = solution.reactions[:, 0].reshape(links, 4).sum(axis=1)
    pulls = np.append(-solution.row_reactions[:-1:3], solution.row_reactions[-1])
    net = pulls - np.append(0.0, pulls[:-1]) - mu * normal
    np.testing.assert_allclose(net, v[:-1, 0], atol=1e-8)  # of 1 kg each


def test_rows_of_joints_tell_how_they_part():
    """For any motion: three numbers as long as the difference of the two velocities there."""
    problem = rc.problems.chain(4)
    v = np.random.default_rng(3).normal(size=(5, 6))
    rows = (problem.form.H @ v.reshape(-1))[3 * 16 :]
    for k in range(3):
        left = v[k, :3] + np.cross(v[k, 3:], [0.5, 0, 0])
        right = v[k + 1, :3] + np.cross(v[k + 1, 3:], [-0.5, 0, 0])
        size = np.linalg.norm(rows[3 * k : 3 * k + 3])
        assert size == pytest.approx(np.linalg.norm(right - left))
    end = v[3, :3] + np.cross(v[3, 3:], [0.5, 0, 0])
    assert rows[-1] == pytest.approx(end[0] + v[4, 2])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"links": 0}, ["links", "0", ">= 1"]),
        ({"mass_ratio": -1.0}, ["mass_ratio", "-1.0", "> 0"]),
        ({"weight": 0.0}, ["weight", "0.0", "> 0"]),
        ({"rows": None}, ["rows", "None", "2, 3, 5, 6"]),
        ({"rolling": 0.1}, ["rolling", "5 rows"]),
    ],
)
def test_wrong_arguments(given, words):
    with pytest.raises(rc.InputError) as caught:
        rc.problems.chain(**given)
    for word in words:
        assert word in str(caught.value)
