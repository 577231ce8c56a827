"""How the mechanisms move, to many digits: angles and rates of rods over time.

Rods in a row, with centres at sum_j c_kj (cos a_j, sin a_j), c_kj = l_j for j < k and l_k / 2 for
j = k, have A_ij = sum_k m_k c_ki c_kj and, all angles a measured from the horizontal,

    sum_j A_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) + I_i a_i'' = -g b_i cos a_i + Q_i

with b_i = sum_k m_k c_ki. A closed row adds the force at its end, such that it stays there.
DOP853 with a tolerance of 1e-12. Links that are light are one rod: a chain that carries a million
times as much is straight.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.peers_mechanisms.scenes import FRAME, LINK, Mechanism, Rod

Slope = Callable[[float, np.ndarray], np.ndarray]
TIGHT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


def reference(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates (frames + 1, rods)."""
    times = FRAME * np.arange(mechanism.frames + 1)
    if mechanism.motor is not None:
        return _against_stop(mechanism, times)
    if mechanism.friction:
        return _rubbing(mechanism, times)
    light = sum(rod == LINK for rod in mechanism.rods)
    rods = mechanism.rods
    if light:
        rods = (Rod(light * LINK.length, light * LINK.mass, LINK.angle), *rods[light:])
    count = len(rods)
    start = np.concatenate([[rod.angle for rod in rods], np.zeros(count)])
    slope = row_slope(rods, mechanism.gravity, closed=mechanism.closed)
    found = solve_ivp(slope, (0.0, times[-1]), start, t_eval=times, **TIGHT).y.T
    which = np.maximum(np.arange(len(mechanism.rods)) - max(light - 1, 0), 0)
    return found[:, :count][:, which], found[:, count:][:, which]


def row_slope(rods: tuple[Rod, ...], gravity: float, *, closed: bool) -> Slope:
    length, mass = (np.array([getattr(rod, n) for rod in rods]) for n in ("length", "mass"))
    count = len(rods)
    reach = np.tril(np.tile(length, (count, 1)), -1) + np.diag(0.5 * length)  # c
    coupling = reach.T @ (mass[:, None] * reach)
    own = np.diag([rod.inertia for rod in rods])
    weight = gravity * mass @ reach

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        a, rate = state[:count], state[count:]
        apart = a[:, None] - a
        matrix = coupling * np.cos(apart) + own
        force = -weight * np.cos(a) - (coupling * np.sin(apart)) @ rate**2
        if closed:
            row = length * np.stack([-np.sin(a), np.cos(a)])
            bent = (length * np.stack([np.cos(a), np.sin(a)])) @ rate**2
            matrix = np.block([[matrix, row.T], [row, np.zeros((2, 2))]])
            force = np.concatenate([force, bent])
        return np.concatenate([rate, np.linalg.solve(matrix, force)[:count]])

    return slope


def _against_stop(mechanism: Mechanism, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evenly faster, then at the speed of the motor, then at the stop without a rebound."""
    assert mechanism.motor is not None
    assert mechanism.stop is not None
    (speed, torque), (rod,) = mechanism.motor, mechanism.rods
    gain = torque / (rod.mass * rod.length**2 / 3)
    ready = speed / gain
    turned = np.where(
        times < ready, 0.5 * gain * times**2, 0.5 * gain * ready**2 + speed * (times - ready)
    )
    rate = np.where(turned < mechanism.stop, np.minimum(gain * times, speed), 0.0)
    return (rod.angle + np.minimum(turned, mechanism.stop))[:, None], rate[:, None]


def _rubbing(mechanism: Mechanism, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From turn to turn, until friction holds; then it stays."""
    (rod,), friction = mechanism.rods, mechanism.friction
    weight = 0.5 * mechanism.gravity * rod.mass * rod.length
    inertia = rod.mass * rod.length**2 / 3
    angle, start = rod.angle, 0.0
    angles, rates = np.full(len(times), angle), np.zeros(len(times))
    while start < times[-1] and abs(pull := -weight * np.cos(angle)) > friction:
        way = np.sign(pull)

        def slope(_: float, state: np.ndarray, way: float = way) -> list[float]:
            return [state[1], (-weight * np.cos(state[0]) - way * friction) / inertia]

        def turns(_: float, state: np.ndarray) -> float:
            return float(state[1])

        turns.terminal, turns.direction = True, -way  # type: ignore[attr-defined]
        span = (start, start + 10.0)
        swing = solve_ivp(slope, span, [angle, 0.0], events=turns, dense_output=True, **TIGHT)
        end, last = float(swing.t[-1]), float(swing.y[0, -1])
        during = (times > start) & (times <= end)
        angles[during], rates[during] = swing.sol(times[during])
        angles[times > end] = last
        start, angle = end, last
    return angles[:, None], rates[:, None]
