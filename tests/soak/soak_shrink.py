"""Make a failing scene smaller while it fails in the same way.

Greedy: leave things out (actions, emitters, joints, bodies, laws, keys that have defaults), fewer
steps, then plainer numbers; again until nothing helps.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from soak_bodies import Plain

_LISTS = ("actions", "emitters", "joints", "bodies", "laws")
_NEEDED = {
    "name", "shape", "before", "do", "body", "kind", "materials", "position", "element", "radius",
    "size", "length", "height", "semi_axes", "spheres", "points", "parts", "vertices", "triangles",
    "heights", "point", "axis", "axis2", "point2",
}  # fmt: skip
_OPTIONAL = ("periodic", "threads", "chunk")


def shrink(
    scene: Plain, fails: Callable[[Plain], bool], tries: int = 400, seconds: float = 300.0
) -> Plain:
    """The smallest found with so many tries and in that time; `fails` says whether one still
    fails alike."""
    best, end = scene, time.monotonic() + seconds
    smaller = True
    while smaller and tries > 0:
        smaller = False
        for candidate in candidates(best):
            tries -= 1
            if tries < 0 or time.monotonic() > end:
                return best
            if fails(candidate):
                best, smaller = candidate, True
                break
    return best


def candidates(scene: Plain) -> Iterator[Plain]:
    """Scenes a little smaller, the most hopeful first."""
    yield from _fewer_steps(scene)
    for word in _LISTS:
        for k in range(len(scene[word]) - 1, -1, -1):
            yield _without(scene, word, k)
    for word in _OPTIONAL:
        if word in scene:
            yield {key: value for key, value in scene.items() if key != word}
    for path, holder in _dicts(scene):
        for key in holder:
            if key not in _NEEDED and path and not (path == ["settings"] and key == "step"):
                yield _changed(scene, path, {k: v for k, v in holder.items() if k != key})
    yield from _plainer_numbers(scene)


def _fewer_steps(scene: Plain) -> Iterator[Plain]:
    for steps in (scene["steps"] // 2, scene["steps"] * 3 // 4, scene["steps"] - 1):
        if 1 <= steps < scene["steps"]:
            kept = [action for action in scene["actions"] if action["before"] < steps]
            yield scene | {"steps": steps, "actions": kept}


def _without(scene: Plain, word: str, k: int) -> Plain:
    """Without an entry, and what refers to it."""
    found = copy.deepcopy(scene)
    gone = found[word].pop(k)
    if word == "bodies":
        name = gone["name"]
        found["joints"] = [j for j in found["joints"] if name not in (j["body"], j.get("base"))]
        found["actions"] = [a for a in found["actions"] if not _about(a, name)]
    return found


def _about(action: Plain, name: str) -> bool:
    joint = action.get("joint")
    held = (joint["body"], joint.get("base")) if isinstance(joint, dict) else ()
    return action.get("body") == name or name in held


def _dicts(value: Any, path: list[Any] | None = None) -> Iterator[tuple[list[Any], Plain]]:
    """All dicts within, with the way to them."""
    path = path or []
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from _dicts(inner, [*path, key])
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _dicts(inner, [*path, k])


def _numbers(value: Any, path: list[Any]) -> Iterator[tuple[list[Any], float]]:
    if isinstance(value, float):
        yield path, value
    elif isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in inside:
            yield from _numbers(inner, [*path, key])


def _plainer_numbers(scene: Plain) -> Iterator[Plain]:
    for path, value in _numbers(scene, []):
        for plainer in (0.0, 1.0, float(f"{value:.1g}"), float(f"{value:.2g}")):
            if len(json.dumps(plainer)) < len(json.dumps(value)):
                yield _changed(scene, path, plainer)


def _changed(scene: Plain, path: list[Any], value: Any) -> Plain:
    found = copy.deepcopy(scene)
    place: Any = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return found
