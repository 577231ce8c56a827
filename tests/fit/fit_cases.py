"""Simulations with closed forms, as functions that a fit can evaluate; with scatter if asked."""

from __future__ import annotations

import numpy as np

from rollcone.fit.evaluations import Answers
from rollcone.fit.problem import Coefficient, FitProblem, Target

G, R, SPEED, SPIN = 9.81, 0.5, 2.5, 20.0
TIMES = np.linspace(0.0, 2.0, 21)


def rolling_distance(rho):
    """Of a ball that rolls from the start: v^2 / 2a, a = rho g / (1.4 R)."""
    return 1.4 * R * SPEED**2 / (2 * rho * G)


def sliding_distance(mu):
    return SPEED**2 / (2 * mu * G)


def spin_down(sigma, time=TIMES):
    """Of a ball on the spot: dw/dt = -sigma g / (0.4 R^2) until it stops."""
    return np.maximum(SPIN - np.multiply.outer(sigma, time) * G / (0.4 * R**2), 0.0)


def coefficient(name, low, high, **options):
    return Coefficient(name, (f"contact.{name}",), low=low, high=high, **options)


class Simulated:
    """Quantities by a function of coefficients (points, n), with normal scatter of the parts
    `scatter` (of each quantity); counts points, and fails where a condition says so."""

    def __init__(self, function, repeats=1, scatter=0.0, seed=0, fails=None):
        self.function, self.repeats, self.scatter = function, repeats, scatter
        self.generator = np.random.default_rng(seed)
        self.fails = fails
        self.points = 0
        self.batches = []

    def __call__(self, points):
        self.points += len(points)
        self.batches.append(len(points))
        exact = np.array([np.atleast_1d(self.function(*point)) for point in points])
        shape = (len(points), self.repeats, exact.shape[1])
        values = exact[:, None] * (1 + self.scatter * self.generator.standard_normal(shape))
        errors = []
        if self.fails is not None:
            bad = np.array([self.fails(*point) for point in points])
            values[bad] = np.nan
            errors = ["it does not stop"] * (int(bad.sum()) * self.repeats)
        return Answers(values, errors)


STOP = rolling_distance(0.04)


def ball(measured=STOP, uncertainty=0.05, low=0.001, high=0.2, **options):
    return FitProblem(
        [coefficient("rolling", low, high, **options)], [Target("stop", measured, uncertainty)]
    )


def block_and_ball(mu=0.3, rho=0.02, uncertainty=0.01):
    """Two coefficients from two distances; a block slides, a ball rolls."""
    targets = [
        Target("slide", sliding_distance(mu), uncertainty),
        Target("roll", rolling_distance(rho), uncertainty),
    ]
    return FitProblem(
        [coefficient("sliding", 0.05, 1.0), coefficient("rolling", 0.005, 0.1)], targets
    )


def both(mu, rho):
    return [sliding_distance(mu), rolling_distance(rho)]
