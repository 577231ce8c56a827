"""Mechanisms of which the motion is known (tests/references), as worlds with joints.

Plane ones move in x-y, gravity along -y, hinges about z: joint axes on the world are x, y, z.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from cartesian_linkages import Hinge, Linkage
from gyroscope_reference import Gyroscope, GyroscopeMotion, gyroscope
from mechanism_references import (
    Motion,
    Numbers,
    Rod,
    double_pendulum,
    four_bar,
    pendulum,
    slider_crank,
)

import rollcone as rc
from rollcone.mechanics.rotations import quaternion_of_matrix

G = 9.81
DEPTH = 0.03  # of all boxes, along z
ROD = Rod(1.2, 0.7, 0.1)
PAIR = (Rod(1.0, 2.0, 0.05), Rod(0.7, 1.5, 0.02))
CRANK, CONNECTING, SLIDER = Rod(0.3, 0.8, 0.04), Rod(0.9, 1.1, 0.03), Rod(0.0, 0.6, 0.1)
BARS = (Rod(0.4, 1.0, 0.05), Rod(1.1, 1.3, 0.05), Rod(0.9, 0.8, 0.05))
GROUND_LINK = 1.2
TOP = Gyroscope((0.004, 0.003), (0.002, 0.0015), (0.006, 0.0035), 1.2, 0.05)
TOP_START = (0.3, 1.1, -0.2), (0.4, -0.3, 60.0)


@dataclass(frozen=True)
class Plane:
    """A plane mechanism: its motion, its rods, the hinges as the twin has them."""

    motion: Callable[[Numbers], Motion]
    rods: Sequence[Rod]
    hinges: Sequence[Hinge]
    slider: int = -1  # a rod that keeps to the x axis and does not turn

    @property
    def twin(self) -> Linkage:
        held = [(self.slider, 1), (self.slider, 2)] if self.slider >= 0 else []
        return Linkage(self.rods, self.hinges, G, held)

    def world(self) -> rc.World:
        """At the start; joints are `hinge k` and `guide`."""
        world, start = rc.World(gravity=(0, -G, 0)), self.motion([0.0])
        bodies = [
            world.add_box(
                size=(rod.length or rod.width, rod.width, DEPTH),
                mass=rod.mass,
                inertia=(1e-3, 1e-3, rod.moment),
                position=(*start.centres[0, k], 0),
                orientation=rc.rotation((0, 0, 1), math.degrees(start.angles[0, k])),
                velocity=(*start.velocities[0, k], 0),
                angular_velocity=(0, 0, start.angular_rates[0, k]),
            )
            for k, rod in enumerate(self.rods)
        ]
        for k, hinge in enumerate(self.hinges):
            angle = start.angles[0, hinge.first]
            along = hinge.first_place * np.array([math.cos(angle), math.sin(angle)])
            world.add_joint(
                kind="revolute",
                body=bodies[hinge.first],
                base=None if hinge.second < 0 else bodies[hinge.second],
                point=(*(start.centres[0, hinge.first] + along), 0),
                axis=(0, 0, 1),
                name=f"hinge {k}",
            )
        if self.slider >= 0:
            world.add_joint(
                kind="prismatic", body=bodies[self.slider], axis=(1, 0, 0), name="guide"
            )
        return world


def _row(*rods: Rod) -> list[Hinge]:
    """Each rod's first end on the last end of the one before, the first on the ground."""
    hinges = [Hinge(0, -rods[0].length / 2)]
    for k, (a, b) in enumerate(pairwise(rods)):
        hinges.append(Hinge(k + 1, -b.length / 2, k, a.length / 2))
    return hinges


_CLOSING = [Hinge(2, BARS[2].length / 2, 1, BARS[1].length / 2), Hinge(2, -BARS[2].length / 2)]
PLANE = {
    "pendulum": Plane(lambda t: pendulum(ROD, 2.0, G, t), [ROD], _row(ROD)),
    "double pendulum": Plane(
        lambda t: double_pendulum(PAIR, (1.0, 1.2), (0.3, -1.0), G, t), PAIR, _row(*PAIR)
    ),
    "slider-crank": Plane(
        lambda t: slider_crank(CRANK, CONNECTING, SLIDER.mass, 0.4, 12.0, G, t),
        [CRANK, CONNECTING, SLIDER],
        [*_row(CRANK, CONNECTING), Hinge(2, 0.0, 1, CONNECTING.length / 2)],
        slider=2,
    ),
    "four-bar": Plane(
        lambda t: four_bar(*BARS, GROUND_LINK, 1, 0.7, 9.0, G, t),
        BARS,
        [*_row(*BARS[:2]), *_CLOSING],
    ),
}


def gyroscope_world() -> rc.World:
    """Outer ring, inner ring, rotor; joints `outer`, `inner`, `spin`. Gravity along -z."""
    world, start = rc.World(gravity=(0, 0, -G)), gyroscope_motion([0.0])
    moments = [(t, a, t) for a, t in (TOP.outer, TOP.inner)]
    moments.append((TOP.rotor[1], TOP.rotor[1], TOP.rotor[0]))
    turns, centre = start.orientations[0], start.rotor_centres[0]
    rates = start.angular_velocities[0]
    rings = [
        world.add_sphere(
            radius=0.01,
            mass=TOP.mass,
            inertia=moments[k],
            position=centre if k == 2 else (0, 0, 0),
            velocity=np.cross(rates[2], centre) if k == 2 else (0, 0, 0),
            orientation=quaternion_of_matrix(turns[k]),
            angular_velocity=rates[k],
        )
        for k in range(3)
    ]
    axes = (0, 0, 1), turns[0][:, 0], turns[1][:, 2]
    for k, name in enumerate(("outer", "inner", "spin")):
        world.add_joint(
            kind="revolute", body=rings[k], base=rings[k - 1] if k else None, point=(0, 0, 0),
            axis=axes[k], name=name,
        )  # fmt: skip
    return world


def gyroscope_motion(times: Numbers) -> GyroscopeMotion:
    return gyroscope(TOP, *TOP_START, G, times)


def pendulum_world() -> rc.World:
    return PLANE["pendulum"].world()


@cache
def world_of(name: str) -> rc.World:
    """At the start; to be copied by who moves it."""
    return gyroscope_world() if name == "gyroscope" else PLANE[name].world()


MECHANISMS = (*PLANE, "gyroscope")
