"""Force and torque of a patch that slides and spins, in high precision, in two ways.

`by_quadrature` is Coulomb's law at every point of the patch. `force_and_torque` are closed forms in
the Legendre integrals E and K (asin for Hertz), as they come out of the integral over rings, in so
many digits that cancellation does not matter.
"""

from __future__ import annotations

from mpmath import mp, mpf

PRESSURES = ("hertz", "uniform", "quadratic")
DIGITS = 130  # u = 1e12 costs five times its digits


def density(pressure: str, r: mpf) -> mpf:
    """2 pi r p(r), its integral from 0 to 1 being 1."""
    return {
        "hertz": lambda: 3 * r * mp.sqrt(1 - r * r),
        "uniform": lambda: 2 * r,
        "quadratic": lambda: 4 * r * (1 - r * r),
    }[pressure]()


def by_quadrature(pressure: str, u: float) -> tuple[mpf, mpf]:
    """xi and eta for the sliding speed u and the spin 1, by the means over rings and their sum."""
    u = mpf(u)

    def ring(r: mpf) -> tuple[mpf, mpf]:
        """Means of the parts of the unit vector of u e + r t along e and t, t = (-sin, cos)."""
        m = 4 * u * r / (u + r) ** 2
        if m >= 1:  # r = u, to rounding
            return 2 / mp.pi, 2 / mp.pi
        K, E = mp.ellipk(m), mp.ellipe(m)
        speed, turn = (u + r) * E, (u - r) * K  # of |u e + r t|: h, and what differs
        return (speed + turn) / (mp.pi * u), (speed - turn) / (mp.pi * r)

    stops = [0, u, 1] if u < 1 else [0, 1]
    xi, eta = (
        mp.quad(lambda r, k=k: density(pressure, r) * ring(r)[k] * r**k, stops) for k in (0, 1)
    )
    return xi, eta


def force_and_torque(pressure: str, u: mpf) -> tuple[mpf, mpf]:
    """xi(u) and eta(u) of the unit patch, for 0 <= u < inf."""
    if u == 0:
        spin = {"hertz": 3 * mp.pi / 16, "uniform": mpf(2) / 3, "quadratic": mpf(8) / 15}
        return mpf(0), spin[pressure]
    m = u * u
    if pressure == "hertz":
        if u <= 1:
            return 3 * mp.pi / 32 * u * (4 - m), 3 * mp.pi / 128 * (8 - 8 * m + 3 * m * m)
        angle, other = mp.asin(1 / u), mp.sqrt(1 - 1 / m)
        xi = mpf(3) / 16 * ((4 - m) * u * angle + (m + 2) * other)
        eta = mpf(3) / 64 * ((8 - 8 * m + 3 * m * m) * angle + (6 - 3 * m) * u * other)
        return xi, eta
    if u == 1:
        E, rest = mpf(1), mpf(0)
    elif u < 1:
        E, rest = mp.ellipe(m), (1 - m) * mp.ellipk(m)
    else:  # the same functions beyond their branch point, real parts
        E = u * mp.ellipe(1 / m) - (u - 1 / u) * mp.ellipk(1 / m)
        rest = (1 / u - u) * mp.ellipk(1 / m)
    if pressure == "uniform":
        return (
            4 / (3 * mp.pi * u) * ((1 + m) * E - rest),
            4 / (9 * mp.pi) * ((4 - 2 * m) * E - rest),
        )
    xi = ((3 + 7 * m - 2 * m * m) * E - (3 + m) * rest) / u
    eta = (23 - 23 * m + 8 * m * m) * E - (8 - 4 * m) * rest
    return 16 / (45 * mp.pi) * xi, 16 / (225 * mp.pi) * eta


def support(pressure: str, force: mpf, torque: mpf) -> mpf:
    """max of xi * force + eta * torque over the curve, for factors >= 0."""
    xi, eta = touching_point(pressure, force, torque)
    return xi * force + eta * torque


def touching_point(pressure: str, force: mpf, torque: mpf) -> tuple[mpf, mpf]:
    """(xi, eta) that reaches it; from u = 1e12 on as for no torque, which changes 1e-24."""
    if torque <= force * mpf("1e-12"):
        return mpf(1), mpf(0)
    with mp.workdps(DIGITS):
        return force_and_torque(pressure, mpf(force) / torque)
