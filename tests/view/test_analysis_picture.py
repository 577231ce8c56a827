"""Pictures of analyses: where they look from, what they show, and that nothing leaves the frame."""

import matplotlib.image
import numpy as np
import pytest

import rollcone as rc
from rollcone.view.analysis import draw_analysis
from rollcone.view.analysis_views import sights


def block(force, gravity=(0, 0, -9.81), torque=(0, 0, 0)):
    world = rc.World(gravity=gravity)
    up = -np.array(gravity) / np.linalg.norm(gravity)
    world.add_plane(normal=up, name="floor")
    world.set_contact_law(rc.ContactLaw(sliding=0.5))
    world.add_box(
        size=(0.4,) * 3, mass=10, position=0.2 * up, force=force, torque=torque, name="block"
    )
    return world


@pytest.mark.parametrize(
    ("force", "torque", "labels"),
    [
        ((60, 0, 0), (0, 0, 0), [("x (m)", "z (m)")]),
        ((0, 60, 0), (0, 0, 0), [("y (m)", "z (m)")]),
        ((60, 50, 0), (0, 0, 0), [("x (m)", "z (m)"), ("x (m)", "y (m)")]),
    ],
)
def test_where_it_looks_from(force, torque, labels):
    world = block(force, torque=torque)
    found = sights(world, rc.analyze(world, most_cells=0).motion)
    assert [sight.labels for sight in found] == labels
    for sight in found:
        np.testing.assert_allclose(sight.turn @ sight.turn.T, np.eye(3), atol=1e-15)
        assert np.linalg.det(sight.turn) == pytest.approx(1.0)


def test_up_is_against_gravity():
    world = block((60, 0, 0), gravity=(0, -9.81, 0))
    (sight,) = sights(world, rc.analyze(world, most_cells=0).motion)
    assert sight.labels == ("x (m)", "y (m)")
    leaning = rc.World(gravity=(0, -6, -8))
    leaning.add_sphere(radius=1, mass=1)
    (sight,) = sights(leaning, None)
    np.testing.assert_allclose(sight.turn[2], [0, 0.6, 0.8])


@pytest.mark.parametrize("force", [(60, 0, 0), (60, 50, 0)])
def test_a_picture(tmp_path, force):
    world = block(force)
    path = tmp_path / "block.png"
    draw_analysis(rc.analyze(world, most_cells=0), world, path, "A block")
    picture = matplotlib.image.imread(path)[:, :, :3]
    assert picture.std() > 0.05
    for colour in ("e69f00", "009e73", "cc3377"):  # a mark, a force, an acceleration
        wanted = np.array([int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)])
        assert (np.abs(picture - wanted).max(axis=2) < 0.02).sum() > 20, colour
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edge == 1.0).all()


def test_what_cannot_be_drawn(tmp_path):
    world = block((0, 0, 0))
    plain = rc.AccelerationProblem(
        mass=np.eye(3), rows=np.eye(3)[None], force=np.ones(3), friction=1
    )
    with pytest.raises(rc.InputError, match="not of a world"):
        draw_analysis(rc.analyze(plain), world, tmp_path / "a.png")
    with pytest.raises(rc.InputError, match="must end in"):
        draw_analysis(rc.analyze(world), world, tmp_path / "a.txt")
