"""A thin wheel on a floor under Coulomb's law: it slides, then rolls. No time stepping of ours.

The wheel has the radius R, the mass m, moments of inertia Ia about its axis e and It across it, its
centre is at p, it turns at w, n is up. The rim touches the floor in one point, at

    r = -R k / |k|,    k = n - (n.e) e        from the centre

Its material point there moves at c = v + w x r, and with the force f of the floor

    m v' = m g + f,    I w' = r x f - w x I w,    c' = v' + w' x r + w x r' = A f + b

    slides   f = N (n - mu c / |c|),  n.c' = 0
    rolls    c' = 0                   until |f_T| = mu N

so n.c' = 0 keeps the gap, and with it n.c, at zero. DOP853 integrates p, v, w, the quaternion and
the work of friction. Slip has no direction where it ends: the last 1e-7 m/s of it are one step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from rollcone._check import FloatArray
from rollcone.errors import InputError
from rollcone.mechanics.rotations import rotation

Mode = Literal["slides", "rolls"]
End = Literal["time", "sticks", "slips", "falls flat", "lifts off"]

UP = np.array([0.0, 0.0, 1.0])
_POSITION, _ORIENTATION = slice(0, 3), slice(3, 7)
_VELOCITY, _TURNING, _WORK = slice(7, 10), slice(10, 13), 13
_STICKS = 1e-7  # m/s: a slip that ends
_FLAT = float(np.sin(np.radians(3.0)))  # |k|: no more than this above the floor is flat
_LONGEST_STEP = 1e-2  # s; between steps there are polynomials of degree 7


@dataclass(frozen=True)
class Wheel:
    """SI units; the data of Table 1 of the paper."""

    radius: float = 0.5
    mass: float = 1.0
    axial: float = 0.6
    transverse: float = 0.3
    sliding: float = 0.3
    gravity: float = 9.81


@dataclass(frozen=True)
class Start:
    """The axis is (0, cos tilt, sin tilt), the centre moves along x and the wheel turns about z."""

    tilt: float = 20.0  # degrees
    speed: float = 6.0
    turning: float = -2.0  # about the vertical

    def position(self, wheel: Wheel) -> FloatArray:
        return np.array([0.0, 0.0, wheel.radius * np.cos(np.radians(self.tilt))])

    def orientation(self) -> FloatArray:
        """The z axis of the body is the wheel's axis; upright, it is the y axis of the world."""
        return rotation((1, 0, 0), self.tilt - 90.0)

    def velocity(self) -> FloatArray:
        return np.array([self.speed, 0.0, 0.0])

    def angular_velocity(self) -> FloatArray:
        return self.turning * UP


@dataclass(frozen=True)
class Contact:
    """Of one state: arm r (m), velocity c of the rim's point (m/s), force f of the floor (N)."""

    arm: FloatArray
    velocity: FloatArray
    force: FloatArray
    flatness: float  # |k|


@dataclass(frozen=True)
class Motion:
    """By time; vectors in world axes (times, 3). Friction is the tangential part of the force."""

    start: FloatArray  # (3,), the centre at t = 0
    time: FloatArray
    position: FloatArray
    orientation: FloatArray  # (times, 4): w, x, y, z; the body's z axis is the wheel's axis
    velocity: FloatArray
    angular_velocity: FloatArray
    arm: FloatArray
    slip: FloatArray
    normal_force: FloatArray  # (times,)
    friction: FloatArray
    energy: FloatArray  # (times,), J
    work: FloatArray  # (times,), J, of friction since the start
    gap: FloatArray  # (times,)


@dataclass(frozen=True)
class Phase:
    """From `start` to `end` (s), which came because of `ended_by`; `state(t)` is in between."""

    mode: Mode
    start: float
    end: float
    ended_by: End
    state: Any


