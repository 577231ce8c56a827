"""Semismooth Newton on the natural map of the reduced problem, along a path of easier problems.

    G_n     = p_n - max(p_n - a_n, 0)
    G_block = p_block - proj(p_block - a_block)   on the disc of size radius max(p_n - a_n, 0)

(Alart and Curnier 1991), zero at answers and nowhere else. It holds for unsymmetric A~, thus with
sliding contacts too. Two paths lead to the problem: stiffness, a = (A~ + epsilon I) p + b~ with
epsilon to zero as in the proof of Theorem 5, whose first problem is easy; and friction, with all
radii grown from zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.levenberg import damped_step
from rollcone.analysis.acceleration.mode_newton import EXACT, polish, read_modes
from rollcone.analysis.acceleration.scaled import Scaled

_PLAIN, _DAMPED = 12, 40  # steps, at most
_SMALL = 1e-12
_FOLLOWED = 1e-9  # the error of a problem of a path that counts as solved
_TURNS = 60  # problems of a path, at most
_BELIEVE = 1e3  # weight of accelerations where forces are still those of an easier problem


def natural_newton(form: Scaled, x: FloatArray) -> FloatArray:
    """From x (n,): plain steps, and if these do not converge damped ones; the last of them."""
    plain = _plain(form, x)
    return _damped(form, x) if plain is None else plain


def _plain(form: Scaled, x: FloatArray) -> FloatArray | None:
    for _ in range(_PLAIN):
        G, J = _evaluate(form, x)
        if np.linalg.norm(G) <= _SMALL:
            return x
        try:
            x = x - np.linalg.solve(J, G)
        except np.linalg.LinAlgError:
            return None
    return None


def _damped(form: Scaled, x: FloatArray) -> FloatArray:
    """|G| falls with every step."""
    G, J = _evaluate(form, x)
    damping = 1e-8
    for _ in range(_DAMPED):
        size = float(np.linalg.norm(G))
        if size <= _SMALL:
            break
        for _ in range(8):
            step = damped_step(J, G, damping)
            trial = [x + length * step for length in (1.0, 0.4, 0.1)]
            values = [_evaluate(form, new) for new in trial]
            sizes = [float(np.linalg.norm(value[0])) for value in values]
            if min(sizes) < (1.0 - 1e-4) * size:
                break
            damping *= 30.0
        else:
            break
        i = int(np.argmin(sizes))
        x, (G, J) = trial[i], values[i]
        damping = max(0.1 * damping, 1e-12)
    return x


def follow(form: Scaled, x: FloatArray, path: str) -> FloatArray:
    """The best forces met along a path, 'stiffness' or 'friction', from x: steps of its parameter,
    from 0 to 1, are halved where Newton's method fails."""
    easier = PATHS[path]
    best, least = x, form.error(x)
    done, step = 0.0, 0.0
    for _ in range(_TURNS):
        here = easier(form, min(done + step, 1.0))
        new = natural_newton(here, x)
        if here.error(new) > _FOLLOWED and step > 0.0:
            step *= 0.5
            if step < 1e-3:
                break
            continue
        x, done = new, min(done + step, 1.0)
        step = min(1.5 * step, 0.06) if step else 0.06
        for found in _guesses(form, here, x):
            error = form.error(found)
            if error < least:
                best, least = found, error
        if least <= EXACT or done == 1.0:
            break
    return best


def _guesses(form: Scaled, easier: Scaled, x: FloatArray) -> list[FloatArray]:
    """Answers to the last problem of a path by modes at x, read in several ways."""
    ways = [read_modes(form, x), read_modes(easier, x), read_modes(form, x, _BELIEVE)]
    return [polish(form, x, modes) for modes in {way.key(): way for way in ways}.values()]


def _stiffer(form: Scaled, share: float) -> Scaled:
    epsilon = 10.0 ** (1.0 - 9.0 * share) if share < 1.0 else 0.0
    return replace(form, A=form.A + epsilon * np.eye(form.size))


def _rougher(form: Scaled, share: float) -> Scaled:
    return replace(form, radii=share * form.radii)


PATHS: dict[str, Callable[[Scaled, float], Scaled]] = {"stiffness": _stiffer, "friction": _rougher}


def _evaluate(form: Scaled, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """G and a generalised Jacobian."""
    n, A = form.size, form.A
    y = form.accelerations(x)
    G, J = y.copy(), A.copy()
    open_ = form.normals[x[form.normals] <= y[form.normals]]
    eye = np.eye(n)
    G[open_] = x[open_]
    J[open_] = eye[open_]
    trial = form.in_blocks(x) - form.in_blocks(y)
    length = np.linalg.norm(trial, axis=1)
    push = np.maximum(x - y, 0.0)[form.normals][form.of]
    for k in np.flatnonzero(length > form.radii * push):
        rows = form.pairs[k][: 2 if form.wide[k] else 1]
        e = trial[k, : len(rows)] / length[k]
        limit, normal = form.radii[k] * push[k], form.normals[form.of[k]]
        G[rows] = x[rows] - limit * e
        slope = (limit / length[k]) * (np.eye(len(rows)) - np.outer(e, e))
        J[rows] = eye[rows] - slope @ (eye[rows] - A[rows])
        if push[k] > 0.0:
            J[rows] -= form.radii[k] * np.outer(e, eye[normal] - A[normal])
    return G, J
