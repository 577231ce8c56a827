"""The references for plane mechanisms: elliptic functions by another library, closed loops, kept
energy, and the same motions from Newton's and Euler's equations of the single rods."""

import math
from functools import cache
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from cartesian_linkages import Hinge, Linkage
from hypothesis import given
from hypothesis import strategies as st
from mechanism_references import (
    Motion,
    Rod,
    double_pendulum,
    four_bar,
    pendulum,
    pendulum_period,
    pendulum_reaction,
    slider_crank,
)

G = 9.81
TIMES = np.linspace(0, 2, 81)
ROD = Rod(1.2, 0.7, 0.1)
PAIR = (Rod(1.0, 2.0, 0.05), Rod(0.7, 1.5, 0.02))
CRANK, CONNECTING, SLIDER = Rod(0.3, 0.8, 0.04), Rod(0.9, 1.1, 0.03), 0.6
BARS = (Rod(0.4, 1.0, 0.05), Rod(1.1, 1.3, 0.05), Rod(0.9, 0.8, 0.05))
GROUND_LINK = 1.2


@cache
def swinging_rod() -> Motion:
    return pendulum(ROD, 2.5, G, TIMES)


@cache
def two_rods() -> Motion:
    return double_pendulum(PAIR, (2.0, 1.2), (0.3, -1.0), G, TIMES)


@cache
def engine(g: float = G) -> Motion:
    return slider_crank(CRANK, CONNECTING, SLIDER, 0.4, 12.0, g, TIMES)


@cache
def linkage(branch: int = 1, rate: float = 9.0) -> Motion:
    return four_bar(*BARS, GROUND_LINK, branch, 0.7, rate, G, TIMES)


def in_row(*rods: Rod) -> list[Hinge]:
    """Each rod's first end on the last end of the one before, the first on the ground."""
    pairs = enumerate(pairwise(rods))
    joined = [Hinge(i + 1, -b.length / 2, i, a.length / 2) for i, (a, b) in pairs]
    return [Hinge(0, -rods[0].length / 2), *joined]


SLIDING = Rod(0.0, SLIDER, 1.0)  # its moment does not matter, since it does not turn
CLOSING = [Hinge(2, BARS[2].length / 2, 1, BARS[1].length / 2), Hinge(2, -BARS[2].length / 2)]
ENGINE_HINGES = [*in_row(CRANK, CONNECTING), Hinge(2, 0.0, 1, CONNECTING.length / 2)]
FOUR_BAR = Linkage(BARS, [*in_row(*BARS[:2]), *CLOSING], G)
MECHANISMS = {
    "pendulum": (swinging_rod, (ROD,), Linkage([ROD], in_row(ROD), G)),
    "double pendulum": (two_rods, PAIR, Linkage(PAIR, in_row(*PAIR), G)),
    "slider-crank": (
        engine,
        (CRANK, CONNECTING, SLIDING),
        Linkage((CRANK, CONNECTING, SLIDING), ENGINE_HINGES, G, [(2, 1), (2, 2)]),
    ),
    "four-bar": (linkage, BARS, FOUR_BAR),
    "crossed four-bar": (lambda: linkage(-1), BARS, FOUR_BAR),
    "four-bar that swings": (lambda: linkage(1, 0.0), BARS, FOUR_BAR),
}
EACH = pytest.mark.parametrize("name", MECHANISMS)


