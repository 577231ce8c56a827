"""Pictures and films of a run, rendered off-screen by PyVista (VTK)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rollcone._check import FloatArray, one_of, positive_number, true_or_false
from rollcone.errors import InputError, MissingPackageError
from rollcone.recording.run import Run
from rollcone.view.camera import fitted, placed
from rollcone.view.colours import QUANTITIES, named_colours, value_range
from rollcone.view.framing import box_around, joint_points, movers, surroundings
from rollcone.view.moments import nearest_moment
from rollcone.view.output import check_output, write_whole
from rollcone.view.overlay import Overlay, Pixels
from rollcone.view.stage import Stage

PICTURE, FILM = ".png", ".mp4"
SUFFIXES = (PICTURE, FILM)
_CODEC = {"codec": "libx264", "quality": 7, "macro_block_size": 2, "pixelformat": "yuv420p"}
_ROOM = 2.5  # bodies' sizes that are seen at least, from the middle
_SMALLEST, _LARGEST = 64, 8192  # pixels


def render(
    run: Run,
    path: Path | str,
    *,
    time: float | None = None,
    colour: str = "speed",
    size: tuple[int, int] = (1280, 960),
    view: str = "iso",
    camera: Sequence[float] | None = None,
    fps: float = 25.0,
    speed: float = 1.0,
    joints: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """A picture (.png) or a film (.mp4).

    time      of the picture (s), the end if not given; films show all of the run
    colour    'speed', 'rotation', 'force', 'mode' or 'material'
    size      width and height in pixels
    view      'iso', 'front', 'side' or 'top', near enough to see what most bodies do
    camera    instead of it: the camera's place x, y, z (m), and perhaps a point to look at
    fps       pictures per second of a film; each shows the recorded moment next to its time
    speed     simulated seconds per second of the film
    joints    are they drawn?
    progress  called with the number of pictures made and of all
    """
    path = Path(path)
    one_of("colour", colour, QUANTITIES)
    check_output("picture", path, SUFFIXES)
    film = path.suffix.lower() == FILM
    _check_size(size, even=film)
    if film and time is not None:
        raise InputError(f"time = {time!r}: is for a picture; {path.name} would be a film")
    moments = _film_moments(run, fps, speed) if film else [_picture_moment(run, time)]
    shown = true_or_false("joints", joints)
    artist = _Artist(run, None if film else moments, colour, size, view, camera, shown)
    try:
        if film:
            pictures = _counted(artist.draw, moments, progress)
            write_whole("film", path, lambda made: _write_film(made, pictures, fps))
        else:
            write_whole("picture", path, lambda made: _write_picture(made, artist.draw(moments[0])))
    finally:
        artist.close()


class _Artist:
    """Draws moments of a run, one after the other."""

    def __init__(
        self,
        run: Run,
        moments: Sequence[int] | None,
        colour: str,
        size: tuple[int, int],
        view: str,
        camera: Sequence[float] | None,
        joints: bool,
    ) -> None:
        limits = value_range(run, colour, moments if colour == "force" else None)
        centers, reach = movers(run, moments)
        box = box_around(centers, reach)
        if camera is None:
            moment = -1 if moments is None else moments[0]
            about = np.vstack([surroundings(run, box, moment), joint_points(run, box, moment)])
            seen = fitted(*_with_room(centers, reach, about), view, size[0] / size[1])
        else:
            seen = placed(camera, *box)
        self._run = run
        self._overlay = Overlay(size, colour, limits, named_colours(run, colour))
        self._stage = Stage(run, box, size, seen, colour, limits, moments, joints=joints)

    def draw(self, moment: int) -> Pixels:
        return self._overlay.on(self._stage.picture(moment), float(self._run.time[moment]))

    def close(self) -> None:
        self._stage.close()


def _with_room(
    centers: FloatArray, reach: FloatArray, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One more ball in the middle, so that a single body does not fill the picture; and points."""
    middle = 0.5 * (centers.min(axis=0) + centers.max(axis=0))
    radii = np.concatenate([reach, [_ROOM * np.median(reach)], np.zeros(len(points))])
    return np.vstack([centers, middle, points]), radii


def _picture_moment(run: Run, time: float | None) -> int:
    return len(run.time) - 1 if time is None else nearest_moment(run, time)


def _film_moments(run: Run, fps: float, speed: float) -> list[int]:
    """The moment next to each picture's time, from start to end."""
    pace = positive_number("speed", speed) / positive_number("fps", fps)
    times: FloatArray = run.time
    count = int((times[-1] - times[0]) / pace * (1.0 + 1e-9)) + 1
    wanted = times[0] + pace * np.arange(count)
    after = np.clip(np.searchsorted(times, wanted), 1, max(len(times) - 1, 1))
    if len(times) == 1:
        return [0]
    nearer = after - (wanted - times[after - 1] < times[after] - wanted)
    return [int(k) for k in nearer]


def _counted(
    draw: Callable[[int], Pixels],
    moments: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> Any:
    for done, moment in enumerate(moments):
        yield draw(moment)
        if progress is not None:
            progress(done + 1, len(moments))


def _check_size(size: tuple[int, int], *, even: bool) -> None:
    right = len(size) == 2 and all(
        isinstance(edge, int | np.integer) and _SMALLEST <= edge <= _LARGEST for edge in size
    )
    if not right:
        raise InputError(
            f"size = {size!r}: must be two whole numbers from {_SMALLEST} to {_LARGEST}, pixels"
        )
    if even and any(edge % 2 for edge in size):
        raise InputError(f"size = {size!r}: must be even numbers for a film")


def _write_picture(path: Path, pixels: Pixels) -> None:
    from matplotlib.image import imsave

    imsave(path, pixels)


def _write_film(path: Path, pictures: Any, fps: float) -> None:
    if find_spec("imageio") is None or find_spec("imageio_ffmpeg") is None:
        raise MissingPackageError(
            "films need the package imageio with ffmpeg: pip install 'rollcone[render]'"
        )
    from imageio.v2 import get_writer

    with get_writer(path, fps=fps, **_CODEC) as writer:
        for picture in pictures:
            writer.append_data(picture)
