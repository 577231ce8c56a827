"""Short scenes whose results are fingerprinted; they use the public interface alone.

Each scene is a function without arguments that returns a dictionary of arrays in a fixed order.
Together the scenes cover every shape, contact law, scheme, kind of joint, friction model and
solver. Nothing in the arrays depends on the wall clock.

The compiled steps of earlier versions came in many forms, by the shapes in a world, the rows of
its contacts and its friction laws. The scenes are chosen so that they need about a dozen of them.
"""

from importlib import import_module

from fingerprints.scenes.making import SCENES

for _name in ("sliding_spheres", "rolling_spheres", "shapes", "instants"):
    import_module(f"{__name__}.{_name}")  # its scenes are added, in the order of fingerprints.json

__all__ = ["SCENES"]
