"""Scenes with cones, hulls, compounds, meshes and height fields: files beside them, errors, and
the way there and back."""

import numpy as np
import pytest
from scene_cases import load, problems_of

import rollcone as rc
from part_bodies import BLOB, PARTS, torus, world_of_parts
from rollcone.mechanics.bodies import FIELDS
from rollcone.scene.read import read_scene

HEAD = "[simulation]\nuntil = 1\nstep = 0.1\n\n[[body]]\n"
TETRA = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"
STL = """solid t
{}endsolid t
"""


def save_stl(path):
    """A tetrahedron in millimetres."""
    corners = 1000 * np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    text = ""
    for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)):
        rows = "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners[list(face)])
        text += f"facet normal 0 0 0\nouter loop\n{rows}endloop\nendfacet\n"
    path.write_text(STL.format(text))


@pytest.mark.parametrize("shape", ["mesh", "convex"])
def test_files_of_triangles_are_beside_the_scene(shape, tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / "parts").mkdir()
    save_stl(tmp_path / "parts" / "t.stl")
    text = HEAD + f'shape = "{shape}"\nfile = "parts/t.stl"\nscale = 0.001\ndensity = 6\n'
    body = load(text, tmp_path).world.body(0)
    assert (body.shape, body.mass) == (shape, pytest.approx(1.0))
    twin = rc.World().add_mesh(path=tmp_path / "parts" / "t.stl", scale=0.001, density=6)
    np.testing.assert_allclose(body.inertia, twin.inertia)


def test_heights_from_an_array_file(tmp_path):
    heights = np.random.default_rng(0).random((4, 5))
    np.save(tmp_path / "h.npy", heights)
    text = HEAD + 'shape = "height_field"\nsize = [3, 4]\nfile = "h.npy"\n\n[[body]]\n'
    text += 'shape = "sphere"\nradius = 1\nmass = 1\nposition = [0, 0, 9]\n'
    body = load(text, tmp_path).world.body(0)
    assert (body.shape, body.dynamic) == ("mesh", False)
    vertices, triangles = body.surface
    assert len(triangles) == 2 * 3 * 4
    np.testing.assert_allclose(np.sort(vertices[:, 2]), np.sort(heights.reshape(-1)))
    for wrong, words in (
        (np.array([[None]]), "cannot be read as .npy"),
        (np.array(["a"]), "must hold an array of numbers"),
    ):
        np.save(tmp_path / "h.npy", wrong, allow_pickle=True)
        (told,) = problems_of(text, tmp_path)
        assert words in told
        assert told.startswith("heap.toml:8: body[0].file")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('shape = "convex"\nmass = 1', "body[0].points: are missing; give them, or a file"),
        (f'shape = "convex"\npoints = {TETRA}\nfile = "t.stl"', "no such file"),
        (f'shape = "convex"\npoints = {TETRA}\nscale = 2\nmass = 1', "scale: is for a file"),
        ('shape = "convex"\npoints = [[0, 0, 0]]', "must be 4 or more rows"),
        ('shape = "mesh"\nfile = "t.xyz"', "file = 't.xyz': must end in one of .stl, .obj"),
        ('shape = "mesh"\nfile = "t.stl"', "file = 't.stl': there is no such file"),
        (f'shape = "mesh"\nvertices = {TETRA}', "triangles: are missing"),
        (
            f'shape = "mesh"\nvertices = {TETRA}\ntriangles = [[0, 1, 2.5]]',
            "triangles: [0, 1, 2.5] must be three numbers of vertices",
        ),
        (
            f'shape = "mesh"\nvertices = {TETRA}\ntriangles = [[0, 1, 9]]',
            "triangles name the vertex 9",
        ),
        (
            f'shape = "mesh"\nvertices = {TETRA}\ntriangles = [[0, 1, 2]]\nmass = 1',
            "a mesh that moves must be closed",
        ),
        ('shape = "compound"\nparts = 3', "parts = 3: must be like"),
        (
            'shape = "compound"\nmass = 1\nparts = [{ shape = "sphere", radius = 0 }]',
            "body[0].parts[0].radius = 0: must be",
        ),
        (
            'shape = "compound"\nmass = 1\n[[body.parts]]\nshape = "sphere"\nradios = 1',
            "body[0].parts[0].radios: unknown key (did you mean 'radius'?)",
        ),
        ('shape = "height_field"\nsize = [1]\nheights = [[0, 0], [0, 0]]', "must be two lengths"),
        ('shape = "height_field"\nsize = [1, 1]\nheights = [0, 0]', "must be a table (nx, ny)"),
        ('shape = "cone"\nradius = 1\nheight = 0\nmass = 1', "body[0].height = 0"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(body, words, tmp_path):
    problems = problems_of(HEAD + body + "\n", tmp_path)
    assert any(words in problem for problem in problems), problems
    assert all(problem.startswith("heap.toml:") for problem in problems)


def same(one: rc.World, other: rc.World) -> bool:
    tables, others = one.state.parts.tables(), other.state.parts.tables()
    return all(
        getattr(one.state, name).tobytes() == getattr(other.state, name).tobytes()
        for name in FIELDS
    ) and all(tables[name].tobytes() == others[name].tobytes() for name in tables)


def test_worlds_are_written_and_read_to_the_bit():
    world = world_of_parts()
    assert same(world, read_scene(world.to_scene(until=1, step=0.1), "scene").world)


@pytest.mark.parametrize("seed", range(12))
def test_random_hulls_too(seed):
    """Where the centre of mass is elsewhere, parts are turned, and the mesh moves."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(random.integers(4, 40), 3)) * 10.0 ** random.uniform(-2, 1)
    world, turn = rc.World(), rc.rotation(random.normal(size=3), 50)
    center = random.normal(size=3) if seed % 2 else None
    convex = world.add_convex(points=points + random.normal(size=3), mass=1.0, center=center)
    part = {"shape": "convex", "points": points, "position": (1, 2, 3), "orientation": turn}
    world.add_compound(parts=[part, *PARTS], density=2)
    vertices, triangles = convex.surface
    world.add_mesh(vertices=vertices + 3.0, triangles=triangles, density=3)
    world.add_cone(radius=random.random(), height=random.random(), density=3)
    assert same(world, read_scene(world.to_scene(until=1, step=0.1), "scene").world)


def test_emitters_of_convex_bodies_are_written_and_read():
    world = rc.World()
    world.add_emitter(
        shape="convex", points=BLOB, scale=(0.5, 1), density=1, low=(0, 0, 0), high=(9, 9, 9),
        rate=5, count=5,
    )  # fmt: skip
    twin = read_scene(world.to_scene(until=1, step=0.1), "scene").world
    assert twin.emitters[0].plain() == world.emitters[0].plain()


def test_rings_are_no_heaps(tmp_path):
    """Measures of grains are of spheres."""
    world = rc.World(gravity=(0, 0, -1))
    vertices, triangles = torus(0.4, 0.1, 12, 6)
    world.add_mesh(vertices=vertices, triangles=triangles, density=1)
    with pytest.raises(rc.InputError, match="no dynamic sphere, and other shapes are no grains"):
        rc.granular.grains(world)
