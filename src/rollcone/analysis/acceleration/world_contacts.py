"""The contacts of a world at a moment: their rows over all bodies, velocities and biases.

    u = e.(v_B + w_B x r_B - v_A - w_A x r_A),   w = e.(w_B - w_A)

as in stepping/kernels/contact.py. Points and normals move over the surfaces while bodies do;
contacts are looked for again a moment before and after (displaced.py), which gives dn/dt and the
rates of arms for any shapes. With du the change of the velocity of the points in world axes, at
constant velocities of the bodies,

    bias:  normal n.du + dn.u,   tangent t.du,   turning -(t.dn) w_n, spinning dn.w
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray, IntArray
from rollcone.analysis.acceleration.displaced import Displaced, rate
from rollcone.collision.contacts import Contacts
from rollcone.collision.detect import Detector
from rollcone.collision.grid import UntreatedPairError
from rollcone.errors import InputError
from rollcone.mechanics.bodies import Bodies
from rollcone.mechanics.warnings import untreated
from rollcone.mechanics.world import World
from rollcone.stepping.kernels.contact import contact_frames

MOST_ROWS = 2_000  # matrices are dense
_NEAR = 1e-4  # of the smaller body: gaps a moment before and after
Notes = tuple[tuple[str, float], ...]
_NEARLY = 1e-4  # of the smaller body: overlaps and gaps worth a note
_ALIKE = 0.99  # the product of normals of one contact a moment apart


@dataclass(frozen=True, eq=False)
class WorldContacts:
    """Those that touch and neither close nor open.

    rows      (c, d, 6 N), over all N bodies
    velocity  (c, d)
    bias      (c, d)
    friction  (c, k)
    opening   pairs of bodies that touch and part, which have no force
    sharp     contacts that were not found a moment before or after: taken as points of B on a
              face of A
    overlap   pairs that overlap, and how deep (m)
    nearly    pairs that do not touch, by a gap (m) that is small
    """

    bodies: IntArray
    point: FloatArray
    frames: FloatArray
    rows: FloatArray
    velocity: FloatArray
    bias: FloatArray
    friction: FloatArray
    opening: IntArray
    sharp: IntArray
    overlap: Notes = ()
    nearly: Notes = ()


def touching(world: World) -> Contacts:
    """All contacts of the moment."""
    if world.laws.softness() is not None:
        raise InputError("compliance: the analysis of accelerations is of rigid contacts")
    if world.laws.frictions() is not None:
        raise InputError(
            "contact law: the analysis of accelerations takes numbers for sliding, rolling and "
            "spinning alone; no contact_radius, contour, viscosity, coupling or Stribeck"
        )
    return _detect(world, world.state, 0.0)


def world_contacts(
    world: World, found: Contacts, moment: Displaced, speed_tolerance: float
) -> WorldContacts:
    """Of those found, what lasts. Raises an InputError where contacts close: an impact comes
    first."""
    state = world.state
    keep, opening = _lasting(world, found, speed_tolerance)
    now = _only(found, keep)
    d = 6 if world.laws.rows > 3 else 3
    if d * len(now) > MOST_ROWS:
        raise InputError(
            f"world: has {len(now)} contacts of {d} rows: the analysis of accelerations takes "
            f"{MOST_ROWS // d} contacts at most"
        )
    frames = _frames(now.normal)
    rows = _rows(now.bodies, now.arms, frames, len(state), d)
    velocities = np.concatenate([state.velocity, state.angular_velocity], axis=1).ravel()
    velocity = rows @ velocities
    velocity[:, 0] = 0.0
    bias, sharp = _bias(world, now, frames, moment, d)
    return WorldContacts(
        now.bodies, now.point, frames, rows, velocity, bias, _friction(world, now.bodies, d),
        opening, sharp, *_worth_a_note(world, now),
    )  # fmt: skip


def _worth_a_note(world: World, now: Contacts) -> tuple[Notes, Notes]:
    """Pairs that overlap by more than rounding, and pairs that nearly touch."""
    size = world.state.size
    apart = _detect(world, world.state, _NEARLY)
    pairs = {tuple(pair) for pair in now.bodies.tolist()}
    overlap, nearly = [], []
    for bodies, gap in zip(apart.bodies.tolist(), apart.gap.tolist(), strict=True):
        words = f"{world.name_of(bodies[1])!r} on {world.name_of(bodies[0])!r}"
        if gap < -_NEARLY * float(size[bodies].min()):
            overlap.append((words, -gap))
        elif tuple(bodies) not in pairs and gap > 0.0:
            nearly.append((words, gap))
    return _deepest(overlap, -1.0), _deepest(nearly, 1.0)


def _deepest(found: list[tuple[str, float]], sign: float) -> Notes:
    """Each pair once."""
    worst: dict[str, float] = {}
    for words, value in found:
        worst[words] = min(worst.get(words, value), value, key=lambda one: sign * one)
    return tuple(worst.items())


def _detect(world: World, state: Bodies, margin: float) -> Contacts:
    still = np.zeros((len(state), 3))
    size = state.size.min(axis=1)
    apart = margin * np.where(np.isfinite(size), size, 0.0)
    try:
        return Detector().detect(state, still, still, 0.0, apart).copy()
    except UntreatedPairError as pair:
        raise InputError(untreated(world, *pair.bodies)) from pair


def _only(contacts: Contacts, keep: NDArray[np.bool_]) -> Contacts:
    c = contacts
    return Contacts(
        c.bodies[keep], c.key[keep], c.gap[keep], c.normal[keep], c.arms[keep], c.point[keep]
    )


def _lasting(
    world: World, contacts: Contacts, speed_tolerance: float
) -> tuple[NDArray[np.bool_], IntArray]:
    """Which contacts neither close nor open, and the pairs that open."""
    u = _point_velocity(world.state, contacts.bodies, contacts.arms)
    approach = np.einsum("ij,ij->i", contacts.normal, u)
    if np.any(approach < -speed_tolerance):
        worst = int(np.argmin(approach))
        a, b = (world.name_of(int(k)) for k in contacts.bodies[worst])
        raise InputError(
            f"bodies {a!r} and {b!r} close at {-approach[worst]:g} m/s: an impact comes before any "
            f"acceleration; the analysis is of contacts with no normal velocity (speed_tolerance = "
            f"{speed_tolerance:g} m/s)"
        )
    opens = approach > speed_tolerance
    return ~opens, np.unique(contacts.bodies[opens], axis=0)


def _point_velocity(state: Bodies, bodies: IntArray, arms: FloatArray) -> FloatArray:
    """Of B's point relative to A's (c, 3)."""
    (A, B), v, w = bodies.T, state.velocity, state.angular_velocity
    return np.asarray(
        v[B] + np.cross(w[B], arms[:, 3:]) - v[A] - np.cross(w[A], arms[:, :3]), dtype=float
    ).reshape(-1, 3)


def _frames(normal: FloatArray) -> FloatArray:
    frames = np.empty((len(normal), 3, 3))
    contact_frames(np.ascontiguousarray(normal), frames)
    return frames


def _rows(
    bodies: IntArray, arms: FloatArray, frames: FloatArray, number: int, d: int
) -> FloatArray:
    """H (c, d, 6 N)."""
    c = len(bodies)
    rows, each = np.zeros((c, d, number, 6)), np.arange(c)
    for side, sign in ((1, 1.0), (0, -1.0)):
        body, arm = bodies[:, side], arms[:, 3 * side : 3 * side + 3]
        rows[each, :3, body, :3] = sign * frames
        rows[each, :3, body, 3:] = sign * np.cross(arm[:, None, :], frames)
        if d == 6:
            rows[each, 3:, body, 3:] = sign * frames[:, [1, 2, 0]]
    return rows.reshape(c, d, 6 * number)


def _bias(
    world: World, now: Contacts, frames: FloatArray, moment: Displaced, d: int
) -> tuple[FloatArray, IntArray]:
    bias = np.zeros((len(now), d))
    if moment.d == 0.0 or not len(now):
        return bias, np.zeros(0, dtype=np.int64)
    (after, found), (before, found_too) = (
        _later(world, state, now) for state in (moment.after, moment.before)
    )
    state = world.state
    sharp = ~(found & found_too)
    _follow(state, now, after, sharp, moment.d)
    _follow(state, now, before, sharp, -moment.d)
    u, w = _point_velocity(state, now.bodies, now.arms), _turn(state, now.bodies)
    speeds = [_point_velocity(state, now.bodies, one.arms) for one in (after, before)]
    du, dn = rate(moment.d, *speeds), rate(moment.d, after.normal, before.normal)
    n, tangents = frames[:, 0], frames[:, 1:]
    bias[:, 0] = _dot(n, du) + _dot(dn, u)
    bias[:, 1:3] = np.einsum("ckj,cj->ck", tangents, du)
    if d == 6:
        bias[:, 3:5] = -np.einsum("ckj,cj->ck", tangents, dn) * _dot(n, w)[:, None]
        bias[:, 5] = _dot(dn, w)
    return bias, np.flatnonzero(sharp)


def _later(world: World, state: Bodies, now: Contacts) -> tuple[Contacts, NDArray[np.bool_]]:
    """The same contacts at another moment, and which were found again."""
    seen = _detect(world, state, _NEAR)
    place = np.minimum(np.searchsorted(seen.key, now.key), max(len(seen) - 1, 0))
    if not len(seen):
        return now.copy(), np.zeros(len(now), dtype=bool)
    found = seen.key[place] == now.key
    later = _only(seen, place)  # type: ignore[arg-type]
    found &= _dot(later.normal, now.normal) > _ALIKE
    return later.copy(), found


def _follow(
    state: Bodies, now: Contacts, later: Contacts, sharp: NDArray[np.bool_], d: float
) -> None:
    """Where a contact was not found again: B's point stays in B, the normal stays in A."""
    for i in np.flatnonzero(sharp):
        A, B = now.bodies[i]
        w_A, w_B = state.angular_velocity[A], state.angular_velocity[B]
        n, arm = now.normal[i], now.arms[i, 3:]
        later.normal[i] = n + d * np.cross(w_A, n)
        later.arms[i, 3:] = arm + d * np.cross(w_B, arm)
        moved = state.position[B] - state.position[A] + d * (state.velocity[B] - state.velocity[A])
        later.arms[i, :3] = later.arms[i, 3:] + moved


def _turn(state: Bodies, bodies: IntArray) -> FloatArray:
    return np.asarray(state.angular_velocity[bodies[:, 1]] - state.angular_velocity[bodies[:, 0]])


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", a, b))


def _friction(world: World, bodies: IntArray, d: int) -> FloatArray:
    radii, _ = world.laws.tables()
    material = world.state.material[bodies]
    found = radii[material[:, 0], material[:, 1]].reshape(-1, 5)
    return found[:, [0, 2, 4]] if d == 6 else found[:, :1]
