"""Draw CPU time against the worst overlap of the pour: python -m benchmarks.peers.plot [PICTURE]

From the figures that `python -m benchmarks peers` has left in out/peers.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.peers.tables import RESULTS

PICTURE = Path(__file__).parents[1] / "peers.png"
NAMES = {"rollcone": "Rollcone", "lammps": "LAMMPS", "mujoco": "MuJoCo", "pybullet": "PyBullet"}
COLOURS = {"rollcone": "#c1440e", "lammps": "#27548a", "mujoco": "#5f8d4e", "pybullet": "#8a6fae"}


def draw(results: list[dict[str, float | str]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FormatStrFormatter, FuncFormatter, NullFormatter

    figure, axes = plt.subplots(figsize=(8.0, 5.2), layout="constrained")
    for program in dict.fromkeys(str(result["program"]) for result in results):
        own = sorted(
            (r for r in results if r["program"] == program), key=lambda r: float(r["moving"])
        )
        x, y = [float(r["moving"]) for r in own], [float(r["cpu"]) for r in own]
        colour, name = COLOURS.get(program, "#555555"), NAMES.get(program, program.upper())
        axes.plot(x, y, "o", color=colour, label=name)
        for r, *place in zip(own, x, y, strict=True):
            axes.annotate(
                str(r["words"]), place, xytext=(5, 3), textcoords="offset points", fontsize=7,
                color=colour,
            )  # fmt: skip
    axes.set(
        xscale="log", yscale="log", xlabel="worst overlap in the pour / diameter",
        ylabel="CPU s per simulated s", title="1,000 spheres poured",
    )  # fmt: skip
    axes.grid(which="major", color="#dddddd", linewidth=0.6)
    axes.margins(x=0.2, y=0.1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g} %"))
    axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    draw(json.loads(RESULTS.read_text()), Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
