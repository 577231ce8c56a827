"""Joints on the page in a real browser: a pin that is clicked, what is told of it, its curves."""

import numpy as np
from browser import BROWSER_MARKS, open_page, picture, pixel, wait_until

import rollcone as rc
from rollcone.viewer.server import Viewer

pytestmark = BROWSER_MARKS


def lever() -> rc.Run:
    """Turned by a motor about a pin that stands out of it at both sides."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_box(size=(1.0, 0.2, 0.2), mass=1.0, position=(0.5, 0, 0), name="lever")
    motor = rc.Motor(speed=2.0, limit=30.0)
    world.add_joint(
        kind="revolute", body="lever", point=(0, 0, 0), axis=(0, 1, 0), name="pin", angle=motor
    )
    return rc.simulate(world, until=0.5, step=0.01)


def test_a_click_on_a_joint_tells_its_state_and_marks_it():
    with Viewer(lever(), port=0) as viewer, open_page(viewer) as page:
        viewer.seek(0.3)
        page.get_by_text("Click a body or a joint").wait_for()
        place = pixel(viewer, np.array([0, -0.12, 0]))
        x, y = (round(value) for value in place)
        wait_until(page, lambda: picture(page)[y, x].max() < 120)  # the pin is dark
        page.mouse.click(*place)
        wait_until(page, lambda: viewer.picked_joint == 0)
        page.get_by_role("cell", name="revolute").wait_for()
        page.get_by_role("cell", name="(2 rad/s, at most 30 N m)").wait_for()
        for title in ("angle (rad)", "angle.motor (N m)"):
            page.get_by_text(title, exact=True).wait_for()
        wait_until(page, lambda: np.ptp(picture(page)[y, x]) > 100)  # it is pink now
        page.mouse.click(20, 20)  # the sky
        wait_until(page, lambda: viewer.picked_joint is None)
        wait_until(page, lambda: np.ptp(picture(page)[y, x]) < 60)
