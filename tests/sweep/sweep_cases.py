"""A scene that is quick, with a closed form, and studies of it."""

from __future__ import annotations

from pathlib import Path

# (With rolling friction, so that other processes use the kernels that tests use.)
# A block slides with v0 = 1 m/s to rest: after v0^2 / (2 mu g), at v0 / (mu g).
SLIDER = """
[simulation]
until = 0.6
step = 2e-3
[world]
gravity = [0, 0, -10]
[contact]
sliding = 0.5
rolling = 0.001
[[body]]
shape = "plane"
name = "floor"
[[body]]
shape = "sphere"
radius = 0.1
mass = 1
inertia = [1e9, 1e9, 1e9]
position = [0, 0, 0.1]
velocity = [1, 0, 0]
name = "block"
"""
STUDY = """
scene = "slider.toml"
[[parameter]]
key = "contact.sliding"
values = [0.25, 0.5]
[[measure]]
name = "distance"
kind = "stop-distance"
body = "block"
[[measure]]
name = "time"
kind = "stop-time"
body = "block"
"""
# Spheres that are poured: what is drawn depends on a seed.
POURED = """
[simulation]
until = 0.02
step = 2e-3
[world]
gravity = [0, 0, -10]
[contact]
sliding = 0.5
rolling = 0.001
[[body]]
shape = "plane"
[[emitter]]
shape = "sphere"
radius = [0.04, 0.06]
density = 1000
rate = 1000
count = 3
low = [-1, -1, 0.5]
high = [1, 1, 0.8]
name = "grain"
seed = 7
"""


def write_study(folder: Path, study: str = STUDY, scene: str = SLIDER) -> Path:
    """study.toml and slider.toml in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slider.toml").write_text(scene)
    path = folder / "study.toml"
    path.write_text(study)
    return path
