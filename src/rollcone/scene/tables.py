"""The tables of a scene file as pydantic models: names, types, meanings and units of all fields.

Each table is also checked as a whole by the Python API: a body by adding it to a world of its own,
a generator by making its recipe. So a rule is written once.
"""

from __future__ import annotations

from typing import Any, ClassVar, get_args

from pydantic import Field, model_validator

from rollcone.errors import InputError
from rollcone.mechanics.containers import WALLS
from rollcone.mechanics.generators import box_region
from rollcone.mechanics.materials import ContactLaw
from rollcone.mechanics.recipe import Recipe, RecipeOptions
from rollcone.mechanics.world import World
from rollcone.problem.contact_problem import LAWS
from rollcone.scene import fields as f
from rollcone.scene import shape_fields as s
from rollcone.scene.analysis_tables import AnalysisTable
from rollcone.scene.body_tables import BODIES, Body, MassTable
from rollcone.scene.joint_tables import JointTable
from rollcone.scene.robot_tables import RobotTable
from rollcone.scene.table import Table, field, needed

CONTACT_LEVELS = ("none", "summary", "full")


class SimulationTable(Table):
    """How long, in which steps, by which scheme and solver."""

    until: f.Number = needed("When it ends (s); the last step may end a little later.")
    step: f.Positive = needed("Time step h (s).")
    scheme: f.SchemeField = field(
        "Time-stepping scheme: a name, or a table of the name and its fields, "
        'such as { name = "MoreauJean", theta = 0.5 }. GapAhead if not given.'
    )
    law: f.choice(LAWS) = field("Flow rule: exact; or associated, with DVI.", "exact")
    friction_model: f.ModelField = field(
        "How friction is made discrete: cone, the laws themselves; or polygonal, box, regularised: "
        'a name, or a table of the name and its fields, as { name = "polygonal", facets = 16 }. '
        "If not given, cone but for the scheme RegularisedLCP."
    )
    solver: f.SolverField = field(
        "Solver: a name, or a table of the name and its options, "
        'such as { name = "gauss-seidel", local = "exact" }. auto if not given. With a '
        "friction_model: lemke, pivoting, newton or sor."
    )
    tolerance: f.NotNegative = field(
        "Largest residual of a step (no unit). Leave it out unless you know why: it is then 1e-12, "
        "or 1e-3 with more than 30 bodies that move."
    )
    speed_tolerance: f.NotNegative = field(
        "A step also ends when no contact is wrong by more than this (m/s).", 0.0
    )
    max_iterations: f.whole(1) = field("Iterations of the solver per step, at most.", 5000)
    warm_start: f.Flag = field("Begin each solve with the reactions of the last step.", True)
    max_substeps: f.whole(1) = field(
        "Parts of a step, at most, where a disk rolls nearly flat. If not given, 64 with GapAhead "
        "and up to 4 disks or cylinders that move, where that is possible, else 1."
    )
    strict: f.Flag = field("Stop with an error when a step does not converge.", False)
    start_time: f.Number = field("Time at the start (s).", 0.0)


class OutputTable(Table):
    """What is recorded."""

    every: f.whole(1) = field("Steps between records.", 1)
    contacts: f.choice(CONTACT_LEVELS) = field(
        "What is kept of contacts: none; summary, their number alone; full, with reactions.", "full"
    )
    flush: f.Positive = field("At most so much is lost when the run is killed (s).", 2.0)


class WorldTable(Table):
    """What holds everywhere."""

    gravity: f.Vector = field("Acceleration of free fall (m/s2).", [0.0, 0.0, 0.0])
    periodic: f.Periodic = field(
        "Axes along which the world repeats itself, with their ends (m): "
        "{ x = [0, 1], y = [-2, 2] }."
    )
    materials: f.Names = field(
        "All names of materials; if given, bodies and pairs may use no others."
    )


