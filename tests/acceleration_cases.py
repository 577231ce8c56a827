"""Small acceleration problems whose answers are known, and random ones."""

import numpy as np

from rollcone.analysis.acceleration.problem import BLOCKS, AccelerationProblem


def wedged_ball(angle, friction, closing, rows=3, radius=0.5, force=(0.0, 0.0, 0.0)):
    """A ball between two walls that each lean by `angle` and close in at `closing` m/s^2. Forces
    that cancel out are along the line between the contacts: in the cones if mu >= tan(angle)."""
    H = []
    for side in (1.0, -1.0):
        normal = np.array([side * np.cos(angle), np.sin(angle), 0.0])
        along = np.array([-side * np.sin(angle), np.cos(angle), 0.0])
        axes = (normal, along, np.array([0.0, 0.0, 1.0]))[:rows]
        H.append([np.concatenate([u, np.cross(-radius * normal, u)]) for u in axes])
    bias = np.zeros((2, rows))
    bias[:, 0] = -closing
    load = np.concatenate([force, np.zeros(3)])
    mass = np.diag([2.0, 2.0, 2.0, 0.2, 0.2, 0.2])
    return AccelerationProblem(
        mass=mass, rows=np.array(H), force=load, friction=friction, bias=bias
    )


def planar_body(points, normals, friction, force, mass=1.0, inertia=1.0):
    """One body in the plane, coordinates x, y, turning; contacts at points from its centre."""
    H = []
    for point, normal in zip(points, normals, strict=True):
        tangent = (-normal[1], normal[0])
        H.append([[*u, point[0] * u[1] - point[1] * u[0]] for u in (normal, tangent)])
    return AccelerationProblem(
        mass=np.diag([mass, mass, inertia]),
        rows=np.array(H, dtype=float),
        force=np.array(force, dtype=float),
        friction=friction,
    )


def ladder(angle, floor, wall, gravity=9.81):
    """A rod of length 2 on a floor at `angle`, its upper end at a wall on the right."""
    half = np.array([np.cos(angle), np.sin(angle)])
    friction = np.array([floor, wall])
    return planar_body(
        [-half, half], [(0.0, 1.0), (-1.0, 0.0)], friction, [0.0, -gravity, 0.0], 1.0, 1.0 / 3.0
    )


def rod(mu, angle, turn, slip, gravity=9.81):
    """A rod of length 2 and mass 1 whose foot slides on a floor, at `angle` from it, turning."""
    foot = -np.array([np.cos(angle), np.sin(angle)])
    return AccelerationProblem(
        mass=np.diag([1.0, 1.0, 1.0 / 3.0]),
        rows=np.array([[[0.0, 1.0, foot[0]], [1.0, 0.0, -foot[1]]]]),
        force=np.array([0.0, -gravity, 0.0]),
        friction=mu,
        velocity=[[0.0, slip]],
        bias=[[-(turn**2) * foot[1], -(turn**2) * foot[0]]],
    )


def random_problem(seed, rows=None, moving=False, at_rest=False):
    """Any numbers of contacts, coordinates, given rows; at times with whole numbers for rows."""
    rng = np.random.default_rng(seed)
    d = rows or int(rng.choice([1, 2, 3, 5, 6]))
    c, n = int(rng.integers(1, 6)), int(rng.integers(2, 7))
    m = int(rng.integers(0, min(3, n)))
    H = rng.normal(size=(c, d, n))
    if rng.random() < 0.5:
        H = np.round(H)
    bias = rng.normal(size=(c, d)) * 10.0 ** rng.integers(-2, 3)
    bias[:, 0] += rng.choice([0.0, 1.0, 3.0]) * np.abs(bias).max()
    velocity = np.zeros((c, d))
    if moving:
        velocity[:, 1:] = rng.normal(size=(c, d - 1)) * (rng.random((c, 1)) < 0.6)
    root = rng.normal(size=(n, n))
    return AccelerationProblem(
        mass=root @ root.T + np.eye(n),
        rows=H,
        force=10.0 * rng.normal(size=n),
        friction=rng.random((c, len(BLOCKS[d]))),
        velocity=velocity,
        bias=None if at_rest else bias,
        held=rng.normal(size=(m, n)),
        held_acceleration=None if at_rest else rng.normal(size=m),
    )
