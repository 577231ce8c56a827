"""The arch against statics of its own: plane equilibrium, joint by joint, as a linear program."""

from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

import rollcone as rc
from rollcone.problems.arch import DENSITY, DEPTH
from rollcone.problems.geometry import GRAVITY, STEP, frames

FALL = GRAVITY * STEP


@cache
def plane_arch(stones, angle, thickness):
    """Edges (joint, inner and outer) and the centers and areas of the sections, in the plane."""
    joints = np.radians(90 - angle / 2 + angle * np.arange(stones + 1) / stones)
    ways = np.stack([np.cos(joints), np.sin(joints)], axis=1)
    edges = np.stack([(1 - thickness / 2) * ways, (1 + thickness / 2) * ways], axis=1)
    corners = [np.array([*edges[k], *edges[k + 1][::-1]]) for k in range(stones)]
    turned = [np.roll(quad, -1, axis=0) for quad in corners]
    cross = [q[:, 0] * t[:, 1] - q[:, 1] * t[:, 0] for q, t in zip(corners, turned, strict=True)]
    areas = np.array([c.sum() / 2 for c in cross])
    centers = [
        (c[:, None] * (q + t)).sum(axis=0) / (6 * a)
        for c, q, t, a in zip(cross, corners, turned, areas, strict=True)
    ]
    return joints, edges, np.array(centers), np.abs(areas)