class ContactTable(Table):
    """Friction, restitution and compliance of all pairs that have no law of their own."""

    sliding: f.Sliding = field(
        "Sliding friction mu (no unit); by speed: "
        "{ static = 0.4, kinetic = 0.3, speed = 0.01 } (no unit, no unit, m/s).",
        0.0,
    )
    rolling: f.Coefficient = field("Rolling friction rho, a length (m).", 0.0)
    spinning: f.Coefficient = field("Spinning friction sigma, a length (m).", 0.0)
    restitution: f.Restitution = field("Newton's e, from 0 (no rebound) to 1.", 0.0)
    compliance: f.Compliance = field(
        "How far a contact gives way per force (m/N): 0 if rigid, a number, [normal, tangential], "
        "or by Hertz and Mindlin: { young = 210e9, poisson = 0.3 } (Pa, no unit), each a number if "
        "both materials are alike, else two.",
        0.0,
    )
    contact_radius: f.Coefficient = field(
        "Of the patch in which bodies touch (m): sliding and spinning are then coupled "
        "(Coulomb-Contensou), in the place of spinning.",
        0.0,
    )
    pressure: f.Pressure = field(
        "In that patch: hertz if not given, uniform or quadratic; only with a contact_radius."
    )
    contour: f.Coefficient = field(
        "Friction against the movement of the contact point along the surface (no unit), in the "
        "place of rolling.",
        0.0,
    )
    rolling_viscosity: f.Coefficient = field(
        "Moment per rate of rolling (N m s), of each point of contact.", 0.0
    )
    contour_viscosity: f.Coefficient = field(
        "Force per velocity of the contact point along the surface (N s/m), of each point of "
        "contact.",
        0.0,
    )
    coupling: f.Coupling = field(
        "ellipsoid: sliding, rolling and spinning share one ellipsoid; else none.", "none"
    )

    def law(self) -> ContactLaw:
        names = self.model_fields_set & ContactTable.model_fields.keys()
        return ContactLaw(**{name: getattr(self, name) for name in names})


class PairTable(ContactTable):
    """The law of two materials, with the fields of `[contact]` as well."""

    materials: f.TwoNames = needed("Two materials; the same twice: bodies of one material.")


class ContainerTable(Table):
    """A tray, a cylinder or a hopper of fixed boxes or planes."""

    shape: f.ContainerShape = needed("What it is: tray, cylinder or hopper.")
    size: f.Edges = field("Of a tray: its room inside along x, y and z (m).")
    radius: f.Positive = field("Inside; of a hopper, at the top of its funnel (m).")
    height: f.Positive = field("Of a cylinder's walls, or of a hopper's funnel (m).")
    outlet: f.Positive = field("Radius of the opening at the bottom of a hopper (m).")
    wall: f.NotNegative = field("Height of straight walls above a hopper's funnel (m).", 0.0)
    sides: f.whole(3) = field(
        "Flat walls that stand for a round one; their inner faces touch its circle.", 24
    )
    walls: f.choice(WALLS) = field(
        "What it is made of: boxes; or planes, which have no end: nothing leaves over the rim.",
        WALLS[0],
    )
    thickness: f.Positive = field(
        "Of boxes (m); if not given, a tenth of the smallest measure inside."
    )
    position: f.Vector = field("Centre of the floor, or of the outlet (m).", [0.0, 0.0, 0.0])
    orientation: f.Quaternion = field(
        "Unit quaternion; it stands along its own z axis.", [1.0, 0.0, 0.0, 0.0]
    )
    rotation: f.Rotation = field("Instead of an orientation, as of bodies.")
    material: f.Text = field("Name of the material.", "default")
    name: f.Text = field("'bin' gives the names 'bin floor', 'bin wall 0' and so on.")

    def given(self) -> dict[str, Any]:
        """As Python takes them."""
        return f.with_orientation(super().given(), ("orientation",))

    def add(self, world: World) -> None:
        world.add_container(**self.given())  # type: ignore[misc]

    @model_validator(mode="after")
    def _is_a_container(self) -> ContainerTable:
        self.add(World())
        return self


class MadeTable(MassTable):
    """Of every `[[grid]]`, `[[packing]]` and `[[emitter]]`, besides the fields of bodies above."""

    shape: f.MadeShape = needed(
        "What the bodies are: sphere, box, capsule, clump, cylinder, ellipsoid, cone or convex."
    )
    radius: f.Range = field(
        "Of spheres, capsules, cylinders and cones (m): a number, [low, high] to draw from, each "
        'as likely, or a distribution: { distribution = "uniform", min = , max = }.'
    )
    length: f.Range = field("Of capsules, without the half balls (m): likewise.")
    size: f.EdgeRanges = field("Of boxes: three edges (m), each likewise.")
    height: f.Range = field("Of cylinders and cones (m): likewise.")
    semi_axes: f.EdgeRanges = field("Of ellipsoids: three (m), each likewise.")
    spheres: f.Balls = field("Of clumps: rows of centre and radius [x, y, z, r] (m).")
    points: s.Points = field("Of convex bodies: rows [x, y, z] whose hull they are (m).")
    scale: f.Range = field(
        "Of convex bodies, by which their points are multiplied (no unit): a number, [low, high] "
        "or a distribution."
    )
    name: f.Text = field("'grain' gives the names 'grain 0', 'grain 1' and so on.")
    seed: f.whole(0) = field("Of all that is random.", 0)

    turn: ClassVar[bool] = True

    @model_validator(mode="after")
    def _makes_bodies(self) -> MadeTable:
        known = RecipeOptions.__annotations__
        given = {name: value for name, value in self.given().items() if name in known}
        Recipe(given, turn=self.turn)  # type: ignore[arg-type]
        return self


