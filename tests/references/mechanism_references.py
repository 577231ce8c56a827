"""Motions of plane mechanisms in minimal coordinates: closed forms, or Lagrange's equations
integrated nearly to rounding. Nothing here uses the library.

Mechanisms move in the x-y plane, gravity g pulls along -y, every hinge turns about z and has
no friction. (Where gravity is to pull along -z, turn all by a quarter about x: y becomes z, z
becomes -y.) A rod is a uniform box of `length` along its own x axis and `width` across it in the
plane; hinges sit in the middles of its end faces, so the centre is length / 2 from both. Its angle
is that of its own x axis, from world x, counter-clockwise, and points from the first hinge named to
the second. Times ascend from the start at 0; the first index of every result is that of the time.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

Numbers = Sequence[float] | np.ndarray
Slope = Callable[[float, np.ndarray], Numbers]


@dataclass(frozen=True)
class Rod:
    """A uniform box in the plane."""

    length: float
    mass: float
    width: float = 0.0

    @property
    def moment(self) -> float:
        """About the centre: m (L^2 + w^2) / 12."""
        return self.mass * (self.length**2 + self.width**2) / 12

    @property
    def hinge_moment(self) -> float:
        """About a hinge at an end: J + m (L / 2)^2."""
        return self.moment + self.mass * self.length**2 / 4


class Motion(NamedTuple):
    """Minimal coordinates, and where that puts each body of a plane mechanism."""

    coordinates: np.ndarray  # (times, degrees of freedom)
    rates: np.ndarray  # of the coordinates
    centres: np.ndarray  # (times, bodies, 2)
    angles: np.ndarray  # (times, bodies), from world x
    velocities: np.ndarray  # of the centres
    angular_rates: np.ndarray  # of the angles


def integrate(slope: Slope, start: Numbers, times: Numbers) -> np.ndarray:
    """States (times, size of start) of y' = slope(t, y), by Dormand and Prince's order 8.

    Tolerances are just above the least that SciPy takes: the interpolation of order 7 between
    steps needs them for errors of about 1e-12.
    """
    end = max(times[-1], 1e-6)  # SciPy gives nothing for a span of length zero
    run = solve_ivp(
        slope, (0, end), start, method="DOP853", rtol=3e-14, atol=3e-14, t_eval=np.asarray(times)
    )
    assert run.success, run.message
    return np.asarray(run.y.T)


def pendulum(rod: Rod, start_angle: float, g: float, times: Numbers) -> Motion:
    """A rod on a hinge at the origin, released at rest at an angle from -y, below pi in size.

    With w^2 = m g (L / 2) / J_hinge and k = sin(start / 2): sin(theta / 2) = k sn(K - w t) and
    theta' = -2 k w cn(K - w t), Jacobi's functions of modulus k, quarter period K.
    """
    w = math.sqrt(rod.mass * g * rod.length / 2 / rod.hinge_moment)
    k = math.sin(start_angle / 2)
    sn, cn, _, _ = ellipj(ellipk(k**2) - w * np.asarray(times), k**2)
    theta = 2 * np.arcsin(k * sn)
    return _hanging_rods([rod], theta[:, None], (-2 * k * w * cn)[:, None])


def pendulum_period(rod: Rod, start_angle: float, g: float) -> float:
    """4 sqrt(l / g) K(k), with reduced length l = J_hinge / (m L / 2) and k = sin(start / 2)."""
    reduced = rod.hinge_moment / (rod.mass * rod.length / 2)
    return 4 * math.sqrt(reduced / g) * float(ellipk(math.sin(start_angle / 2) ** 2))


def pendulum_reaction(
    rod: Rod, theta: np.ndarray, rate: np.ndarray, g: float
) -> tuple[np.ndarray, np.ndarray]:
    """Force of the hinge on the rod: radial (from the centre to the hinge), and tangential (the
    way the centre goes when theta grows, (cos theta, sin theta)).

    m (L / 2) theta'^2 = radial - m g cos theta and m (L / 2) theta'' = tangential - m g sin theta,
    with J_hinge theta'' = -m g (L / 2) sin theta.
    """
    arm, weight = rod.length / 2, rod.mass * g
    radial = weight * np.cos(theta) + rod.mass * arm * rate**2
    return radial, weight * np.sin(theta) * (1 - rod.mass * arm**2 / rod.hinge_moment)


def double_pendulum(
    rods: tuple[Rod, Rod],
    start_angles: tuple[float, float],
    start_rates: tuple[float, float],
    g: float,
    times: Numbers,
) -> Motion:
    """Two rods in a row, the first on a hinge at the origin; both angles from -y.

    T = A a'^2 / 2 + C b'^2 / 2 + B a' b' cos(a - b) and V = -(m1 L1 / 2 + m2 L1) g cos a -
    m2 (L2 / 2) g cos b, with A = J1_hinge + m2 L1^2, B = m2 L1 L2 / 2 and C = J2_hinge.
    """
    first, second = rods
    A = first.hinge_moment + second.mass * first.length**2
    B = second.mass * first.length * second.length / 2
    C = second.hinge_moment
    first_pull = (first.mass / 2 + second.mass) * first.length * g
    second_pull = second.mass * second.length / 2 * g

    def slope(_: float, state: np.ndarray) -> list[float]:
        a, b, a_rate, b_rate = state
        mixed, bend = B * math.cos(a - b), B * math.sin(a - b)
        p = -bend * b_rate**2 - first_pull * math.sin(a)
        q = bend * a_rate**2 - second_pull * math.sin(b)
        determinant = A * C - mixed**2
        return [
            a_rate,
            b_rate,
            (C * p - mixed * q) / determinant,
            (A * q - mixed * p) / determinant,
        ]

    states = integrate(slope, [*start_angles, *start_rates], times)
    return _hanging_rods(rods, states[:, :2], states[:, 2:])


def _hanging_rods(rods: Sequence[Rod], theta: np.ndarray, rates: np.ndarray) -> Motion:
    """Rods in a row from the origin, at angles theta (times, rods) from -y."""
    lengths = np.array([rod.length for rod in rods])[:, None]
    arms = lengths * np.stack([np.sin(theta), -np.cos(theta)], axis=-1)
    swings = lengths * np.stack([np.cos(theta), np.sin(theta)], axis=-1) * rates[..., None]
    return Motion(
        theta,
        rates,
        np.cumsum(arms, axis=1) - arms / 2,
        theta - math.pi / 2,
        np.cumsum(swings, axis=1) - swings / 2,
        rates,
    )


# Closed loops have one degree of freedom.
# A jet is a value with its first and second derivative by the crank's angle q, in rows.


def slider_crank(
    crank: Rod,
    connecting: Rod,
    slider_mass: float,
    start_angle: float,
    start_rate: float,
    g: float,
    times: Numbers,
) -> Motion:
    """Crank, connecting rod, slider: the crank is hinged at the origin, the connecting rod (the
    longer one) leads from its end to the centre of the slider, which keeps to the x axis, on the
    positive side, and does not turn. The coordinate is the crank's angle from x.

    The slider's position and rate are `centres[:, 2, 0]` and `velocities[:, 2, 0]`.
    """
    a, b = crank.length, connecting.length

    def poses(q: float) -> np.ndarray:
        # a sin q + b sin beta = 0, and its derivatives
        beta = -math.asin(a * math.sin(q) / b)
        reach = b * math.cos(beta)
        first = -a * math.cos(q) / reach
        second = (a * math.sin(q) + b * math.sin(beta) * first**2) / reach
        turn, tilt = np.array([q, 1, 0]), np.array([beta, first, second])
        elbow = _arm(a, turn)
        slider = elbow + _arm(b, tilt)
        return _poses((elbow / 2, turn), (elbow + _arm(b / 2, tilt), tilt), (slider, np.zeros(3)))

    inertia = _inertia(crank, connecting, Rod(0, slider_mass))
    return _one_degree(poses, inertia, start_angle, start_rate, g, times)


def four_bar(
    crank: Rod,
    coupler: Rod,
    rocker: Rod,
    ground: float,
    branch: int,
    start_angle: float,
    start_rate: float,
    g: float,
    times: Numbers,
) -> Motion:
    """Crank, coupler, rocker: the crank is hinged at the origin, the rocker at (ground, 0), the
    coupler leads from the end of the crank to that of the rocker. The crank is the shortest link,
    and with the longest one no longer than the other two together: it turns all the way round.

    Branch 1 has the coupler's far end left of the line from the crank's end to the rocker's hinge,
    branch -1 right of it. The coordinate is the crank's angle from x.
    """
    a, b, c = crank.length, coupler.length, rocker.length

    def poses(q: float) -> np.ndarray:
        turn = np.array([q, 1, 0])
        elbow = _arm(a, turn)
        alpha, beta = _loop_angles(elbow[0], b, c, ground, branch)
        # a e(q) + b e(alpha) - c e(beta) = (ground, 0), differentiated once and twice
        matrix = np.array(
            [[-b * math.sin(alpha), c * math.sin(beta)], [b * math.cos(alpha), -c * math.cos(beta)]]
        )
        first = np.linalg.solve(matrix, -elbow[1])
        bends = _arm(b, np.array([alpha, first[0], 0])) - _arm(c, np.array([beta, first[1], 0]))
        second = np.linalg.solve(matrix, -elbow[2] - bends[2])
        tilt, swing = np.stack([(alpha, beta), first, second], axis=1)
        far = _arm(c / 2, swing)
        far[0, 0] += ground
        return _poses((elbow / 2, turn), (elbow + _arm(b / 2, tilt), tilt), (far, swing))

    inertia = _inertia(crank, coupler, rocker)
    return _one_degree(poses, inertia, start_angle, start_rate, g, times)


def _loop_angles(
    elbow: np.ndarray, coupler: float, rocker: float, ground: float, branch: int
) -> tuple[float, float]:
    """Angles of coupler and rocker by the law of cosines in the triangle that they close; without
    jumps by whole turns, since the crank is shorter than the ground link."""
    line = math.hypot(ground - elbow[0], elbow[1])
    direction = math.atan2(-elbow[1], ground - elbow[0])
    at_elbow = math.acos((coupler**2 + line**2 - rocker**2) / (2 * coupler * line))
    at_ground = math.acos((rocker**2 + line**2 - coupler**2) / (2 * rocker * line))
    return direction + branch * at_elbow, direction + math.pi - branch * at_ground


def _arm(length: float, angle: np.ndarray) -> np.ndarray:
    """Jet (3, 2) of the vector of this length whose angle has the jet `angle`."""
    along = length * np.array([math.cos(angle[0]), math.sin(angle[0])])
    across = np.array([-along[1], along[0]])
    return np.array([along, across * angle[1], across * angle[2] - along * angle[1] ** 2])


def _poses(*bodies: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Jet (3, bodies, 3) of (x, y, angle) of every body, from jets of centres and of angles."""
    return np.stack([np.column_stack(body) for body in bodies], axis=1)


def _inertia(*rods: Rod) -> np.ndarray:
    """Mass, mass, moment of each body."""
    return np.array([(rod.mass, rod.mass, rod.moment) for rod in rods])


def _one_degree(
    poses: Callable[[float], np.ndarray],
    inertia: np.ndarray,
    start_angle: float,
    start_rate: float,
    g: float,
    times: Numbers,
) -> Motion:
    """I(q) q'' + I'(q) q'^2 / 2 = -V'(q), with I = sum of m x_q^2 over all bodies and directions,
    so that I' / 2 = sum of m x_q x_qq."""

    def slope(_: float, state: np.ndarray) -> list[float]:
        q, rate = state
        _, first, second = poses(q)
        push = -g * inertia[:, 1] @ first[:, 1] - np.sum(inertia * first * second) * rate**2
        return [rate, push / np.sum(inertia * first**2)]

    states = integrate(slope, [start_angle, start_rate], times)
    jets = np.array([poses(q) for q in states[:, 0]])
    position, velocity = jets[:, 0], jets[:, 1] * states[:, 1, None, None]
    return Motion(
        states[:, :1],
        states[:, 1:],
        position[..., :2],
        position[..., 2],
        velocity[..., :2],
        velocity[..., 2],
    )