@dataclass(frozen=True)
class Reference:
    """The phases of a motion: sliding, and rolling if it gets that far."""

    wheel: Wheel
    phases: tuple[Phase, ...]

    @property
    def end(self) -> float:
        return self.phases[-1].end

    @cached_property
    def slip_ends(self) -> float:
        """When sliding turns into rolling (s); NaN if it never does."""
        first = self.phases[0]
        return first.end if first.ended_by == "sticks" else float("nan")

    def at(self, times: ArrayLike) -> Motion:
        """At any times up to the end; at a change of phase, the phase before it."""
        t = np.atleast_1d(np.asarray(times, dtype=float))
        if len(t) and (t.min() < 0.0 or t.max() > self.end * (1 + 1e-12)):
            raise InputError(f"times from {t.min()} to {t.max()}: must be in 0 .. {self.end} s")
        states = np.empty((len(t), _WORK + 1))
        contacts: list[Contact] = []
        for i, moment in enumerate(t):
            phase = next((p for p in self.phases if moment <= p.end), self.phases[-1])
            states[i] = phase.state(moment)
            contacts.append(_contact(self.wheel, states[i], phase.mode))
        force = np.array([contact.force for contact in contacts])
        arm = np.array([contact.arm for contact in contacts])
        position, orientation = states[:, _POSITION], states[:, _ORIENTATION]
        velocity, turning = states[:, _VELOCITY], states[:, _TURNING]
        orientation = orientation / np.linalg.norm(orientation, axis=1)[:, None]
        return Motion(
            start=self.phases[0].state(0.0)[_POSITION],
            time=t,
            position=position,
            orientation=orientation,
            velocity=velocity,
            angular_velocity=turning,
            arm=arm,
            slip=slip(self.wheel, velocity, turning, orientation),
            normal_force=force @ UP,
            friction=force - np.outer(force @ UP, UP),
            energy=energy(self.wheel, position, orientation, velocity, turning),
            work=states[:, _WORK],
            gap=(position + arm) @ UP,
        )


def reference(
    until: float = 3.0,
    wheel: Wheel = Wheel(),
    start: Start = Start(),
    tolerance: float = 1e-13,
) -> Reference:
    """The motion up to a time, or to where the wheel falls flat, lifts off or slips again."""
    state = np.concatenate(
        [
            start.position(wheel),
            start.orientation(),
            start.velocity(),
            start.angular_velocity(),
            [0.0],
        ]
    )
    slides = _integrate(wheel, "slides", 0.0, state, until, tolerance)
    if slides.ended_by != "sticks":
        return Reference(wheel, (slides,))
    slides, state = _to_the_end_of_slip(wheel, slides)
    contact = _contact(wheel, state, "rolls")
    if _margin(wheel, contact) <= 0.0 or slides.end >= until:
        return Reference(wheel, (slides,))
    return Reference(
        wheel, (slides, _integrate(wheel, "rolls", slides.end, state, until, tolerance))
    )


def axes_of(orientation: FloatArray) -> FloatArray:
    """The wheel's axis e for quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(orientation, -1, 0)
    e = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), w * w + z * z - x * x - y * y])
    return np.moveaxis(e / (w * w + x * x + y * y + z * z), 0, -1)


def slip(
    wheel: Wheel, velocity: FloatArray, turning: FloatArray, orientation: FloatArray
) -> FloatArray:
    """Of the rim's lowest point, along the floor (times, 3)."""
    e = axes_of(orientation)
    k = UP - e[:, 2:] * e
    arm = -wheel.radius * k / np.linalg.norm(k, axis=1)[:, None]
    along = velocity + np.cross(turning, arm)
    along[:, 2] = 0.0
    return np.asarray(along)


def energy(
    wheel: Wheel, position: FloatArray, orientation: FloatArray, velocity: FloatArray,
    turning: FloatArray,
) -> FloatArray:  # fmt: skip
    """Kinetic and potential (J), the latter from the floor; all by time."""
    spin = (axes_of(orientation) * turning).sum(axis=1)
    twice = wheel.mass * (velocity**2).sum(axis=1) + wheel.transverse * (turning**2).sum(axis=1)
    twice += (wheel.axial - wheel.transverse) * spin**2
    return np.asarray(twice / 2 + wheel.mass * wheel.gravity * position[:, 2])


def _contact(wheel: Wheel, state: FloatArray, mode: Mode) -> Contact:
    """Where the rim touches, how it moves there, and the force that the mode asks for."""
    v, w = state[_VELOCITY], state[_TURNING]
    e = axes_of(state[_ORIENTATION])
    k = UP - (UP @ e) * e
    flatness = float(np.sqrt(k @ k))
    steepest = k / flatness
    r = -wheel.radius * steepest
    c = v + _cross(w, r)
    turned = _cross(w, e)
    k_rate = -(UP @ turned) * e - (UP @ e) * turned
    r_rate = -wheel.radius * (k_rate - (steepest @ k_rate) * steepest) / flatness
    inverse = _inverse_inertia(wheel, e)
    cross_r = _cross_matrix(r)
    A = np.eye(3) / wheel.mass - cross_r @ inverse @ cross_r
    b = _cross(w, r_rate) - wheel.gravity * UP
    b += _cross(r, inverse @ _gyroscopic(wheel, e, w))
    if mode == "rolls":
        force = np.asarray(np.linalg.solve(A, -b), dtype=float)
    else:
        along = c - (c @ UP) * UP
        direction = UP - wheel.sliding * along / np.sqrt(along @ along)
        force = -(UP @ b) / (UP @ A @ direction) * direction
    return Contact(r, c, force, flatness)


