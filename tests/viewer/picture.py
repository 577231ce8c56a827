"""Makes the picture of the page in the docs.

PYTHONPATH=tests python tests/viewer/picture.py docs/viewer.png
"""

from __future__ import annotations

import sys

import numpy as np
from browser import open_page, pixel, wait_until

import rollcone as rc
from rollcone.viewer.server import Viewer

AT = 42  # the moment that is shown


def pour(bodies: int = 150) -> rc.Run:
    """Spheres, boxes and capsules that fall on a floor."""
    random = np.random.default_rng(3)
    world = rc.World(gravity=(0, 0, -9.81))
    world.set_contact_law(rc.ContactLaw(sliding=0.4, rolling=0.002, spinning=0.002))
    world.add_plane(name="floor")
    for k in range(bodies):
        layer, rest = divmod(k, 25)
        x, y = divmod(rest, 5)
        place = 0.06 * np.array([x - 2, y - 2, layer + 1]) + random.uniform(-8e-3, 8e-3, 3)
        turn = random.normal(size=4)
        common = {"density": 2500, "position": place, "orientation": turn / np.linalg.norm(turn)}
        if k % 7 == 5:
            world.add_box(size=(0.05, 0.03, 0.03), **common)
        elif k % 7 == 3:
            world.add_capsule(radius=0.012, length=0.024, **common)
        else:
            world.add_sphere(radius=random.uniform(0.018, 0.026), **common)
    return rc.simulate(world, until=0.8, step=0.004, record_every=2, tolerance=1e-3)


def main(path: str) -> None:
    run = pour()
    with Viewer(run, port=0) as viewer, open_page(viewer) as page:
        client = next(iter(viewer.server.get_clients().values()))
        client.camera.position = (0.5, -0.72, 0.42)
        client.camera.look_at = (0.0, 0.0, 0.06)
        viewer.seek(run.time[min(AT, len(run.time) - 1)])
        page.wait_for_timeout(2000)
        places = run.states("position")[AT]
        highest = int(np.nanargmax(places[:, 2]))
        page.mouse.click(*pixel(viewer, places[highest]))
        wait_until(page, lambda: viewer.picked is not None)
        page.get_by_role("tab", name="Energy and residual").click()
        page.mouse.move(5, 5)
        page.wait_for_timeout(2500)
        page.screenshot(path=path)


if __name__ == "__main__":
    main(sys.argv[1])