def stands(stones, mu, angle=180.0, thickness=0.2, mass_ratio=1.0):
    """Is there, per joint, a push at both edges and a shear within mu that carry all stones?"""
    joints, edges, centers, weights = plane_arch(stones, angle, thickness)
    weights = weights.copy()
    weights[(stones - 1) // 2 : stones // 2 + 1] *= mass_ratio
    unknowns = 3 * (stones + 1)
    A, b = np.zeros((3 * stones, unknowns)), np.zeros(3 * stones)
    for k in range(stones):
        b[3 * k + 1] = weights[k]
        for joint, sign in ((k, 1.0), (k + 1, -1.0)):
            along = np.array([-np.sin(joints[joint]), np.cos(joints[joint])])
            out = np.array([np.cos(joints[joint]), np.sin(joints[joint])])
            acting = zip((along, along, out), (*edges[joint], edges[joint][0]), strict=True)
            for column, (force, at) in enumerate(acting, 3 * joint):
                arm = at - centers[k]
                turn = arm[0] * force[1] - arm[1] * force[0]
                A[3 * k : 3 * k + 3, column] = sign * np.array([*force, turn])
    limits = np.zeros((2 * (stones + 1), unknowns))
    for joint in range(stones + 1):
        for row, sign in ((2 * joint, 1.0), (2 * joint + 1, -1.0)):
            limits[row, 3 * joint : 3 * joint + 3] = (-mu, -mu, sign)
    bounds = [(0, None), (0, None), (None, None)] * (stones + 1)
    return linprog(np.zeros(unknowns), limits, np.zeros(len(limits)), A, b, bounds).success


def least_friction(stones, **shape):
    low, high = 0.0, 2.0
    while high - low > 1e-5:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if stands(stones, middle, **shape) else (middle, high)
    return high


def speed(problem):
    """The largest speed of a stone, over that of free fall; and the solution."""
    solution = rc.solve(problem, "newton", tolerance=1e-9, max_iterations=3_000)
    assert solution.converged
    return np.abs(solution.body_velocities.reshape(-1, 6)[:, :3]).max() / FALL, solution


@pytest.mark.parametrize("law", ["exact", "associated"])
@given(
    stones=st.integers(2, 16),
    angle=st.floats(40.0, 180.0),
    thickness=st.floats(0.1, 0.5),
    mass_ratio=st.sampled_from([0.5, 1.0, 4.0, 100.0]),
)
def test_stands_with_enough_friction(law, stones, angle, thickness, mass_ratio):
    """At rest just above the least friction that statics ask for, in motion just below."""
    shape = {"angle": angle, "thickness": thickness, "mass_ratio": mass_ratio}
    assume(stands(stones, 1.0, **shape) and not stands(stones, 0.05, **shape))
    mu = least_friction(stones, **shape)
    at_rest, _ = speed(rc.problems.arch(stones, sliding=1.03 * mu, law=law, **shape))
    moving, _ = speed(rc.problems.arch(stones, sliding=0.97 * mu, law=law, **shape))
    assert at_rest < 1e-6
    assert moving > 1e-4


@pytest.mark.parametrize("law", ["exact", "associated"])
def test_a_half_circle_has_a_least_thickness(law):
    """0.1075 of the mean radius (Milankovitch 1907), for stones without end."""
    assert speed(rc.problems.arch(40, thickness=0.109, law=law))[0] < 1e-6
    assert speed(rc.problems.arch(40, thickness=0.105, law=law))[0] > 1e-4


def test_reactions_carry_every_stone():
    """Forces and moments of the two joints of a stone and its weight cancel, from vectors."""
    stones, angle, thickness, ratio = 9, 150.0, 0.25, 4.0
    problem = rc.problems.arch(stones, angle=angle, thickness=thickness, mass_ratio=ratio)
    at_rest, solution = speed(problem)
    assert at_rest < 1e-6
    joints, edges, centers, areas = plane_arch(stones, angle, thickness)
    masses = DENSITY * DEPTH * areas * np.where(np.arange(stones) == 4, ratio, 1.0)
    np.testing.assert_allclose(problem.form.mass.blocks[:, 0, 0], masses)
    sides = np.tile([-DEPTH / 2, DEPTH / 2], 2 * (stones + 1))
    x, z = np.repeat(edges.reshape(-1, 2), 2, axis=0).T
    points = np.column_stack([x, sides, z])
    ways = np.column_stack([-np.sin(joints), 0 * joints, np.cos(joints)])
    axes = frames(np.repeat(ways, 4, axis=0))
    forces = np.einsum("ni,nij->nj", solution.reactions, axes)
    for k in range(stones):
        here, there = slice(4 * k, 4 * k + 4), slice(4 * k + 4, 4 * k + 8)
        weight = np.array([0.0, 0.0, -masses[k] * FALL])
        rest = forces[here].sum(axis=0) - forces[there].sum(axis=0) + weight
        arms = points - np.array([centers[k, 0], 0.0, centers[k, 1]])
        turns = np.cross(arms, forces)
        turn = turns[here].sum(axis=0) - turns[there].sum(axis=0)
        np.testing.assert_allclose(rest, 0.0, atol=1e-6 * masses.sum() * FALL)
        np.testing.assert_allclose(turn, 0.0, atol=1e-6 * masses.sum() * FALL)
    lift = forces[:4, 2].sum() - forces[-4:, 2].sum()
    assert lift == pytest.approx(masses.sum() * FALL, rel=1e-6)


def test_inertia_of_a_stone():
    """By quadrature over the wedge: x = s (1 - t) a + s t b for the ways a, b of its joints."""
    stones, thickness = 3, 0.6
    blocks = rc.problems.arch(stones, thickness=thickness, angle=120.0).form.mass.blocks
    joints, _, centers, _ = plane_arch(stones, 120.0, thickness)
    nodes, weights = np.polynomial.legendre.leggauss(5)
    for k in range(stones):
        block = np.zeros((6, 6))
        a, b = (np.array([np.cos(joint), 0.0, np.sin(joint)]) for joint in joints[k : k + 2])
        for i, j, m in np.ndindex(5, 5, 5):
            s, t = 1 + 0.5 * thickness * nodes[i], 0.5 + 0.5 * nodes[j]
            weight = weights[i] * weights[j] * weights[m] * thickness * DEPTH / 8
            mass = DENSITY * weight * s * np.linalg.norm(np.cross(a, b))
            arm = s * ((1 - t) * a + t * b) + [0.0, 0.5 * DEPTH * nodes[m], 0.0]
            arm -= [centers[k, 0], 0.0, centers[k, 1]]
            block[:3, :3] += mass * np.eye(3)
            block[3:, 3:] += mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            block[3:, :3] += mass * np.cross(np.eye(3), arm)  # first moments: none
        np.testing.assert_allclose(blocks[k], block, rtol=1e-10, atol=1e-10 * block[0, 0])


def test_joints_and_keystones():
    """Four contacts in each joint; one keystone, or two."""
    assert [rc.problems.arch(n).contacts for n in (2, 3, 15)] == [12, 16, 64]
    for stones, heavy in ((5, [2]), (6, [2, 3])):
        mass = rc.problems.arch(stones, mass_ratio=7.0).form.mass.blocks[:, 0, 0]
        plain = rc.problems.arch(stones).form.mass.blocks[:, 0, 0]
        expected = [7.0 if k in heavy else 1.0 for k in range(stones)]
        np.testing.assert_allclose(mass / plain, expected)
    six = rc.problems.arch(5, rows=6, rolling=0.01, spinning=0.01)
    assert (six.contacts, six.rows) == (24, 6)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"stones": 1}, ["stones", "1", ">= 2"]),
        ({"stones": 2.5}, ["stones", "2.5"]),
        ({"mass_ratio": 0.0}, ["mass_ratio", "0.0", "> 0"]),
        ({"angle": 181.0}, ["angle", "181.0", "180"]),
        ({"angle": "half"}, ["angle", "half"]),
        ({"thickness": 2.0}, ["thickness", "2.0", "below 2"]),
        ({"rows": 4}, ["rows", "4", "2, 3, 5, 6"]),
        ({"rows": "three"}, ["rows", "three", "2, 3, 5, 6"]),
        ({"sliding": -0.1}, ["sliding", "-0.1"]),
        ({"law": "none"}, ["law", "none", "exact"]),
    ],
)
def test_wrong_arguments(given, words):
    with pytest.raises(rc.InputError) as caught:
        rc.problems.arch(**given)
    for word in words:
        assert word in str(caught.value)
