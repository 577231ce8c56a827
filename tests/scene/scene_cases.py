"""Shared by the tests of scene files: a text that uses every field, and how errors are read."""

from __future__ import annotations

from pathlib import Path

import pytest

import rollcone as rc

GALLERY = Path(__file__).parents[2] / "examples" / "scenes"

# One key per line, so that tests can change a line; every field of every table occurs.
FULL = """\
title = "All that there is"

[simulation]
until = 2.0
step = 2e-3
scheme = { name = "GapAhead", recovery = 0.5, max_passes = 20 }
law = "exact"
friction_model = "cone"
solver = { name = "gauss-seidel", local = "exact" }
tolerance = 1e-3
speed_tolerance = 1e-9
max_substeps = 1
max_iterations = 77
warm_start = true
strict = false
start_time = 0.5

[output]
every = 10
contacts = "summary"
flush = 0.5

[world]
gravity = [0, 0, -9.81]
periodic = { x = [-100, 100] }
materials = ["glass", "steel"]

[contact]
sliding = 0.6
rolling = 0.00675
spinning = 0
restitution = 0.5
compliance = [1e-9, 2e-9]
contact_radius = 0.002
pressure = "uniform"
contour = 0
rolling_viscosity = 0.01
contour_viscosity = 0
coupling = "none"

[[pair]]
materials = ["glass", "steel"]
sliding = { static = 0.4, kinetic = 0.3, speed = 0.01 }
rolling = 0
spinning = 0
restitution = 0.1
compliance = { young = [70e9, 210e9], poisson = 0.3 }
contact_radius = 1e-3
pressure = "quadratic"
contour = 0
rolling_viscosity = 0.1
contour_viscosity = 0
coupling = "none"

[[body]]
shape = "plane"
normal = [0, 0, 1]
point = [0, 0, -1]
velocity = [0.1, 0, 0]
angular_velocity = [0, 0, 0]
material = "steel"
name = "belt"

[[body]]
shape = "plane"
orientation = [0.6, 0.8, 0, 0]
point = [0, 90, 0]

[[body]]
shape = "sphere"
radius = 0.1
density = 2500
position = [0, 0, 1]
orientation = [0, 1, 0, 0]
velocity = [1, 0, 0]
angular_velocity = [0, 1, 0]
inertia = [1, 2, 2.5]
principal_axes = [0.6, 0.8, 0, 0]
material = "glass"
force = [0, 0, 1]
torque = [0, 1, 0]
linear_damping = 0.1
angular_damping = 0.2
name = "ball"

[[body]]
shape = "box"
size = [0.1, 0.2, 0.3]
mass = 3
fixed = false
position = [2, 0, 1]
rotation = { axis = [0, 0, 1], degrees = 30 }
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
inertia = [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 1.5]]
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "crate"

[[body]]
shape = "capsule"
radius = 0.1
length = 0.3
fixed = true
position = [4, 0, 1]

[[body]]
shape = "capsule"
radius = 0.1
length = 0.3
density = 10
position = [4, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "pill"

[[body]]
shape = "disk"
radius = 0.1
thickness = 0.02
edge_radius = 0.005
mass = 2
position = [4, 9, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "coin"

[[body]]
shape = "cylinder"
radius = 0.1
height = 0.3
density = 10
position = [4, 14, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "barrel"

[[body]]
shape = "ellipsoid"
semi_axes = [0.1, 0.2, 0.3]
density = 10
position = [4, 19, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "egg"

[[body]]
shape = "clump"
spheres = [[0, 0, 0, 0.1], [0.1, 0, 0, 0.05]]
center = [0.02, 0, 0]
density = 10
position = [6, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "pair"

[[body]]
shape = "cone"
radius = 0.1
height = 0.3
density = 10
position = [8, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "cone"

[[body]]
shape = "convex"
points = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [0.1, 0.1, 0.1]]
center = [0.05, 0.05, 0.05]
density = 10
position = [10, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "stone"

[[body]]
shape = "compound"
parts = [{ shape = "box", size = [1, 1, 1], rotation = { axis = [1, 0, 0], degrees = 9 } }]
center = [0.05, 0, 0]
density = 10
position = [12, 8, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "tool"

[[body]]
shape = "mesh"
vertices = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
scale = 2
center = [0.05, 0.05, 0.05]
fixed = true
position = [14, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "rock"

[[body]]
shape = "height_field"
heights = [[0, 0.1, 0], [0.1, 0.2, 0.1], [0, 0.1, 0]]
size = [2, 1]
position = [16, 4, 1]
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
material = "glass"
name = "hill"

[[container]]
shape = "hopper"
radius = 0.5
height = 0.4
outlet = 0.1
wall = 0.3
sides = 6
walls = "boxes"
thickness = 0.02
position = [20, 0, 0]
orientation = [1, 0, 0, 0]
material = "steel"
name = "silo"

[[container]]
shape = "tray"
size = [1, 1, 0.2]
rotation = { axis = [0, 0, 1], degrees = 45 }
position = [30, 0, 0]

[[robot]]
file = "ROBOTS/gripper.urdf"
name = "hand"
position = [40, 0, 1]
orientation = [1, 0, 0, 0]
fixed_base = true
material = "steel"
joint_positions = { left = 0.01 }
packages = { hand = "meshes" }

[[robot]]
file = "ROBOTS/rover.urdf"
position = [50, 0, 1]
rotation = { axis = [0, 0, 1], degrees = 45 }

[[grid]]
shape = "sphere"
radius = [0.01, 0.02]
mass = 1
counts = [2, 2, 2]
spacing = [0.1, 0.2, 0.3]
origin = [3, 3, 3]
jitter = 0.01
seed = 1
orientation = [1, 0, 0, 0]
velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
inertia = [1, 1, 1]
principal_axes = [1, 0, 0, 0]
material = "glass"
fixed = false
force = [0, 0, 0]
torque = [0, 0, 0]
linear_damping = 0
angular_damping = 0
name = "pebble"

[[packing]]
shape = "capsule"
radius = { distribution = "uniform", min = 0.01, max = 0.02 }
length = [0.02, 0.03]
density = 100
low = [-1, -1, 0]
high = [1, 1, 2]
count = 10
seed = 2
velocity = [0, 0, 0]
material = "glass"
name = "rod"

[[packing]]
shape = "clump"
spheres = [[0, 0, 0, 0.02], [0.01, 0, 0, 0.02]]
density = 100
low = [-1, -1, 2.5]
high = [1, 1, 3]
count = 3

[[grid]]
shape = "cylinder"
radius = 0.02
height = [0.01, 0.02]
mass = 1
counts = [2, 1, 1]
spacing = 0.1
origin = [3, 6, 3]

[[grid]]
shape = "ellipsoid"
semi_axes = [0.01, [0.01, 0.02], 0.02]
mass = 1
counts = [2, 1, 1]
spacing = 0.1
origin = [3, 7, 3]

[[grid]]
shape = "convex"
points = [[0, 0, 0], [0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]
scale = [0.5, 1]
density = 100
counts = [2, 1, 1]
spacing = 0.1
origin = [3, 8, 3]

[[emitter]]
shape = "box"
size = [0.1, [0.1, 0.2], 0.1]
density = 100
low = [5, -1, 0]
high = [6, 1, 2]
count = 10
rate = 10
start = 0.5
seed = 3
velocity = [0, 0, -1]
rotation = { axis = [1, 0, 0], degrees = 90 }
ticks = 4
placed = 3
name = "brick"

[[joint]]
kind = "universal"
name = "swing"
body = "crate"
base = "ball"
point = [1, 0, 1]
axis = [0, 0, 1]
axis2 = [1, 0, 0]
angle = { motor = { speed = { amplitude = 1, frequency = 2, mean = 3, phase = 4 }, limit = 5 } }
angle2 = { friction = { limit = 0.1, coefficient = 0.2, radius = 0.01 } }
compliance = 1e-9
angular_compliance = 1e-8
collide = true

[[joint]]
kind = "distance"
name = "rod"
body = "pill"
base = "pair"
point = [6, 4, 1]
point2 = [4, 4, 1]
distance = 2.5
length = { friction = { limit = 3 } }

[[joint]]
kind = "prismatic"
name = "rail"
body = "pair"
base_point = [6, 4, 1]
body_point = [0.1, 0, 0]
base_frame = [0.6, 0.8, 0, 0]
body_frame = [0.6, 0.8, 0, 0]
turns = [0, 0]
slide.motor = { position = 0.1, limit = 7, response = 0.3 }
slide.limits = { lower = -1, upper = 1, restitution = 0.5 }

[[joint]]
kind = "link"
body = "pair"
point = [9, 4, 1]
length.spring.stiffness = 100
length.spring.damping = 1
length.spring.rest = { times = [0, 1], values = [2, 3] }
length.spring.limit = 50

[[joint]]
kind = "gear"
name = "rack"
joints = [["swing", "angle"], "rail"]
ratio = 0.05
offset = 0.1

[analysis]
time = 0.5
torques = { rail = 1.5 }
accelerations = { "swing.angle" = 2 }
speed_tolerance = 1e-5

[[analysis.disturbance]]
body = "ball"
force = [0, 0, 1]
torque = [0, 1, 0]
""".replace("ROBOTS", str(GALLERY.with_name("robots")))

SMALL = """\
[simulation]
until = 1.0
step = 0.01

[[body]]
shape = "sphere"
radius = 0.1
mass = 1.0
"""


def load(text: str, folder: Path, name: str = "heap.toml") -> rc.Scene:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return rc.load_scene(path)


def problems_of(text: str, folder: Path) -> list[str]:
    with pytest.raises(rc.SceneError) as caught:
        load(text, folder)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert all(problem.isprintable() for problem in caught.value.problems)
    assert all(problem.startswith(f"{folder}/heap.toml:") for problem in caught.value.problems)
    return [problem.removeprefix(f"{folder}/") for problem in caught.value.problems]
