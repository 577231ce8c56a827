"""`[analysis]` in a scene file: what `rollcone analyze` is to know besides the bodies."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import model_validator

from rollcone.analysis.acceleration.disturbances import check_body, check_disturbance
from rollcone.analysis.acceleration.from_world import SPEED_TOLERANCE
from rollcone.analysis.acceleration.world_joints import given_rows
from rollcone.errors import InputError
from rollcone.mechanics.world import World
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed

Place = tuple[str | int, ...]


class DisturbanceTable(Table):
    """A load on top of those that act, for `rollcone analyze --fixture`: a force or a torque."""

    body: f.Text = needed("Name of the body.")
    force: f.Vector = field("On its centre of mass (N).", [0.0, 0.0, 0.0])
    torque: f.Vector = field("World axes (N m).", [0.0, 0.0, 0.0])

    @model_validator(mode="after")
    def _is_a_load(self) -> DisturbanceTable:
        check_disturbance(self.given())
        return self


class AnalysisTable(Table):
    """The moment that `rollcone analyze` looks at; simulations do not read it."""

    time: f.Number = field(
        "For motions and drives that depend on it (s); start_time of [simulation] if not given."
    )
    torques: f.NumbersByName = field(
        'By joint, or "joint.coordinate": torque (N m) or force (N) of its drive, { elbow = 1.5 }.',
        {},
    )
    accelerations: f.NumbersByName = field(
        "Likewise: given accelerations (rad/s2 or m/s2), whose torques are then found.", {}
    )
    speed_tolerance: f.NotNegative = field(
        "Contacts that slide no faster are at rest, and those that close or open no faster last "
        "(m/s, rad/s).",
        SPEED_TOLERANCE,
    )
    disturbance: list[DisturbanceTable] = field("Loads that a fixture is to hold.", [])


def check_analysis(table: AnalysisTable, world: World) -> Iterator[tuple[Place, str]]:
    """Joints and bodies that are not in the world."""
    for key in ("torques", "accelerations"):
        for name in getattr(table, key):
            try:
                given_rows(world, [name])
            except InputError as error:
                yield ("analysis", key, name), str(error)
    for number, entry in enumerate(table.disturbance):
        try:
            check_body(world, entry.body)
        except InputError as error:
            yield ("analysis", "disturbance", number, "body"), str(error)
