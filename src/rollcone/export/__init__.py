"""Runs in the files of other programs: VTKHDF (ParaView), CSV, glTF (Blender, browsers)."""
