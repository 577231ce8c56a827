"""Masses of links that are one body, against clouds of points that have the same moments."""

import numpy as np
import pytest
from urdf_cases import ARM, joint, link, robot, saved

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.urdf.mass import merged, seen_from
from rollcone.urdf.model import MassModel
from rollcone.urdf.pose import from_rpy


def cloud(mass: MassModel) -> tuple[np.ndarray, np.ndarray]:
    """Six points (6, 3) and their masses with that centre and inertia: two on each principal axis,
    at distances d with 2 (m / 6) d_k^2 = (J_i + J_j - J_k) / 2."""
    moments, axes = np.linalg.eigh(mass.inertia)
    second = moments.sum() / 2 - moments
    steps = np.sqrt(second * 3 / mass.mass) * axes
    return mass.center + np.concatenate([steps.T, -steps.T]), np.full(6, mass.mass / 6)


def of_points(points: np.ndarray, masses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centre, and inertia by the definition."""
    center = masses @ points / masses.sum()
    x, y, z = (points - center).T
    rows = [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z],
            [-x * z, -y * z, x * x + y * y]]  # fmt: skip
    return center, np.array(rows) @ masses


def random_mass(draw: np.random.Generator) -> MassModel:
    spread = draw.normal(size=(3, 3))
    second = spread @ spread.T
    inertia = np.trace(second) * np.eye(3) - second  # of matter with these second moments
    return MassModel(draw.uniform(0.1, 5), draw.normal(size=3), inertia)


@pytest.mark.parametrize("seed", range(5))
def test_several_as_one(seed):
    draw = np.random.default_rng(seed)
    masses = [random_mass(draw) for _ in range(4)]
    poses = [from_rpy(draw.normal(size=3), draw.uniform(-3, 3, size=3)) for _ in masses]
    clouds = [cloud(mass) for mass in masses]
    placed = [p.position + c[0] @ p.turn.T for p, c in zip(poses, clouds, strict=True)]
    center, inertia = of_points(np.concatenate(placed), np.concatenate([c[1] for c in clouds]))
    found = merged([seen_from(mass, pose) for mass, pose in zip(masses, poses, strict=True)])
    assert found.mass == pytest.approx(sum(mass.mass for mass in masses))
    np.testing.assert_allclose(found.center, center, atol=1e-12)
    np.testing.assert_allclose(found.inertia, inertia, atol=1e-11 * np.abs(inertia).max())
    assert merged([]) is None


def test_the_body_of_two_links(tmp_path):
    """A dumbbell, each half a ball at 0.5 m: I = 2 (I_ball + m d^2) across, 2 I_ball along."""
    ball = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
    at = '<origin xyz="0 1 0" rpy="0.3 0.2 0.1"/>'
    text = robot(link("a", 2, ball), link("b", 2, ball), joint("j", "a", "b", "fixed", at))
    made = rc.load_urdf(saved(tmp_path, text), position=(0, 0, 1))
    body = made.bodies["a"]
    assert made.bodies["b"].id == body.id
    assert (body.shape, body.mass, body.name) == ("clump", 4.0, "a")
    np.testing.assert_allclose(body.position, (0, 0.5, 1))
    np.testing.assert_allclose(body.spheres, [[0, -0.5, 0, 0.1], [0, 0.5, 0, 0.1]], atol=1e-15)
    np.testing.assert_allclose(np.sort(body.inertia), [0.02, 1.02, 1.02], rtol=1e-12)
    np.testing.assert_allclose(made.link_pose("b")[0], (0, 1, 1))
    assert any("links 'a', 'b': held fast to each other" in note for note in made.notes)
    assert not made.joints


def test_the_inertia_of_a_turned_link(tmp_path):
    """Tensor in world axes: that of the file, turned by the <inertial> and the joint."""
    made = rc.load_urdf(saved(tmp_path, ARM), fixed_base=True)
    body, state = made.bodies["lower"], made.world.state
    _, orientation = made.link_pose("lower")
    turn = rotation_matrix(orientation)
    expected = turn @ np.diag([0.01, 0.02, 0.02]) @ turn.T
    axes = rotation_matrix(body.orientation) @ rotation_matrix(state.principal[body.id])
    np.testing.assert_allclose(axes @ np.diag(body.inertia) @ axes.T, expected, atol=1e-15)
    both = made.bodies["upper"]
    assert both.mass == 2.5
    assert made.bodies["bracket"].id == both.id
