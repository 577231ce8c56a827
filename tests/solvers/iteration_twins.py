"""The iterations once more, in plain NumPy with dense matrices, written from their formulas.

All in scaled rows, p / D and D y; contacts have discs. The projections are those of twins.py.
"""

import itertools

import numpy as np
from solver_cases import dense

import twins


def group_scales(block):
    """D of one contact: roots of the mean diagonal, then of the largest row sum, by groups."""
    d = len(block)
    groups = [slice(0, 1), *twins.groups(d)]
    D = np.ones(d)
    for g in groups:
        D[g] = 1 / np.sqrt(np.mean(np.diag(block)[g]))
    sizes = np.abs(block) * np.outer(D, D)
    sums = (sizes + sizes.T).sum(axis=0) / 2
    for g in groups:
        D[g] /= np.sqrt(sums[g].max())
    return D


def lengths(block):
    """1 for forces, the length that makes turning comparable with sliding for moments."""
    d = len(block)
    slide = np.mean(np.diag(block)[1:3])
    out = np.ones(d)
    for g in twins.groups(d)[1:]:
        out[g] = np.sqrt(slide / np.mean(np.diag(block)[g]))
    return out


class Twin:
    """y = W p + q in scaled rows, and the projected step."""

    def __init__(self, problem, metric="groups"):
        W, q = dense(problem)
        W = W + np.diag(problem.compliance)
        self.n, self.d, self.exact = problem.contacts, problem.rows, problem.law == "exact"
        self.cut = self.n * self.d
        blocks = [W[i : i + self.d, i : i + self.d] for i in range(0, self.cut, self.d)]
        if metric == "one":
            units = [lengths(block) for block in blocks]
            scaled = [b * np.outer(u, u) for b, u in zip(blocks, units, strict=True)]
            largest = max(np.linalg.eigvalsh((b + b.T) / 2)[-1] for b in scaled)
            D = [u / np.sqrt(largest) for u in units]
        else:
            D = [group_scales(block) for block in blocks]
        self.scale = np.concatenate([*D, 1 / np.sqrt(np.diag(W)[self.cut :])])
        self.W, self.q = W * np.outer(self.scale, self.scale), q * self.scale
        self.bounds = problem.bounds / self.scale[self.cut :, None]
        self.coefficients = problem.cone.radii[:, [0, 2, 4]].copy()
        for c, scales in zip(self.coefficients, D, strict=True):
            for k, g in enumerate(twins.groups(self.d)):
                c[k] *= scales[0] / scales[g][0]

    def velocities(self, p):
        return self.W @ p + self.q

    def contact(self, i):
        return slice(i * self.d, (i + 1) * self.d)

    def block(self, i):
        return self.W[self.contact(i), self.contact(i)]

    def project(self, i, x, cone=False):
        """On the cone of contact i, or under the exact law set by set."""
        if self.exact and not cone:
            return twins.project_sets(x, self.coefficients[i], max(x[0], 0.0))
        return twins.project(x, self.coefficients[i])

    def step(self, p, y, length, cone=False):
        """The projection of p - length y, all rows at once."""
        x = p - length * y
        for i in range(self.n):
            x[self.contact(i)] = self.project(i, x[self.contact(i)], cone)
        x[self.cut :] = np.clip(x[self.cut :], self.bounds[:, 0], self.bounds[:, 1])
        return x

    def modified(self, y, cone=True):
        """y + S(y) n under the exact law, for projections on the cone."""
        F = y.copy()
        if self.exact and cone:
            for i in range(self.n):
                F[i * self.d] += twins.shift(y[self.contact(i)], self.coefficients[i])
        return F

    def map46(self, p, omegas, row_omega=1.0, mix=1.0, in_turn=True, order=None):
        """lambda proj(p - omega (W p + q + K (p_new - p))) + (1 - lambda) p."""
        new = p.copy()
        for i in range(self.n) if order is None else order:
            rows = self.contact(i)
            y = self.velocities(new if in_turn else p)[rows]
            new[rows] = mix * self.project(i, p[rows] - omegas[i] * y) + (1 - mix) * p[rows]
        for k in range(self.cut, len(p)):
            y = self.velocities(new if in_turn else p)[k]
            x = np.clip(p[k] - row_omega * y, *self.bounds[k - self.cut])
            new[k] = mix * x + (1 - mix) * p[k]
        return new


def accelerated(twin, p, restart):
    """Nesterov's iterates with backtracking: p, the point z it came from, and L."""
    t, L, z = 1.0, 1.0, p
    while True:
        while True:
            new = twin.step(z, twin.velocities(z), 1 / L)
            change = new - z
            if change @ twin.W @ change <= L * (change @ change):
                break
            L *= 2
        yield new, z, L
        later = (1 + np.sqrt(1 + 4 * t**2)) / 2
        beta = (t - 1) / later
        if restart and change @ (new - p) < 0:
            later, beta = 1.0, 0.0
        z, p, t, L = new + beta * (new - p), new, later, 0.9 * L


def spectral(twin, p, memory, slack=2.0):
    """Iterates of the projected gradient with Barzilai-Borwein lengths, and their errors, which
    may grow by `slack` as long as they stay below the first."""

    def error(p):
        return np.linalg.norm(twin.step(p, twin.velocities(p), 1.0) - p)

    errors, length, count = [error(p)], 1.0, 0
    while True:
        d = twin.step(p, twin.velocities(p), length) - p
        largest = max(errors[-memory:])
        t, most = 1.0, max(largest, min(slack * largest, errors[0]))
        while error(p + t * d) > most:
            t /= 2
        p = p + t * d
        errors.append(error(p))
        yield p, errors
        Wd = twin.W @ d
        length = (d @ Wd) / (Wd @ Wd) if count % 2 == 0 else (d @ d) / (d @ Wd)
        length = min(max(length, 1e-4), 1e4)
        count += 1


def alternating(twin, p, relaxation, memory):
    """Iterates of ADMM as the splitting of Douglas and Rachford, in s = x + h y: the projected
    reactions, and h, which follows the moves of x and y over 20, 24, 29 ... iterations."""
    h, last, look, size = 10.0, 0, 20, len(p)
    s = p + h * twin.velocities(p)
    mark, past, plain, distance = (p, twin.velocities(p)), [], None, np.inf
    for count in itertools.count(1):
        x = np.linalg.solve(np.eye(size) + h * twin.W, s - h * twin.q)
        new = twin.step(x, twin.velocities(x), h)
        if plain is not None and np.linalg.norm(new - x) > distance:
            s, past = plain, []
            x = np.linalg.solve(np.eye(size) + h * twin.W, s - h * twin.q)
            new = twin.step(x, twin.velocities(x), h)
        distance = np.linalg.norm(new - x)
        yield new, h
        r = relaxation * (new - x)
        past, plain = [*past, (s + r, r)][-1 - memory :], None
        s = s + r
        if memory and len(past) > 1:
            images, turns = (np.diff(part, axis=0).T for part in zip(*past, strict=True))
            plain, s = s, s - images @ np.linalg.lstsq(turns, r, rcond=1e-8)[0]
        if count == last + look:
            x = np.linalg.solve(np.eye(size) + h * twin.W, s - h * twin.q)
            y = twin.velocities(x)
            ratio = np.linalg.norm(x - mark[0]) / np.linalg.norm(y - mark[1])
            mark, last = (x, y), count
            longer = np.sqrt(ratio / h)
            if not 0.5 < longer < 2.0:
                h *= longer
                s, past, plain, look = x + h * y, [], None, int(np.ceil(1.2 * look))