def _rates(wheel: Wheel, state: FloatArray, mode: Mode) -> FloatArray:
    contact = _contact(wheel, state, mode)
    v, w = state[_VELOCITY], state[_TURNING]
    e = axes_of(state[_ORIENTATION])
    moment = _cross(contact.arm, contact.force) - _gyroscopic(wheel, e, w)
    rates = np.empty_like(state)
    rates[_POSITION] = v
    rates[_ORIENTATION] = _quaternion_rate(state[_ORIENTATION], w)
    rates[_VELOCITY] = contact.force / wheel.mass - wheel.gravity * UP
    rates[_TURNING] = _inverse_inertia(wheel, e) @ moment
    rates[_WORK] = contact.force[:2] @ contact.velocity[:2]
    return rates


def _integrate(
    wheel: Wheel, mode: Mode, start: float, state: FloatArray, until: float, tolerance: float
) -> Phase:
    def sticks(_: float, x: FloatArray) -> float:
        c = _contact(wheel, x, mode).velocity
        return float(np.hypot(c[0], c[1])) - _STICKS

    def slips(_: float, x: FloatArray) -> float:
        return _margin(wheel, _contact(wheel, x, mode))

    def falls_flat(_: float, x: FloatArray) -> float:
        return _contact(wheel, x, mode).flatness - _FLAT

    def lifts_off(_: float, x: FloatArray) -> float:
        return float(_contact(wheel, x, mode).force @ UP)

    change: End = "sticks" if mode == "slides" else "slips"
    names: tuple[End, ...] = (change, "falls flat", "lifts off")
    events: list[Any] = [sticks if mode == "slides" else slips, falls_flat, lifts_off]
    for event in events:
        event.terminal, event.direction = True, -1
    found = solve_ivp(
        lambda _, x: _rates(wheel, x, mode),
        (start, until),
        state,
        method="DOP853",
        rtol=tolerance,
        atol=tolerance,
        max_step=_LONGEST_STEP,
        dense_output=True,
        events=events,
    )
    if not found.success:
        raise ArithmeticError(f"the wheel {mode}: {found.message}")
    met = [name for name, times in zip(names, found.t_events, strict=True) if len(times)]
    return Phase(mode, start, float(found.t[-1]), met[0] if met else "time", found.sol)


def _to_the_end_of_slip(wheel: Wheel, phase: Phase) -> tuple[Phase, FloatArray]:
    """The slip falls at a steady rate at last, so the rest of it takes |c| / (-d|c|/dt)."""
    state = phase.state(phase.end)
    rates = _rates(wheel, state, "slides")
    small = 1e-9  # s, of a difference quotient; short against what is left
    slips = [
        float(np.hypot(*_contact(wheel, state + t * rates, "slides").velocity[:2]))
        for t in (0.0, small)
    ]
    rest = small * slips[0] / (slips[0] - slips[1])
    last = phase.end

    def prolonged(t: float) -> FloatArray:
        return np.asarray(phase.state(t) if t <= last else state + (t - last) * rates)

    end = last + rest
    return Phase(phase.mode, phase.start, end, phase.ended_by, prolonged), prolonged(end)


def _margin(wheel: Wheel, contact: Contact) -> float:
    """mu N - |f_T| (N): rolls while it is above zero."""
    f = contact.force
    return float(wheel.sliding * f[2] - np.hypot(f[0], f[1]))


def _inverse_inertia(wheel: Wheel, e: FloatArray) -> FloatArray:
    across, along = 1 / wheel.transverse, 1 / wheel.axial
    return np.asarray(across * np.eye(3) + (along - across) * np.outer(e, e))


def _gyroscopic(wheel: Wheel, e: FloatArray, w: FloatArray) -> FloatArray:
    """w x I w; the part along w of I w gives nothing."""
    return _cross(w, (wheel.axial - wheel.transverse) * (e @ w) * e)


def _quaternion_rate(q: FloatArray, w: FloatArray) -> FloatArray:
    """(0, w) q / 2, w in world axes."""
    rate = np.empty(4)
    rate[0] = -w @ q[1:]
    rate[1:] = q[0] * w + _cross(w, q[1:])
    return rate / 2


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """NumPy's takes most of the time."""
    return _cross_matrix(a) @ b


def _cross_matrix(r: FloatArray) -> FloatArray:
    x, y, z = r.tolist()
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
