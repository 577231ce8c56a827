"""Contact laws, and the table of pairs against a plain dictionary."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcone as rc
from rollcone.mechanics.materials import LawTable

NAMES = ("default", "steel", "rubber", "ice")
names = st.sampled_from(NAMES)
laws = st.builds(
    rc.ContactLaw,
    sliding=st.floats(0, 2),
    rolling=st.sampled_from([0.0, 0.01]),
    spinning=st.sampled_from([0.0, 0.02]),
    restitution=st.floats(0, 1),
    compliance=st.sampled_from(
        [0.0, 2e-9, (1e-9, 0.0), (0.0, 0.0), rc.HertzMindlin(young=(2e9, 7e10), poisson=0.25)]
    ),
)
changes = st.lists(st.tuples(laws, st.one_of(st.just(()), st.tuples(names, names))), max_size=8)


def test_a_law_is_no_friction_and_no_rebound_unless_told():
    law = rc.ContactLaw()
    assert {name for name, value in dataclasses.asdict(law).items() if value} == {"coupling"}
    assert law == rc.ContactLaw(coupling="none")
    assert rc.ContactLaw(restitution=1).restitution == 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.sliding = 0.3


def test_fields_have_names():
    with pytest.raises(rc.InputError, match=r"^ContactLaw\(0\.3\): .* names, sliding, rolling"):
        rc.ContactLaw(0.3)
    words = r"^unknown argument 'slidin' \(did you mean 'sliding'\?\); ContactLaw takes sliding, "
    with pytest.raises(rc.InputError, match=words):
        rc.ContactLaw(slidin=0.3)
    with pytest.raises(TypeError, match="friction"):  # as Python's own
        rc.ContactLaw(friction=0.3)
    with pytest.raises(rc.InputError, match=r"^speed: must be given; Stribeck takes static, "):
        rc.Stribeck(static=0.3, kinetic=0.2)


@pytest.mark.parametrize("field", ["sliding", "rolling", "spinning", "restitution"])
@pytest.mark.parametrize("value", [-1e-9, math.nan, math.inf, "high", [0.1, 0.2], None, True])
def test_no_coefficient(field, value):
    with pytest.raises(rc.InputError, match=rf"^{field} = .*: must be"):
        rc.ContactLaw(**{field: value})


def test_no_restitution_above_one():
    with pytest.raises(rc.InputError, match=r"restitution = 1\.1: must be a number from 0 to 1"):
        rc.ContactLaw(restitution=1.1)


def test_a_pressure_is_that_of_a_patch():
    assert rc.ContactLaw(sliding=0.3).pressure is None
    patch = rc.ContactLaw(sliding=0.3, contact_radius=0.01)
    assert patch == rc.ContactLaw(sliding=0.3, contact_radius=0.01, pressure="hertz")
    for more in ({}, {"contact_radius": 0}, {"spinning": 0.1}):
        with pytest.raises(rc.InputError, match=r"^pressure = 'hertz': needs a contact_radius"):
            rc.ContactLaw(sliding=0.3, pressure="hertz", **more)


def test_compliance_in_all_its_forms():
    elastic = rc.HertzMindlin(young=210e9, poisson=0.3)
    assert rc.ContactLaw(compliance=elastic).compliance is elastic
    assert rc.ContactLaw(compliance=1).compliance == 1.0
    assert rc.ContactLaw(compliance=np.array([1, 2])).compliance == (1.0, 2.0)
    assert rc.ContactLaw(compliance=[1, 2]) == rc.ContactLaw(compliance=(1.0, 2.0))
    assert len({rc.ContactLaw(compliance=(1, 2)), rc.ContactLaw(compliance=elastic)}) == 2


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1e-9, r"compliance = -1e-09: must be one number >= 0"),
        (math.nan, r"compliance = nan: must be finite"),
        ((1e-9, -1.0), r"compliance\[1\] = -1.0: must be one number >= 0"),
        ((math.inf, 0.0), r"compliance\[0\] = inf: must be finite"),
        ((1, 2, 3), r"compliance = \(1, 2, 3\): must be a number, two \(normal, tangential\)"),
        ({"young": 1e9}, r"compliance = .*: must be a number, two .*, or a HertzMindlin"),
        ("soft", r"compliance = 'soft': must be a number, two .*, or a HertzMindlin"),
        (None, r"compliance = None: must be a number"),
        (True, r"compliance = True: must be a number"),
        ([True, False], r"compliance = \[True, False\]: must be a number"),
    ],
)
def test_no_compliance(value, words):
    with pytest.raises(rc.InputError, match=f"^{words}"):
        rc.ContactLaw(compliance=value)


def soft(law):
    """What kernels are to read of it."""
    if isinstance(law.compliance, rc.HertzMindlin):
        return [0.0, 0.0, law.compliance.normal_modulus, law.compliance.shear_modulus]
    both = law.compliance if isinstance(law.compliance, tuple) else (law.compliance,) * 2
    return [*both, 0.0, 0.0]


@given(changes=changes)
def test_the_table_is_a_dictionary_of_unordered_pairs(changes):
    """The law of a pair, else the default; the last word counts; tables are symmetric."""
    table, twin, default = LawTable(), {}, rc.ContactLaw()
    for law, pair in changes:
        table.set(law, pair)
        if pair:
            twin[frozenset(pair)] = law
        else:
            default = law
        table.tables()  # must not go stale
        table.softness()
    for a in NAMES:
        for b in NAMES:
            law = twin.get(frozenset((a, b)), default)
            assert table.law(a, b) == law
            i, j = table.number(a), table.number(b)
            radii, restitution = table.tables()
            mu, rho, sigma = law.sliding, law.rolling, law.spinning
            assert radii[i, j].tolist() == [mu, mu, rho, rho, sigma]
            assert restitution[i, j] == law.restitution
            softness = table.softness()
            assert ([0.0] * 4 if softness is None else softness[i, j].tolist()) == soft(law)
    known = [default, *twin.values()]
    assert table.rows == (6 if any(law.rolling or law.spinning for law in known) else 3)
    assert (table.softness() is None) == (not any(any(soft(law)) for law in known))
    assert table.default_is_set == any(not pair for _, pair in changes)


def test_a_copy_of_the_table_is_its_own():
    table = LawTable()
    table.set(rc.ContactLaw(sliding=0.3), ("steel", "ice"))
    twin = table.copy()
    twin.set(rc.ContactLaw(sliding=0.9), ("ice", "steel"))
    twin.set(rc.ContactLaw(sliding=0.8), ())
    assert table.law("steel", "ice").sliding == 0.3
    assert table.law("ice", "ice").sliding == 0.0
    assert twin.law("steel", "ice").sliding == 0.9
    assert [twin.name(table.number(name)) for name in ("steel", "ice")] == ["steel", "ice"]


def test_the_table_of_compliance_is_kept_until_a_law_changes():
    table = LawTable()
    table.set(rc.ContactLaw(sliding=0.3), ("steel", "ice"))
    assert table.softness() is None
    table.set(rc.ContactLaw(compliance=1e-9), ("ice", "ice"))
    first = table.softness()
    assert first is table.softness()
    assert first.shape == (2, 2, 4)
    table.number("wood")
    assert table.softness().shape == (3, 3, 4)
    assert table.copy().softness()[1, 1].tolist() == [1e-9, 1e-9, 0, 0]
    table.set(rc.ContactLaw(), ("ice", "ice"))
    assert table.softness() is None


def test_the_table_of_friction_follows_laws_and_materials():
    table = LawTable()
    table.set(rc.ContactLaw(sliding=0.3, contour=0.01), ("ice", "ice"))
    count = len(table.frictions())
    assert 0.3 in table.frictions()
    table.set(rc.ContactLaw(sliding=0.4, contour=0.02), ("ice", "ice"))
    assert 0.4 in table.frictions()
    assert 0.3 not in table.frictions()
    table.number("steel")
    assert len(table.frictions()) > count


def test_what_the_table_refuses():
    world = rc.World()
    with pytest.raises(rc.InputError, match=r"law = 0\.3: must be a ContactLaw"):
        world.set_contact_law(0.3)
    with pytest.raises(rc.InputError, match=r"materials \('steel',\): must be two names"):
        world.set_contact_law(rc.ContactLaw(), "steel")
    with pytest.raises(rc.InputError, match=r"must be two names"):
        world.set_contact_law(rc.ContactLaw(), "a", "b", "c")
    for bad in ("", 3, None):
        with pytest.raises(rc.InputError, match=r"material = .*: must be a name"):
            world.set_contact_law(rc.ContactLaw(), "steel", bad)
    assert np.all(world.laws.tables()[0] == 0)


def test_pairs_act_in_a_simulation():
    """Two balls slide side by side, each by the law of its own pair with the floor."""
    world = rc.World(gravity=(0, 0, -10))
    world.add_plane(material="floor")
    for k, material in enumerate(("smooth", "rough")):
        world.add_sphere(
            radius=0.5, mass=1, position=(0, 3 * k, 0.5), velocity=(5, 0, 0), material=material
        )
    world.set_contact_law(rc.ContactLaw(sliding=0.1), "floor", "smooth")
    world.set_contact_law(rc.ContactLaw(sliding=0.3), "rough", "floor")
    run = rc.simulate(world, until=0.2, step=0.01)
    assert run.body(1).velocity[-1, 0] == pytest.approx(5 - 0.1 * 10 * 0.2, rel=1e-12)
    assert run.body(2).velocity[-1, 0] == pytest.approx(5 - 0.3 * 10 * 0.2, rel=1e-12)
