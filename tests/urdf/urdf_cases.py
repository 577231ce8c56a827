"""Small URDF files for tests."""

from __future__ import annotations

from pathlib import Path

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"

ARM = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0.02 0.2" rpy="0.3 -0.2 0.5"/>
      <mass value="2"/>
      <inertia ixx="0.03" iyy="0.04" izz="0.05" ixy="0.001" ixz="0.002" iyz="-0.003"/>
    </inertial>
  </link>
  <link name="bracket">
    <inertial>
      <origin xyz="0 0 0.05"/>
      <mass value="0.5"/>
      <inertia ixx="0.001" iyy="0.002" izz="0.0015"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0 0.1 0"/>
      <mass value="1"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.02"/>
    </inertial>
  </link>
  <link name="slider">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.02"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0.6 0.8"/>
    <limit lower="-2" upper="2.5" effort="30" velocity="1"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="upper"/>
    <child link="bracket"/>
    <origin xyz="0 0.1 0.4" rpy="-0.7 0.4 1.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="bracket"/>
    <child link="lower"/>
    <origin xyz="0.05 0 0.1" rpy="1 -0.5 0.2"/>
    <axis xyz="1 0 0"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="lower"/>
    <child link="slider"/>
    <origin xyz="0 0.2 0" rpy="0 0.3 0"/>
    <axis xyz="0 0 -1"/>
    <limit lower="-0.5" upper="0.5" effort="10" velocity="1"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="slider"/>
    <child link="tool"/>
    <origin xyz="0 0 0.1" rpy="0 0 0.4"/>
  </joint>
</robot>
"""


def saved(folder: Path, text: str, name: str = "robot.urdf") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def link(name: str, mass: float = 1.0, shapes: str = "", inertia: float = 0.01) -> str:
    """A link with its centre of mass in its origin; `shapes` are its collision elements."""
    return f"""
  <link name="{name}">
    <inertial>
      <mass value="{mass}"/>
      <inertia ixx="{inertia}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    {shapes}
  </link>"""


def shape(geometry: str, origin: str = "") -> str:
    return f"<collision>{origin}<geometry>{geometry}</geometry></collision>"


def joint(name: str, parent: str, child: str, kind: str = "continuous", more: str = "") -> str:
    return f"""
  <joint name="{name}" type="{kind}">
    <parent link="{parent}"/>
    <child link="{child}"/>
    {more}
  </joint>"""


def robot(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}\n</robot>\n'
