"""Elastic contact: against pressures that are integrated, tables of handbooks, and limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ellipk

import rollcone as rc
from rollcone.mechanics.hertz import (
    approach,
    contact_radius,
    effective_radius,
    normal_load,
    normal_stiffness,
    tangential_stiffness,
)

STEEL = rc.HertzMindlin(young=210e9, poisson=0.3)
moduli = st.floats(1e5, 1e12)
poissons = st.floats(-0.9, 0.5)
radii = st.floats(1e-4, 10)
loads = st.floats(1e-3, 1e6)
pairs = st.builds(
    rc.HertzMindlin, young=st.tuples(moduli, moduli), poisson=st.tuples(poissons, poissons)
)


def sunk(pressure, circle, place, young, poisson):
    """How deep a half space sinks at `place` from the centre under pressure(s) within a circle:
    Boussinesq, rings of pressure, each with a complete elliptic integral."""

    def ring(s):
        return pressure(s) * s / (place + s) * ellipk(4 * place * s / (place + s) ** 2)

    return 4 * (1 - poisson**2) / (math.pi * young) * quad(ring, 0, circle, epsabs=0)[0]


def test_the_pressure_of_hertz_makes_room_for_both_bodies():
    """p = p0 sqrt(1 - s^2 / a^2) bends steel and brass such that the gap between ball and ball is
    closed everywhere in the circle: u1 + u2 = delta - s^2 / (2 R)."""
    young, poisson, radius, load = (210e9, 100e9), (0.3, 0.37), (0.01, 0.03), 500.0
    pair = rc.HertzMindlin(young=young, poisson=poisson)
    R = effective_radius(*radius)
    delta = float(approach(load, R, pair.normal_modulus))
    a = float(contact_radius(delta, R))
    peak = 3 * load / (2 * math.pi * a**2)

    def pressure(s):
        return peak * math.sqrt(1 - (s / a) ** 2)

    for place in (0.0, 0.3 * a, 0.8 * a, a):
        both = sum(sunk(pressure, a, place, *each) for each in zip(young, poisson, strict=True))
        gap = place**2 / (2 * radius[0]) + place**2 / (2 * radius[1])
        assert both == pytest.approx(delta - gap, rel=1e-6)


def test_the_traction_of_mindlin_shifts_both_bodies():
    """q = q0 / sqrt(1 - s^2 / a^2) along x, Cerruti: a point force Q shifts a point in the distance
    s by Q ((1 - nu) / s + nu x^2 / s^3) / (2 pi G); around a circle the mean of x^2 / s^2 is 1/2.
    With s = a sin(t) the traction has no singularity."""
    young, poisson, a, pull = (210e9, 3e9), (0.3, 0.45), 1e-4, 7.0
    both = 0.0
    for E, nu in zip(young, poisson, strict=True):
        G = E / (2 * (1 + nu))
        peak = pull / (2 * math.pi * a**2)

        def shift(t, nu=nu, G=G, peak=peak):
            s, ring = a * math.sin(t), 2 * math.pi * peak * a  # q ds 2 pi, with ds = a cos(t) dt
            return ring * s * ((1 - nu) / s + nu / 2 / s) / (2 * math.pi * G)

        both += quad(shift, 0, math.pi / 2)[0]
    pair = rc.HertzMindlin(young=young, poisson=poisson)
    assert tangential_stiffness(a, pair.shear_modulus) == pytest.approx(pull / both, rel=1e-12)


def test_two_balls_of_steel():
    """Timoshenko and Goodier, Theory of Elasticity, for nu = 0.3 and one E: the radius 1.109
    (N R1 R2 / (E (R1 + R2)))^(1/3), the approach 1.23 (N^2 (R1 + R2) / (E^2 R1 R2))^(1/3)."""
    E, R1, R2, N = 210e9, 0.005, 0.02, 100.0
    R = effective_radius(R1, R2)
    delta = approach(N, R, STEEL.normal_modulus)
    assert delta == pytest.approx(1.23 * (N**2 * (R1 + R2) / (E**2 * R1 * R2)) ** (1 / 3), rel=3e-3)
    circle = 1.109 * (N / E * R1 * R2 / (R1 + R2)) ** (1 / 3)
    assert contact_radius(delta, R) == pytest.approx(circle, rel=5e-4)


def test_bodies_that_are_alike():
    """k_n = 2 G a / (1 - nu), k_t = 4 G a / (2 - nu): Mindlin's ratio 2 (1 - nu) / (2 - nu)."""
    G, a = 210e9 / 2.6, 1e-4
    normal = normal_stiffness(a, STEEL.normal_modulus)
    tangential = tangential_stiffness(a, STEEL.shear_modulus)
    assert normal == pytest.approx(2 * G * a / 0.7, rel=1e-14)
    assert tangential == pytest.approx(4 * G * a / 1.7, rel=1e-14)
    assert tangential / normal == pytest.approx(2 * 0.7 / 1.7, rel=1e-14)


@given(pair=pairs, first=radii, second=radii, load=loads)
def test_stiffness_is_the_slope_of_the_load(pair, first, second, load):
    modulus, R = pair.normal_modulus, effective_radius(first, second)
    delta = approach(load, R, modulus)
    assert normal_load(delta, R, modulus) == pytest.approx(load, rel=1e-13)
    step = 1e-4 * delta
    ahead, behind = normal_load(delta + step, R, modulus), normal_load(delta - step, R, modulus)
    slope = normal_stiffness(contact_radius(delta, R), modulus)
    assert (ahead - behind) / (2 * step) == pytest.approx(slope, rel=1e-8)


