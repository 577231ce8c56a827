"""One small step of a simulation has the accelerations of the analysis: (v(h) - v(0)) / h -> v'.

The default scheme takes rows in the middle of a step, and what they turn in a step (its `bend`), so
that velocity products are in its first step: errors fall with h, always. MoreauJean does the
same for joints, but takes contacts as they are at the start, and DVI takes all rows so: their
first step has none of the products dH/dt v (they come in later steps, by gaps that have opened).
There the step is that of the same problem without them.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import rollcone as rc
from moving_scenes import SCENES
from rollcone.analysis.acceleration.analyze import analyze
from rollcone.analysis.acceleration.cone import solve_cone
from rollcone.mechanics.bodies import DYNAMIC

SCHEMES = {"GapAhead": rc.GapAhead(), "MoreauJean": rc.MoreauJean(theta=0.5), "DVI": rc.DVI()}
# Scenes whose contacts (limits are such), or joints, have velocity products.
CONTACTS_BEND = (
    "ladder slides", "ball over ball", "ball slips over ball", "capsule turns", "corner slides",
    "corner stays", "turntable", "disk rolls", "rope", "arm pushes a block",
)  # fmt: skip
JOINTS_BEND = (
    "double pendulum", "slider-crank", "slider-crank with a motor", "four-bar",
    "servo", "arm pushes a block",
)  # fmt: skip
PLAIN = [name for name in SCENES if name not in CONTACTS_BEND + JOINTS_BEND]


@cache
def analysis(name):
    return analyze(SCENES[name]())


def velocities(world):
    s = world.state
    return np.hstack([s.velocity, s.angular_velocity])[s.kind == DYNAMIC].ravel()


def step_accelerations(name, scheme, h):
    world = SCENES[name]()
    before = velocities(world)
    simulation = rc.Simulation(world, step=h, tolerance=1e-12, scheme=SCHEMES[scheme])
    simulation.take_step()
    return (velocities(world) - before) / h


def check(name, scheme, accelerations, smallest=1e-6):
    """Errors fall with h, but for rounding: of velocities 1e-16 / h, and of gaps, which DVI divides
    by h^2."""
    steps = [h for h in (1e-3, 1e-4, 1e-5, 1e-6) if h >= 0.99 * smallest]
    size = max(np.abs(accelerations).max(), 1.0)
    errors = [
        np.abs(step_accelerations(name, scheme, h) - accelerations).max() / size for h in steps
    ]
    assert errors[-1] <= 1e-4, errors
    for h, error, smaller in zip(steps[1:], errors, errors[1:], strict=False):
        rounding = 1e-10 + 1e-15 / h + (1e-15 / h**2 if scheme == "DVI" else 0.0)
        assert smaller <= 0.15 * error + rounding, errors


@pytest.mark.parametrize("name", SCENES)
def test_default_scheme(name):
    found = analysis(name)
    assert found.verdict == "one motion"
    assert found.motion.certified
    check(name, "GapAhead", found.motion.accelerations)


@pytest.mark.parametrize("name", [*PLAIN, *JOINTS_BEND[:-1]])
def test_moreau_jean(name):
    check(name, "MoreauJean", analysis(name).motion.accelerations)


@pytest.mark.parametrize("name", PLAIN)
def test_dvi(name):
    check(name, "DVI", analysis(name).motion.accelerations, smallest=1e-5)


@pytest.mark.parametrize("name", CONTACTS_BEND[:-1])
@pytest.mark.parametrize("scheme", ["MoreauJean", "DVI"])
def test_schemes_without_velocity_products(name, scheme):
    """They differ from the analysis by the biases of contacts, and by these alone."""
    problem = analysis(name).problem
    plain = solve_cone(replace(problem, bias=np.zeros_like(problem.bias))).motion
    assert plain is not None
    check(name, scheme, plain.accelerations, smallest=1e-5)
    assert np.abs(plain.accelerations - analysis(name).motion.accelerations).max() > 0.01


def test_scenes_are_of_all_kinds():
    """Contacts that stay, start to slide, slide on, break, turn."""
    words = {
        (name, one.words, one.turning)
        for name in SCENES
        for one in analysis(name).motion.transitions
    }
    assert {word for _, word, _ in words} == {
        "stays rolling", "starts to slide", "slides on", "breaks"
    }  # fmt: skip
    assert {turn for _, _, turning in words for turn in turning} == {"rolling", "spinning"}
    assert len(SCENES) >= 20
