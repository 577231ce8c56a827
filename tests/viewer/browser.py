"""A real browser without a screen, for the tests of the page and for the picture in the docs."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

WIDTH, HEIGHT = 1280, 800
_OPTIONS = (
    "--no-sandbox", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
)  # fmt: skip


def chromium() -> str | None:
    """Debian's, or another name for it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


BROWSER_MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="needs chromium (Debian: apt install chromium)"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="needs playwright's Python package"
    ),
    pytest.mark.skipif(importlib.util.find_spec("viser") is None, reason="needs viser"),
]


@contextmanager
def open_page(viewer: Any) -> Iterator[Any]:
    """The viewer's page, as soon as it has said who it is and has drawn."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(_OPTIONS))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(viewer.url)
        wait_until(page, lambda: bool(viewer.server.get_clients()))
        page.locator("canvas").first.wait_for()
        page.locator(".mantine-Notification-closeButton").click()  # 'software rendering'
        page.locator(".mantine-Notification-root").wait_for(state="detached")
        yield page
        browser.close()


def wait_until(page: Any, condition: Any, seconds: float = 20.0) -> None:
    """Lets the page go on until something is so."""
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        page.wait_for_timeout(50)
    raise TimeoutError(f"{condition} is not so after {seconds} s")


def picture(page: Any) -> np.ndarray:
    """What is left of the panel, as (rows, columns, 3) from 0 to 255."""
    from io import BytesIO

    from matplotlib.image import imread

    whole = imread(BytesIO(page.screenshot()))[:, : WIDTH - 340, :3]
    return np.round(255 * whole).astype(np.int64)


def pixel(viewer: Any, point: Any) -> tuple[float, float]:
    """Where a point of the world is on the page, by the camera of the browser."""
    camera = next(iter(viewer.server.get_clients().values())).camera
    x, y, z = Rotation.from_quat(np.roll(camera.wxyz, -1)).inv().apply(point - camera.position)
    focus = 0.5 * camera.image_height / np.tan(0.5 * camera.fov)
    return 0.5 * camera.image_width + focus * x / z, 0.5 * camera.image_height + focus * y / z
