"""A wheel on a motor, a mass on a spring, with damper or dry friction: closed forms in time."""

import math

import numpy as np
from mechanism_references import Numbers


def driven_flywheel(
    moment: float, friction: float, limit: float, target: float, times: Numbers
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle, speed and motor torque of a wheel at rest that a motor of limited torque brings to a
    target speed > 0 against a constant friction torque < limit.

    J w' = limit - friction until w = target; then the motor gives just the friction torque.
    """
    t = np.asarray(times, dtype=float)
    growth = (limit - friction) / moment
    reached = target / growth
    rising = np.minimum(t, reached)
    angle = growth * rising**2 / 2 + target * (t - rising)
    return angle, growth * rising, np.where(t < reached, limit, friction)


def damped_spring(
    mass: float,
    stiffness: float,
    damping: float,
    start: float,
    speed: float,
    times: Numbers,
) -> tuple[np.ndarray, np.ndarray]:
    """Position from the point of rest, and velocity: m x'' + c x' + k x = 0.

    With d = c / 2 m and w^2 = k / m - d^2, x = e^(-d t) (x0 cos w t + (v0 + d x0) sin(w t) / w);
    w is imaginary above critical damping.
    """
    t = np.asarray(times, dtype=float)
    d = damping / (2 * mass)
    w = np.sqrt(complex(stiffness / mass - d**2))
    cosine = np.exp(-d * t) * np.cos(w * t).real
    sine = np.exp(-d * t) * t * np.sinc(w * t / math.pi).real  # sin(w t) / w, t where w = 0
    position = start * cosine + (speed + d * start) * sine
    return position, speed * cosine - (d * speed + stiffness / mass * start) * sine


def sliding_stop(mass: float, friction: float, speed: float) -> tuple[float, float]:
    """Time m v / S and signed distance m v |v| / 2 S to rest, under dry friction of limit S."""
    return mass * abs(speed) / friction, mass * speed * abs(speed) / (2 * friction)


def sliding_mass(
    mass: float, friction: float, speed: float, times: Numbers
) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity from x = 0: m v' = -S sign v until rest."""
    stop, _ = sliding_stop(mass, friction, speed)
    t = np.minimum(times, stop)
    deceleration = math.copysign(friction / mass, speed)
    return speed * t - deceleration * t**2 / 2, speed - deceleration * t


def rubbing_spring_stop(
    mass: float, stiffness: float, friction: float, start: float
) -> tuple[float, float]:
    """Time and place of the last stop, where |x| <= S / k.

    Each half-cycle takes pi / w, w^2 = k / m, and 2 S / k off the amplitude.
    """
    dead = friction / stiffness
    halves = max(0, math.ceil((abs(start) - dead) / (2 * dead)))
    place = math.copysign(1, start) * (-1) ** halves * (abs(start) - 2 * halves * dead)
    return halves * math.pi * math.sqrt(mass / stiffness), place


def rubbing_spring(
    mass: float, stiffness: float, friction: float, start: float, times: Numbers
) -> tuple[np.ndarray, np.ndarray]:
    """Position from the spring's rest length and velocity of a block on a spring, with dry friction
    of limit S, released at rest: m x'' + k x = -S sign x'.

    Half-cycle n starts at X = s (|x0| - 2 n S / k) with s = +-1 in turn, and swings about s S / k.
    """
    w, dead = math.sqrt(stiffness / mass), friction / stiffness
    stop, _ = rubbing_spring_stop(mass, stiffness, friction, start)
    t = np.minimum(times, stop)
    if stop == 0:  # friction holds it where it is
        return np.full_like(t, start), np.zeros_like(t)
    last = round(stop * w / math.pi) - 1  # the stop belongs to the last half-cycle, not to a next
    half = np.minimum(np.floor(t * w / math.pi), last)
    sign = math.copysign(1, start) * (1 - 2 * (half % 2))
    amplitude = sign * (abs(start) - (2 * half + 1) * dead)
    phase = w * t - math.pi * half
    return sign * dead + amplitude * np.cos(phase), -w * amplitude * np.sin(phase)