def energies(motion: Motion, rods) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic and potential, summed over the bodies."""
    masses, moments = np.array([(rod.mass, rod.moment) for rod in rods]).T
    moving = np.sum(motion.velocities**2, axis=-1) @ masses + motion.angular_rates**2 @ moments
    return moving / 2, G * motion.centres[..., 1] @ masses


@EACH
def test_newton_and_euler_agree(name):
    run, _, twin = MECHANISMS[name]
    motion = run()
    position, velocity = twin.run(motion, TIMES)
    np.testing.assert_allclose(motion.centres, position[..., :2], rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.angles, position[..., 2], rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.velocities, velocity[..., :2], rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.angular_rates, velocity[..., 2], rtol=0, atol=1e-9)


@EACH
def test_energy_is_kept(name):
    run, rods, _ = MECHANISMS[name]
    kinetic, potential = energies(run(), rods)
    total = kinetic + potential
    assert np.ptp(potential) > 0.1  # energy is exchanged
    assert np.ptp(total) < 1e-10 * np.max(kinetic)


@pytest.mark.parametrize("degrees", [1, 60, 120, 179])
def test_pendulum_is_that_of_another_library(degrees):
    start, w = math.radians(degrees), math.sqrt(ROD.mass * G * ROD.length / 2 / ROD.hinge_moment)
    k = mpmath.sin(start / 2)
    exact = [2 * mpmath.asin(k * mpmath.ellipfun("cd", w * t, k=k)) for t in TIMES]
    motion = pendulum(ROD, start, G, TIMES)
    np.testing.assert_allclose(
        motion.coordinates[:, 0], np.array(exact, dtype=float), rtol=0, atol=1e-12
    )


@given(st.floats(0.1, 3.1), st.floats(0.1, 3), st.floats(0.1, 5), st.floats(0, 0.5))
def test_pendulum_returns_after_a_period(start, length, mass, width):
    rod = Rod(length, mass, width)
    period = pendulum_period(rod, start, G)
    motion = pendulum(rod, start, G, period * np.array([0, 0.25, 0.5, 1]))
    np.testing.assert_allclose(
        motion.coordinates[:, 0], [start, 0, -start, start], rtol=0, atol=1e-11
    )
    fastest = math.sqrt(2 * mass * G * length / 2 * (1 - math.cos(start)) / rod.hinge_moment)
    np.testing.assert_allclose(
        motion.rates[:, 0], [0, -fastest, 0, 0], rtol=0, atol=1e-10 * fastest
    )


def test_small_swings_are_harmonic():
    small, thin = 1e-5, Rod(1.2, 0.7)
    w = math.sqrt(3 * G / (2 * thin.length))
    motion = pendulum(thin, small, G, TIMES)
    np.testing.assert_allclose(
        motion.coordinates[:, 0], small * np.cos(w * TIMES), rtol=0, atol=1e-9 * small
    )
    assert pendulum_period(thin, small, G) == pytest.approx(2 * math.pi / w, rel=1e-10)


def test_reaction_is_that_of_the_twin():
    motion, twin = swinging_rod(), MECHANISMS["pendulum"][2]
    theta, rate = motion.coordinates[:, 0], motion.rates[:, 0]
    radial, tangential = pendulum_reaction(ROD, theta, rate, G)
    force = np.stack(
        [
            tangential * np.cos(theta) - radial * np.sin(theta),
            tangential * np.sin(theta) + radial * np.cos(theta),
        ],
        axis=1,
    )
    pose = np.column_stack([motion.centres[:, 0], motion.angles])
    speed = np.column_stack([motion.velocities[:, 0], motion.angular_rates])
    twins = [twin.accelerations(state)[1] for state in np.column_stack([pose, speed])]
    np.testing.assert_allclose(force, twins, rtol=0, atol=1e-11)


def test_double_pendulum_has_the_modes_of_its_linear_equations():
    """Two equal thin rods of length L: w^2 = (3 -+ 6 / sqrt 7) g / L."""
    L, small, rods = 0.8, 1e-5, (Rod(0.8, 1.0), Rod(0.8, 1.0))
    for sign in (-1, 1):
        w2 = (3 + sign * 6 / math.sqrt(7)) * G / L
        # first row of (K - w^2 M) x = 0, over m L^2: (3 g / 2 L - 4 w^2 / 3) a = (w^2 / 2) b
        mode = np.array([1, (3 * G / L - 8 * w2 / 3) / w2])
        motion = double_pendulum(rods, tuple(small * mode), (0.0, 0.0), G, TIMES)
        exact = small * np.cos(math.sqrt(w2) * TIMES)[:, None] * mode
        np.testing.assert_allclose(motion.coordinates, exact, rtol=0, atol=1e-7 * small)


def ends(motion: Motion, rods) -> tuple[np.ndarray, np.ndarray]:
    """First and last ends of all rods."""
    arms = np.array([rod.length / 2 for rod in rods])[:, None] * np.stack(
        [np.cos(motion.angles), np.sin(motion.angles)], axis=-1
    )
    return motion.centres - arms, motion.centres + arms


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_closes_all_the_way_round(branch):
    motion = linkage(branch)
    assert np.ptp(motion.coordinates) > 2 * math.pi
    first, last = ends(motion, BARS)
    np.testing.assert_allclose(first[:, 0], 0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(first[:, 1], last[:, 0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(last[:, 1], last[:, 2], rtol=0, atol=4e-15)
    np.testing.assert_allclose(first[:, 2] - [GROUND_LINK, 0], 0, rtol=0, atol=1e-15)
    line, coupler = first[:, 2] - last[:, 0], last[:, 1] - last[:, 0]
    side = line[:, 0] * coupler[:, 1] - line[:, 1] * coupler[:, 0]
    assert np.all(np.sign(side) == branch)
    assert np.max(np.abs(np.diff(motion.angles, axis=0))) < 0.7  # no jumps by whole turns


def test_slider_follows_the_crank():
    motion = engine()
    a, b, q = CRANK.length, CONNECTING.length, motion.coordinates[:, 0]
    root = np.sqrt(b**2 - (a * np.sin(q)) ** 2)
    np.testing.assert_allclose(motion.centres[:, 2, 0], a * np.cos(q) + root, rtol=0, atol=1e-14)
    np.testing.assert_allclose(motion.centres[:, 2, 1], 0, rtol=0, atol=1e-15)
    slope = -a * np.sin(q) - a**2 * np.sin(q) * np.cos(q) / root
    np.testing.assert_allclose(
        motion.velocities[:, 2, 0], slope * motion.rates[:, 0], rtol=0, atol=1e-13
    )
    assert np.all(motion.angles[:, 2] == 0)


def test_slider_crank_without_gravity_keeps_its_kinetic_energy():
    kinetic, _ = energies(engine(g=0.0), (CRANK, CONNECTING, SLIDING))
    assert np.ptp(kinetic) < 1e-11 * kinetic[0]


def test_slider_crank_stretched_out_has_a_known_inertia():
    """At q = 0 the slider rests, and the connecting rod turns about it by -a / b of the crank."""
    start = slider_crank(CRANK, CONNECTING, SLIDER, 0.0, 1.0, 0.0, [0.0])
    ratio = CRANK.length / CONNECTING.length
    inertia = CRANK.hinge_moment + CONNECTING.hinge_moment * ratio**2
    kinetic, _ = energies(start, (CRANK, CONNECTING, SLIDING))
    assert 2 * kinetic[0] == pytest.approx(inertia, rel=1e-14)


def test_start_alone_can_be_asked_for():
    motion = two_rods()
    start = double_pendulum(PAIR, (2.0, 1.2), (0.3, -1.0), G, [0.0])
    assert np.array_equal(start.centres, motion.centres[:1])
