"""Joints in a scene file: `[[joint]]`, and within it what acts on its coordinates.

The tables of limits, friction, motors and springs are checked by making them; a joint as a whole
when the world is built, since it refers to bodies by their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import model_validator

from rollcone.mechanics.elements import (
    ELEMENTS,
    RESPONSE,
    Element,
    JointFriction,
    Limits,
    Motor,
    Spring,
)
from rollcone.mechanics.joints import COORDINATES, KINDS
from rollcone.mechanics.new_joint import check_joint_options
from rollcone.scene import fields as f
from rollcone.scene.table import Table, field, needed

if TYPE_CHECKING:
    from rollcone.mechanics.world import World


class _ElementTable(Table):
    makes: ClassVar[type[Element]]

    def element(self) -> Element:
        """As Python has it."""
        return self.makes(**self.given())

    @model_validator(mode="after")
    def _is_an_element(self) -> _ElementTable:
        self.element()
        return self


class LimitsTable(_ElementTable):
    """The ends of a coordinate's range, one or both."""

    lower: f.RangeEnd = field("The least value (rad or m); none if not given.")
    upper: f.RangeEnd = field("The largest value (rad or m); none if not given.")
    restitution: f.Restitution = field("Newton's e at the ends, from 0 (no rebound) to 1.", 0.0)

    makes = Limits


class FrictionTable(_ElementTable):
    """Dry friction: a limit, or one that grows with the load, or both."""

    limit: f.NotNegative = field("The largest torque (N m) or force (N) whatever the load.", 0.0)
    coefficient: f.NotNegative = field(
        "mu (no unit): so much of the force that the joint holds across its axis is added.", 0.0
    )
    radius: f.NotNegative = field("Of the pin (m): for turning, mu acts at this radius.", 0.0)

    makes = JointFriction


class MotorTable(_ElementTable):
    """Drives a coordinate to a speed or a position; signals are told of above."""

    speed: f.SignalField = field("Asked for (rad/s or m/s): a signal.")
    position: f.SignalField = field("Asked for (rad or m): a signal.")
    limit: f.ForceLimit = field(
        "The torque (N m) or force (N) that it has at most; if not given, whatever it takes."
    )
    response: f.Positive = field(
        f"Of a position with a limit: time in which its error dies out (s); {RESPONSE:g} if not "
        "given."
    )

    makes = Motor


class SpringTable(_ElementTable):
    """A spring, a damper, or both; with a `rest` that changes and a `limit`, a servo."""

    stiffness: f.NotNegative = field("k (N m/rad or N/m).", 0.0)
    damping: f.NotNegative = field("c (N m s/rad or N s/m).", 0.0)
    rest: f.SignalField = field(
        "Where it pulls to (rad or m): a signal; where it is now if not given."
    )
    limit: f.ForceLimit = field(
        "The torque (N m) or force (N) that it has at most; none if not given."
    )

    makes = Spring


class CoordinateTable(Table):
    """What acts on `angle`, `angle2`, `slide` or `length`: `angle.motor = { speed = 2.0 }`."""

    limits: LimitsTable = field("The ends of its range.")
    friction: FrictionTable = field("Dry friction.")
    motor: MotorTable = field("What drives it.")
    spring: SpringTable = field("A spring, a damper, or a servo that gives way.")

    def elements(self) -> list[Element]:
        """As Python has them."""
        return [getattr(self, word).element() for word in ELEMENTS if word in self.model_fields_set]


class JointTable(Table):
    """Holds or drives a body; points and axes are in the world, as bodies are at the start."""

    kind: f.choice(KINDS) = needed(f"What it is: {', '.join(KINDS)}.")
    name: f.Text = field("To find it again; made up if not given.")
    body: f.Text = field("Name of the body that is held; needed but for gears.")
    base: f.Text = field("Name of the body that it is held against; the world if not given.")
    point: f.Vector = field(
        "Where (m); of some kinds the body's centre if not given. Of a distance or a link, the "
        "point on the base."
    )
    point2: f.Vector = field(
        "Of a distance or a link, the point on the body (m); its centre if not given."
    )
    axis: f.Direction = field(
        "The joint's axis, of any length; the line of a point-on-line, the normal of a "
        "point-on-plane."
    )
    axis2: f.Direction = field(
        "Of a universal joint, the axis that the body carries, at right angles to `axis`."
    )
    distance: f.Positive = field("Of a distance, if it is not to be what it is at the start (m).")
    angle: CoordinateTable = field("What acts on the angle (rad), which is 0 at the start.")
    angle2: CoordinateTable = field("Of a universal joint, on the angle about `axis2` (rad).")
    slide: CoordinateTable = field("What acts on the slide along the axis (m), 0 at the start.")
    length: CoordinateTable = field("What acts on the length of a link or a distance (m).")
    joints: f.JointNames = field(
        "Of a gear: names of two joints above it, each with its coordinate if it has two: "
        '["wheel", ["rack", "slide"]].'
    )
    ratio: f.Number = field("Of a gear: so much the first coordinate changes for 1 of the second.")
    compliance: f.NotNegative = field("Of what holds points (m/N); rigid if not given.", 0.0)
    angular_compliance: f.NotNegative = field(
        "Of what holds directions (rad/(N m)); rigid if not given.", 0.0
    )
    collide: f.Flag = field("The two bodies touch all the same.", False)
    base_point: f.Vector = field("On the base, in its axes (m).")
    body_point: f.Vector = field("On the body, in its axes (m).")
    base_frame: f.Quaternion = field("Unit quaternion, axes of the joint to those of the base.")
    body_frame: f.Quaternion = field("Unit quaternion, axes of the joint to those of the body.")
    turns: f.TwoAngles = field("Angle and angle2 at the start (rad).", [0.0, 0.0])
    offset: f.Number = field("Of a gear: first coordinate - ratio * second.")

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        fields = super().given()
        acting = {name: fields[name].elements() for name in COORDINATES if name in fields}
        return fields | acting

    def add(self, world: World) -> None:
        world.add_joint(**self.given())

    @model_validator(mode="after")
    def _is_of_its_kind(self) -> JointTable:
        check_joint_options(self.kind, sorted(self.model_fields_set - {"kind"}))
        return self
