"""Warnings of what is likely a mistake: overlap at the start, materials without a law."""

import pytest

import rollcone as rc

LAW = rc.ContactLaw(sliding=0.3)


def world_with_law(**bodies: tuple[float, float, float]) -> rc.World:
    """Balls of radius 0.1 m on and above a floor."""
    world = rc.World()
    world.set_contact_law(LAW)
    world.add_plane(name="floor")
    for name, place in bodies.items():
        world.add_sphere(radius=0.1, mass=1.0, position=place, name=name)
    return world


def test_overlap_with_names_and_depth_deepest_first():
    world = world_with_law(low=(0, 0, 0.07), near=(1, 0, 0.1), by=(1.15, 0, 0.1), far=(3, 0, 1))
    told = "'near' and 'by' by 0.05 m, 'floor' and 'low' by 0.03 m"
    assert world.warnings() == [f"bodies overlap at the start: {told}"]


def test_a_box_in_the_floor_is_told_once_by_its_deepest_corner():
    world = world_with_law()
    turned = rc.rotation((0, 1, 0), 90)
    world.add_box(size=(2, 2, 0.5), mass=1, position=(0, 0, 0.9), orientation=turned, name="box")
    assert world.warnings() == ["bodies overlap at the start: 'floor' and 'box' by 0.1 m"]


@pytest.mark.parametrize("shift", [0.0, -1e-9, 1e-3])
def test_what_touches_does_not_overlap(shift):
    assert world_with_law(a=(0, 0, 0.1 + shift), b=(0.2, 0, 0.1)).warnings() == []


def test_only_five_pairs_are_told():
    world = world_with_law(**{f"b{k}": (k, 0, 0.1 - 0.01 * k) for k in range(9)})
    (told,) = world.warnings()
    assert told.count(" and 'b") == 5
    assert "'floor' and 'b8' by 0.08 m, 'floor' and 'b7'" in told
    assert told.endswith(", and 3 more")


def test_fixed_and_removed_bodies_may_overlap():
    world = world_with_law(gone=(0, 0, 0))
    world.add_box(size=(1, 1, 1), fixed=True)
    world.remove("gone")
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 5))
    assert world.warnings() == []


def test_materials_that_meet_without_a_law():
    world = rc.World()
    world.add_plane(material="wood")
    world.add_plane(material="stone")
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1), material="rubber")
    world.set_contact_law(LAW, "rubber", "wood")
    (told,) = world.warnings()
    assert "no contact law was set for 'stone' and 'rubber'" in told
    for remedy in ("[contact]", "[[pair]]", "world.set_contact_law"):
        assert remedy in told
    # A second body of rubber, which is yet to be poured, may touch the first.
    world.add_emitter(
        shape="sphere", radius=0.1, density=1, low=(0, 0, 2), high=(1, 1, 3), rate=1, count=1,
        material="rubber",
    )  # fmt: skip
    assert len(world.warnings()) == 2
    assert "'rubber' and 'rubber'" in world.warnings()[1]
    world.set_contact_law(LAW)
    assert world.warnings() == []


def test_nothing_to_touch_needs_no_law():
    world = rc.World()
    assert world.warnings() == []
    world.add_sphere(radius=0.1, mass=1.0)
    assert world.warnings() == []
    floors = rc.World()
    floors.add_plane()
    floors.add_box(size=(1, 1, 1), fixed=True, material="wood")
    assert floors.warnings() == []


def test_moments_of_which_no_body_is_made():
    """Those of a thin disk are on the edge, also with the few digits of a book."""
    world = rc.World()
    world.set_contact_law(rc.ContactLaw(sliding=0.3))
    for number, axial in enumerate((2.0, 2.0001, 2.1)):
        place = (3.0 * number, 0, 0)
        world.add_disk(radius=1.0, mass=1.0, inertia=(1.0, 1.0, axial), position=place)
    (told,) = world.warnings()
    assert told.startswith("inertia of 'disk 2' = [1.  1.  2.1] kg m2")
