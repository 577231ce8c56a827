"""An answer to an acceleration problem: forces and accelerations, what becomes of each contact, and
how well every condition of the model is met (Pang and Trinkle 1996, (1) to (19)).

The conditions are measured on the data as given, whatever method made the forces. Errors of a
contact are compared with its own force and with what loads do to it (`contact_units`), not with
those of others, in the units of `AccelerationProblem.row_scale`; a residual has no unit. (12) is
min(p_n, a_n) and (10) the distance of p from the nearest friction that opposes p - a, so that small
forces and accelerations are no excuse.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from rollcone._check import FloatArray
from rollcone.analysis.acceleration.problem import AccelerationProblem

Model = Literal["cone", "pyramid"]
State = Literal["rolling", "sliding"]
Next = Literal["rolling", "sliding", "breaking"]
FRICTIONS = ("sliding", "rolling", "spinning")  # the blocks
CERTIFIED = 1e-8  # the residual of an answer that counts
_SHARE = 1e-6  # of others' forces and accelerations, whose rounding reaches a contact
ROOT = 3.0  # times the root of a residual: accelerations that it leaves open
_CHANGES = 1e-7  # of the largest acceleration: one that is not zero


@dataclass(frozen=True)
class Transition:
    """What becomes of a contact, (13) to (17).

    before, after   'rolling' is the paper's word for a contact that does not slide; after, also
                    'breaking'
    direction       in which it begins to slide, or slides: unit, in the contact's tangents
    force           p (d,)
    acceleration    a (d,)
    grazing         it touches without a force
    turning         'rolling' or 'spinning' friction whose block begins to turn, or turns
    """

    contact: int
    before: State
    after: Next
    direction: FloatArray
    force: FloatArray
    acceleration: FloatArray
    grazing: bool
    turning: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """stays rolling, starts to slide, slides on, breaks."""
        if self.after == "breaking":
            return "breaks"
        if self.after == "rolling":
            return "stays rolling"
        return "slides on" if self.before == "sliding" else "starts to slide"


@dataclass(frozen=True, eq=False)
class Motion:
    """One answer.

    forces                 p (c, d), on B of each contact
    accelerations          v' (n,)
    contact_accelerations  a (c, d)
    held_forces            q (m,), those of joints and given accelerations
    model                  'cone', or 'pyramid' at resting blocks
    relaxed                of the relaxed model of section 5: friction of blocks that move is only
                           bounded, by the cone or pyramid, and gives no power
    distance               then, from Coulomb's law: f of (46), in W^2
    """

    problem: AccelerationProblem = field(repr=False)
    forces: FloatArray
    model: Model = "cone"
    solver: str = ""
    relaxed: bool = False
    distance: float = 0.0

    @cached_property
    def accelerations(self) -> FloatArray:
        return self.problem.accelerations(self.forces)

    @cached_property
    def contact_accelerations(self) -> FloatArray:
        problem = self.problem
        return np.asarray(problem.rows @ self.accelerations + problem.bias)

    @cached_property
    def held_forces(self) -> FloatArray:
        return self.problem.held_forces(self.forces)

    @cached_property
    def residuals(self) -> dict[str, float]:
        """By condition."""
        return _residuals(self)

    @property
    def residual(self) -> float:
        """The worst of all conditions."""
        return max(self.residuals.values(), default=0.0)

    @property
    def certified(self) -> bool:
        """Does every condition hold to 1e-8?"""
        return self.residual <= CERTIFIED

    @property
    def rests(self) -> bool:
        """Are all accelerations zero, beside those without contacts? Near the limit of friction
        they are off by the root of the residual."""
        L = np.linalg.cholesky(self.problem.mass).T
        v, free = L @ self.accelerations, L @ self.problem.free_accelerations
        open_ = max(_CHANGES, ROOT * self.residual**0.5)
        return bool(np.linalg.norm(v) <= open_ * np.linalg.norm(free))

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """Of each contact."""
        return tuple(_transition(self, i) for i in range(self.problem.contacts))

    @property
    def modes(self) -> str:
        """Of all contacts, a letter each: r rolls (sticks), s slides, b breaks."""
        return "".join(transition.after[0] for transition in self.transitions)

    def __repr__(self) -> str:
        return f"Motion({self.modes}, {self.model}, residual {self.residual:.1e})"


def units(problem: AccelerationProblem, p: FloatArray, a: FloatArray) -> tuple[float, float]:
    """The largest force and the largest acceleration of contacts, in scaled rows; loads count as
    well, so that zero is told from small."""
    scale = problem.row_scale
    b = problem.b.reshape(scale.shape)
    ease = problem.ease.reshape(scale.shape) * scale**2
    most = max(float(np.abs(scale * b).max(initial=0.0)), float(np.abs(scale * a).max(initial=0.0)))
    held = most / float(ease.max(initial=0.0) or 1.0)  # what would undo b
    return max(float(np.abs(p / scale).max(initial=0.0)), held) or 1.0, most or 1.0


def contact_units(
    problem: AccelerationProblem, p: FloatArray, a: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(c,), (c,): the size of each contact's force and acceleration, by loads and by its own force,
    and no less than what others may leave there by rounding."""
    s = problem.row_scale
    b = np.abs(s * problem.b.reshape(s.shape)).max(axis=1, initial=0.0)
    ease = (problem.ease.reshape(s.shape) * s**2).max(axis=1, initial=0.0)
    parts = np.abs(problem.A) @ np.abs(p).ravel()
    parts = (s * parts.reshape(s.shape)).max(axis=1, initial=0.0)
    all_b = float(b.max(initial=0.0)) or float(np.abs(s * a).max(initial=0.0)) or 1.0
    most = np.maximum(b, _SHARE * np.maximum(parts, all_b))
    own = np.abs(p / s).max(axis=1, initial=0.0)
    F = np.maximum(own, np.divide(b, ease, out=np.zeros_like(b), where=ease > 0.0))
    return np.maximum(F, _SHARE * (float(F.max(initial=0.0)) or 1.0)), most


