"""Handles: what they show, what they set, what they refuse."""

import math

import numpy as np
import pytest

import rollcone as rc

STATE = ("position", "velocity", "angular_velocity")


@pytest.fixture
def body() -> rc.Body:
    world = rc.World()
    return world.add_box(
        size=(0.2, 0.4, 0.6), mass=3, position=(1, 2, 3), velocity=(4, 5, 6), name="brick"
    )


def test_what_a_handle_shows(body):
    assert (body.name, body.shape, body.material, body.id) == ("brick", "box", "default", 0)
    assert body.dynamic
    assert not body.removed
    assert body.mass == 3.0
    np.testing.assert_allclose(body.size, (0.2, 0.4, 0.6), rtol=1e-15)
    np.testing.assert_allclose(body.inertia, 0.25 * np.array([0.52, 0.40, 0.20]), rtol=1e-14)
    assert body.position.tolist() == [1, 2, 3]
    assert body.velocity.tolist() == [4, 5, 6]
    assert body.orientation.tolist() == [1, 0, 0, 0]
    assert repr(body) == "Body('brick', box, at (1, 2, 3))"


def test_the_size_of_a_capsule_is_what_was_given():
    rod = rc.World().add_capsule(radius=0.2, length=1.5, mass=1)
    assert rod.shape == "capsule"
    np.testing.assert_allclose(rod.size, (0.2, 0.2, 1.5), rtol=1e-15)
    np.testing.assert_allclose(rod.world.state.size, [(0.2, 0.2, 0.95)], rtol=1e-15)


def test_a_fixed_body_has_no_end_of_mass():
    fixed = rc.World().add_sphere(radius=1, fixed=True, position=(0, 0, 2.5))
    assert not fixed.dynamic
    assert fixed.mass == math.inf
    assert repr(fixed) == "Body('sphere 0', sphere, fixed, at (0, 0, 2.5))"


@pytest.mark.parametrize("field", [*STATE, "orientation", "inertia", "size", "force"])
def test_what_is_read_cannot_be_written_to(body, field):
    """A change of the copy would be lost without a word."""
    before = getattr(body, field).copy()
    if field != "size":
        with pytest.raises(ValueError, match="read-only"):
            getattr(body, field)[:] = 99.0
    np.testing.assert_array_equal(getattr(body, field), before)


@pytest.mark.parametrize("field", STATE)
def test_what_is_set_arrives_in_the_arrays(body, field):
    setattr(body, field, (7, 8, 9))
    assert getattr(body.world.state, field)[0].tolist() == [7, 8, 9]


def test_an_orientation_is_brought_to_unit_length(body):
    body.orientation = (0.6, 0.0, 0.8001, 0.0)
    assert np.linalg.norm(body.orientation) == pytest.approx(1.0, abs=1e-15)
    with pytest.raises(rc.InputError, match=r"orientation = .* has length 2: must be 1"):
        body.orientation = (2, 0, 0, 0)


@pytest.mark.parametrize("field", [*STATE, "force", "torque"])
@pytest.mark.parametrize("value", [(1, 2), 3.0, (1, 2, math.nan), (1, 2, math.inf), "fast", None])
def test_no_vector(body, field, value):
    before = np.array(getattr(body, field))
    with pytest.raises(rc.InputError, match=rf"^{field}"):
        setattr(body, field, value)
    np.testing.assert_array_equal(getattr(body, field), before)


def test_a_mistyped_name_raises(body):
    with pytest.raises(AttributeError):
        body.positoin = (0, 0, 1)
    with pytest.raises(AttributeError):
        body.mass = 5.0  # type: ignore[misc]


def test_a_load_is_a_constant_or_a_function_and_the_last_one_counts(body):
    def push(t, body):
        return (t, 0, 0)

    body.force = (1, 0, 0)
    assert body.force.tolist() == [1, 0, 0]
    body.force = push
    assert body.force is push
    assert body.world.state.force[0].tolist() == [0, 0, 0]  # or it would act twice
    body.force = (0, 2, 0)
    assert body.force.tolist() == [0, 2, 0]
    assert not body.world.loads
    body.torque = push
    assert body.world.loads == {(0, "torque"): push}


def test_a_handle_on_a_removed_body(body):
    body.world.remove(body)
    assert body.removed
    assert body.name == "brick"
    assert repr(body) == "Body('brick', removed)"
    for field in ("position", "mass", "force", "shape"):
        with pytest.raises(rc.InputError, match="'brick' has been removed from its world"):
            getattr(body, field)
    with pytest.raises(rc.InputError, match="has been removed"):
        body.velocity = (0, 0, 1)
