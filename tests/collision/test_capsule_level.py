"""Capsules that are level with others but for a trifle: what counts as the same, and what not."""

import numpy as np
import pytest
from capsule_cases import capsule
from collision_cases import body, detect, scene
from scipy.spatial.transform import Rotation

from rollcone.collision.shapes import BOX

LYING = Rotation.from_rotvec([0, np.pi / 2, 0])  # z axis to x


@pytest.mark.parametrize("shift", [0.0, 4e-6, -4e-6])
def test_ends_that_are_level(shift):
    """An end that reaches over by a trifle does not tilt the normal."""
    pairs = (
        (capsule(0.5, 1.0), capsule(0.5, 1.0, at=(1.0, 0, shift)), (1, 0, 0)),
        (body(BOX, 0.5), capsule(0.5, 0.5, at=(shift, 0, 1.0), turn=LYING), (0, 0, 1)),
    )
    for one, other, normal in pairs:
        contacts = detect(scene(one, other))
        assert (contacts.key & 255).tolist() == [0, 1]
        np.testing.assert_allclose(contacts.normal, [normal] * 2, rtol=0, atol=1e-15)
        np.testing.assert_allclose(contacts.gap, 0.0, atol=1e-15)


def test_an_end_that_sticks_out_is_not_looked_at():
    """Where an edge or the end of another holds the capsule, also if all is near."""
    for one, other in (
        (body(BOX, (1, 0.5, 0.5)), capsule(0.2, 0.5, at=(0.6, 0, 0.7), turn=LYING, margin=0.1)),
        (capsule(0.5, 1.0, margin=0.1), capsule(0.5, 1.0, at=(1.0, 0, 0.1))),
    ):
        assert len(detect(scene(one, other))) == 2


def test_coincident_cores_part_across():
    for other in (capsule(0.3, 1.0), capsule(0.3, 0.5, at=(0, 0, 0.9)), body(size=0.2)):
        contacts = detect(scene(capsule(0.5, 1.0), other))
        assert np.abs(contacts.normal[:, 2]).max() < 1e-15


def test_no_length_is_one_end():
    for half in (0.0, 1.0):
        pair = scene(capsule(0.5, 0.0), capsule(0.5, half, at=(0.9, 0, 0.1)))
        assert len(detect(pair)) == len(detect(pair.take([1, 0]))) == 1


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-9, -1e-9])
def test_a_core_inside_along_a_face(noise):
    """Overlap along the axis of an edge is the same: the face is taken, with two points."""
    turn = Rotation.from_rotvec([noise, noise, -noise]) * LYING
    contacts = detect(scene(body(BOX, 1.0), capsule(0.2, 0.5, at=(0, 0, 0.9), turn=turn)))
    np.testing.assert_allclose(contacts.normal, [(0, 0, 1)] * 2, atol=1e-15)
    np.testing.assert_allclose(contacts.gap, -0.3, atol=1e-8)
    np.testing.assert_allclose(contacts.point[:, 0], [-0.5, 0.5], atol=1e-8)


def test_leaning_along_an_edge():
    """Beside the edge, one end on it, the other about to fall: both are known."""
    lean, n = 0.05, np.array([0, 0.6, 0.8])
    axis = np.cos(lean) * np.array([1.0, 0, 0]) + np.sin(lean) * n
    turn = Rotation.align_vectors([axis, np.cross(n, [1, 0, 0])], [[0, 0, 1], [0, 1, 0]])[0]
    at = np.array([0, 0.5, 0.5]) + (0.2 + 0.5 * np.sin(lean)) * n
    rod = capsule(0.2, 0.5, at=at, turn=turn, omega=np.cross(n, [-1, 0, 0]) * -1.0)
    falling = [
        detect(scene(body(BOX, (half, 0.5, 0.5)), rod.moved(way * n)), horizon=0.2)
        for half, way in ((1.0, 0.0), (0.3, -0.2 * np.sin(lean)))
    ]
    for contacts, width in zip(falling, (1.0, 0.6), strict=True):
        assert len(contacts) == 2
        assert np.ptp(contacts.point[:, 0]) == pytest.approx(width, rel=0.05)


def test_small_ones_cross_too():
    """A capsule of a millimetre or so across the edge of a box of the same size."""
    n = np.array([0, 0.6, 0.8])
    turn = Rotation.align_vectors([[0, -0.8, 0.6]], [[0, 0, 1]])[0]
    box = body(BOX, 1e-3)
    contacts = detect(scene(box, capsule(1e-4, 1e-3, at=[0, 1e-3, 1e-3] + 1e-4 * n, turn=turn)))
    np.testing.assert_allclose(contacts.normal, [n], atol=1e-9)
    np.testing.assert_allclose(contacts.point, [[0, 1e-3, 1e-3]], atol=1e-12)