class GridTable(MadeTable):
    """Bodies in rows, columns and layers."""

    counts: f.Counts = needed("Bodies along x, y and z; numbered along x, then y, then z.")
    spacing: f.Spacing = needed("From centre to centre (m): one number, or three.")
    origin: f.Vector = field("Centre of the first body, the least x, y and z (m).", [0.0] * 3)
    jitter: f.NotNegative = field("Coordinates are shifted by up to this at random (m).", 0.0)

    turn: ClassVar[bool] = False

    def add(self, world: World) -> None:
        world.add_grid(**self.given())


class _Region(MadeTable):
    low: f.Vector = needed("Corner of the box in which centres are (m): least x, y, z.")
    high: f.Vector = needed("The opposite corner (m).")

    @model_validator(mode="after")
    def _is_a_region(self) -> _Region:
        box_region(self.low, self.high)
        return self


class PackingTable(_Region):
    """Bodies at random in a box, none overlapping another or what is there."""

    count: f.whole(1) = needed("How many.")

    def add(self, world: World) -> None:
        world.add_packing(**self.given())


class EmitterTable(_Region):
    """Pours bodies at random places of a box, where there is room."""

    count: f.whole(1) = needed("How many in all.")
    rate: f.Positive = needed("Bodies per second (1/s).")
    start: f.Number = field("Time of the first (s).", 0.0)
    ticks: f.whole(0) = field("Bodies that were due before the scene begins.", 0)
    placed: f.whole(0) = field("Bodies that were poured before the scene begins.", 0)

    def add(self, world: World) -> None:
        given = self.given()
        state = {name: given.pop(name, 0) for name in ("ticks", "placed")}
        world.add_emitter(**given, state=state)

    @model_validator(mode="after")
    def _pours(self) -> EmitterTable:
        self.add(World())
        return self


GENERATORS: dict[str, type[Table]] = {
    "grid": GridTable,
    "packing": PackingTable,
    "emitter": EmitterTable,
}
MAKERS = ("body", "container", "robot", *GENERATORS)  # of bodies, in the order of their numbers


class SceneTable(Table):
    """A Rollcone scene: a world of rigid bodies with dry friction, and how to simulate it."""

    unions: ClassVar[Any] = {"body": ("shape", BODIES)}

    title: f.Text = field("A line about the scene.")
    simulation: SimulationTable = needed("How to simulate it.")
    output: OutputTable = Field(default_factory=OutputTable, description="What is recorded.")
    world: WorldTable = Field(default_factory=WorldTable, description="What holds everywhere.")
    contact: ContactTable = field("The law of pairs of materials that have none of their own.")
    pair: list[PairTable] = field("Laws of pairs of materials.", [])
    body: list[Body] = field("Bodies; their order gives their numbers, from 0.", [])
    container: list[ContainerTable] = field(
        "Trays, cylinders, hoppers; their parts come after all [[body]].", []
    )
    robot: list[RobotTable] = field("Robots from URDF files; after the containers.", [])
    grid: list[GridTable] = field("Bodies on a grid; after the robots.", [])
    packing: list[PackingTable] = field("Bodies at random, without overlap; after the grids.", [])
    emitter: list[EmitterTable] = field("Bodies that are poured on the way.", [])
    joint: list[JointTable] = field("What holds or drives bodies, by their names.", [])
    analysis: AnalysisTable = field("For `rollcone analyze`; simulations do not read it.")

    @model_validator(mode="after")
    def _has_bodies(self) -> SceneTable:
        if not any((self.body, self.robot, self.grid, self.packing, self.emitter)):
            raise InputError(
                "body: there is none; add a [[body]], [[robot]], [[grid]], [[packing]] or "
                "[[emitter]]"
            )
        return self


def table_at(name: str, table: type[Table] = SceneTable) -> type[Table]:
    """The model of a table within another that is not a body."""
    annotation: Any = table.model_fields[name].annotation
    found: type[Table] = next(iter(get_args(annotation)), annotation)
    return found