def _residuals(motion: Motion) -> dict[str, float]:
    problem, p, a = motion.problem, motion.forces, motion.contact_accelerations
    F, most = contact_units(problem, p, a)
    s = problem.row_scale
    found = _balance(motion)
    found["(6) no overlap"] = _worst(-a[:, 0] / most)
    found["(8) no pull"] = _worst(-p[:, 0] / F)
    found["(12) force or opening"] = _worst(np.minimum(p[:, 0] / F, a[:, 0] / most))
    cone, moving, resting = [], [], []
    for k, rows in enumerate(problem.blocks):
        own = list(rows)
        unit = s[:, own[0]]
        q, g = p[:, own] / (unit * F)[:, None], a[:, own] * (unit / most)[:, None]
        limit = problem.friction[:, k] * p[:, 0] / unit / F
        moves = problem.moves[:, k]
        # A radius above 1 measures the same error in units of the normal force.
        size = np.maximum(problem.friction[:, k] / unit, 1.0)
        box = motion.model == "pyramid" and len(own) > 1
        length = np.abs(q).max(axis=1) if box else np.linalg.norm(q, axis=1)
        if not motion.relaxed:
            length = np.where(moves, np.linalg.norm(q, axis=1), length)
        cone.append((length - limit) / size)
        along = problem.velocity[:, own] / np.maximum(problem.slip[:, [k]], 1e-300)
        if motion.relaxed:
            off = np.einsum("ij,ij->i", along, q)  # friction gives no energy
        else:
            off = np.linalg.norm(limit[:, None] * along + q, axis=1)
        moving.append(np.where(moves, off / size, 0.0))
        law = np.linalg.norm(q - _nearest(q - g, np.maximum(limit, 0.0), box), axis=1)
        resting.append(np.where(moves, 0.0, law / size))
    pyramid = motion.model == "pyramid"
    name = "(46) half cone" if motion.relaxed else "(9) sliding friction"
    found["(18) pyramid" if pyramid else "(7) cone"] = _worst(np.array(cone))
    found[name] = _worst(np.array(moving))
    found["(19) rolling friction" if pyramid else "(10) rolling friction"] = _worst(
        np.array(resting)
    )
    return found


