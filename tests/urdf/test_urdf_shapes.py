"""Which body stands for the collision shapes of a link."""

import sys

import numpy as np
import pytest
from urdf_cases import joint, link, robot, saved, shape

import rollcone as rc
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World

BOX, BALL = '<box size="0.2 0.4 0.6"/>', '<sphere radius="0.1"/>'
PILL = '<capsule radius="0.1" length="0.5"/>'
ROD = '<cylinder radius="0.1" length="0.5"/>'
TURNED = '<origin rpy="0.3 0.2 0.1"/>'
SHIFTED = '<origin xyz="0.1 0.2 0.3" rpy="0.3 0.2 0.1"/>'


def load(tmp_path, *shapes, **options):
    return rc.load_urdf(saved(tmp_path, robot(link("a", shapes="".join(shapes)))), **options)


@pytest.fixture
def calls(monkeypatch):
    """What add_compound and add_convex are given."""
    found = []

    def spy(kind):
        add = getattr(World, f"add_{kind}")

        def noted(world, **options):
            found.append((kind, dict(options)))
            return add(world, **options)

        return noted

    for kind in ("compound", "convex"):
        monkeypatch.setattr(World, f"add_{kind}", spy(kind))
    return found


@pytest.mark.parametrize(
    ("geometry", "kind", "size"),
    [
        (BOX, "box", (0.2, 0.4, 0.6)),
        (BALL, "sphere", (0.1,) * 3),
        (ROD, "disk", (0.1, 0.5, 0)),
        (PILL, "capsule", (0.1, 0.1, 0.5)),
    ],
)
def test_one_shape_about_the_centre(geometry, kind, size, tmp_path):
    body = load(tmp_path, shape(geometry, TURNED)).bodies["a"]
    assert body.shape == kind
    np.testing.assert_allclose(body.size, size, atol=1e-15)
    cos, sin = np.cos(0.1), np.sin(0.1)
    assert rotation_matrix(body.orientation)[2, 0] == pytest.approx(-np.sin(0.2))
    assert rotation_matrix(body.orientation)[0, 0] == pytest.approx(cos * np.cos(0.2))
    assert rotation_matrix(body.orientation)[1, 0] == pytest.approx(sin * np.cos(0.2))


def test_balls(tmp_path):
    body = load(tmp_path, shape(BALL, SHIFTED)).bodies["a"]
    assert body.shape == "clump"
    np.testing.assert_allclose(body.spheres, [[0.1, 0.2, 0.3, 0.1]])
    np.testing.assert_allclose(body.position, 0)
    np.testing.assert_allclose(body.inertia, 0.01)


def test_a_shape_beside_the_centre(tmp_path, calls):
    made = load(tmp_path, shape(BOX, SHIFTED), position=(1, 0, 0))
    assert made.bodies["a"].shape == "compound"
    (kind, given), *_ = calls
    assert kind == "compound"
    np.testing.assert_array_equal(given["center"], 0)
    np.testing.assert_array_equal(given["position"], (1, 0, 0))
    (part,) = given["parts"]
    assert part["shape"] == "box"
    np.testing.assert_array_equal(part["size"], (0.2, 0.4, 0.6))
    np.testing.assert_array_equal(part["position"], (0.1, 0.2, 0.3))
    assert rotation_matrix(part["orientation"])[2, 0] == pytest.approx(-np.sin(0.2))
    np.testing.assert_array_equal(made.link_pose("a")[0], (1, 0, 0))


def test_shapes_of_links_that_are_one(tmp_path, calls):
    at = '<origin xyz="0 1 0"/>'
    text = robot(
        link("a", 1, shape(BOX)), link("b", 3, shape(ROD)), joint("j", "a", "b", "fixed", at)
    )
    made = rc.load_urdf(saved(tmp_path, text))
    given = calls[0][1]
    np.testing.assert_allclose(given["center"], (0, 0.75, 0))
    np.testing.assert_allclose(given["position"], (0, 0.75, 0))
    assert given["mass"] == 4.0
    box, rod = given["parts"]
    np.testing.assert_array_equal(box["position"], 0)
    np.testing.assert_array_equal(rod["position"], (0, 1, 0))
    assert (rod["shape"], rod["radius"], rod["height"]) == ("cylinder", 0.1, 0.5)
    np.testing.assert_allclose(made.link_pose("b")[0], (0, 1, 0))


