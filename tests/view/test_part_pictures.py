"""Bodies that are made of parts in pictures, the browser's panel, and what a click hits."""

from functools import cache

import numpy as np
import pytest
from matplotlib.image import imread

import rollcone as rc
from part_bodies import BLOB, PARTS, torus, world_of_parts
from rollcone.export.gltf import save_gltf
from rollcone.export.vtkhdf import save_surfaces
from rollcone.view.render import render
from rollcone.view.side import draw_side
from rollcone.view.surfaces import groups
from rollcone.view.veils import veils
from rollcone.viewer.facts import body_facts
from rollcone.viewer.picking import pick


@cache
def run():
    return rc.simulate(world_of_parts(), until=0.05, step=5e-3)


def test_pictures_from_the_side(tmp_path):
    draw_side(run(), tmp_path / "side.png", (0, -1))
    assert imread(tmp_path / "side.png").std() > 0.05


@pytest.mark.usefixtures("opengl")
def test_pictures(tmp_path):
    render(run(), tmp_path / "all.png", size=(320, 240))
    assert imread(tmp_path / "all.png").std() > 0.05


def test_exports(tmp_path):
    save_gltf(run(), tmp_path / "all.glb")
    save_surfaces(run(), tmp_path / "all.vtkhdf")
    assert (tmp_path / "all.glb").stat().st_size > 10_000
    assert (tmp_path / "all.vtkhdf").stat().st_size > 10_000


def test_facts():
    found = {
        body.name: body_facts(run(), body.id, -1)["shape"].split(", ", 1)
        for body in run().world.bodies
    }
    assert found["cone"] == ["cone", "radius 0.3 m, height 0.8 m"]
    corners = len(run().world.body("blob").surface[0])
    assert found["blob"][0] == f"convex of {corners} corners"
    assert found["tool"][0] == f"compound of {len(PARTS)} parts"
    assert found["ring"] == [f"mesh of {2 * 48 * 24} triangles", "1 x 1 x 0.2 m"]


def test_clicks_hit_what_is_seen():
    """Through the ring, beside a corner of the hull's box, between the parts of a compound."""
    world = rc.World()
    vertices, triangles = torus(1.0, 0.2)
    world.add_mesh(vertices=vertices, triangles=triangles, fixed=True, name="ring")
    world.add_sphere(radius=0.3, mass=1, position=(0, 0, -2), name="behind")
    world.add_convex(points=BLOB, mass=1, position=(5, 0, 0), name="blob")
    world.add_compound(parts=PARTS, mass=1, position=(15, 0, 0), name="tool")
    state = world.state
    surfaces = {int(k): (g, i) for g in groups(world) for i, k in enumerate(g.numbers)}

    def corners(number):
        group, i = surfaces[number]
        return (group.scales[i] * group.surface.vertices)[group.surface.triangles]

    def hit(x, y):
        origin = np.array([x, y, 9.0])
        found = pick(
            state.shape, state.size, state.position, state.orientation, origin,
            np.array([0.0, 0.0, -1.0]), corners,
        )  # fmt: skip
        return None if found is None else world.name_of(found)

    assert hit(1.0, 0.0) == "ring"
    assert hit(0.0, 0.0) == "behind"
    assert hit(5.0, 0.0) == "blob"
    assert hit(*(state.position[2] + 0.98 * state.size[2])[:2]) is None
    places = np.array([part["position"] for part in world.body("tool").parts])
    assert hit(15 + places[1, 0], places[1, 1]) == "tool"
    assert hit(15 + places[1, 0], places[4, 1]) is None


def test_rings_hide_nothing_that_is_seen_through_them():
    for name, wide in (("open", 1.0), ("narrow", 0.2)):
        world = rc.World()
        vertices, triangles = torus(wide, 0.19)
        turn = rc.rotation((1, 0, 0), 90)
        world.add_mesh(
            vertices=vertices, triangles=triangles, fixed=True, position=(0, -3, 0),
            orientation=turn, name=name,
        )  # fmt: skip
        world.add_sphere(radius=0.1, mass=1, position=(0.3, 0, 0))
        found = veils(rc.simulate(world, until=0.1, step=0.1), np.array([0.0, -10, 0]), (0,))
        assert found.tolist() == [name == "narrow", False]