def _nearest(q: FloatArray, limit: FloatArray, box: bool) -> FloatArray:
    """The nearest point of the disc, or box, with that limit."""
    if box:
        return np.clip(q, -limit[:, None], limit[:, None])
    length = np.maximum(np.linalg.norm(q, axis=1), 1e-300)
    return np.asarray(np.minimum(limit / length, 1.0)[:, None] * q)


def _worst(values: FloatArray) -> float:
    return max(float(np.max(values, initial=0.0)), 0.0)


def _balance(motion: Motion) -> dict[str, float]:
    """(1), (2): each row over what it is the sum of. (3) to (5) and given rows likewise."""
    problem, p, v = motion.problem, motion.forces, motion.accelerations
    H, E, q = problem.flat_rows, problem.held, motion.held_forces
    left = problem.mass @ v - problem.force - H.T @ p.ravel() - E.T @ q
    parts = (
        np.abs(problem.mass) @ np.abs(v) + np.abs(problem.force)
        + np.abs(H.T) @ np.abs(p).ravel() + np.abs(E.T) @ np.abs(q)
    )  # fmt: skip
    found = {"(1), (2) balance": _relative(left, parts)}
    # What forces would do alone: accelerations that cancel out are rounded like these.
    moved = np.abs(v) + np.abs(problem.solve_mass(np.eye(problem.size))) @ parts
    a = (problem.A @ p.ravel() + problem.b) - motion.contact_accelerations.ravel()
    parts = np.abs(problem.A) @ np.abs(p).ravel() + np.abs(H) @ moved
    parts += np.abs(problem.bias).ravel() + np.abs(problem.b)
    found["(3) to (5) kinematics"] = _relative(a, parts)
    if len(E):
        e = problem.held_acceleration
        found["given rows"] = _relative(E @ v - e, np.abs(E) @ moved + np.abs(e))
    return found


def _relative(left: FloatArray, parts: FloatArray) -> float:
    least = 1e-6 * float(np.max(parts, initial=0.0))
    return _worst(np.abs(left) / np.maximum(np.maximum(parts, least), 1e-300))


def _transition(motion: Motion, i: int) -> Transition:
    problem = motion.problem
    p, a = motion.forces[i], motion.contact_accelerations[i]
    F, most = units(problem, motion.forces, motion.contact_accelerations)
    changes = np.abs(a * problem.row_scale[i]) > _CHANGES * most
    slides = bool(problem.slides[i])
    before: State = "sliding" if slides else "rolling"
    pushes, opens = p[0] > _CHANGES * F, bool(changes[0])
    begins = bool(problem.blocks) and bool(changes[list(problem.blocks[0])].any())
    after: Next = "breaking" if opens else "sliding" if slides or begins else "rolling"
    direction = np.zeros(len(problem.blocks[0]) if problem.blocks else 0)
    if after == "sliding":
        tangents = list(problem.blocks[0])
        u = problem.velocity[i, tangents] if slides else a[tangents]
        direction = u / np.linalg.norm(u)
    turning = tuple(
        FRICTIONS[k]
        for k, rows in enumerate(problem.blocks)
        if k > 0
        and after != "breaking"
        and problem.friction[i, k] > 0.0
        and (problem.moves[i, k] or changes[list(rows)].any())
    )
    grazing = not pushes and not opens
    return Transition(i, before, after, direction, p.copy(), a.copy(), grazing, turning)
