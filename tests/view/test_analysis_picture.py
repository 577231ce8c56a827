"""Pictures of analyses: where they look from, what they show, and that nothing leaves the frame."""

import matplotlib.image
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

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
        (
            (70, 0, 120),
            (8, 0, 0),  # turns about x as well, which neither the side nor the top shows
            [("x (m)", "z (m)"), ("x (m)", "y (m)"), ("y (m)", "z (m)")],
        ),
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
    draw_analysis(rc.analyze(world, most_cells=0), world, str(path), "A block")
    picture = matplotlib.image.imread(path)[:, :, :3]
    assert picture.std() > 0.05
    for colour in ("e69f00", "009e73", "cc3377", "3a7bd5"):  # mark, force, acceleration, load
        wanted = np.array([int(colour[k : k + 2], 16) / 255 for k in (0, 2, 4)])
        assert (np.abs(picture - wanted).max(axis=2) < 0.02).sum() > 20, colour
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edge == 1.0).all()


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Of a world: all that its picture has in letters."""
    figures, save = [], Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, to: figures.append(self) or save(self, to))

    def find(world):
        draw_analysis(rc.analyze(world, most_cells=0), world, tmp_path / "a.png")
        return [text.get_text() for text in figures[-1].findobj(Text)]

    return find


def test_what_is_written(texts):
    """Contacts behind each other share a place; what is not there is not in the legend."""
    found = texts(block((60, 0, 0)))
    assert {"0,2", "1,3", "block", "friction cone", "starts to slide"} <= set(found)
    assert "load, longest 98.1 N" in found
    lifted = texts(block((0, 0, 200)))
    assert "load, longest 200 N" in lifted
    assert "breaks" in lifted
    assert "friction cone" not in lifted
    assert not any("contact force" in text for text in lifted)
    assert "no acceleration" in texts(block((0, 0, 0)))


def test_names_at_one_place(texts):
    world = block((0, 0, 0))
    world.add_box(size=(0.4,) * 3, mass=10, position=(0, 1, 0.2), force=(60, 0, 0), name="twin")
    found = texts(world)
    assert "block, twin" in found  # from the side
    assert {"block", "twin"} <= set(found)  # from above


def test_many_contacts_have_no_numbers(texts):
    world = block((0, 0, 0))
    for k in range(1, 4):
        world.add_box(size=(0.4,) * 3, mass=10, position=(0, 0, 0.2 + 0.4 * k), name=f"box {k}")
    assert not any("," in text and text[0].isdigit() for text in texts(world) if text)


def test_what_cannot_be_drawn(tmp_path):
    world = block((0, 0, 0))
    plain = rc.AccelerationProblem(
        mass=np.eye(3), rows=np.eye(3)[None], force=np.ones(3), friction=1
    )
    with pytest.raises(rc.InputError, match="not of a world"):
        draw_analysis(rc.analyze(plain), world, tmp_path / "a.png")
    with pytest.raises(rc.InputError, match="must end in"):
        draw_analysis(rc.analyze(world), world, tmp_path / "a.txt")
