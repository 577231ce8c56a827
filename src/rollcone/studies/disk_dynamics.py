"""Forces and rates of a thin disk that rolls or slides on a floor, in angles; nothing of ours.

Le Saux, Leine and Glocker 2005, section 5.1: e_x is the horizontal diameter at the angle alpha from
the x axis, e_y the disk's axis, which rises by beta above the floor, e_z = e_x x e_y; beta = 0 is
upright. In these axes, which do not turn with gamma, the angular velocity is

    p = beta',   s = alpha' sin(beta) + gamma',   w = alpha' cos(beta)

and with the force (f_x, f_y, N) of the floor, along e_x, across it and up, and moments M,

    A p' = -A w^2 tan(beta) + C w s + r (f_y cos(beta) + N sin(beta)) + M_x
    C s' = -r f_x + M_y
    A w' = A w p tan(beta) - C p s + M_z
    N = m g - m r (p' sin(beta) + p^2 cos(beta))

The point of the disk that touches slips at (a, b), along e_x and across it. It

    slides   f = -mu N (a, b) / |(a, b)|;  under Contensou's law by Hertz's pressure, with a torque
    rolls    a' = b' = 0, as long as |f| <= mu N; under Contensou's law no spin about the vertical
             either, as long as force and torque are in the set of that law

Contour friction resists gamma' with mu_R N r, rolling friction the horizontal part of the angular
velocity with rho N; both may be viscous.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from scipy.optimize import brentq

from rollcone.studies.kernels.disk_prototype import hertz

Mode = Literal["slides", "rolls"]
State = list[float]
FIELDS = ("x", "y", "alpha", "beta", "gamma", "p", "s", "w", "a", "b", "work")

_ROUNDING = 1e-13  # m/s
_SLIP_BEGINS = 1e-8  # m/s; where it begins, its direction settles in mu g / that


@dataclass(frozen=True)
class Friction:
    """Of the floor. sliding (1); contact_radius (m) of Contensou's law, 0 without; contour (1) and
    contour_viscosity (N s/m); rolling (m) and rolling_viscosity (N m s)."""

    sliding: float = 0.3
    contact_radius: float = 0.0
    contour: float = 0.0
    contour_viscosity: float = 0.0
    rolling: float = 0.0
    rolling_viscosity: float = 0.0


@dataclass(frozen=True)
class Disk:
    """SI units; the data of the paper's section 4."""

    radius: float = 0.0375
    mass: float = 0.3048
    transverse: float = 1.0716e-4  # A
    axial: float = 2.1433e-4  # C
    gravity: float = 9.81


