"""From a URDF file to plain data, checked: links that joints make a tree of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from rollcone._check import did_you_mean
from rollcone.errors import FileError
from rollcone.urdf.model import MOVING, JointModel, LinkModel, RobotModel
from rollcone.urdf.read_joint import read_joint
from rollcone.urdf.read_link import read_link
from rollcone.urdf.tree import Element, read_tree, unread

Named = TypeVar("Named", LinkModel, JointModel)
_LONGEST = 100  # joints that follow one another
_REASONS = {
    "visual": ": it is for the eye; bodies are drawn by their collision shapes",
    "material": ": colours are not kept",
    "transmission": ": add motors with joint.add(rc.Motor(...))",
    "gazebo": ": it is for another simulator",
    "safety_controller": ": it is for controllers",
    "calibration": ": it is for controllers",
    "limit": ": the joint has no coordinate",
    "dynamics": ": the joint has no coordinate",
    "mimic": ": the joint has no coordinate",
}


def read_robot(path: str | os.PathLike[str]) -> RobotModel:
    """What a file says, or an error that says where it is wrong."""
    return robot_of(read_tree(path))


def robot_of(root: Element) -> RobotModel:
    """The same of its root element."""
    if root.tag != "robot":
        raise FileError(
            f"{root.file}:{root.line}: the root element is <{root.tag}>: must be <robot>"
        )
    _refuse_xacro(root)
    name, notes = root.get("name") or "", list[str]()
    root.read.add("version")
    links = _by_name([read_link(element) for element in root.all("link")])
    joints = _by_name([read_joint(element, notes) for element in root.all("joint")])
    if not links:
        raise root.wrong("<robot> has no <link>: must have one at least")
    _check_tree(root, links, joints)
    _check_mimics(joints)
    notes += [f"{words}." for words in unread(root, _REASONS)]
    return RobotModel(name, links, joints, tuple(notes), root)


def _refuse_xacro(root: Element) -> None:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag.startswith("xacro:"):
            raise FileError(
                f"{element.file}:{element.line}: <{element.tag}>: is a xacro file; write the URDF "
                "of it first: xacro robot.xacro > robot.urdf"
            )
        waiting += element.children


def _by_name(read: Sequence[Named]) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for one in read:
        if one.name in found:
            line = found[one.name].element.line
            raise one.element.wrong(f"name = {one.name!r}: line {line} has that name already")
        found[one.name] = one
    return found


def _check_tree(root: Element, links: dict[str, LinkModel], joints: dict[str, JointModel]) -> None:
    """Each link has one parent, but for the one at the root."""
    above: dict[str, JointModel] = {}
    for joint in joints.values():
        for word, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in links:
                hint = did_you_mean(link, links)
                raise joint.element.wrong(f"<{word}> link = {link!r}: there is no such link{hint}")
        if joint.child in above:
            other = above[joint.child].name
            raise joint.element.wrong(
                f"<child> link = {joint.child!r}: is the child of joint {other!r} already; a link "
                "must have one parent"
            )
        above[joint.child] = joint
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        raise root.wrong(
            f"links {', '.join(map(repr, roots[:6]))} are children of no joint: there must be one "
            "such link, the root"
        )
    seen, link = set[str](), roots[0] if roots else next(iter(links))
    if roots:
        children: dict[str, list[str]] = {}
        for joint in joints.values():
            children.setdefault(joint.parent, []).append(joint.child)
        waiting = [link]
        while waiting:
            seen.add(waiting[-1])
            waiting += children.get(waiting.pop(), [])
    for name in links:
        if name not in seen:
            raise above[name].element.wrong(
                f"<child> link = {name!r}: joints lead from it around to itself; links must make a "
                "tree"
            )


def _check_mimics(joints: dict[str, JointModel]) -> None:
    for joint in joints.values():
        followed, chain = joint, [joint.name]
        while followed.mimic is not None:
            name = followed.mimic.joint
            if name not in joints:
                hint = did_you_mean(name, joints)
                raise followed.element.wrong(
                    f"<mimic> joint = {name!r}: there is no such joint{hint}"
                )
            if len(chain) > _LONGEST:
                raise joint.element.wrong(
                    f"<mimic> joint = {name!r}: more than {_LONGEST} joints follow one another"
                )
            if name in chain:
                raise joint.element.wrong(f"<mimic> joint = {name!r}: it follows itself")
            if joints[name].kind not in MOVING:
                raise followed.element.wrong(
                    f"<mimic> joint = {name!r}: must be {', '.join(MOVING)}; it is "
                    f"{joints[name].kind}"
                )
            followed = joints[name]
            chain.append(name)
