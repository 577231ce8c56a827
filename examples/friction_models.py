"""One puck, five frictions: what models of linear complementarity make of Coulomb's law.

A puck is sent off at 20 degrees to the axes of its contacts. Under Coulomb's law it slides straight
on and stops after v^2 / (2 mu g). Prints where it stops under each model, and draws the paths.

    python examples/friction_models.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import rollcone as rc

matplotlib.use("Agg")
import matplotlib.pyplot as plt

MU, G, SPEED, ANGLE = 0.3, 9.81, 2.0, np.radians(20.0)
DISTANCE = SPEED**2 / (2 * MU * G)
MODELS: dict[str, str | rc.PolygonalFriction | rc.BoxFriction | rc.RegularisedFriction] = {
    "cone (Coulomb's law)": "cone",
    "regularised": rc.RegularisedFriction(),
    "polygonal, 8 facets": rc.PolygonalFriction(facets=8),
    "polygonal, 4 facets": rc.PolygonalFriction(facets=4),
    "box": rc.BoxFriction(),
}


def puck() -> rc.World:
    world = rc.World(gravity=(0, 0, -G))
    world.add_plane()
    world.set_contact_law(rc.ContactLaw(sliding=MU))
    way = (SPEED * np.cos(ANGLE), SPEED * np.sin(ANGLE), 0.0)
    world.add_box(size=(0.2, 0.2, 0.02), mass=1.0, position=(0, 0, 0.01), velocity=way, name="puck")
    return world


def main(folder: Path = Path("out"), step: float = 0.01) -> dict[str, np.ndarray]:
    folder.mkdir(parents=True, exist_ok=True)
    print("A puck on a floor ...", flush=True)
    paths = {}
    for name, model in MODELS.items():
        run = rc.simulate(puck(), until=1.2, step=step, friction_model=model)
        paths[name] = way = run.body("puck").position[:, :2]
        length, angle = np.hypot(*way[-1]), np.degrees(np.arctan2(way[-1, 1], way[-1, 0]))
        print(
            f"{name:22s} {length:.4f} m ({length / DISTANCE - 1:+.2%}), "
            f"{angle - np.degrees(ANGLE):+.2f} degrees aside, residual {run.residual.max():.0e}"
        )
    picture = folder / "friction_models.png"
    draw(paths, picture)
    print(f"Theory: {DISTANCE:.4f} m, straight on. Open {picture}")
    return paths


def draw(paths: dict[str, np.ndarray], picture: Path) -> None:
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for width, (name, way) in zip((6, 2, 2, 2, 2), paths.items(), strict=True):
        line = axes.plot(*way.T, lw=width, label=name, alpha=0.35 if width > 2 else 1.0)[0]
        axes.plot(*way[-1], "o", color=line.get_color(), ms=5)
    axes.plot(*(DISTANCE * np.array([np.cos(ANGLE), np.sin(ANGLE)])), "k+", ms=14, label="theory")
    axes.set(xlabel="x (m)", ylabel="y (m)", aspect="equal", title="A puck slides to its stop")
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(picture, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