@dataclass
class Dynamics:
    """Forces and rates of one state."""

    disk: Disk
    friction: Friction

    def first_mode(self, state: State) -> Mode:
        if self.slip(state) > 0.0 or self.margin(state) <= 0.0:
            return "slides"
        return "rolls"

    def slip(self, state: State) -> float:
        """|(a, b, eps spin)| (m/s); a spin that is only rounding is none."""
        spin = self.friction.contact_radius * self.spin(state)
        size = math.hypot(state[8], state[9], spin)
        return size if size > _ROUNDING else 0.0

    def spin(self, state: State) -> float:
        """About the vertical."""
        return state[6] * math.sin(state[3]) + state[7] * math.cos(state[3])

    def begin_slip(self, state: State) -> None:
        """A slip too small to matter, against the force that would have held it."""
        if self.slip(state) > 0.0:
            return
        fx, fy, *_, torque = self.contact(state, "rolls")
        size, radius = math.hypot(fx, fy), self.friction.contact_radius
        speed = _SLIP_BEGINS
        if radius > 0.0:
            ratio = _ratio(size, abs(torque) / radius)
            speed = _SLIP_BEGINS * ratio / math.hypot(1.0, ratio)
            spin = -_sign(torque) * _SLIP_BEGINS / math.hypot(1.0, ratio) / radius
            state[7] += (spin - self.spin(state)) / math.cos(state[3])
        state[8], state[9] = -speed * fx / size, -speed * fy / size

    def end_slip(self, state: State) -> None:
        state[8] = state[9] = 0.0
        if self.friction.contact_radius > 0.0:
            state[7] = -state[6] * math.tan(state[3])

    def margin(self, state: State) -> float:
        """How far the force that holds the contact is inside the set of the law, over mu N."""
        fx, fy, normal, *_, torque = self.contact(state, "rolls")
        size, radius = math.hypot(fx, fy), self.friction.contact_radius
        limit = self.friction.sliding * normal
        if radius == 0.0:
            return 1.0 - size / limit
        ratio = _ratio(size, abs(torque) / radius)
        over_speed, eta = hertz(ratio, 1.0)
        bound = math.hypot(over_speed * ratio, eta)
        return bound - math.hypot(size, torque / radius) / limit

    def _moments(self, state: State, torque: float) -> tuple[float, ...]:
        """Moments about e_x, e_y, e_z: those that do not depend on N, and those per N."""
        beta, p, s, w = state[3], *state[5:8]
        sine, cosine = math.sin(beta), math.cos(beta)
        law, r = self.friction, self.disk.radius
        along_rim = s - w * sine / cosine  # gamma'
        contour = -r * law.contour * _sign(along_rim)
        viscous = -r * r * law.contour_viscosity * along_rim
        tilting = along_rim * cosine  # horizontal, across e_x
        size = math.hypot(p, tilting)
        rolling = -law.rolling / size if size > 0.0 else 0.0
        c = -law.rolling_viscosity
        tangent = sine / cosine
        return (
            c * p,
            viscous + c * tilting * cosine,
            -viscous * tangent - c * tilting * sine,
            rolling * p,
            contour + rolling * tilting * cosine + torque * sine,
            -contour * tangent - rolling * tilting * sine + torque * cosine,
        )

    def _sliding_friction(self, state: State) -> tuple[float, float, float]:
        """Force along e_x and across, and torque about the vertical (m), per N."""
        beta, s, w, a, b = state[3], state[6], state[7], state[8], state[9]
        mu, radius = self.friction.sliding, self.friction.contact_radius
        size = math.hypot(a, b)
        if radius == 0.0:
            return -mu * a / size, -mu * b / size, 0.0
        spin = s * math.sin(beta) + w * math.cos(beta)
        over_speed, eta = hertz(size, radius * abs(spin))
        return -mu * over_speed * a, -mu * over_speed * b, -mu * radius * eta * _sign(spin)

    def contact(self, state: State, mode: Mode) -> tuple[float, ...]:
        """f_x, f_y, N and p', s', w', and the torque about the vertical."""
        beta, p, s, w = state[3], *state[5:8]
        disk = self.disk
        r, m, A, C, g = disk.radius, disk.mass, disk.transverse, disk.axial, disk.gravity
        sine, cosine = math.sin(beta), math.cos(beta)
        dx, dy, torque = (0.0, 0.0, 0.0) if mode == "rolls" else self._sliding_friction(state)
        free_x, free_y, free_z, per_x, per_y, per_z = self._moments(state, torque)
        gyration = -A * w * w * sine / cosine + C * w * s + free_x
        still = m * (g - r * p * p * cosine)  # N without p'
        if mode == "rolls":
            push = gyration + m * r * (w * r * s + g * sine) + still * per_x
            p_rate = push / (A + m * r * r + per_x * m * r * sine)
        else:
            arm = r * (dy * cosine + sine) + per_x
            p_rate = (gyration + still * arm) / (A + m * r * sine * arm)
        normal = still - m * r * sine * p_rate
        about_axis = free_y + normal * per_y
        w_rate = w * p * sine / cosine + (free_z + normal * per_z - C * p * s) / A
        if mode == "rolls":
            s_rate = (about_axis - m * r * r * w * p) / (C + m * r * r)
            torque = 0.0
            if self.friction.contact_radius > 0.0:  # none of s sin(beta) + w cos(beta)
                spin_rate = sine * s_rate + cosine * w_rate + p * (s * cosine - w * sine)
                along, across = sine / (C + m * r * r), cosine / A
                torque = -spin_rate / (sine * along + cosine * across)
                s_rate += torque * along
                w_rate += torque * across
            fx = m * r * (s_rate + w * p)
            fy = m * r * (-p_rate * cosine + p * p * sine + w * s / cosine)
        else:
            fx, fy = normal * dx, normal * dy
            s_rate = (about_axis - r * fx) / C
            torque *= normal
        return fx, fy, normal, p_rate, s_rate, w_rate, torque

    def rates(self, state: State, mode: Mode) -> State:
        _, _, alpha, beta, _, p, s, w, a, b, _ = state
        r, m = self.disk.radius, self.disk.mass
        sine, cosine = math.sin(beta), math.cos(beta)
        fx, fy, _, p_rate, s_rate, w_rate, _ = self.contact(state, mode)
        yaw = w / cosine
        ux, uy = a + r * s, b - r * p * cosine  # of the centre
        if mode == "rolls":
            a_rate = b_rate = 0.0
        else:
            a_rate = fx / m + yaw * uy - r * s_rate
            b_rate = fy / m - yaw * ux + r * (p_rate * cosine - p * p * sine)
        return [
            ux * math.cos(alpha) - uy * math.sin(alpha),
            ux * math.sin(alpha) + uy * math.cos(alpha),
            yaw,
            p,
            s - yaw * sine,
            p_rate,
            s_rate,
            w_rate,
            a_rate,
            b_rate,
            self._power(state, mode),
        ]

    def _power(self, state: State, mode: Mode) -> float:
        """Of friction."""
        p, s, w, a, b = state[5:10]
        fx, fy, normal = self.contact(state, mode)[:3]
        torque = 0.0 if mode == "rolls" else self._sliding_friction(state)[2]
        free_x, free_y, free_z, per_x, per_y, per_z = self._moments(state, torque)
        turning = free_x * p + free_y * s + free_z * w
        turning += normal * (per_x * p + per_y * s + per_z * w)
        return fx * a + fy * b + turning


def energy(disk: Disk, state: State) -> float:
    """Kinetic and potential (J), the latter from the floor."""
    beta, p, s, w, a, b = state[3], *state[5:10]
    r, cosine = disk.radius, math.cos(beta)
    ux, uy, uz = a + r * s, b - r * p * cosine, -r * p * math.sin(beta)
    turning = disk.transverse * (p * p + w * w) + disk.axial * s * s
    moving = disk.mass * (ux * ux + uy * uy + uz * uz)
    return (moving + turning) / 2 + disk.mass * disk.gravity * r * cosine


def _ratio(force: float, torque: float) -> float:
    """Slip over spin, u = |v| / (eps |spin|), for which force and torque / eps have this ratio."""

    def off(logarithm: float) -> float:
        u = math.exp(logarithm)
        over_speed, eta = hertz(u, 1.0)
        return math.atan2(over_speed * u, eta) - math.atan2(force, torque)

    low, high = -40.0, 40.0
    if off(high) <= 0.0:
        return math.exp(high)
    return math.exp(brentq(off, low, high, xtol=1e-14)) if off(low) < 0.0 else 0.0


def _sign(value: float) -> float:
    return math.copysign(1.0, value) if value else 0.0