@given(pair=pairs, first=radii, second=radii, load=loads, factor=st.floats(1e-3, 1e3))
def test_the_approach_grows_as_the_load_to_two_thirds(pair, first, second, load, factor):
    R = effective_radius(first, second)
    small, large = approach([load, factor * load], R, pair.normal_modulus)
    assert large / small == pytest.approx(factor ** (2 / 3), rel=1e-13)


@given(young=st.tuples(moduli, moduli), poisson=st.tuples(poissons, poissons), r=radii, s=radii)
def test_first_and_second_body_are_equal_partners(young, poisson, r, s):
    one = rc.HertzMindlin(young=young, poisson=poisson)
    other = rc.HertzMindlin(young=young[::-1], poisson=poisson[::-1])
    assert one.normal_modulus == pytest.approx(other.normal_modulus, rel=1e-14)
    assert one.shear_modulus == pytest.approx(other.shear_modulus, rel=1e-14)
    assert effective_radius(r, s) == pytest.approx(effective_radius(s, r), rel=1e-14)
    alike = rc.HertzMindlin(young=young[0], poisson=poisson[0])
    twice = rc.HertzMindlin(young=(young[0],) * 2, poisson=(poisson[0],) * 2)
    assert (alike.normal_modulus, alike.shear_modulus) == (
        twice.normal_modulus, twice.shear_modulus,
    )  # fmt: skip


@given(young=moduli, poisson=poissons)
def test_one_rigid_body(young, poisson):
    """All the compliance is that of the other, half of that of two alike."""
    pair = rc.HertzMindlin(young=(young, 1e40), poisson=(poisson, 0.1))
    assert pair.normal_modulus == pytest.approx(young / (1 - poisson**2), rel=1e-13)
    assert pair.shear_modulus == pytest.approx(young / (2 * (1 + poisson) * (2 - poisson)))
    alike = rc.HertzMindlin(young=young, poisson=poisson)
    assert pair.normal_modulus == pytest.approx(2 * alike.normal_modulus, rel=1e-13)
    assert pair.shear_modulus == pytest.approx(2 * alike.shear_modulus, rel=1e-13)


def test_flats_arrays_and_bodies_apart():
    assert effective_radius(0.3) == effective_radius(0.3, math.inf) == 0.3
    assert effective_radius(math.inf, math.inf) == math.inf
    assert effective_radius([1, 2], [1, 2]).tolist() == [0.5, 1.0]
    depth = np.array([-1e-5, 0.0, 1e-5])
    assert normal_load(depth, 0.01, 1e11)[:2].tolist() == [0, 0]
    assert contact_radius(depth, 0.01)[:2].tolist() == [0, 0]
    assert normal_load(depth[:, None], [0.01, 0.04], 1e11).shape == (3, 2)
    assert normal_load(1e-5, 0.04, 1e11) == pytest.approx(2 * normal_load(1e-5, 0.01, 1e11))
    assert approach(0.0, 0.01, 1e11) == 0


def test_what_is_given_is_kept():
    pair = rc.HertzMindlin(young=np.array([1, 2]), poisson=[0, 0.5])
    assert (pair.young, pair.poisson) == ((1.0, 2.0), (0.0, 0.5))
    assert pair == rc.HertzMindlin(young=(1.0, 2.0), poisson=(0.0, 0.5))
    assert hash(pair) == hash(rc.HertzMindlin(young=[1, 2], poisson=(0, 0.5)))
    with pytest.raises(TypeError):
        rc.HertzMindlin(210e9, 0.3)
    with pytest.raises(AttributeError):
        pair.young = 3.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"young": 0}, r"young = 0.0: must be one number > 0"),
        ({"young": -1.0}, r"young = -1.0: must be one number > 0"),
        ({"young": math.inf}, r"young = inf: must be finite"),
        ({"young": 1e-200}, r"young = 1e-200: must be at least 1e-150"),
        ({"young": 1e200}, r"young = 1e\+200: must be at most 1e\+150"),
        ({"young": (1e9, math.nan)}, r"young\[1\] = nan: must be finite"),
        ({"young": (1, 2, 3)}, r"young = \(1, 2, 3\): must be a number, or two"),
        ({"young": "steel"}, r"young = 'steel': must be a number, or two"),
        ({"young": None}, r"young = None: must be a number, or two"),
        ({"young": True}, r"young = True: must be a number, or two"),
        ({"poisson": -1}, r"poisson = -1.0: must be above -1 and at most 0.5"),
        ({"poisson": 0.51}, r"poisson = 0.51: must be above -1 and at most 0.5"),
        ({"poisson": (0.3, -2)}, r"poisson\[1\] = -2.0: must be above -1 and at most 0.5"),
        ({"poisson": math.nan}, r"poisson = nan: must be finite"),
        ({"poisson": []}, r"poisson = \[\]: must be a number, or two"),
    ],
)
def test_no_moduli(change, words):
    with pytest.raises(rc.InputError, match=f"^{words}"):
        rc.HertzMindlin(**({"young": 210e9, "poisson": 0.3} | change))


@given(young=st.floats(1e-150, 1e150), poisson=st.floats(-1, 0.5, exclude_min=True))
def test_moduli_of_all_that_is_allowed_are_finite(young, poisson):
    """A modulus of zero would say that there is no elastic contact."""
    pair = rc.HertzMindlin(young=young, poisson=poisson)
    for modulus in (pair.normal_modulus, pair.shear_modulus):
        assert math.isfinite(modulus)
        assert modulus > 0
