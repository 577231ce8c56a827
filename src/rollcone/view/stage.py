"""The bodies of a run in front of a camera, off-screen: VTK draws copies of a few surfaces.

All is moved and scaled so that what moves is about the origin and of size 1: graphics has single
precision, and grains may lie a kilometre from the origin.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone._interrupts import deferred_signals
from rollcone.collision.shapes import BOWL, BOX, PLANE
from rollcone.errors import MissingPackageError, RollconeError
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.recording.run import Run
from rollcone.view.bowl_floors import BowlFloors
from rollcone.view.camera import ANGLE, Camera
from rollcone.view.colours import body_colours
from rollcone.view.glyphs import copier, mesh_of, move_copies, shadow_of, shiny
from rollcone.view.joint_actors import JointActors
from rollcone.view.moments import spread_moments
from rollcone.view.surface_forms import Surface
from rollcone.view.surfaces import BodyGroup, groups, under
from rollcone.view.veils import veils

# How fine round surfaces are, of films or not, up to so many bodies; else 2.
_DETAIL = {False: {50: 4, 2000: 3}, True: {500: 3}}
_SHADOW_DETAIL, _FEW = 2, 50  # most of it, with more bodies than so many
_SAMPLES = 4  # per pixel, against jagged edges
_DARK = 0.72  # the second tone, over the first
_FLOOR, _LINES = "#eceae5", "#cfccc4"
_BACKGROUND = ("#ffffff", "#dfe5ea")  # below, above
_EDGES = (0.55, 0.54, 0.5)  # of boxes that are seen through
_LIGHT = np.array([-0.35, -0.3, 0.89])  # where it comes from
_ABOVE = 4e-3  # shadows above their floor, over half the diagonal
_WIDE = 3.0  # half width of floors, over half the diagonal of what moves
_BOWL = 1.5  # likewise of bowls, beyond the middle of what moves
_SPACING = 0.25  # of grids, about, over half the diagonal
_WALL = 0.25  # opacity of walls and of fixed bodies that hide what moves
_LOOKS = 16  # moments of a film at which it is seen what hides what
_STEEP = 0.5  # cosine of the slope from which on a plane is a wall, which is seen through


class Stage:
    """Made once; `picture` for each moment."""

    def __init__(
        self,
        run: Run,
        seen: tuple[FloatArray, FloatArray],
        size: tuple[int, int],
        camera: Camera,
        quantity: str,
        limits: tuple[float, float],
        moments: Sequence[int] | None = None,
        *,
        joints: bool = True,
    ) -> None:
        """`seen`: corners of a box around what moves; `moments`: to be drawn, all of a film if not
        given, which is then drawn with fewer triangles; `joints`: are they drawn?"""
        self._run, self._quantity, self._limits = run, quantity, limits
        low, high = seen
        self._middle, self._unit = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        self._plotter = open_plotter(size)
        self._plotter.set_background(_BACKGROUND[0], top=_BACKGROUND[1])
        count = len(run.world.state)
        detail = next((d for most, d in _DETAIL[moments is None].items() if count <= most), 2)
        found, rough = (
            groups(run.world, detail=d, half_width=_BOWL * self._unit, middle=self._middle)
            for d in (detail, detail if count <= _FEW else min(detail, _SHADOW_DETAIL))
        )
        looks = spread_moments(run, _LOOKS).tolist() if moments is None else moments
        glass = veils(run, camera.position, looks)
        self._copies = [
            _Copies(self._plotter, part, shadow.surface, self._unit, opacity)
            for opacity, kept in ((1.0, ~glass), (_WALL, glass))
            for group, shadow in zip(found, rough, strict=True)
            if group.shape != PLANE and len((part := group.part(kept[group.numbers])).numbers)
        ]
        self._planes = _Planes(self._plotter, run, self._unit)
        for copies in self._copies:
            if copies.opacity == 1.0 and copies.shape != BOWL:
                self._planes.add_shadows(self._plotter, copies.shadow)
        self._bowls = self._add_bowls(found, glass)
        self._joints = JointActors(self._plotter, run, self._unit) if joints else None
        for shadow in () if self._joints is None else self._joints.shadows:
            self._planes.add_shadows(self._plotter, shadow)
        _light(self._plotter)
        _look(self._plotter, self._scaled(camera.position), self._scaled(camera.focus), camera.up)

    def _add_bowls(self, found: list[BodyGroup], glass: NDArray[np.bool_]) -> BowlFloors:
        bowls = [self._in_units(group) for group in found if group.shape == BOWL]
        parts = [group.part(~glass[group.numbers]) for group in found]
        casters = [
            self._in_units(part)
            for part in parts
            if part.shape not in (PLANE, BOWL) and len(part.numbers)
        ]
        light = _LIGHT / np.linalg.norm(_LIGHT)
        return BowlFloors(self._plotter, bowls, casters, light, _ABOVE)

    def _in_units(self, group: BodyGroup) -> BodyGroup:
        return replace(group, scales=group.scales / self._unit)

    def _scaled(self, place: FloatArray) -> FloatArray:
        return np.asarray((place - self._middle) / self._unit)

    def picture(self, moment: int) -> NDArray[np.uint8]:
        """(height, width, 3)."""
        run = self._run
        position, orientation = (run.states(n)[moment] for n in ("position", "orientation"))
        position = run.world.wrapped(position)
        colours = body_colours(run, moment, self._quantity, self._limits)
        position = self._scaled(position)
        for copies in self._copies:
            copies.move(position, orientation, colours)
        self._planes.move(position, orientation)
        self._bowls.move(position, orientation)
        if self._joints is not None:
            self._joints.move(moment, self._middle)
        self._plotter.renderer.ResetCameraClippingRange()
        self._plotter.render()
        pixels = self._plotter.screenshot(return_img=True)
        return np.asarray(pixels[..., :3], dtype=np.uint8)

    def close(self) -> None:
        self._plotter.close()


def open_plotter(size: tuple[int, int]) -> Any:
    """Return PyVista's plotter, off-screen; an error that helps if nothing here can draw.

    Signals wait until it is there: VTK, whose modules are imported meanwhile, may crash otherwise.
    """
    with deferred_signals():
        return _opened_plotter(size)


def _opened_plotter(size: tuple[int, int]) -> Any:
    try:
        import pyvista
    except ImportError:
        raise MissingPackageError(
            "pictures need the package pyvista: pip install 'rollcone[render]'"
        ) from None
    with _quiet_vtk():  # it looks for an X server first, and warns that there is none
        plotter = pyvista.Plotter(off_screen=True, window_size=list(size))
        if not _can_draw(plotter.render_window):
            raise RollconeError(
                "this machine has no OpenGL to draw with: install EGL (Debian: apt install libegl1 "
                "libgl1-mesa-dri) or OSMesa, or render on another machine"
            )
        plotter.show(auto_close=False, interactive=False)
    plotter.enable_anti_aliasing("msaa", multi_samples=_SAMPLES)
    return plotter


def _can_draw(window: Any) -> bool:
    """VTK takes OSMesa where it finds nothing else, also if there is none, and then crashes."""
    if window.GetClassName() != "vtkOSOpenGLRenderWindow":
        return bool(window.SupportsOpenGL())
    for name in ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so", "osmesa.dll"):
        with suppress(OSError):
            return bool(ctypes.CDLL(name))
    return False


class _Copies:
    """A group of bodies: one surface in two tones, drawn once for each body."""

    def __init__(
        self, plotter: Any, group: BodyGroup, rough: Surface, unit: float, opacity: float
    ) -> None:
        """`rough`: the same surface with fewer triangles, for the shadow."""
        import pyvista

        self.opacity, self.shape = opacity, group.shape
        self._numbers, self._scales = group.numbers, group.scales / unit
        self._parts = []
        normals = group.surface.normals()
        for part, tone in zip(group.surface.two_tone(group.shape), (1.0, _DARK), strict=True):
            if len(part.triangles):
                points = pyvista.PolyData(np.zeros((1, 3)))
                actor = shiny(copier(points, mesh_of(part, normals)))
                actor.GetProperty().SetOpacity(opacity)
                if group.shape == BOWL:  # is seen from inside, and through from outside
                    actor.GetProperty().BackfaceCullingOn()
                plotter.renderer.AddActor(actor)
                self._parts.append((points, tone))
        if opacity < 1.0 and group.shape == BOX:
            plotter.renderer.AddActor(_edges(self._parts[0][0], group.surface))
        self._rough = mesh_of(rough, rough.normals())

    def shadow(self) -> Any:
        """An actor that draws all of them again, in the colour of shadows."""
        return shadow_of(self._parts[0][0], self._rough)

    def move(self, position: FloatArray, orientation: FloatArray, colours: Any) -> None:
        here = np.isfinite(position[self._numbers, 0])
        k = self._numbers[here]
        for points, tone in self._parts:
            shades = np.round(tone * colours[k]).astype(np.uint8)
            move_copies(points, position[k], orientation[k], self._scales[here], shades)


def _edges(points: Any, surface: Surface) -> Any:
    """An actor that draws the edges of boxes at the points, where their faces are hardly seen."""
    import pyvista

    faces = mesh_of(surface, surface.normals())
    lines = faces.extract_feature_edges(
        boundary_edges=True, feature_edges=False, manifold_edges=False, non_manifold_edges=False
    )
    actor = copier(points, pyvista.PolyData(lines.points, lines=lines.lines))
    actor.GetMapper().ScalarVisibilityOff()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetColor(*_EDGES)
    return actor


class _Planes:
    """Floors as squares with a grid of round spacing, walls as squares to see through; both only
    from their front."""

    def __init__(self, plotter: Any, run: Run, unit: float) -> None:
        """`unit`: of length, for the spacing of grids (m)."""
        self._world = run.world
        self._actors: list[tuple[int, list[Any]]] = []
        self._shadows: dict[int, list[Any]] = {}  # by the floor that they lie on
        up = -run.world.gravity if run.world.gravity.any() else np.array([0.0, 0.0, 1.0])
        up = up / np.linalg.norm(up)
        options: dict[str, Any] = {"lighting": False, "pickable": False}
        for number in np.flatnonzero(run.world.state.shape == PLANE):
            normal = rotation_matrix(run.world.state.orientation[number])[:, 2]
            wall = normal @ up < _STEEP
            square, opacity = (_square(1.0), _WALL) if wall else (_square(_WIDE), 1.0)
            options |= {"opacity": opacity}
            actors = [plotter.add_mesh(square, color=_FLOOR, culling="back", **options)]
            if not wall:
                lines = _grid(_WIDE, unit)
                actors.append(plotter.add_mesh(lines, color=_LINES, line_width=1, **options))
            self._actors.append((int(number), actors))
            if not wall:
                self._shadows[int(number)] = []

    def add_shadows(self, plotter: Any, shadow: Callable[[], Any]) -> None:
        """`shadow` makes an actor, one for each floor."""
        for actors in self._shadows.values():
            actors.append(shadow())
            plotter.renderer.AddActor(actors[-1])

    def move(self, position: FloatArray, orientation: FloatArray) -> None:
        places = under(self._world, position, orientation, np.zeros(3))
        for number, actors in self._actors:
            here = bool(np.isfinite(places[number, 0]))
            frame = np.eye(4)
            if here:
                turn = rotation_matrix(orientation[number])
                # A little too low: grid and shadows are not to cover a disk that lies flat.
                frame[:3, :3], frame[:3, 3] = turn, places[number] - _ABOVE * turn[:, 2]
            for actor in actors:
                actor.visibility = here
                actor.user_matrix = frame
            for shadow in self._shadows.get(number, []):
                shadow.SetVisibility(here)
                if here:
                    flat = _flattening(frame[:3, 2], frame[:3, 3])
                    shadow.SetUserMatrix(_vtk_matrix(flat))


def _flattening(normal: FloatArray, point: FloatArray) -> FloatArray:
    """(4, 4): along the light onto the plane, a little above it."""
    flat = np.eye(4)
    flat[:3, :3] -= np.outer(_LIGHT, normal) / (normal @ _LIGHT)
    flat[:3, 3] = _LIGHT * (normal @ point) / (normal @ _LIGHT) + _ABOVE * normal
    return flat


def _vtk_matrix(values: FloatArray) -> Any:
    from vtkmodules.vtkCommonMath import vtkMatrix4x4

    matrix = vtkMatrix4x4()
    matrix.DeepCopy(values.ravel())
    return matrix


def _square(half: float) -> Any:
    import pyvista

    return pyvista.Plane(i_size=2 * half, j_size=2 * half, i_resolution=1, j_resolution=1)


def _grid(half: float, unit: float) -> Any:
    """Lines at multiples of 1, 2 or 5 times a power of ten metres, a little above the square."""
    import pyvista

    rough = _SPACING * unit
    power = 10.0 ** np.floor(np.log10(rough))
    spacing = power * max(step for step in (1, 2, 5) if step * power <= rough * (1 + 1e-9)) / unit
    ticks = spacing * np.arange(np.ceil(-half / spacing), np.floor(half / spacing) + 1)
    ends = np.array([(x, side * half, 0.5 * _ABOVE) for x in ticks for side in (-1, 1)])
    points = np.concatenate([ends, ends[:, [1, 0, 2]]])
    return pyvista.line_segments_from_points(points)


def _light(plotter: Any) -> None:
    """One that throws the shadows, and a weaker one from the camera."""
    import pyvista

    plotter.remove_all_lights()
    sun = pyvista.Light(light_type="scene light", intensity=0.8)
    sun.position, sun.focal_point = tuple(10.0 * _LIGHT), (0.0, 0.0, 0.0)
    plotter.add_light(sun)
    plotter.add_light(pyvista.Light(light_type="headlight", intensity=0.5))


def _look(plotter: Any, position: FloatArray, focus: FloatArray, up: FloatArray) -> None:
    plotter.camera.position = tuple(position)
    plotter.camera.focal_point = tuple(focus)
    plotter.camera.up = tuple(up)
    plotter.camera.view_angle = ANGLE


@contextmanager
def _quiet_vtk() -> Iterator[None]:
    from vtkmodules.vtkCommonCore import vtkLogger

    before = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(before)
