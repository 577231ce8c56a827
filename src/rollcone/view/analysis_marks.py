"""What is drawn on the bodies of an analysis: contacts with their forces, friction cones and
numbers, loads, accelerations, names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.motion import Motion, units
from rollcone.analysis.acceleration.problem import AccelerationProblem
from rollcone.analysis.acceleration.words import is_stop
from rollcone.mechanics.bodies import DYNAMIC
from rollcone.mechanics.world import World
from rollcone.view.analysis_views import Sight

FATES = {  # Okabe and Ito's colours, and marks that differ in grey as well
    "stays rolling": ("#0072B2", "o"),
    "starts to slide": ("#E69F00", "s"),
    "slides on": ("#D55E00", "D"),
    "breaks": ("#FFFFFF", "X"),
}
FORCE, ACCELERATION, LOAD, CONE = "#009E73", "#CC3377", "#3A7BD5", "#009E73"
_ARROW, _WEDGE, _TURN = 0.26, 0.13, 0.09  # of what is seen
_SHORT = 2e-3  # of what is seen: arrows that are only a head
_TURNS = 0.02  # of the fastest turn
_NOTHING = 1e-6  # of accelerations without contacts, or of the longest force: not drawn
_NAMED = 8  # bodies at most, for names to be written
_NUMBERED = 12  # contacts at most, for numbers to be written
_SAME = 0.03  # of what is seen: contacts that share a number's place
_ASIDE = 11.0  # points between a place and what is written beside it


class Scale(NamedTuple):
    """The longest contact force and load (N), acceleration (m/s2) and turn (rad/s2); 0 where there
    is nothing but rounding."""

    force: float
    load: float
    acceleration: float
    turn: float

    @property
    def newtons(self) -> float:
        """Forces and loads have one scale."""
        return max(self.force, self.load)


def scale_of(problem: AccelerationProblem, motions: list[Motion], world: World) -> Scale:
    """Of all that is drawn."""
    loads = np.linalg.norm(loads_on(problem, world), axis=2)
    longest = [0.0, 0.0, 0.0]
    free = float(np.abs(problem.free_accelerations).max(initial=0.0))
    for motion in motions:
        F, _ = units(problem, motion.forces, motion.contact_accelerations)
        v = motion.accelerations.reshape(-1, 6)
        for k, (values, unit) in enumerate(
            ((motion.forces[:, :3], F), (v[:, :3], free), (v[:, 3:], free))
        ):
            most = float(np.linalg.norm(values, axis=1).max(initial=0.0))
            longest[k] = max(longest[k], most if most > _NOTHING * unit else 0.0)
    return Scale(longest[0], float(loads.max(initial=0.0)), longest[1], longest[2])


def loads_on(problem: AccelerationProblem, world: World) -> FloatArray:
    """(bodies that move, 2, 3): weight, and all other given forces, in N."""
    places = problem.places
    assert places is not None
    weight = world.state.mass[places.movers, None] * np.asarray(world.gravity)
    other = problem.force.reshape(-1, 6)[:, :3] - weight
    most = float(np.abs(problem.force).max(initial=0.0))
    other[np.abs(other) <= _NOTHING * most] = 0.0
    return np.stack([weight, other], axis=1)


def draw_contacts(
    axes: Any, motion: Motion, sight: Sight, size: float, most: float
) -> list[FloatArray]:
    """Marks, cones and forces; the ends of what was drawn."""
    from matplotlib.patches import Polygon

    problem, places = motion.problem, motion.problem.places
    assert places is not None
    ends: list[FloatArray] = []
    numbers: list[tuple[int, FloatArray, FloatArray]] = []
    for i in range(problem.contacts):
        if is_stop(problem, i):
            continue
        frame = _frame_on_mover(motion, i)
        point, start = places.point[i], sight.flat(places.point[i])
        if has_cone(motion, i):
            wedge = _wedge(point, frame, float(problem.friction[i, 0]), _WEDGE * size, sight)
            axes.add_patch(Polygon(wedge, facecolor=CONE, edgecolor="none", alpha=0.07, zorder=2))
            outline = {"edgecolor": CONE, "linewidth": 0.5, "alpha": 0.6}
            axes.add_patch(Polygon(wedge, facecolor="none", zorder=2, **outline))
            ends += list(wedge)
        force = sight.flat(motion.forces[i, :3] @ frame)
        tip = start + force * (_ARROW * size / most if most > 0.0 else 0.0)
        _arrow(axes, start, tip, FORCE, 4)
        colour, mark = FATES[motion.transitions[i].words]
        axes.plot(*start, mark, color=colour, markersize=6, mec="black", mew=0.9, zorder=5)
        ends += [start, tip]
        inward = force if np.linalg.norm(force) > _SHORT * most else sight.flat(frame[0])
        numbers.append((i, start, inward))
    if 0 < len(numbers) <= _NUMBERED:
        _write_numbers(axes, numbers, size)
    return ends


def has_cone(motion: Motion, contact: int) -> bool:
    """Is there friction that can do something?"""
    breaks = motion.transitions[contact].after == "breaking"
    return bool(motion.problem.friction[contact, 0] > 0.0) and not breaks


def _frame_on_mover(motion: Motion, contact: int) -> FloatArray:
    """Of forces on the body that forces move; between two such bodies on the one named first."""
    places = motion.problem.places
    assert places is not None
    sign = 1.0 if int(places.bodies[contact, 1]) in places.movers else -1.0
    return np.asarray(sign * places.frames[contact])


def _wedge(
    point: FloatArray, frame: FloatArray, mu: float, length: float, sight: Sight
) -> FloatArray:
    """Corners (m, 2) of what a friction cone looks like."""
    from scipy.spatial import ConvexHull

    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    rim = frame[0] + mu * (np.outer(np.cos(turn), frame[1]) + np.outer(np.sin(turn), frame[2]))
    corners = sight.flat(point + length * np.vstack([np.zeros(3), rim / np.hypot(1.0, mu)]))
    return np.asarray(corners[ConvexHull(corners, qhull_options="QJ").vertices])


def _write_numbers(
    axes: Any, contacts: list[tuple[int, FloatArray, FloatArray]], size: float
) -> None:
    """Those of the report's table, against the force; contacts at one place share it."""
    for place, members in _together(np.array([place for _, place, _ in contacts]), size):
        pull = sum((contacts[k][2] for k in members), np.zeros(2))
        length = float(np.linalg.norm(pull))
        away = -_ASIDE * pull / length if length > 0.0 else np.array([_ASIDE, _ASIDE]) / np.sqrt(2)
        numbers = ",".join(str(contacts[k][0]) for k in members)
        _write(axes, numbers, place, away, 7, "#111111")


