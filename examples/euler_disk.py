"""Euler's disk: the toy that hums ever higher and then falls silent.

Runs scenes/euler_disk.toml, a steel disk on a hollow mirror, and draws how often per second the
point that touches runs around the rim, which is what one hears: over time, and over the time that
is left, where dry contour friction lets it rise as (t_f - t)^(-1/3), and the energy fall as the
power 2/3.

    python examples/euler_disk.py [--folder out]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib
import numpy as np
from scipy.spatial.transform import Rotation

import rollcone as rc
from rollcone.analysis.disk import disk_motion
from rollcone.analysis.disk_decay import DecayFit, fit_decay

matplotlib.use("Agg")
import matplotlib.pyplot as plt

SCENE = Path(__file__).with_name("scenes") / "euler_disk.toml"
FROM, TO = 0.7, 0.03  # s before the stop, between which the power is fitted


def rim_frequency(run: rc.Run) -> np.ndarray:
    """Turns per second of the point that touches, around the rim; seen in the axes in which the
    disk lies in the end, since it does not lie level beside the middle of the mirror."""
    track = run.body("disk")
    turned = Rotation.from_quat(np.roll(track.orientation, -1, axis=1))
    there = turned[-1].inv()
    motion = disk_motion(
        np.roll((there * turned).as_quat(), 1, axis=1),
        there.apply(track.velocity),
        there.apply(track.angular_velocity),
        radius=0.0375,
    )
    return np.abs(motion.psi_rate) / (2 * np.pi)


def main(folder: Path = Path("out")) -> tuple[rc.Run, DecayFit]:
    folder.mkdir(parents=True, exist_ok=True)
    print("A disk on a mirror ...", flush=True)
    run = rc.load_scene(SCENE).simulate()
    print(run.summary())
    stop = int(np.argmax(run.contact_count == 3))  # it lies on three points
    time, hertz = run.time[1:stop], rim_frequency(run)[1:stop]
    energy = (run.energy.kinetic + run.energy.potential)[1:stop]
    late = (time > run.time[stop] - FROM) & (time < run.time[stop] - TO)
    fit = fit_decay(time[late], energy[late] - run.energy.potential[-1])
    picture = folder / "euler_disk.png"
    draw(time, hertz, fit, picture)
    print(
        f"Silent from {run.time[stop]:.2f} s on. The law of its end is "
        f"(t_f - t)^(-1/n) with n = {fit.law.exponent:.3f}; theory: 3. Open {picture}"
    )
    return run, fit


def draw(time: np.ndarray, hertz: np.ndarray, fit: DecayFit, picture: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    left.plot(time, hertz, lw=1)
    left.set(xlabel="time (s)", ylabel="turns of the contact point (Hz)", title="What one hears")
    left_over = fit.final_time - time
    time, hertz, left_over = (each[left_over > 1e-3] for each in (time, hertz, left_over))
    right.loglog(left_over, hertz, lw=2.5, alpha=0.5, label="simulated")
    level = np.interp(fit.final_time - 0.1, time, hertz) * 0.1 ** (1 / 3)
    right.loglog(left_over, level * left_over ** (-1 / 3), "k--", lw=1, label="$(t_f - t)^{-1/3}$")
    right.invert_xaxis()
    right.set(xlabel="time that is left (s)", title="Dry contour friction")
    right.legend(frameon=False)
    figure.savefig(picture, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("out"))
    main(parser.parse_args().folder)
