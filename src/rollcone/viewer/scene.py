"""The bodies, planes, joints and arrows on the page.

Bodies of one shape are copies of one mesh: however many there are, a frame is a handful of messages
with 28 bytes of pose for each copy, sent only where something has changed. Round bodies are two
such meshes (`Surface.two_tone`), so that one sees them turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.collision.shapes import BOWL, PLANE
from rollcone.recording.run import Run
from rollcone.view.bowl_floors import net, opening_of
from rollcone.view.framing import extent, joint_points, surroundings
from rollcone.view.moments import spread_moments
from rollcone.view.surface_forms import Surface
from rollcone.view.surfaces import BodyGroup, groups
from rollcone.view.veils import veils
from rollcone.viewer.arrows import Arrows, body_size
from rollcone.viewer.frames import Frame
from rollcone.viewer.joints import NODE, JointNodes
from rollcone.viewer.layout import camera, cell_width, square_center
from rollcone.viewer.light import PICKED, linear

_MANY = (1_000, 30_000)  # bodies: from here on coarser surfaces
_RIM = 0.15  # around the picked body, over its smallest half width
_GLASS = 0.3  # opacity of bodies where forces, or what is behind fixed ones, are to be seen
_LOOKS = 16  # moments at which it is seen what hides what
_PALE = 0.5  # of the way to white
_FOV = np.radians(40.0)
_FORCE, _REACTION = (178, 24, 43), (33, 102, 172)
_FLOOR, _LINES, _BOWL_LINES = (244, 242, 238), (205, 202, 196), (150, 147, 140)
_ABOVE = 3e-3  # lines above their bowl, over half the width of what moves


@dataclass
class _Copies:
    """One group of bodies: its meshes on the page."""

    group: BodyGroup
    fixed: bool
    meshes: list[Any]  # full colour, then the pale part
    scales: FloatArray


class Scene:
    """Nodes of the page that show one run."""

    def __init__(self, server: Any, run: Run) -> None:
        self._server, self._run = server, run
        low, high = extent(run)
        self._middle = 0.5 * (low + high)
        self._half_width = 0.75 * float(np.linalg.norm(high - low))
        detail = 3 - sum(len(run.world.state) > many for many in _MANY)
        self._groups = groups(
            run.world, detail=detail, half_width=self._half_width, middle=self._middle
        )
        self._copies = self._add_bodies()
        self._planes = self._add_planes()
        self._nets = self._add_nets()
        self.joints = JointNodes(server, run)
        self._outline: Any = None
        self._arrows: Any = None
        self._opacity: dict[bool, float | None] = {False: None, True: None}  # of fixed ones: True
        self._arrow_width = 0.05 * body_size(run)
        self._light()
        self.extent = low, high

    def show(self, frame: Frame) -> None:
        """Poses of all bodies."""
        there = np.isfinite(frame.position[:, 0])
        position = np.where(there[:, None], frame.position, 0.0).astype(np.float32)
        orientation = np.where(there[:, None], frame.orientation, (1.0, 0.0, 0.0, 0.0))
        orientation = orientation.astype(np.float32)
        for copies in self._copies:
            numbers = copies.group.numbers
            scales = np.where(there[numbers, None], copies.scales, 0.0)
            for mesh in copies.meshes:
                mesh.batched_positions = position[numbers]
                mesh.batched_wxyzs = orientation[numbers]
                mesh.batched_scales = scales
        for number, grid in self._planes.items():
            grid.visible = bool(there[number])
            if there[number]:
                x, q = frame.position[number], frame.orientation[number]
                grid.position = square_center(x, q, self._middle, self._cell)
                grid.wxyz = q

        for number, lines in self._nets.items():
            lines.visible = bool(there[number])
            lines.position, lines.wxyz = position[number], orientation[number]

    def paint(self, colours: NDArray[np.uint8]) -> None:
        """Colours of all bodies (n, 3)."""
        for copies in self._copies:
            for mesh, tone in zip(copies.meshes, (_same, _paler), strict=False):
                mesh.batched_colors = linear(tone(colours[copies.group.numbers]))

    def mark(self, number: int | None, frame: Frame) -> None:
        """A rim around the picked body, where it is now."""
        if self._outline is not None and (number is None or self._outline[0] != number):
            self._outline[1].remove()
            self._outline = None
        if number is None:
            return
        if self._outline is None:
            self._outline = number, self._add_outline(number)
        outline = self._outline[1]
        outline.opacity = self._opacity[bool(self._run.world.state.mass[number] == 0)]
        outline.visible = bool(np.isfinite(frame.position[number, 0]))
        if outline.visible:
            outline.position, outline.wxyz = frame.position[number], frame.orientation[number]

    def point(self, arrows: Arrows | None) -> None:
        """Forces, or none."""
        if self._arrows is not None:
            self._arrows.visible = arrows is not None and len(arrows.segments) > 0
        if arrows is None or not len(arrows.segments):
            return
        colours = np.where(arrows.of_joints[:, None], _REACTION, _FORCE).astype(np.uint8)
        if self._arrows is None:
            width = self._arrow_width
            self._arrows = self._server.scene.add_arrows(
                "/forces", arrows.segments, colours, shaft_radius=width, head_radius=2.2 * width,
                head_length=5.0 * width,
            )  # fmt: skip
        else:
            self._arrows.points, self._arrows.colors = arrows.segments, colours

    def see_through(self, *, moving: bool, fixed: bool) -> None:
        """Makes bodies of glass, or not. Glass hides glass that the page draws later, and it draws
        mesh by mesh: so where the moving ones are of glass, of fixed ones only lines are seen."""
        self._opacity = {False: _GLASS if moving else None, True: _GLASS if fixed else None}
        for copies in self._copies:
            for mesh in copies.meshes:
                mesh.wireframe = copies.fixed and moving
                mesh.opacity = None if mesh.wireframe else self._opacity[copies.fixed]

    def hides_something(self) -> bool:
        """Do fixed bodies hide what moves from the camera with which the page opens?"""
        moments = spread_moments(self._run, _LOOKS).tolist()
        return bool(veils(self._run, self._camera()[0], moments).any())

    def remove(self) -> None:
        """Takes all nodes off the page."""
        for name in ("/bodies", "/planes", NODE, "/forces", "/outline", "/lights"):
            self._server.scene.remove_by_name(name)

    def _add_bodies(self) -> list[_Copies]:
        """Moving and fixed ones apart."""
        still = self._run.world.state.mass == 0
        found = [
            (group.part(still[group.numbers] == fixed), fixed)
            for fixed in (False, True)
            for group in self._groups
            if group.shape != PLANE
        ]
        found = [(group, fixed) for group, fixed in found if len(group.numbers)]
        return [self._add(k, group, fixed) for k, (group, fixed) in enumerate(found)]

    def _add(self, k: int, group: BodyGroup, fixed: bool) -> _Copies:
        count = len(group.numbers)
        parts = group.surface.two_tone(group.shape)
        meshes = [
            self._server.scene.add_batched_meshes_simple(
                f"/bodies/{k}/{tone}",
                part.vertices,
                part.triangles,
                np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)),
                np.zeros((count, 3)),
                batched_scales=group.scales,
                batched_colors=np.full((count, 3), 200, dtype=np.uint8),
                lod="off",
                cast_shadow=False,
                receive_shadow=False,
            )
            for tone, part in zip(("full", "pale"), parts, strict=False)
            if len(part.triangles)
        ]
        return _Copies(group, fixed, meshes, group.scales)

    def _add_planes(self) -> dict[int, Any]:
        planes: IntArray = np.flatnonzero(self._run.world.state.shape == PLANE)
        self._cell = cell_width(self._half_width)
        width = 2.0 * self._cell * round(self._half_width / self._cell)
        return {
            int(number): self._server.scene.add_grid(
                f"/planes/{number}", width, width,
                cell_size=self._cell, section_size=5 * self._cell,
                cell_color=_LINES, section_color=_LINES, cell_thickness=0.6, section_thickness=1.2,
                plane_color=_FLOOR, plane_opacity=0.6, shadow_opacity=0.0,
                fade_distance=1e3 * width,
            )
            for number in planes
        }  # fmt: skip

    def _add_nets(self) -> dict[int, Any]:
        """Lines by which one sees that bowls are hollow."""
        nets = {}
        for bowl in self._groups:
            if bowl.shape == BOWL:
                number, radius = int(bowl.numbers[0]), float(bowl.scales[0, 0])
                about = np.array([0.0, 0.0, 1.0])
                lifted = radius - _ABOVE * self._half_width
                nets[number] = self._server.scene.add_line_segments(
                    f"/planes/{number}",
                    radius * about + lifted * (net(opening_of(bowl)) - about),
                    _BOWL_LINES,
                    thickness=1.0,
                    thickness_units="screen",
                )
        return nets

    def triangles(self, number: int) -> FloatArray:
        """Corners (t, 3, 3) of the surface of a body, in its own axes."""
        surface, scales = self._form(number)
        return np.asarray(scales * surface.vertices[surface.triangles])

    def _form(self, number: int) -> tuple[Surface, FloatArray]:
        group = next(g for g in self._groups if number in g.numbers)
        return group.surface, group.scales[np.flatnonzero(group.numbers == number)[0]]

    def _add_outline(self, number: int) -> Any:
        """The far side of a slightly larger body: what is seen of it is a rim."""
        surface, scales = self._form(number)
        return self._server.scene.add_mesh_simple(
            "/outline", (scales + _RIM * scales.min()) * surface.vertices,
            surface.triangles, color=PICKED, side="back",
            cast_shadow=False, receive_shadow=False,
        )  # fmt: skip

    def _light(self) -> None:
        """Lamps of our own: the page's surroundings in pictures cost far more per pixel."""
        scene = self._server.scene
        scene.configure_environment_map(None)
        scene.configure_default_lights(enabled=False)
        scene.add_light_hemisphere(
            "/lights/sky", sky_color=(255, 255, 255), ground_color=(150, 145, 135), intensity=2.0
        )
        scene.add_light_directional("/lights/sun", intensity=2.0, position=(0.5, -1.0, 1.6))

    def aim(self) -> None:
        """The camera with which the page opens: most that moves is in the picture, and what stands
        about it."""
        place, target, distance = self._camera()
        first = self._server.initial_camera
        first.fov = float(_FOV)
        first.near, first.far = 1e-3 * distance, 1e2 * distance
        first.look_at, first.position = target, place

    def _camera(self) -> tuple[FloatArray, FloatArray, float]:
        run, seen = self._run, self.extent
        points = np.vstack([*seen, surroundings(run, seen), joint_points(run, seen)])
        return camera(points.min(axis=0), points.max(axis=0), float(_FOV))


def _same(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return colours


def _paler(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(np.round(colours + _PALE * (255.0 - colours)), dtype=np.uint8)