def draw_loads(
    axes: Any, problem: AccelerationProblem, world: World, sight: Sight, size: float, most: float
) -> list[FloatArray]:
    """Weights and other given forces, at the centres; the ends of what was drawn."""
    places = problem.places
    assert places is not None
    ends: list[FloatArray] = []
    for body, loads in zip(places.movers, loads_on(problem, world), strict=True):
        center = sight.flat(world.wrapped(world.state.position[body]))
        for load in sight.flat(loads):
            tip = center + load * (_ARROW * size / most if most > 0.0 else 0.0)
            _arrow(axes, center, tip, LOAD, 3.5, wide=3.0)  # seen below an acceleration as well
            ends.append(tip)
    return ends


def draw_accelerations(
    axes: Any, motion: Motion, world: World, sight: Sight, size: float, scale: Scale
) -> list[FloatArray]:
    """Arrows at the centres, bent ones for turning; the ends of what was drawn."""
    from matplotlib.patches import FancyArrowPatch

    places, v = motion.problem.places, motion.accelerations.reshape(-1, 6)
    assert places is not None
    turn = v[:, 3:] @ -sight.turn[1]
    ends: list[FloatArray] = []
    for k, body in enumerate(places.movers):
        center = sight.flat(world.wrapped(world.state.position[body]))
        if scale.acceleration > 0.0:
            tip = center + sight.flat(v[k, :3]) * (_ARROW * size / scale.acceleration)
            _arrow(axes, center, tip, ACCELERATION, 4.5)
            ends.append(tip)
        if scale.turn > 0.0 and abs(turn[k]) > _TURNS * scale.turn:
            way, r = np.sign(turn[k]), _TURN * size
            arc = center + r * np.array([[0.5, -0.87 * way], [0.5, 0.87 * way]])
            bow = FancyArrowPatch(
                *arc, connectionstyle=f"arc3,rad={0.6 * way}", arrowstyle="-|>",
                mutation_scale=9, color=ACCELERATION, linewidth=1.3, zorder=4.5,
            )  # fmt: skip
            axes.add_patch(bow)
            ends += [*arc, center + np.array([1.1 * r, 0.0])]
    return ends


