"""Friction cones and their duals against dense sampling."""

import numpy as np
import pytest

from acceleration_cases import random_problem
from rollcone.analysis.acceleration.force_cone import force_cone

SHAPES = [(shape, moving) for shape in ("cone", "pyramid") for moving in ("half", "none")]
SHAPES.append(("frictionless", "half"))


def sampled(cone, i, k, points=4001):
    """Points on the edge of the set of block k of contact i, radius left out."""
    rows = list(cone.blocks[k])
    if len(rows) == 1:
        g = np.array([[-1.0], [0.0], [1.0]])
    else:
        angle = np.linspace(0.0, 2.0 * np.pi, points)
        g = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        if cone.box:
            g /= np.abs(g).max(axis=1, keepdims=True)
    d = cone.against[i, rows]
    if d.any():
        if len(rows) == 2:  # the straight side, to its ends
            across = np.array([-d[1], d[0]])
            across /= np.abs(across).max() if cone.box else 1.0
            g = np.vstack([g, across, -across])
        g = np.vstack([g[g @ d <= 1e-12], np.zeros((1, len(rows)))])
    return g


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("shape", "moving"), SHAPES)
def test_margin_is_the_least_work_of_forces_with_a_normal_part_of_one(seed, shape, moving):
    problem = random_problem(seed, moving=True)
    cone = force_cone(problem, shape, moving)
    y = np.random.default_rng(seed).normal(size=problem.bias.shape)
    for i in range(problem.contacts):
        least = y[i, 0]
        for k, rows in enumerate(cone.blocks):
            least += cone.radius[i, k] * (sampled(cone, i, k) @ y[i, list(rows)]).min()
        assert cone.margin(y)[i] == pytest.approx(least, abs=1e-5)
        assert cone.margin(y)[i] <= least + 1e-12


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("shape", "moving"), SHAPES)
def test_pulled_forces_are_in_the_cone_and_stay(seed, shape, moving):
    problem = random_problem(seed, moving=True)
    cone = force_cone(problem, shape, moving)
    p = cone.pulled(np.random.default_rng(seed).normal(size=problem.bias.shape))
    assert cone.outside(p) <= 1e-15
    assert np.all(p[:, 0] >= 0.0)
    for k, rows in enumerate(cone.blocks):
        part = p[:, list(rows)]
        size = np.abs(part).max(axis=1) if shape == "pyramid" else np.linalg.norm(part, axis=1)
        assert np.all(size <= cone.radius[:, k] * p[:, 0] * (1 + 1e-15))
        slides = problem.moves[:, k]
        power = np.sum(part * problem.velocity[:, list(rows)], axis=1)[slides]
        assert np.all(power <= 1e-15)
        if moving == "none":
            assert not np.any(part[slides])


def test_forces_out_of_the_cone_are_told():
    cone = force_cone(random_problem(3, rows=3), "cone")
    p = np.zeros_like(cone.against)
    p[:, 0] = 1.0
    p[0, 1] = 1.001 * cone.radius[0, 0]
    assert cone.outside(p) > 1e-5
    p[0, 1] = 0.0
    p[0, 0] = -1e-6
    assert cone.outside(p) > 1e-7
