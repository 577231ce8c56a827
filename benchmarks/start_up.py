"""CPU time (user and system) of a new process from its start to the end of the first step.

`ratio` is that time over the time of `import numpy, scipy.sparse` in the same run; at most 2 is the
aim. Processes take turns, and the least of seven counts. Bytecode is cached, as after any first
use of a package. `modules` are those that Python has loaded in the end.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator

HEADER = ("process", "CPU ms", "ratio", "modules")
TURNS = 7
BASE = "import numpy, scipy.sparse"
FLOOR = "world.add_plane(); world.set_contact_law(rc.ContactLaw({law}))\n"
CORNERS = "[(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]"
SCENES = {
    "a ball that slides and rolls": FLOOR.format(law="sliding=0.2, rolling=0.04")
    + "world.add_sphere(radius=0.5, density=2500, position=(0, 0, 0.5), velocity=(2.5, 0, 0))",
    "a box that slides": FLOOR.format(law="sliding=0.5")
    + "world.add_box(size=(1, 1, 1), density=2500, position=(0, 0, 0.5), velocity=(1, 0, 0))",
    "a pendulum on a revolute joint": (
        "rod = world.add_box(size=(1, 0.1, 0.1), density=1000, position=(0.5, 0, 0))\n"
        "world.add_joint(kind='revolute', body=rod, point=(0, 0, 0), axis=(0, 1, 0))"
    ),
    "the convex hull of nine points": FLOOR.format(law="sliding=0.5")
    + f"world.add_convex(points=[*{CORNERS}, (0, 0, 0.7)], density=1000, position=(0, 0, 0.5))",
    "a disk with contour friction": FLOOR.format(law="sliding=0.3, contour=0.01")
    + "upright = rc.rotation((1, 0, 0), 90)\n"
    "world.add_disk(radius=0.1, mass=1, position=(0, 0, 0.1), orientation=upright)",
    "a heap of 64 spheres": FLOOR.format(law="sliding=0.5")
    + "world.add_grid(shape='sphere', radius=0.05, density=2500, counts=(4, 4, 4), "
    "spacing=(0.1, 0.1, 0.1), origin=(0, 0, 0.05), name='grain')",
}
COUNT = "\nimport sys; print(len(sys.modules))"


def first_step(scene: str) -> str:
    """Return the code of a process that makes one step of a scene."""
    return (
        "import rollcone as rc\nworld = rc.World(gravity=(0, 0, -9.81))\n"
        f"{SCENES[scene]}\nrc.Simulation(world, step=1e-3).take_step()"
    )


def run(code: str, bytecode: str) -> tuple[float, str]:
    """Return the CPU time (s) of a new interpreter that runs `code`, and what it prints."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", code]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout


def table() -> Iterator[tuple[str, ...]]:
    codes = {BASE: BASE, "import rollcone": "import rollcone"}
    codes |= {scene: first_step(scene) for scene in SCENES}
    with tempfile.TemporaryDirectory() as bytecode:
        modules = {name: run(code + COUNT, bytecode)[1].strip() for name, code in codes.items()}
        least = dict.fromkeys(codes, float("inf"))
        for _ in range(TURNS):
            for name, code in codes.items():
                least[name] = min(least[name], run(code, bytecode)[0])
    for name, used in least.items():
        yield name, f"{1e3 * used:.0f}", f"{used / least[BASE]:.2f}", modules[name]