def _arrow(
    axes: Any, start: FloatArray, tip: FloatArray, colour: str, order: float, wide: float = 1.8
) -> None:
    from matplotlib.patches import FancyArrowPatch

    low, high = axes.dataLim.min, axes.dataLim.max
    if np.linalg.norm(tip - start) < _SHORT * float((high - low).max()):
        return
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 8 + wide, "linewidth": wide}
    arrow = FancyArrowPatch(start, tip, color=colour, shrinkA=0, shrinkB=0, zorder=order, **style)
    axes.add_patch(arrow)


def write_names(
    axes: Any, problem: AccelerationProblem, motion: Motion | None, world: World, sight: Sight,
    size: float,
) -> None:  # fmt: skip
    """Of few bodies that move, each on the side of its centre that is freest of arrows."""
    movers = np.flatnonzero(world.state.kind == DYNAMIC)
    if len(movers) > _NAMED:
        return
    v = np.zeros((len(movers), 6))
    if motion is not None:
        v = motion.accelerations.reshape(-1, 6).copy()
        v[np.abs(v) <= _NOTHING * np.abs(problem.free_accelerations).max(initial=0.0)] = 0.0
    loads = sight.flat(loads_on(problem, world))
    groups = _together(sight.flat(world.wrapped(world.state.position[movers])), size)
    for place, members in groups:
        arrows = [*loads[members].reshape(-1, 2), *sight.flat(v[members, :3])]
        if np.any(v[members, 3:] @ sight.turn[1]):
            arrows.append(np.array([1.0, 0.0]))  # the bow
        names = ", ".join(world.name_of(int(movers[k])) for k in members)
        _write(axes, names, place, 1.3 * _ASIDE * _freest(arrows), 8, "#333333")


def _together(points: FloatArray, size: float) -> list[tuple[FloatArray, list[int]]]:
    """Points (k, 2) that are nearly one in this view: the first of each, and which they are."""
    groups: list[tuple[FloatArray, list[int]]] = []
    for k, point in enumerate(points):
        near = (who for place, who in groups if np.linalg.norm(point - place) < _SAME * size)
        members = next(near, None)
        if members is None:
            groups.append((point, [k]))
        else:
            members.append(k)
    return groups


def _freest(arrows: list[FloatArray]) -> FloatArray:
    """The direction (2,) that is farthest from those of all arrows; down if there are none."""
    turns = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    taken = [arrow / np.linalg.norm(arrow) for arrow in arrows if np.linalg.norm(arrow) > 0.0]
    near = np.max(ways @ np.array(taken).T, axis=1) if taken else ways[:, 1]
    return np.asarray(ways[int(np.argmin(np.round(near, 6)))])


def _write(
    axes: Any, text: str, place: FloatArray, away: FloatArray, size: float, colour: str
) -> None:
    from matplotlib.patheffects import withStroke

    across = {-1: "right", 0: "center", 1: "left"}[int(np.round(away[0] / np.linalg.norm(away)))]
    axes.annotate(
        text, place, tuple(away), textcoords="offset points", ha=across, va="center",
        fontsize=size, color=colour, zorder=6,
        path_effects=[withStroke(linewidth=2.5, foreground="white", alpha=0.8)],
    )  # fmt: skip
