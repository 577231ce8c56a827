"""A disk in a bowl on the page in a real browser: seen where it is, clicked, lying in the end."""

import numpy as np
from browser import BROWSER_MARKS, open_page, picture, pixel, wait_until

import rollcone as rc
from rollcone.viewer.server import Viewer

pytestmark = BROWSER_MARKS


def toy() -> rc.Run:
    """The disk of examples/scenes/euler_disk.toml, with more friction: it settles in a second."""
    world = rc.World(gravity=(0, 0, -9.81))
    world.add_bowl(radius=1.0, name="mirror")
    world.add_disk(
        radius=0.0375, thickness=0.0127, edge_radius=0.0015, density=7850,
        position=(0, 0, 0.02866), orientation=rc.rotation((0, 1, 0), 40),
        angular_velocity=(-18.14, 0, 21.0), name="disk",
    )  # fmt: skip
    world.set_contact_law(rc.ContactLaw(sliding=0.2, contact_radius=1e-4, contour=0.02))
    return rc.simulate(world, until=1.5, step=1e-3, record_every=5)


def test_the_toy_is_seen_and_told():
    run = toy()
    track = run.body("disk")
    assert np.abs(track.velocity[-1]).max() < 1e-9
    with Viewer(run, port=0) as viewer, open_page(viewer) as page:
        for moment in (0, len(run.time) - 1):
            viewer.seek(float(run.time[moment]))
            x, y = (round(value) for value in pixel(viewer, track.position[moment]))
            wait_until(page, lambda x=x, y=y: np.ptp(picture(page)[y, x]) > 25)  # bowls are grey
        page.get_by_text("3 contacts").wait_for()
        page.mouse.click(x, y)
        wait_until(page, lambda: viewer.picked is not None)
        page.get_by_role("cell", name="disk").first.wait_for()
        assert run.world.name_of(viewer.picked) == "disk"
