"""Many copies of one mesh, drawn by VTK at points that say where, how large and in which colour."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollcone._check import FloatArray
from rollcone.view.surface_forms import Surface

_SHADOW = (0.80, 0.79, 0.76)


def copier(points: Any, mesh: Any) -> Any:
    """An actor that draws a mesh at each of the points, as their arrays say."""
    from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper

    mapper = vtkGlyph3DMapper()
    mapper.SetInputData(points)
    mapper.SetSourceData(mesh)
    mapper.SetOrientationModeToQuaternion()
    mapper.SetOrientationArray("orientation")
    mapper.SetScaleModeToScaleByVectorComponents()
    mapper.SetScaleArray("scale")
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("colour")
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor


def shiny(actor: Any) -> Any:
    surface = actor.GetProperty()
    surface.SetInterpolationToPhong()
    surface.SetAmbient(0.38)
    surface.SetDiffuse(0.7)
    surface.SetSpecular(0.15)
    surface.SetSpecularPower(30)
    return actor


def mesh_of(part: Surface, normals: FloatArray) -> Any:
    """With normals of the whole surface, so that tones meet smoothly."""
    import pyvista

    faces = np.column_stack([np.full(len(part.triangles), 3), part.triangles])
    mesh = pyvista.PolyData(part.vertices, faces.ravel())
    mesh["Normals"] = normals
    mesh.GetPointData().SetActiveNormals("Normals")
    return mesh


def shadow_of(points: Any, mesh: Any) -> Any:
    """An actor that draws the copies again, in the colour of shadows."""
    actor = copier(points, mesh)
    actor.GetMapper().ScalarVisibilityOff()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetColor(*_SHADOW)
    return actor


def move_copies(
    points: Any,
    position: FloatArray,
    orientation: FloatArray,
    scales: FloatArray,
    colours: NDArray[np.uint8],
) -> None:
    """Where copies are from now on, rows (k,) of each."""
    import pyvista

    fresh = pyvista.PolyData(position) if len(position) else pyvista.PolyData()
    fresh["orientation"], fresh["scale"], fresh["colour"] = orientation, scales, colours
    points.DeepCopy(fresh)
