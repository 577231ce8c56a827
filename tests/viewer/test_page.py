"""The page in a real browser, without a screen."""

from contextlib import suppress

import numpy as np
import pytest
from browser import BROWSER_MARKS, open_page, picture, pixel, wait_until
from viewer_cases import table_run

from rollcone.viewer.server import Viewer

pytestmark = BROWSER_MARKS


@pytest.fixture(scope="module")
def viewer():
    with Viewer(table_run(), port=0) as found:
        yield found


@pytest.fixture(scope="module")
def page(viewer):
    with open_page(viewer) as found:
        yield found


@pytest.fixture(autouse=True)
def at_the_start(viewer):
    viewer.jump("first")


def drawn(viewer, page, body, time):
    """Waits until the middle of a body has not the colour of what is behind it."""
    track = viewer.run.body(body)
    place = track.position[np.searchsorted(viewer.run.time, time - 1e-9)]
    x, y = (round(value) for value in pixel(viewer, place))
    wait_until(page, lambda: np.ptp(picture(page)[y, x]) > 20)  # floor and sky are grey
    return x, y


def test_it_loads_and_needs_no_network(viewer, page):
    drawn(viewer, page, "ball", 0.0)
    image = picture(page)
    assert image.std() > 5
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50
    assert page.asked
    asked = [url for url in page.asked if not url.startswith(("data:", "blob:"))]
    assert all(url.startswith((viewer.url, viewer.url.replace("http", "ws"))) for url in asked)


def test_play_moves_bodies(viewer, page):
    drawn(viewer, page, "box", 0.0)
    before = picture(page)
    page.get_by_role("button", name="Play").click()
    wait_until(page, lambda: viewer.clock.time == viewer.clock.end)
    drawn(viewer, page, "box", viewer.clock.end)
    assert (np.abs(picture(page) - before).max(axis=2) > 20).sum() > 500
    page.get_by_role("button", name="Play").wait_for()  # it does not say Pause any more


def test_scrubbing(viewer, page):
    """Home and End of the slider's thumb."""
    press_until(page, "End", lambda: viewer.clock.time == viewer.clock.end)
    drawn(viewer, page, "late", viewer.clock.end)
    press_until(page, "Home", lambda: viewer.clock.time == 0.0)
    assert not viewer.clock.playing


def press_until(page, key, condition):
    """As a person would: a page that is just being drawn anew may miss a key."""
    for _ in range(5):
        page.get_by_role("slider").first.press(key)
        with suppress(TimeoutError):
            wait_until(page, condition, seconds=4.0)
            return
    raise TimeoutError(f"{key} was not heard")


def test_a_click_on_a_body_tells_its_state(viewer, page):
    page.mouse.click(*drawn(viewer, page, "ball", 0.0))
    wait_until(page, lambda: viewer.picked == viewer.run.world.number_of("ball"))
    page.get_by_role("cell", name="sphere, radius 0.5 m").wait_for()
    page.mouse.click(20, 20)  # the sky
    wait_until(page, lambda: viewer.picked is None)


def test_colours_forces_and_curves(viewer, page):
    viewer.seek(0.3)
    x, y = drawn(viewer, page, "ball", 0.3)
    before = picture(page)[y, x]
    page.get_by_label("colour by").click()
    page.get_by_role("option", name="mode").click()
    page.get_by_text("slide", exact=True).wait_for()
    wait_until(page, lambda: np.abs(picture(page)[y, x] - before).max() > 20)
    page.get_by_role("checkbox", name="forces").click()
    wait_until(page, lambda: viewer.server.scene.get_handle_by_name("/forces") is not None)
    page.get_by_text("arrow length").wait_for()
    page.get_by_role("checkbox", name="forces").click()
    page.get_by_role("tab", name="Energy and residual").click()
    page.locator(".uplot canvas").first.wait_for()
    for name in ("kinetic", "potential", "dissipated", "remainder"):
        assert page.get_by_text(name, exact=True).is_visible()
