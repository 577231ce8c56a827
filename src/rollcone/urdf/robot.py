"""A robot in a world: its bodies and joints by the names of its file."""

from __future__ import annotations

from dataclasses import dataclass, field

from rollcone._check import FloatArray, did_you_mean
from rollcone.errors import InputError
from rollcone.mechanics.body import Body
from rollcone.mechanics.joint import Joint
from rollcone.mechanics.rotations import rotation_matrix
from rollcone.mechanics.world import World
from rollcone.recording.run import Run
from rollcone.urdf.model import JointLimits
from rollcone.urdf.pose import Pose


@dataclass(frozen=True, eq=False, repr=False)
class Robot:
    """world   where it is
    name    as the file has it
    bodies  by link; links that are fixed to each other have one body. Links that are fixed to
            the world and have no shape have none
    joints  by joint, those that move
    gears   by joint, what makes it follow another one (mimic)
    limits  by joint, what the file says: lower, upper, effort, velocity
    notes   what of the file is not used, or represented in another way
    frames  by link, where its frame is in its body, or in the world if it has none
    """

    world: World
    name: str
    bodies: dict[str, Body]
    joints: dict[str, Joint]
    gears: dict[str, Joint]
    limits: dict[str, JointLimits]
    notes: list[str]
    frames: dict[str, Pose] = field(default_factory=dict)

    def link_pose(
        self, link: str, run: Run | None = None, moment: int = -1
    ) -> tuple[FloatArray, FloatArray]:
        """Where the frame of a link is: position (m) and unit quaternion. In its own world; or in a
        run of it, at that moment, of which -1 is the last."""
        if link not in self.frames:
            raise InputError(f"link = {link!r}: there is none{did_you_mean(link, self.frames)}")
        pose = self.frames[link]
        if link in self.bodies:
            body = self.bodies[link]
            at, turn = body.position, body.orientation
            if run is not None:
                path = run.body(body)
                at, turn = path.position[moment], path.orientation[moment]
            pose = Pose(at, rotation_matrix(turn)) @ pose
        return pose.position, pose.quaternion

    def __repr__(self) -> str:
        return f"Robot({self.name!r}, {len(self.frames)} links, {len(self.joints)} joints)"