def test_a_fixed_base(tmp_path):
    """Its mass is of no matter, so that a box beside it is still a box."""
    made = load(tmp_path, shape(BOX, SHIFTED), fixed_base=True)
    body = made.bodies["a"]
    assert (body.shape, body.dynamic) == ("box", False)
    np.testing.assert_allclose(body.position, (0.1, 0.2, 0.3))
    np.testing.assert_allclose(made.link_pose("a")[0], 0, atol=1e-15)
    assert any("is fixed, so its mass does not matter" in note for note in made.notes)


def mesh_file(tmp_path):
    """A box of 1 x 2 x 3 about (0.5, 1, 1.5)."""
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box(extents=(1, 2, 3))
    box.apply_translation((0.5, 1, 1.5))
    (tmp_path / "parts").mkdir()
    box.export(tmp_path / "parts" / "box.stl")


def mesh(name, scale="0.1 0.1 0.1"):
    return f'<mesh filename="{name}" scale="{scale}"/>'


def test_a_mesh_as_its_hull(tmp_path, calls):
    mesh_file(tmp_path)
    made = load(tmp_path, shape(mesh("parts/box.stl"), '<origin xyz="0 0 1"/>'))
    kind, given = calls[0]
    assert kind == made.bodies["a"].shape == "convex"
    np.testing.assert_array_equal(made.bodies["a"].position, 0)  # that of the <inertial>
    points = given["points"]
    assert points.shape == (8, 3)
    np.testing.assert_allclose(points.min(axis=0), (0, 0, 1), atol=1e-7)
    np.testing.assert_allclose(points.max(axis=0), (0.1, 0.2, 1.3), atol=1e-7)
    assert any("taken as its convex hull of 8 corners" in note for note in made.notes)


def test_a_mirrored_mesh(tmp_path, calls):
    mesh_file(tmp_path)
    load(tmp_path, shape(mesh("parts/box.stl", "1 -1 1")))
    points = calls[0][1]["points"]
    np.testing.assert_allclose(points.min(axis=0), (0, -2, 0), atol=1e-7)
    np.testing.assert_allclose(points.max(axis=0), (1, 0, 3), atol=1e-7)


def test_a_mesh_as_a_box(tmp_path):
    mesh_file(tmp_path)
    at = shape(mesh("package://arm/box.stl"), '<origin xyz="-0.05 -0.1 -0.15"/>')
    made = load(tmp_path, at, meshes="box", packages={"arm": tmp_path / "parts"})
    body = made.bodies["a"]
    assert body.shape == "box"
    np.testing.assert_allclose(body.size, (0.1, 0.2, 0.3), rtol=1e-6)
    assert any("taken as the box around it" in note for note in made.notes)


WRONG = {
    "parts/bix.stl": "there is no such file",
    "package://amr/box.stl": "the folder of the package 'amr' is not known .did you mean 'arm'",
    "http://example.com/box.stl": "must be a file, file:// or package://",
    "http://[/box.stl": "filename = 'http://",
    "parts/none.stl": "holds no triangles",
    "parts/none.dae": "cannot be read as dae",
    "parts/box.step": "must end in one of stl",
    "parts/flat.obj": "flat|plane",
    "parts": "there is no such file",
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.filterwarnings("ignore")  # of trimesh
def test_meshes_that_cannot_be_read(name, tmp_path):
    mesh_file(tmp_path)
    (tmp_path / "parts" / "none.stl").write_bytes(b"solid of nothing")
    (tmp_path / "parts" / "box.step").write_bytes(b"")
    (tmp_path / "parts" / "none.dae").write_bytes(b"no XML")
    (tmp_path / "parts" / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    for how in ("hull", "box"):
        with pytest.raises(rc.InputError, match=WRONG[name]) as told:
            load(tmp_path, shape(mesh(name)), meshes=how, packages={"arm": "parts"})
        assert "link 'a': <mesh>" in str(told.value)


def test_without_trimesh(tmp_path, monkeypatch):
    mesh_file(tmp_path)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(rc.InputError, match="need trimesh"):
        load(tmp_path, shape(mesh("parts/box.stl")))
